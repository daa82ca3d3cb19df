// SPDX-License-Identifier: Apache-2.0
#include "weir/core/pfc/pfc_watchdog.hpp"

#include <gtest/gtest.h>

namespace weir::pfc_watchdog_test {
namespace {

using Change = PfcWatchdog::Change;
constexpr Picoseconds detect{200}, restore{300};
constexpr Picoseconds at(std::uint64_t ps) { return Picoseconds{ps}; }

// Paused since `paused`, a packet waits since `waiting`.
PfcWatchdog::View stuck(std::uint64_t paused, std::uint64_t waiting) {
  return {at(paused), at(waiting)};
}

struct Watched {
  PfcWatchdog watchdog{{detect, restore}};

  PfcWatchdog::Look pause(std::uint64_t now, const PfcWatchdog::View& view) {
    watchdog.paused(at(now));
    return watchdog.look(at(now), view);
  }
};

TEST(PfcWatchdog, FindsAStormExactlyWhenTheQueueHasBeenStillForTheDetectionTime) {
  Watched w;
  EXPECT_EQ(w.pause(10, stuck(10, 5)).again, at(210));
  EXPECT_EQ(w.pause(100, stuck(10, 5)).again, at(210));
  EXPECT_EQ(w.watchdog.look(at(209), stuck(10, 5)).change, Change::none);
  const PfcWatchdog::Look look = w.watchdog.look(at(210), stuck(10, 5));
  EXPECT_EQ(look.change, Change::storm);
  EXPECT_EQ(look.again, at(400)) << "300 after the last PAUSE";
}

TEST(PfcWatchdog, CountsFromWhenAPacketWaitsIfThatIsLater) {
  Watched w;
  EXPECT_EQ(w.pause(100, stuck(10, 60)).again, at(260));
  EXPECT_EQ(w.watchdog.look(at(259), stuck(10, 60)).change, Change::none);
  EXPECT_EQ(w.watchdog.look(at(260), stuck(10, 60)).change, Change::storm);
}

TEST(PfcWatchdog, AnEmptyQueueIsNoStormHoweverManyPausesCome) {
  Watched w;
  for (std::uint64_t now = 10; now < 2000; now += 10)
    EXPECT_EQ(w.pause(now, {at(10), std::nullopt}).change, Change::none) << now;
}

TEST(PfcWatchdog, OnePauseThatHoldsForLongIsNoStormAsNoMoreCome) {
  Watched w;
  (void)w.pause(10, stuck(10, 5));
  const PfcWatchdog::Look look = w.watchdog.look(at(210), stuck(10, 5));
  EXPECT_EQ(look.change, Change::none);
  EXPECT_EQ(look.again, std::nullopt) << "the next PAUSE looks again";
  EXPECT_EQ(w.pause(215, stuck(10, 5)).change, Change::storm);
}

TEST(PfcWatchdog, AnXonOrAnExpiryBeginsTheCountAgain) {
  Watched w;
  (void)w.pause(10, stuck(10, 5));
  (void)w.pause(100, stuck(10, 5));
  EXPECT_EQ(w.watchdog.look(at(210), {std::nullopt, at(5)}).change, Change::none) << "XON came";
  EXPECT_EQ(w.pause(220, stuck(220, 5)).again, at(420)) << "and a new pause";
}

TEST(PfcWatchdog, AStormIsOverExactlyTheRestoreTimeAfterTheLastPause) {
  Watched w;
  (void)w.pause(10, stuck(10, 5));
  (void)w.pause(100, stuck(10, 5));
  ASSERT_EQ(w.watchdog.look(at(210), stuck(10, 5)).change, Change::storm);
  EXPECT_EQ(w.pause(300, stuck(10, 5)).again, at(600));
  EXPECT_EQ(w.watchdog.look(at(400), stuck(10, 5)).again, at(600)) << "the one of 300 counts";
  EXPECT_EQ(w.watchdog.look(at(599), {}).change, Change::none);
  EXPECT_TRUE(w.watchdog.storm());
  EXPECT_EQ(w.watchdog.look(at(600), {}).change, Change::over);
  EXPECT_FALSE(w.watchdog.storm());
}

TEST(PfcWatchdog, FindsTheNextStormToo) {
  Watched w;
  (void)w.pause(10, stuck(10, 5));
  (void)w.pause(100, stuck(10, 5));
  (void)w.watchdog.look(at(210), stuck(10, 5));
  (void)w.watchdog.look(at(400), {});
  EXPECT_EQ(w.pause(1000, stuck(1000, 990)).again, at(1200));
  (void)w.pause(1100, stuck(1000, 990));
  EXPECT_EQ(w.watchdog.look(at(1200), stuck(1000, 990)).change, Change::storm);
}

}  // namespace
}  // namespace weir::pfc_watchdog_test
