// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "weir/core/units.hpp"

namespace weir {

/// Greatest length of a cable: 1,000 km.
inline constexpr Millimetres max_cable{1'000'000'000};
/// Range of the propagation delay of one metre. 3.336 ns/m is light in vacuum.
inline constexpr Picoseconds min_delay_per_metre{3'336}, max_delay_per_metre{100'000};
/// Propagation delay of one metre where a file gives none.
/// Source: 5 ns/m make 300 m the 1.5 us of [DSH].
inline constexpr Picoseconds usual_delay_per_metre{5'000};

/// Propagation time one way, rounded up to a picosecond. Range: up to `max_cable` and
/// `max_delay_per_metre`.
[[nodiscard]] constexpr Picoseconds propagation_delay(Millimetres cable,
                                                      Picoseconds delay_per_metre) noexcept {
  constexpr std::uint64_t mm_per_metre = 1000;
  return Picoseconds{(cable.count() * delay_per_metre.count() + mm_per_metre - 1) / mm_per_metre};
}

}  // namespace weir
