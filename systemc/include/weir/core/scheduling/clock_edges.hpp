// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "weir/core/bits.hpp"
#include "weir/core/scheduling/clock_period.hpp"
#include "weir/core/units.hpp"

namespace weir {

/// The edges of a core clock, without a division per packet where its period is whole.
///
/// Units:  picoseconds. Range: period >= 2 ps, t below 2^63 ps / denominator of the
///         period. Errors: none.
/// Source: docs/design/contract.md, 3: a signal from the wire is seen by the MMU at the next clock
///         edge; an event exactly on an edge belongs to it.
class ClockEdges {
 public:
  explicit constexpr ClockEdges(const ClockPeriod& period) noexcept
      : parts_{period.numerator()},
        parts_a_ps_{period.denominator()},
        inverse_{~std::uint64_t{0} / parts_},
        whole_{period.whole()} {}

  /// The edge at or after `t`, as a cycle number.
  [[nodiscard]] constexpr Cycle cycle_at_or_after(Picoseconds t) const noexcept {
    const std::uint64_t dividend = t.count() * parts_a_ps_ + parts_ - 1;
    // inverse_ is at most one too small in 2^64, so the quotient is at most one too small.
    std::uint64_t quotient = high_product(dividend, inverse_);
    while (dividend - quotient * parts_ >= parts_) ++quotient;
    return Cycle{quotient};
  }
  /// The edge that begins the cycle of `t`.
  [[nodiscard]] constexpr Cycle cycle_at_or_before(Picoseconds t) const noexcept {
    return cycle_at_or_after(t + Picoseconds{1}) - Cycle{1};
  }
  [[nodiscard]] constexpr Picoseconds time_at_or_after(Picoseconds t) const noexcept {
    return time(cycle_at_or_after(t));
  }
  [[nodiscard]] constexpr Picoseconds time(Cycle cycle) const noexcept {
    const std::uint64_t parts = cycle.count() * parts_;
    return Picoseconds{whole_ ? parts : parts / parts_a_ps_};
  }
  /// The time of the edge `cycles` after the edge at or after `t`. With a whole period it is
  /// `cycles` periods after `t`, also where `t` is no edge.
  [[nodiscard]] constexpr Picoseconds later(Picoseconds t, Cycle cycles) const noexcept {
    if (whole_) return t + Picoseconds{cycles.count() * parts_};
    return time(cycle_at_or_after(t) + cycles);
  }

 private:
  static constexpr std::uint64_t high_product(std::uint64_t a, std::uint64_t b) noexcept {
    return static_cast<std::uint64_t>((Wide{a} * b) >> 64);
  }

  std::uint64_t parts_, parts_a_ps_, inverse_;  // a cycle is `parts_` parts of a picosecond
  // A member of its own: with parts_a_ps_ == 1 in its place compilers divide for all periods.
  bool whole_;
};

}  // namespace weir
