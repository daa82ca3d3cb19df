// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

#include "weir/core/units.hpp"

namespace weir {

/// The priority of a loop over all eight.
[[nodiscard]] constexpr Priority priority_of(std::size_t index) noexcept {
  return Priority{static_cast<std::uint8_t>(index)};
}

}  // namespace weir
