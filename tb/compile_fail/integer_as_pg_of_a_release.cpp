// SPDX-License-Identifier: Apache-2.0
#include "weir/core/mmu.hpp"

int main() {
  using namespace weir;  // NOLINT: a snippet that only a compiler reads
  Mmu mmu{Chip{}};
  mmu.release(PgIndex{3}, Cells{1}, QueueIndex{3}, true, Cycle{0});
  mmu.release(3, Cells{1}, QueueIndex{3}, true, Cycle{0});  // must not compile
}
