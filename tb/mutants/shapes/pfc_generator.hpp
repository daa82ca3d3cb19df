// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "stimulus.hpp"

namespace weir::mutants {

/// A port whose levels change now and then, and a MAC that is free now and then; the quanta last a
/// few cycles, so that refreshes come.
template <class Bench>
class Shape {
 public:
  explicit Shape(Random& random) noexcept
      : random_{random},
        source_{random.bits() & mask(48)},
        classes_{random.bits() & mask(24)},
        step_{static_cast<std::uint32_t>(random.one_in(3) ? random.bits() >> 40 | 1 : 1U << 15)},
        busy_{random.below(4)} {
    if (random.one_in(3)) classes_ = 076543210;
  }

  void drive(Bench& bench, unsigned cycle) noexcept {
    if (cycle % 64 == 0) quanta_ = random_.one_in(4) ? random_.below(65536) : random_.below(20) + 1;
    const bool moves = random_.one_in(6);
    if (moves) levels_ = random_.word(static_cast<unsigned>(random_.below(5))) & 255;
    bench.xoff_i = static_cast<unsigned char>(levels_);
    bench.changed_i = moves ? 1 : 0;
    bench.pg_of_class_i = static_cast<std::uint32_t>(classes_);
    bench.quanta_i = static_cast<std::uint16_t>(quanta_);
    bench.step_i = step_ + (random_.one_in(64) ? 1U : 0U);
    bench.source_i = source_;
    bench.start_i = random_.below(4) >= busy_ ? 1 : 0;
    bench.m_axis_pfc_tready_i = random_.one_in(4) ? 0 : 1;
  }

 private:
  Random& random_;
  std::uint64_t source_, classes_, levels_{0}, quanta_{1};
  std::uint32_t step_;
  std::uint64_t busy_;
};

}  // namespace weir::mutants
