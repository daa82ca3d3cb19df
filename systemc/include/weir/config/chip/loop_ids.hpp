// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

#include "weir/core/units.hpp"

namespace weir {

/// The port of a loop over all ports of a chip.
[[nodiscard]] constexpr PortId port_id(std::size_t index) noexcept {
  return PortId{static_cast<PortId::rep>(index)};
}

/// The priority, PG or queue of a loop over all eight.
[[nodiscard]] constexpr Priority priority_id(std::size_t index) noexcept {
  return Priority{static_cast<Priority::rep>(index)};
}

}  // namespace weir
