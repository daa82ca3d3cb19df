// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "weir/core/units.hpp"

namespace weir {

/// What a cable may be, and what it is where nothing is said.
///
/// Units:  mm; ps per metre.
/// Source: 3.336 ns/m is light in vacuum; 5 ns/m make 300 m the 1.5 us of [DSH].
inline constexpr Millimetres max_cable{1'000'000'000};
inline constexpr Picoseconds min_delay_per_metre{3'336}, max_delay_per_metre{100'000};
inline constexpr Picoseconds usual_delay_per_metre{5'000};

/// Propagation time one way, rounded up to a picosecond. Range: up to `max_cable` and
/// `max_delay_per_metre`.
[[nodiscard]] constexpr Picoseconds propagation_delay(Millimetres cable,
                                                      Picoseconds delay_per_metre) noexcept {
  constexpr std::uint64_t mm_per_metre = 1000;
  return Picoseconds{(cable.count() * delay_per_metre.count() + mm_per_metre - 1) / mm_per_metre};
}

}  // namespace weir
