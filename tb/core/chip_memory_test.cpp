// SPDX-License-Identifier: Apache-2.0
#include "weir/core/chip_memory.hpp"

#include <gtest/gtest.h>

namespace weir::chip_memory_test {
namespace {

// Three ports, the third in a domain of its own; priority group 3 of each is lossless.
Chip three_ports() {
  Chip chip;
  chip.domains = 2;
  for (unsigned p = 0; p < 3; ++p)
    chip.ports.push_back({BitRate{40'000'000'000}, DomainId{static_cast<std::uint8_t>(p / 2)}, {}});
  chip.ingress_pools.push_back({"main", Cells{1000}, Cells{0}, true});
  Profile lossless;
  lossless.lossless = true;
  lossless.private_cells = Cells{6};
  lossless.headroom = Cells{100};
  chip.profiles = {lossless};
  chip.profile_of_pg.resize(3 * priorities);
  for (std::size_t port = 0; port < 3; ++port)
    chip.profile_of_pg[PgIndex{port * priorities + 3}] = ProfileIndex{0};
  return chip;
}

TEST(ChipMemory, AGroupCountsInTheDomainOfItsPort) {
  const Chip chip = three_ports();
  EXPECT_EQ(cells_taken(chip, DomainId{0}), 1000U + 2 * (6 + 100));
  EXPECT_EQ(cells_taken(chip, DomainId{1}), 1000U + 6 + 100);
  EXPECT_EQ(cells_taken(chip), 2000U + 3 * (6 + 100));
  EXPECT_EQ(cells_apart(chip, PoolNumber{0}), 3U * (6 + 100));
}

TEST(ChipMemory, AHeadroomPoolCountsInPlaceOfEachOwn) {
  Chip chip = three_ports();
  chip.ingress_pools.front().dedicated_headroom = false;
  chip.ingress_pools.front().headroom = Cells{150};
  EXPECT_EQ(cells_taken(chip, DomainId{0}), 1000U + 150 + 2 * 6);
  EXPECT_EQ(cells_taken(chip), 2 * (1000U + 150) + 3 * 6);
  EXPECT_EQ(cells_apart(chip, PoolNumber{0}), 3U * 6) << "the headroom is the pool's";
}

}  // namespace
}  // namespace weir::chip_memory_test
