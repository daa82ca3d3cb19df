// SPDX-License-Identifier: Apache-2.0
#include "format.hpp"

#include <fmt/format.h>

namespace weir {

std::string format_clock(const ClockPeriod& clock) {
  if (clock.whole()) return format_quantity(clock.min_time(Cycle{1}));
  return fmt::format(
      "{} ({:.6g} MHz)", format_period(clock),
      1e6 * static_cast<double>(clock.denominator()) / static_cast<double>(clock.numerator()));
}

std::string format_found(const std::string& text, std::optional<std::size_t> smallest, bool runs) {
  if (!smallest) return runs ? "none up to " + text : "could not run";
  return text + (*smallest == 0 ? " or less" : "");
}

std::string format_ratio(std::uint64_t thousandths) {
  return fmt::format("{:.4g}", static_cast<double>(thousandths) / 1000);
}

std::string format_share(std::uint64_t millionths) {
  return fmt::format("{:.4g} %", static_cast<double>(millionths) / 10'000);
}

std::string format_percent(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? "-" : std::to_string((part * 100 + whole / 2) / whole) + " %";
}

}  // namespace weir
