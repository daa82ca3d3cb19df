// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

#include "weir/core/chip.hpp"

namespace weir::test {

/// A chip for worked examples: `ports` ports of 100G in one domain, cells of 208 B, one ingress
/// pool of `shared` cells with dedicated headroom, one egress pool of `shared` cells. All PGs have
/// profile 0 (lossless, dynamic with alpha 1, everything else zero); no queue has a limit.
/// A test changes the settings that it is about.
[[nodiscard]] inline Chip small_chip(std::size_t ports, Cells shared) {
  Chip chip;
  chip.name = "small";
  for (std::size_t port = 0; port < ports; ++port)
    chip.ports.push_back({BitRate{100'000'000'000}, DomainId{0}, Picoseconds{}});
  chip.ingress_pools.push_back({"ingress", shared, Cells{0}, true});
  chip.egress_pools.push_back({"egress", shared, Cells{0}, true});
  Profile profile;
  profile.name = "lossless";
  profile.lossless = true;
  chip.profiles.push_back(profile);
  chip.profile_of_pg.assign(ports * priorities, ProfileIndex{0});
  chip.profile_of_queue.assign(ports * priorities, std::nullopt);
  return chip;
}

/// A packet that fills exactly `cells` cells of a small chip.
[[nodiscard]] inline Bytes packet_of(Cells cells) { return Bytes{cells.count() * 208ULL}; }

/// Text of the cells for EXPECT messages: "private + shared + headroom".
[[nodiscard]] inline std::string format_placement(Cells private_cells, Cells shared,
                                                  Cells headroom) {
  return std::to_string(private_cells.count()) + " + " + std::to_string(shared.count()) + " + " +
         std::to_string(headroom.count());
}

}  // namespace weir::test
