// SPDX-License-Identifier: Apache-2.0
#include "format.hpp"

#include <fmt/format.h>

#include <initializer_list>
#include <string_view>

namespace weir {
namespace {

// The value in the largest of the units, each 1000 of the one before, in which it is 1 or more.
std::string scaled(double value, std::initializer_list<std::string_view> units) {
  const std::string_view* unit = units.begin();
  // 999.96 would be written as 1000.
  while (unit + 1 != units.end() && 999.95 <= value) {
    value /= 1000;
    ++unit;
  }
  return fmt::format("{:.4g} {}", value, *unit);
}

std::string rate_of(double bits_per_second) {
  return scaled(bits_per_second, {"bps", "kbps", "Mbps", "Gbps", "Tbps"});
}

}  // namespace

std::string format_quantity(std::uint64_t count) {
  std::string digits = std::to_string(count);
  for (std::size_t i = digits.size(); 3 < i;) digits.insert(i -= 3, 1, ',');
  return digits;
}

std::string format_quantity(Picoseconds time) {
  return scaled(static_cast<double>(time.count()), {"ps", "ns", "us", "ms", "s"});
}

std::string format_quantity(Bytes size) {
  return scaled(static_cast<double>(size.count()), {"B", "kB", "MB", "GB", "TB"});
}

std::string format_clock(const ClockPeriod& clock) {
  if (clock.whole()) return format_quantity(clock.least(Cycle{1}));
  return fmt::format(
      "{} ({:.6g} MHz)", format_period(clock),
      1e6 * static_cast<double>(clock.denominator()) / static_cast<double>(clock.numerator()));
}

std::string format_quantity(BitRate rate) { return rate_of(static_cast<double>(rate.count())); }

std::string format_rate(Bytes size, Picoseconds time) {
  if (time == Picoseconds{0}) return "-";
  return rate_of(static_cast<double>(size.count()) * 8e12 / static_cast<double>(time.count()));
}

std::string format_ratio(std::uint64_t thousandths) {
  return fmt::format("{:.4g}", static_cast<double>(thousandths) / 1000);
}

std::string format_share(std::uint64_t millionths) {
  return fmt::format("{:.4g} %", static_cast<double>(millionths) / 10'000);
}

std::string format_percent(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? "-" : fmt::format("{} %", (part * 100 + whole / 2) / whole);
}

}  // namespace weir
