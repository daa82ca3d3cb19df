// SPDX-License-Identifier: Apache-2.0
// What probes share: a network that is driven until something has happened, not until a time.
#pragma once
#include <cstddef>

#include "weir/core/units.hpp"

namespace weir {

/// Simulated time from one look at the driver to the next.
inline constexpr Picoseconds probe_slice{100'000'000};
/// A probe ends by what happens, not by time.
inline constexpr Picoseconds probe_end{1ULL << 62U};

[[nodiscard]] constexpr PortId port_number(std::size_t index) noexcept {
  return PortId{static_cast<std::uint16_t>(index)};
}

}  // namespace weir
