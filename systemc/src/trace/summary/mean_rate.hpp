// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "weir/core/bits.hpp"
#include "weir/core/units.hpp"

namespace weir {

/// Rate of `bytes` over `time`, rounded down; 0 over no time.
[[nodiscard]] inline BitRate mean_rate(Bytes bytes, Picoseconds time) noexcept {
  constexpr std::uint64_t bits = 8;
  if (time == Picoseconds{}) return BitRate{};
  return BitRate{static_cast<std::uint64_t>(Wide{bytes.count()} * bits * picoseconds_per_second /
                                            time.count())};
}

}  // namespace weir
