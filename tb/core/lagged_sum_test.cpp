// SPDX-License-Identifier: Apache-2.0
#include "weir/core/accounting/lagged_sum.hpp"

#include <gtest/gtest.h>

#include <map>

#include "weir/core/random.hpp"

namespace weir::lagged_sum_test {
namespace {

TEST(LaggedSum, IsZeroUntilTheFirstRecordIsLagCyclesOld) {
  LaggedSum sum{3};
  sum.record(Cycle{10}, Cells{7});
  EXPECT_EQ(sum.at(Cycle{10}), Cells{0}) << "seen in its own cycle";
  EXPECT_EQ(sum.at(Cycle{12}), Cells{0}) << "seen one cycle early";
  EXPECT_EQ(sum.at(Cycle{13}), Cells{7}) << "not seen after the lag";
}

TEST(LaggedSum, TakesTheLastRecordOfACycleAsItsEnd) {
  LaggedSum sum{1};
  sum.record(Cycle{5}, Cells{1});
  sum.record(Cycle{5}, Cells{9});
  sum.record(Cycle{5}, Cells{4});
  EXPECT_EQ(sum.at(Cycle{5}), Cells{0}) << "a lag of 1 hides the present cycle";
  EXPECT_EQ(sum.at(Cycle{6}), Cells{4}) << "the value at the end of cycle 5";
}

TEST(LaggedSum, HoldsAValueOverAnyGap) {
  LaggedSum sum{2};
  sum.record(Cycle{0}, Cells{3});
  EXPECT_EQ(sum.at(Cycle{1'000'000}), Cells{3}) << "lost without new records";
  sum.record(Cycle{1'000'000}, Cells{8});
  EXPECT_EQ(sum.at(Cycle{1'000'001}), Cells{3}) << "the old value holds for lag - 1 cycles more";
  EXPECT_EQ(sum.at(Cycle{1'000'002}), Cells{8});
}

TEST(LaggedSum, AgreesWithAFullHistoryForEveryLagAndSpacing) {
  RandomStream random{1, "lagged_sum"};
  std::uint64_t compared = 0;
  for (std::uint32_t lag = 1; lag <= 8; ++lag) {
    for (std::uint64_t spacing = 1; spacing <= 12; ++spacing) {
      LaggedSum sum{lag};
      std::map<std::uint64_t, Cells> end_of_cycle;
      std::uint64_t now = 0;
      for (int step = 0; step < 200; ++step) {
        now += random.uniform(spacing);
        const Cells value{static_cast<std::uint32_t>(random.uniform(1000))};
        sum.record(Cycle{now}, value);
        end_of_cycle[now] = value;
        Cells expected{0};
        for (const auto& [cycle, at_end] : end_of_cycle)
          if (cycle + lag <= now) expected = at_end;
        ASSERT_EQ(sum.at(Cycle{now}), expected)
            << "lag " << lag << ", spacing below " << spacing << ", cycle " << now;
        ++compared;
      }
    }
  }
  EXPECT_EQ(compared, 8U * 12U * 200U) << "the comparison did not run";
}

}  // namespace
}  // namespace weir::lagged_sum_test
