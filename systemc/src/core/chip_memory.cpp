// SPDX-License-Identifier: Apache-2.0
#include "weir/core/chip_memory.hpp"

namespace weir {

std::uint64_t cells_taken(const Chip& chip, DomainId domain) {
  std::uint64_t cells = 0;
  for (const Pool& pool : chip.ingress_pools) {
    cells += pool.shared.count();
    cells += pool.headroom.count();
  }
  for (std::size_t port = 0; port < chip.ports.size(); ++port) {
    if (chip.ports[port].domain != domain) continue;
    for (PoolNumber pool; pool < chip.ingress_pools.end_index(); ++pool)
      cells += reserved_cells(chip, pool, PortId{static_cast<std::uint16_t>(port)});
  }
  return cells;
}

std::uint64_t cells_taken(const Chip& chip) {
  std::uint64_t cells = 0;
  for (std::uint32_t d = 0; d < chip.domains; ++d)
    cells += cells_taken(chip, DomainId{static_cast<std::uint8_t>(d)});
  return cells;
}

std::uint64_t cells_apart(const Chip& chip, PoolNumber pool) {
  std::uint64_t cells = 0;
  for (std::size_t port = 0; port < chip.ports.size(); ++port)
    cells += reserved_cells(chip, pool, PortId{static_cast<std::uint16_t>(port)});
  return cells;
}

}  // namespace weir
