// SPDX-License-Identifier: Apache-2.0
#include "weir/trace/sweep/chart_scale.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace weir::chart_scale_test {
namespace {

TEST(ChartScale, TicksAreRoundAndSpanTheValues) {
  EXPECT_EQ((ChartScale{{3, 47}, 0, 100}.ticks()), (std::vector<double>{0, 10, 20, 30, 40, 50}));
  EXPECT_EQ((ChartScale{{900, 1000}, 0, 1}.ticks()),
            (std::vector<double>{900, 920, 940, 960, 980, 1000}));
  EXPECT_EQ((ChartScale{{7}, 0, 1}.ticks()), (std::vector<double>{7, 8}));
  EXPECT_EQ((ChartScale{{}, 0, 1}.ticks()), (std::vector<double>{0, 1}));
}

TEST(ChartScale, PlacesAreLinear) {
  const ChartScale scale{{0, 50}, 200, 100};
  EXPECT_DOUBLE_EQ(scale.place_of(0), 200);
  EXPECT_DOUBLE_EQ(scale.place_of(25), 150);
  EXPECT_DOUBLE_EQ(scale.place_of(50), 100);
}

void expect_few_ticks(const std::vector<double>& values) {
  const ChartScale scale{values, 0, 380};
  const std::vector<double> ticks = scale.ticks();
  RC_ASSERT(2 <= ticks.size() && ticks.size() <= 12);
  for (std::size_t i = 1; i < ticks.size(); ++i) RC_ASSERT(ticks[i - 1] < ticks[i]);
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  const double step = ticks[1] - ticks[0];
  RC_ASSERT(ticks.front() <= *least + step * 1e-9);
  RC_ASSERT(*most <= ticks.back() + step * 1e-9);
  for (const double value : values) {
    const double place = scale.place_of(value);
    RC_ASSERT(std::isfinite(place) && -1 <= place && place <= 381);
  }
}

TEST(ChartScale, AnyValuesOf64BitsHaveAFewTicksThatRise) {
  EXPECT_TRUE(rc::check([](const std::vector<std::int64_t>& numbers, std::int64_t one) {
    // Of every magnitude, and close to each other.
    const int shift = *rc::gen::inRange(0, 64);
    std::vector<double> values{static_cast<double>(one >> shift)};
    for (const std::int64_t number : numbers)
      values.push_back(static_cast<double>((one >> shift) + (number >> *rc::gen::inRange(0, 64))));
    expect_few_ticks(values);
  }));
}

TEST(ChartScale, TheLimitsOf64BitsHaveAFewTicksThatRise) {
  constexpr double limit = 9223372036854775808.0;
  for (const std::vector<double>& values : {std::vector<double>{limit},
                                            {-limit},
                                            {-limit, limit},
                                            {0, limit},
                                            {limit, 2 * limit},
                                            {limit, std::nextafter(limit, 2 * limit)},
                                            {2 * limit},
                                            {-limit, 1}})
    EXPECT_TRUE(rc::check([&] { expect_few_ticks(values); })) << values.front();
}

}  // namespace
}  // namespace weir::chart_scale_test
