// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "weir/core/units.hpp"

namespace weir {

/// alpha of dynamic thresholds (DT): numerator / 2^shift. SAI has 2^k for k = -8..7; files also
/// take n/2^m.
struct Alpha {
  std::uint32_t numerator{1};  ///< 1 .. 65535
  std::uint8_t shift{0};       ///< 0 .. 16

  /// alpha = 2^exponent; SAI dynamic_th. Range: -8..7.
  [[nodiscard]] static constexpr Alpha power_of_two(int exponent) noexcept {
    return exponent < 0 ? Alpha{1, static_cast<std::uint8_t>(-exponent)}
                        : Alpha{1U << static_cast<unsigned>(exponent), 0};
  }
  friend constexpr bool operator==(Alpha a, Alpha b) noexcept {
    return a.numerator == b.numerator && a.shift == b.shift;
  }
};

/// The limit T of the shared part of one queue or PG, ready for use: a line in the free cells,
/// T(S) = floor(slope * (B - S)) + constant, slope = n/2^m; S >= B leaves the constant.
///
/// Units:  cells in, cells out, rounded down.
/// Range:  B up to 2^24 cells, n up to 65535, m up to 16; T saturates at 2^32 - 1.
/// Errors: none; at() is total. make_threshold() (sharing_policy.hpp) throws ConfigError.
/// Source: Choudhury and Hahne 1998 [CH98] for `dynamic`; n = 0 gives the policies with a fixed T.
class Threshold {
 public:
  constexpr Threshold() noexcept = default;
  constexpr Threshold(Cells pool, Alpha slope, Cells constant) noexcept
      : pool_{pool}, numerator_{slope.numerator}, constant_{constant}, shift_{slope.shift} {}

  /// A T that does not follow S.
  [[nodiscard]] static constexpr Threshold fixed(Cells pool, Cells limit) noexcept {
    return Threshold{pool, Alpha{0, 0}, limit};
  }

  /// T while S is `used`.
  [[nodiscard]] constexpr Cells at(Cells used) const noexcept {
    const std::uint64_t free = saturating_subtract(pool_, used).count();
    const std::uint64_t limit = ((free * numerator_) >> shift_) + constant_.count();
    return Cells{limit > 0xffff'ffffU ? 0xffff'ffffU : static_cast<std::uint32_t>(limit)};
  }

  /// n/2^m; n = 0: T does not follow S.
  [[nodiscard]] constexpr Alpha slope() const noexcept { return {numerator_, shift_}; }
  [[nodiscard]] constexpr Cells constant() const noexcept { return constant_; }

 private:
  Cells pool_;
  std::uint32_t numerator_{0};
  Cells constant_;
  std::uint8_t shift_{0};
};

}  // namespace weir
