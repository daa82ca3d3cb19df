// SPDX-License-Identifier: Apache-2.0
#include "weir/core/chip_memory.hpp"

namespace weir {

std::uint64_t cells_taken(const Chip& chip, DomainId domain) {
  std::uint64_t cells = 0;
  for (const Pool& pool : chip.ingress_pools) {
    cells += pool.shared.count();
    cells += pool.headroom.count();
  }
  for (std::size_t slot = 0; slot < chip.profile_of_pg.size(); ++slot) {
    if (!chip.profile_of_pg[slot] || chip.ports[slot / priorities].domain != domain) continue;
    const Profile& profile = chip.profiles[*chip.profile_of_pg[slot]];
    cells += profile.private_cells.count();
    if (chip.ingress_pools[profile.pool].dedicated_headroom) cells += profile.headroom.count();
  }
  return cells;
}

std::uint64_t cells_taken(const Chip& chip) {
  std::uint64_t cells = 0;
  for (std::uint32_t d = 0; d < chip.domains; ++d)
    cells += cells_taken(chip, DomainId{static_cast<std::uint8_t>(d)});
  return cells;
}

}  // namespace weir
