// SPDX-License-Identifier: Apache-2.0
//
// Runs every mutant of one block beside the block itself, on the same inputs, until an output
// differs. Built by scripts/mutants, which generates inputs.hpp (the pins of the block) and takes
// shape.hpp of the block, or the one that leaves the random inputs as they are.
//
//   simulation MUTANTS EPISODES CYCLES      prints "<number> killed <episode> <cycle>" or
//                                           "<number> survived" for each; every eighth episode
//                                           is eight times as long
#include <cstdio>
#include <cstdlib>

#include "Vbench.h"
#include "inputs.hpp"
#include "shape.hpp"
#include "stimulus.hpp"

namespace {

using weir::mutants::Random;

void edge(Vbench& bench) {
  bench.clk_i = 0;
  bench.eval();
  bench.clk_i = 1;
  bench.eval();
}

// One run from reset; true when an output differs. The cycle in which it did is left in `cycle`.
bool differs(Vbench& bench, unsigned episode, unsigned cycles, unsigned& cycle) {
  Random random{episode * 7919ULL + 1};
  weir::mutants::Shape<Vbench> shape{random};
  weir::mutants::clear_inputs(bench);
  bench.clk_i = 0;
  bench.rst_ni = 1;
  bench.eval();
  bench.rst_ni = 0;
  edge(bench);
  bench.rst_ni = 1;
  for (cycle = 0; cycle < cycles; ++cycle) {
    weir::mutants::random_inputs(bench, random);
    shape.drive(bench, cycle);
    bench.clk_i = 0;
    bench.eval();
    if (bench.differs_o != 0) return true;
    bench.clk_i = 1;
    bench.eval();
    if (bench.differs_o != 0) return true;
  }
  return false;
}

}  // namespace

int main(int count, char** words) {
  if (count != 4) return 2;
  const unsigned mutants = static_cast<unsigned>(std::atoi(words[1]));
  const unsigned episodes = static_cast<unsigned>(std::atoi(words[2]));
  const unsigned cycles = static_cast<unsigned>(std::atoi(words[3]));
  Vbench bench;
  // Number 0 is no mutant: it must be equal all the way.
  for (unsigned mutant = 0; mutant <= mutants; ++mutant) {
    bench.mutant_i = static_cast<unsigned char>(mutant);
    bool killed = false;
    unsigned episode = 0;
    unsigned cycle = 0;
    for (; episode < episodes && !killed; ++episode) {
      killed = differs(bench, episode, episode % 8 == 7 ? 8 * cycles : cycles, cycle);
    }
    if (killed)
      std::printf("%u killed %u %u\n", mutant, episode - 1, cycle);
    else
      std::printf("%u survived\n", mutant);
  }
  return 0;
}
