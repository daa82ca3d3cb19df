// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "weir/core/units.hpp"

namespace weir {

/// The edges of a core clock, without a division per packet.
///
/// Units:  picoseconds. Range: period >= 2 ps, t below 2^63 ps. Errors: none.
/// Source: docs/design/contract.md, 3: a signal from the wire is seen by the MMU at the next clock
///         edge; an event exactly on an edge belongs to it.
class ClockEdges {
 public:
  explicit constexpr ClockEdges(Picoseconds period) noexcept
      : period_{period.count()}, inverse_{~std::uint64_t{0} / period_} {}

  /// The edge at or after `t`, as a cycle number.
  [[nodiscard]] constexpr Cycle cycle_at_or_after(Picoseconds t) const noexcept {
    const std::uint64_t dividend = t.count() + period_ - 1;
    // inverse_ is at most one too small in 2^64, so the quotient is at most one too small.
    std::uint64_t quotient = high_product(dividend, inverse_);
    while (dividend - quotient * period_ >= period_) ++quotient;
    return Cycle{quotient};
  }
  [[nodiscard]] constexpr Picoseconds time_at_or_after(Picoseconds t) const noexcept {
    return time(cycle_at_or_after(t));
  }
  [[nodiscard]] constexpr Picoseconds time(Cycle cycle) const noexcept {
    return Picoseconds{cycle.count() * period_};
  }
  [[nodiscard]] constexpr Picoseconds period() const noexcept { return Picoseconds{period_}; }

 private:
  static constexpr std::uint64_t high_product(std::uint64_t a, std::uint64_t b) noexcept {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>((Wide{a} * b) >> 64);
  }

  std::uint64_t period_, inverse_;
};

}  // namespace weir
