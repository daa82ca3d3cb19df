// SPDX-License-Identifier: Apache-2.0
#include "weir/core/chip.hpp"

int main() {
  using namespace weir;  // NOLINT: a snippet that only a compiler reads
  Chip chip;
  chip.profile_of_pg[PgIndex{3}] = ProfileIndex{0};
  chip.profile_of_pg[QueueIndex{3}] = ProfileIndex{0};  // must not compile
}
