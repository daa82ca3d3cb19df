// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace weir {

/// Bits that hold the numbers 0 .. count - 1; at least one.
[[nodiscard]] constexpr unsigned index_width(std::uint64_t count) noexcept {
  unsigned width = 1;
  while ((std::uint64_t{1} << width) < count) ++width;
  return width;
}

}  // namespace weir
