// SPDX-License-Identifier: Apache-2.0
// Numbers of a page, written by integers, against the same as doubles.
#include "text/format.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <random>
#include <string>

namespace weir::format_test {
namespace {

// As documented: four digits of the value in the largest unit in which it is 1 or more; of seconds
// from 10,000 on all digits.
std::string expected(std::uint64_t picoseconds) {
  constexpr std::array<const char*, 5> units{"ps", "ns", "us", "ms", "s"};
  auto value = static_cast<double>(picoseconds);
  std::size_t unit = 0;
  while (unit + 1 < units.size() && 999.95 <= value) {
    value /= 1000;
    ++unit;
  }
  return value < 9999.5 ? fmt::format("{:.4g} {}", value, units[unit])
                        : fmt::format("{:.0f} {}", value, units[unit]);
}

TEST(Format, AnIntegerIsRoundedAsItsDoubleIs) {
  std::uint64_t compared = 0;
  const auto compare = [&](std::uint64_t value) {
    ASSERT_EQ(format_quantity(Picoseconds{value}), expected(value)) << value;
    ++compared;
  };
  for (std::uint64_t value = 0; value < 20'000; ++value) compare(value);
  std::mt19937_64 random{1};
  for (int i = 0; i < 100'000; ++i) compare(random() >> (random() % 64));
  // Both sides of each end of a unit, and of what is half-way between two texts.
  for (std::uint64_t power = 1; power < 1'000'000'000'000'000; power *= 10)
    for (const std::uint64_t digits : {1000U, 1234U, 9994U, 9999U, 99'949U, 99'950U, 99'995U})
      for (const std::uint64_t half : {0U, 1U})
        for (const int off : {-1, 0, 1})
          compare(digits * power + half * power / 2 + static_cast<std::uint64_t>(off));
  EXPECT_GT(compared, 120'000U);
}

TEST(Format, UnitsAndGroups) {
  EXPECT_EQ(format_quantity(Picoseconds{0}), "0 ps");
  EXPECT_EQ(format_quantity(Picoseconds{1'500'000}), "1.5 us");
  EXPECT_EQ(format_quantity(Picoseconds{999'960'000}), "1 ms");
  EXPECT_EQ(format_quantity(Bytes{64}), "64 B");
  EXPECT_EQ(format_quantity(Bytes{9'523'456}), "9.523 MB");
  EXPECT_EQ(format_quantity(BitRate{38'100'000'000}), "38.1 Gbps");
  EXPECT_EQ(format_quantity(std::uint64_t{1'234'567}), "1,234,567");
  EXPECT_EQ(format_percent(1, 3), "33 %");
  EXPECT_EQ(format_percent(1, 0), "-");
}

TEST(Format, WhatASearchFound) {
  EXPECT_EQ(format_found("9 MB", 3, true), "9 MB");
  EXPECT_EQ(format_found("2 MB", 0, true), "2 MB or less");
  EXPECT_EQ(format_found("12 MB", std::nullopt, true), "none up to 12 MB");
  EXPECT_EQ(format_found("12 MB", std::nullopt, false), "could not run");
}

}  // namespace
}  // namespace weir::format_test
