// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include "weir/core/chip.hpp"

namespace weir {

/// Cells of one domain that the settings use: sum(phi) + B + headroom. Headroom is eta of each PG
/// where it is dedicated, else the pool's H. Source: docs/design/contract.md, 2.
[[nodiscard]] std::uint64_t cells_taken(const Chip& chip, DomainId domain);

/// Cells of all domains that the settings use.
[[nodiscard]] std::uint64_t cells_taken(const Chip& chip);

/// Cells that `pool` reserves for the PGs of all ports outside of its shared segment: the sum of
/// reserved_cells().
[[nodiscard]] std::uint64_t cells_apart(const Chip& chip, PoolNumber pool);

}  // namespace weir
