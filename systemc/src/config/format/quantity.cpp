// SPDX-License-Identifier: Apache-2.0
#include "weir/config/format/quantity.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string_view>

namespace weir {
namespace {

using Units = std::array<std::string_view, 5>;  // each 1000 of the one before
constexpr Units times{"ps", "ns", "us", "ms", "s"}, sizes{"B", "kB", "MB", "GB", "TB"},
    rates{"bps", "kbps", "Mbps", "Gbps", "Tbps"};

// The value in the largest of the units in which it is 1 or more.
std::string scaled(double value, const Units& units) {
  const std::string_view* unit = units.begin();
  // 999.96 would be written as 1000.
  while (unit + 1 != units.end() && 999.95 <= value) {
    value /= 1000;
    ++unit;
  }
  // Without an exponent, which four digits of 36,000 s would have.
  return value < 9999.5 ? fmt::format("{:.4g} {}", value, *unit)
                        : fmt::format("{:.0f} {}", value, *unit);
}

// The same of an integer, by integers: a page has tens of thousands. Nothing where that could round
// otherwise: half-way between two texts, and where a double does not hold all digits.
std::optional<std::string> scaled_exactly(std::uint64_t value, const Units& units) {
  constexpr std::uint64_t past = 999'950'000'000'000;  // one more unit would be needed
  if (past <= value) return std::nullopt;
  std::uint64_t scale = 1;  // of the unit
  std::size_t unit = 0;
  for (; scale * 99'995 <= value * 100; scale *= 1000) ++unit;
  std::uint64_t step = scale;  // the value of the last digit
  std::size_t decimals = 0;
  for (; 1 < step && value / step < 1000; step /= 10) ++decimals;
  const std::uint64_t rest = value % step;
  if (rest * 2 == step) return std::nullopt;
  std::uint64_t digits = value / step + (step < rest * 2 ? 1 : 0);
  for (; decimals != 0 && digits % 10 == 0; digits /= 10) --decimals;
  const fmt::format_int written{digits};
  std::string text{written.data(), written.size()};
  if (decimals != 0) text.insert(text.size() - decimals, 1, '.');
  return text.append(1, ' ').append(units[unit]);
}

std::string scaled(std::uint64_t value, const Units& units) {
  if (std::optional<std::string> text = scaled_exactly(value, units)) return *std::move(text);
  return scaled(static_cast<double>(value), units);
}

}  // namespace

std::string format_quantity(std::uint64_t count) {
  const fmt::format_int digits{count};
  std::string text{digits.data(), digits.size()};
  for (std::size_t i = text.size(); 3 < i;) text.insert(i -= 3, 1, ',');
  return text;
}

std::string format_quantity(Picoseconds time) { return scaled(time.count(), times); }

std::string format_quantity(Bytes size) { return scaled(size.count(), sizes); }

std::string format_quantity(BitRate rate) { return scaled(rate.count(), rates); }

std::string format_rate(Bytes size, Picoseconds time) {
  if (time == Picoseconds{0}) return "-";
  constexpr auto bit_picoseconds = static_cast<double>(8 * picoseconds_per_second);
  return scaled(
      static_cast<double>(size.count()) * bit_picoseconds / static_cast<double>(time.count()),
      rates);
}

}  // namespace weir
