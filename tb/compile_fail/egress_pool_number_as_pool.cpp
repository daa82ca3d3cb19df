// SPDX-License-Identifier: Apache-2.0
#include "weir/core/chip.hpp"

int main() {
  using namespace weir;  // NOLINT: a snippet that only a compiler reads
  const Chip chip;
  std::uint32_t sharers = pg_sharers(chip, Profile{}.pool, DomainId{0});
  sharers += pg_sharers(chip, QueueProfile{}.pool, DomainId{0});  // must not compile
}
