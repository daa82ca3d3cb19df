// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>

#include "weir/core/bits.hpp"
#include "weir/core/units.hpp"

namespace weir {

/// Period of a core clock: numerator / denominator picoseconds in lowest terms. Edge n is at
/// floor(n x period), so that the error of an edge is below 1 ps and never adds up.
///
/// 1.35 GHz is 20000/27 ps: its edges are at 0, 740, 1481, 2222 ps and so on.
///
/// Range:  numerator not 0; denominator 1 .. max_parts.
/// Errors: none. Source: docs/design/decisions/0012-clocks-of-a-fraction.md.
class ClockPeriod {
 public:
  static constexpr std::uint64_t max_parts = 10'000;  ///< Greatest denominator.

  /// A whole number of picoseconds, the usual period. Implicit: it is the same value.
  // NOLINTNEXTLINE(google-explicit-constructor)
  constexpr ClockPeriod(Picoseconds whole) noexcept : numerator_{whole.count()} {}

  /// numerator / denominator ps; none: outside the range.
  [[nodiscard]] static constexpr std::optional<ClockPeriod> of(std::uint64_t numerator,
                                                               std::uint64_t denominator) noexcept {
    if (numerator == 0 || denominator == 0) return std::nullopt;
    const std::uint64_t common = std::gcd(numerator, denominator);
    if (max_parts < denominator / common) return std::nullopt;
    ClockPeriod period{Picoseconds{numerator / common}};
    period.denominator_ = denominator / common;
    return period;
  }

  [[nodiscard]] constexpr std::uint64_t numerator() const noexcept { return numerator_; }
  [[nodiscard]] constexpr std::uint64_t denominator() const noexcept { return denominator_; }
  /// Whether all cycles last equally long.
  [[nodiscard]] constexpr bool whole() const noexcept { return denominator_ == 1; }

  /// Number of edges before `t`, the edge at 0 included. It is also the number of the first edge at
  /// or after `t`.
  [[nodiscard]] constexpr Cycle edges_before(Picoseconds t) const noexcept {
    if (whole()) return Cycle{(t.count() + numerator_ - 1) / numerator_};
    return Cycle{
        static_cast<std::uint64_t>((Wide{t.count()} * denominator_ + numerator_ - 1) / numerator_)};
  }
  /// Least time from an edge to the edge `cycles` later.
  [[nodiscard]] constexpr Picoseconds min_time(Cycle cycles) const noexcept {
    if (whole()) return Picoseconds{cycles.count() * numerator_};
    return Picoseconds{
        static_cast<std::uint64_t>(Wide{cycles.count()} * numerator_ / denominator_)};
  }
  /// Greatest time from an edge to the edge `cycles` later.
  [[nodiscard]] constexpr Picoseconds max_time(Cycle cycles) const noexcept {
    const Picoseconds least = min_time(cycles);
    const bool exact = Wide{cycles.count()} * numerator_ % denominator_ == 0;
    return exact ? least : least + Picoseconds{1};
  }

  [[nodiscard]] constexpr bool operator==(const ClockPeriod& other) const noexcept {
    return numerator_ == other.numerator_ && denominator_ == other.denominator_;
  }
  [[nodiscard]] constexpr bool operator!=(const ClockPeriod& other) const noexcept {
    return !(*this == other);
  }

 private:
  std::uint64_t numerator_, denominator_{1};
};

/// The clock of a chip that names none.
inline constexpr ClockPeriod default_clock{Picoseconds{1000}};

/// The picoseconds of a period as text: "1000", "20000/27".
[[nodiscard]] std::string format_parts(const ClockPeriod& period);
/// format_parts() with the unit.
[[nodiscard]] std::string format_period(const ClockPeriod& period);
/// The period of a text as format_parts() writes it; none: another text, or outside the range.
[[nodiscard]] std::optional<ClockPeriod> parse_parts(std::string_view text);

/// Whether a core clock may have the period: min_clock to max_clock.
[[nodiscard]] bool is_legal_clock(const ClockPeriod& period) noexcept;

/// Errors: ConfigError about `key` unless is_legal_clock().
void check_clock(const std::string& key, const ClockPeriod& period);

/// The first clock edge at or after `t`, where the MMU sees a signal from the wire. An event
/// exactly on an edge belongs to it.
[[nodiscard]] constexpr Cycle edge_at_or_after(Picoseconds t, const ClockPeriod& clock) noexcept {
  return clock.edges_before(t);
}

/// The last clock edge at or before `t`: the one that began the cycle of `t`.
[[nodiscard]] constexpr Cycle edge_at_or_before(Picoseconds t, const ClockPeriod& clock) noexcept {
  return edge_at_or_after(t + Picoseconds{1}, clock) - Cycle{1};
}

/// The time of clock edge `cycle`.
[[nodiscard]] constexpr Picoseconds time_of(Cycle cycle, const ClockPeriod& clock) noexcept {
  return clock.min_time(cycle);
}

/// The time after `halves` half cycles: of an edge, or of the middle between two.
[[nodiscard]] constexpr Picoseconds half_edge(std::uint64_t halves,
                                              const ClockPeriod& clock) noexcept {
  const Picoseconds edge = time_of(Cycle{halves / 2}, clock);
  if (halves % 2 == 0) return edge;
  return edge + Picoseconds{(time_of(Cycle{halves / 2 + 1}, clock) - edge).count() / 2};
}

}  // namespace weir
