// SPDX-License-Identifier: Apache-2.0
#include "weir/core/host/nic_watchdog.hpp"

#include <gtest/gtest.h>

namespace weir::nic_watchdog_test {
namespace {

constexpr Picoseconds limit{100};
constexpr Picoseconds at(std::uint64_t ps) { return Picoseconds{ps}; }

TEST(NicWatchdog, TripsExactlyWhenThePipelineHasBeenStillForTheLimitWhilePausing) {
  NicWatchdog watchdog{limit};
  EXPECT_EQ(watchdog.look(at(50), {true, at(40)}).again, at(140));
  EXPECT_FALSE(watchdog.look(at(139), {true, at(40)}).tripped);
  EXPECT_TRUE(watchdog.look(at(140), {true, at(40)}).tripped);
  EXPECT_TRUE(watchdog.tripped());
}

TEST(NicWatchdog, APipelineThatWasStillBeforeThePausesTripsWithTheFirst) {
  NicWatchdog watchdog{limit};
  EXPECT_EQ(watchdog.look(at(500), {false, at(40)}).again, std::nullopt) << "it sends no pause";
  EXPECT_TRUE(watchdog.look(at(600), {true, at(40)}).tripped);
}

TEST(NicWatchdog, ASlowPipelineNeverTripsIt) {
  NicWatchdog watchdog{limit};
  Picoseconds now{0};
  for (int i = 0; i < 100; ++i) {
    // The current packet has waited for 99 at this look.
    const NicWatchdog::Look look = watchdog.look(now, {true, saturating_subtract(now, at(99))});
    ASSERT_FALSE(look.tripped) << now;
    now = *look.again + at(99);
  }
  EXPECT_EQ(watchdog.look(now, {true, std::nullopt}).again, now + limit) << "idle just now";
}

TEST(NicWatchdog, IsForGoodUntilTheServerIsRepaired) {
  NicWatchdog watchdog{limit};
  ASSERT_TRUE(watchdog.look(at(200), {true, at(40)}).tripped);
  EXPECT_FALSE(watchdog.look(at(400), {true, at(40)}).tripped) << "reported once";
  EXPECT_TRUE(watchdog.tripped());
  watchdog.reset();
  EXPECT_FALSE(watchdog.tripped());
  EXPECT_TRUE(watchdog.look(at(900), {true, at(800)}).tripped) << "it may trip again";
}

}  // namespace
}  // namespace weir::nic_watchdog_test
