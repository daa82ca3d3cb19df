// SPDX-License-Identifier: Apache-2.0
#include "weir/core/chip.hpp"

int main() {
  using namespace weir;  // NOLINT: a snippet that only a compiler reads
  Chip chip;
  chip.profiles[*chip.profile_of_pg[PgIndex{3}]].lossless = true;
  chip.profiles[*chip.profile_of_queue[QueueIndex{3}]].lossless = true;  // must not compile
}
