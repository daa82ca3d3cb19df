// SPDX-License-Identifier: Apache-2.0
#include "weir/core/scheduling/clock_period.hpp"

#include <charconv>
#include <system_error>

#include "weir/core/chip_limits.hpp"
#include "weir/core/errors.hpp"

namespace weir {
namespace {

std::optional<std::uint64_t> parse_number(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

std::string format_parts(const ClockPeriod& period) {
  const std::string numerator = std::to_string(period.numerator());
  return period.whole() ? numerator : numerator + "/" + std::to_string(period.denominator());
}

std::string format_period(const ClockPeriod& period) { return format_parts(period) + " ps"; }

std::optional<ClockPeriod> parse_parts(std::string_view text) {
  const std::size_t slash = text.find('/');
  const auto numerator = parse_number(text.substr(0, slash));
  const auto denominator =
      slash == std::string_view::npos ? std::uint64_t{1} : parse_number(text.substr(slash + 1));
  if (!numerator || !denominator) return std::nullopt;
  return ClockPeriod::of(*numerator, *denominator);
}

bool is_legal_clock(const ClockPeriod& period) noexcept {
  const std::uint64_t parts_a_ps = period.denominator();
  return min_clock.count() * parts_a_ps <= period.numerator() &&
         period.numerator() <= max_clock.count() * parts_a_ps;
}

void check_clock(const std::string& key, const ClockPeriod& period) {
  if (is_legal_clock(period)) return;
  throw ConfigError{key, format_period(period),
                    "must be from " + std::to_string(min_clock.count()) + " to " +
                        std::to_string(max_clock.count()) + " ps"};
}

}  // namespace weir
