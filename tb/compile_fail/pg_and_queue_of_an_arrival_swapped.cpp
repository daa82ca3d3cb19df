// SPDX-License-Identifier: Apache-2.0
#include "weir/core/mmu.hpp"

int main() {
  using namespace weir;  // NOLINT: a snippet that only a compiler reads
  Mmu mmu{Chip{}};
  const PgIndex pg{3};
  const QueueIndex queue{11};
  mmu.arrive(pg, Cells{1}, Bytes{64}, queue, Cycle{0});
  mmu.arrive(queue, Cells{1}, Bytes{64}, pg, Cycle{0});  // must not compile
}
