// SPDX-License-Identifier: Apache-2.0
#include "weir/core/pfc/pause_timer.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <vector>

#include "weir/core/errors.hpp"
#include "weir/core/pfc/port_speeds.hpp"

namespace weir::pause_timer_test {
namespace {

constexpr std::uint64_t giga = 1'000'000'000;
constexpr BitRate rate_100g{100 * giga};  // 80 ps a byte, 5120 ps a quantum
constexpr Picoseconds clock_1ghz{1000};
constexpr Priority three{3};

Picoseconds ps(std::uint64_t count) { return Picoseconds{count}; }

HostPauseTimer host(std::uint64_t response = 0) {
  return HostPauseTimer{WireTimeBase{rate_100g}, ps(response)};
}

SwitchPauseTimer in_switch(std::uint64_t response = 0) {
  return SwitchPauseTimer{CycleTimeBase{rate_100g, clock_1ghz}, ps(response)};
}

TEST(PauseTimer, AFreshTimerNeverPauses) {
  HostPauseTimer timer = host();
  EXPECT_EQ(timer.paused_mask(ps(0)), 0);
  EXPECT_EQ(timer.next_change(ps(0)), std::nullopt);
  EXPECT_EQ(timer.paused_time(three, ps(1'000'000)), ps(0));
}

TEST(PauseTimer, HostPausesFromTheResponseUntilBeforeTheExactExpiry) {
  HostPauseTimer timer = host(2'000);
  timer.load(three, Quanta{10}, ps(777));
  EXPECT_FALSE(timer.paused(three, ps(777)));
  EXPECT_EQ(timer.next_change(ps(777)), ps(2'777));
  EXPECT_FALSE(timer.paused(three, ps(2'776))) << "a picosecond before the response time is over";
  EXPECT_TRUE(timer.paused(three, ps(2'777)));
  EXPECT_EQ(timer.next_change(ps(2'777)), ps(777 + 51'200)) << "counted from the last bit";
  EXPECT_TRUE(timer.paused(three, ps(777 + 51'199)));
  EXPECT_FALSE(timer.paused(three, ps(777 + 51'200))) << "expiry releases at once";
  EXPECT_EQ(timer.next_change(ps(777 + 51'200)), std::nullopt);
}

TEST(PauseTimer, ClassesAreIndependent) {
  HostPauseTimer timer = host();
  timer.load(Priority{0}, Quanta{1}, ps(0));
  timer.load(Priority{7}, Quanta{2}, ps(0));
  EXPECT_EQ(timer.paused_mask(ps(0)), 0x81);
  EXPECT_EQ(timer.next_change(ps(0)), ps(5'120));
  EXPECT_EQ(timer.paused_mask(ps(5'120)), 0x80);
  EXPECT_EQ(timer.next_change(ps(5'120)), ps(10'240));
  EXPECT_EQ(timer.paused_mask(ps(10'240)), 0);
}

TEST(PauseTimer, ZeroReleasesAtOnceAndDuringTheResponse) {
  HostPauseTimer timer = host(2'000);
  timer.load(three, Quanta{100}, ps(0));
  timer.load(three, Quanta{0}, ps(1'999));
  EXPECT_EQ(timer.next_change(ps(1'999)), std::nullopt) << "released before it was paused";
  timer.load(three, Quanta{100}, ps(3'000));
  EXPECT_TRUE(timer.paused(three, ps(5'000))) << "a new pause waits for its own response";
  timer.load(three, Quanta{0}, ps(6'000));
  EXPECT_FALSE(timer.paused(three, ps(6'000)));
  EXPECT_EQ(timer.paused_time(three, ps(9'000)), ps(1'000));
}

TEST(PauseTimer, ANewValueReplacesTheRunningTimerEvenByLess) {
  HostPauseTimer timer = host();
  timer.load(three, Quanta{1000}, ps(0));
  timer.load(three, Quanta{1}, ps(10'000));
  EXPECT_TRUE(timer.paused(three, ps(15'119)));
  EXPECT_FALSE(timer.paused(three, ps(15'120)));
}

TEST(PauseTimer, ARefreshKeepsThePauseWithoutAGap) {
  HostPauseTimer timer = host(2'000);
  timer.load(three, Quanta{2}, ps(0));  // runs until 10,240
  timer.load(three, Quanta{2}, ps(10'239));
  EXPECT_TRUE(timer.paused(three, ps(10'239))) << "no second response time";
  EXPECT_TRUE(timer.paused(three, ps(10'240)));
  EXPECT_TRUE(timer.paused(three, ps(20'478)));
  EXPECT_FALSE(timer.paused(three, ps(20'479)));
  EXPECT_EQ(timer.paused_time(three, ps(30'000)), ps(20'479 - 2'000));
}

TEST(PauseTimer, ARefreshAtTheExpiryIsANewPause) {
  HostPauseTimer timer = host(2'000);
  timer.load(three, Quanta{2}, ps(0));
  timer.load(three, Quanta{2}, ps(10'240));
  EXPECT_FALSE(timer.paused(three, ps(12'239)));
  EXPECT_TRUE(timer.paused(three, ps(12'240)));
}

TEST(PauseTimer, ARefreshDuringTheResponseKeepsTheFirstStart) {
  HostPauseTimer timer = host(2'000);
  timer.load(three, Quanta{100}, ps(0));
  timer.load(three, Quanta{100}, ps(1'500));
  EXPECT_TRUE(timer.paused(three, ps(2'000)));
}

TEST(PauseTimer, ATimerThatEndsWithinTheResponseNeverPauses) {
  HostPauseTimer timer = host(5'120);
  timer.load(three, Quanta{1}, ps(0));
  EXPECT_EQ(timer.next_change(ps(0)), std::nullopt);
  EXPECT_FALSE(timer.paused(three, ps(5'120)));
  EXPECT_EQ(timer.paused_time(three, ps(10'000)), ps(0));
}

TEST(PauseTimer, PausedTimeGrowsWhilePausedAndIsKeptAfterwards) {
  HostPauseTimer timer = host();
  timer.load(three, Quanta{1}, ps(1'000));
  EXPECT_EQ(timer.paused_time(three, ps(1'000)), ps(0));
  EXPECT_EQ(timer.paused_time(three, ps(3'500)), ps(2'500));
  EXPECT_EQ(timer.paused_time(three, ps(6'120)), ps(5'120));
  EXPECT_EQ(timer.paused_time(three, ps(50'000)), ps(5'120));
  timer.load(three, Quanta{1}, ps(60'000));
  EXPECT_EQ(timer.paused_time(three, ps(60'100)), ps(5'220)) << "the first pause is not forgotten";
}

TEST(PauseTimer, PausesAreCountedAndTheLongestIsKept) {
  HostPauseTimer timer = host();
  const auto times = [&](std::uint64_t now) { return timer.pause_times(three, ps(now)); };
  timer.load(three, Quanta{1}, ps(0));
  EXPECT_EQ(times(0).pauses, 0U) << "nothing was held yet";
  EXPECT_EQ(times(1).pauses, 1U);
  timer.load(three, Quanta{2}, ps(5'000));  // a refresh: the same pause, to 15,240
  EXPECT_EQ(times(20'000).pauses, 1U);
  EXPECT_EQ(times(20'000).longest, ps(15'240));
  timer.load(three, Quanta{1}, ps(30'000));
  EXPECT_EQ(times(40'000).pauses, 2U);
  EXPECT_EQ(times(40'000).longest, ps(15'240)) << "the second one is shorter";
  EXPECT_EQ(times(40'000).total, ps(15'240 + 5'120));
  timer.load(three, Quanta{10}, ps(50'000));
  EXPECT_EQ(times(70'000).longest, ps(20'000)) << "one that lasts counts as far as it came";
}

TEST(PauseTimer, APauseThatNeverHeldAnythingDoesNotCount) {
  HostPauseTimer timer = host(2'000);
  timer.load(three, Quanta{10}, ps(0));
  timer.load(three, Quanta{0}, ps(1'999));  // resumed within the response time
  timer.load(three, Quanta{10}, ps(10'000));
  EXPECT_EQ(timer.pause_times(three, ps(12'001)).pauses, 1U);
  EXPECT_EQ(timer.pause_times(three, ps(12'001)).total, ps(1));
}

TEST(PauseTimer, ClearedTimesBeginAgainAndThePauseGoesOn) {
  HostPauseTimer timer = host();
  timer.load(three, Quanta{10}, ps(0));
  timer.clear_times(ps(30'000));
  EXPECT_TRUE(timer.paused(three, ps(30'000)));
  EXPECT_EQ(timer.paused_since(three, ps(30'000)), ps(0));
  EXPECT_EQ(timer.pause_times(three, ps(30'000)).pauses, 0U);
  EXPECT_EQ(timer.pause_times(three, ps(60'000)).total, ps(51'200 - 30'000));
  EXPECT_EQ(timer.pause_times(three, ps(60'000)).pauses, 1U);
}

TEST(PauseTimer, PausedSinceIsTheStartOfTheWholePause) {
  HostPauseTimer timer = host(2'000);
  timer.load(three, Quanta{2}, ps(0));
  EXPECT_EQ(timer.paused_since(three, ps(1'999)), std::nullopt);
  EXPECT_EQ(timer.paused_since(three, ps(2'000)), ps(2'000));
  timer.load(three, Quanta{2}, ps(9'000));
  EXPECT_EQ(timer.paused_since(three, ps(19'239)), ps(2'000)) << "refreshed: the same pause";
  EXPECT_EQ(timer.paused_since(three, ps(19'240)), std::nullopt) << "it has expired";
}

TEST(PauseTimer, SwitchLoadsAndExpiresOnClockEdges) {
  SwitchPauseTimer timer = in_switch();
  timer.load(three, Quanta{1}, ps(1'001));
  EXPECT_FALSE(timer.paused(three, ps(1'999))) << "loaded at the edge at or after the last bit";
  EXPECT_TRUE(timer.paused(three, ps(2'000)));
  EXPECT_EQ(timer.next_change(ps(2'000)), ps(8'000)) << "5.12 cycles round up to 6";
  timer.load(three, Quanta{1}, ps(10'000));
  EXPECT_TRUE(timer.paused(three, ps(10'000))) << "an event on an edge belongs to it";
}

TEST(PauseTimer, SwitchReleasesAtTheEdgeAfterTheLastBitOfXon) {
  SwitchPauseTimer timer = in_switch();
  timer.load(three, Quanta{100}, ps(0));
  timer.load(three, Quanta{0}, ps(5'001));
  EXPECT_TRUE(timer.paused(three, ps(5'999)));
  EXPECT_EQ(timer.next_change(ps(5'001)), ps(6'000));
  EXPECT_FALSE(timer.paused(three, ps(6'000)));
}

TEST(PauseTimer, SwitchCountsItsResponseFromTheLastBitNotFromTheEdge) {
  SwitchPauseTimer timer = in_switch(2'500);
  timer.load(three, Quanta{100}, ps(1'001));
  EXPECT_EQ(timer.next_change(ps(1'001)), ps(3'501));
}

TEST(PauseTimer, XonAndXoffWithinOneCycleLeaveThePauseUnbroken) {
  SwitchPauseTimer timer = in_switch(500);
  timer.load(three, Quanta{100}, ps(0));
  timer.load(three, Quanta{0}, ps(5'100));
  timer.load(three, Quanta{100}, ps(5'900));
  EXPECT_TRUE(timer.paused(three, ps(5'900)));
  EXPECT_EQ(timer.next_change(ps(5'900)), ps(6'000 + 512'000)) << "the later value counts";
}

TEST(PauseTimer, StepIsTheShareOfAQuantumInACycleRoundedDown) {
  const auto step = [](std::uint64_t gbps, std::uint64_t clock) {
    return CycleTimeBase{BitRate{gbps * giga}, ps(clock)}.step();
  };
  EXPECT_EQ(step(10, 1000), 1280U) << "51.2 cycles a quantum";
  EXPECT_EQ(step(800, 1000), 102'400U) << "a quantum is shorter than a cycle";
  EXPECT_EQ(step(100, 1176), 15'052U) << "15052.8 must not round up: a pause would end early";
}

TEST(PauseTimer, AClockTooFastForTheRateIsRefused) {
  EXPECT_EQ((CycleTimeBase{BitRate{giga}, ps(8)}.step()), 1U);
  EXPECT_THROW((CycleTimeBase{BitRate{giga}, ps(7)}), ConfigError);
}

// The register as the RTL has it, edge by edge.
Cycle walk_register(Quanta quanta, std::uint64_t step) {
  std::uint64_t counter = std::uint64_t{quanta.count()} << 16;
  std::uint64_t edges = 0;
  for (; counter != 0; ++edges) counter -= std::min(counter, step);
  return Cycle{edges};
}

RC_GTEST_PROP(PauseTimer, CycleArithmeticEqualsTheRegisterWalkedEdgeByEdge, ()) {
  const BitRate rate = (*rc::gen::elementOf(port_speeds())).rate;
  const auto clock = ps(*rc::gen::inRange<std::uint64_t>(500, 2001));
  const auto quanta = Quanta{*rc::gen::inRange<std::uint16_t>(1, 2000)};
  const CycleTimeBase base{rate, clock};
  RC_ASSERT(base.lifetime(quanta) == walk_register(quanta, base.step()));
  RC_ASSERT(base.expiry(ps(0), quanta) == time_of(base.lifetime(quanta), clock));
  RC_ASSERT(base.expiry(ps(0), quanta) >= quanta_time(quanta, rate));  // never early
}

// With a clock whose period is a fraction the times are those of edges, counted.
RC_GTEST_PROP(PauseTimer, AFractionOfAPicosecondCountsInEdges, ()) {
  const BitRate rate = (*rc::gen::elementOf(port_speeds())).rate;
  const auto clock = ClockPeriod::of(1'000'000, *rc::gen::inRange<std::uint64_t>(500, 2001));
  const auto quanta = Quanta{*rc::gen::inRange<std::uint16_t>(1, 2000)};
  const Cycle loaded{*rc::gen::inRange<std::uint64_t>(0, 1'000'000)};
  const CycleTimeBase base{rate, *clock};
  const Cycle end = loaded + walk_register(quanta, base.step());
  RC_ASSERT(base.lifetime(quanta) == walk_register(quanta, base.step()));
  RC_ASSERT(base.expiry(time_of(loaded, *clock), quanta) == time_of(end, *clock));
}

// A response ends within the same cycle, from whichever edge it is counted; the RTL counts cycles.
RC_GTEST_PROP(PauseTimer, AResponseIsSoManyCyclesFromEveryEdge, ()) {
  const auto clock = ClockPeriod::of(1'000'000, *rc::gen::inRange<std::uint64_t>(100, 10'001));
  const auto response = ps(*rc::gen::inRange<std::uint64_t>(0, 200'000));
  const CycleTimeBase base{rate_100g, *clock};
  const Picoseconds kept = base.response(response);
  RC_ASSERT(response <= kept);
  RC_ASSERT(kept <= response + ps(clock->whole() ? 0 : 1));
  const Cycle cycles = edge_at_or_after(response, *clock);
  for (std::uint64_t from = 0; from < 300; ++from) {
    const Picoseconds paused = time_of(Cycle{from}, *clock) + kept;
    RC_ASSERT(edge_at_or_after(paused, *clock) == Cycle{from} + cycles);
  }
}

// One class, kept as a list of loads, checked picosecond by picosecond.
struct Reference {
  std::uint64_t response, start{0}, end{0};
  void load(std::uint64_t quanta, std::uint64_t now) {
    const bool running = now < end;
    if (quanta == 0) {
      end = running ? now : end;
      return;
    }
    if (!running) start = now + response;
    end = now + quanta * 5'120;
  }
  bool paused(std::uint64_t now) const { return start <= now && now < end; }
};

RC_GTEST_PROP(PauseTimer, MaskChangeTimesAndPausedTimeAgreeOnAnyHistory, ()) {
  const auto response = *rc::gen::inRange<std::uint64_t>(0, 12'000);
  HostPauseTimer timer = host(response);
  std::vector<Reference> reference(priorities, Reference{response});
  std::vector<std::uint64_t> paused(priorities, 0);
  const auto steps = *rc::gen::container<std::vector<std::pair<std::uint8_t, std::uint8_t>>>(
      rc::gen::pair(rc::gen::inRange<std::uint8_t>(0, 16), rc::gen::inRange<std::uint8_t>(0, 4)));
  std::uint64_t now = 0;
  for (const auto& [choice, quanta] : steps) {
    const std::uint64_t next = now + 1 + choice * 700U;
    // From change to change of the mask up to `next`, the classes must stay as the timer predicts.
    while (now < next) {
      const std::uint8_t mask = timer.paused_mask(ps(now));
      const auto change = timer.next_change(ps(now));
      const std::uint64_t until = change ? std::min(change->count(), next) : next;
      RC_ASSERT(until > now);
      for (std::size_t n = 0; n < priorities; ++n) {
        const bool bit = (mask >> n & 1U) != 0;
        RC_ASSERT(reference[n].paused(now) == bit);
        RC_ASSERT(reference[n].paused(until - 1) == bit);
        if (bit) paused[n] += until - now;
      }
      now = until;
    }
    const std::size_t n = choice % priorities;
    timer.load(Priority{static_cast<std::uint8_t>(n)}, Quanta{quanta}, ps(now));
    reference[n].load(quanta, now);
    for (std::size_t k = 0; k < priorities; ++k) {
      RC_ASSERT(timer.paused_time(Priority{static_cast<std::uint8_t>(k)}, ps(now)) ==
                ps(paused[k]));
    }
  }
}

}  // namespace
}  // namespace weir::pause_timer_test
