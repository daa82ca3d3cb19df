// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>

#include "weir/core/units.hpp"

/// Arithmetic that several policies have.
namespace weir::policies {

/// Range: saturates at 2^32 - 1.
[[nodiscard]] inline Cells cells_of(std::uint64_t count) noexcept {
  return Cells{static_cast<std::uint32_t>(std::min<std::uint64_t>(count, 0xffff'ffffU))};
}

/// w + what is left below the limit of the whole: w is below it while the whole is.
[[nodiscard]] inline Cells own_part(Cells own, std::uint64_t whole_limit, Cells whole) noexcept {
  const std::uint64_t room = whole_limit > whole.count() ? whole_limit - whole.count() : 0;
  return cells_of(own.count() + room);
}

}  // namespace weir::policies
