// SPDX-License-Identifier: Apache-2.0
// Periods that are no whole number of picoseconds: their edges, and what spans of cycles last.
#include "weir/core/scheduling/clock_period.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "weir/core/random.hpp"
#include "weir/core/scheduling/clock_edges.hpp"

namespace weir::clock_period_test {
namespace {

constexpr std::uint64_t last_moment = std::uint64_t{1} << 62;

TEST(ClockPeriod, AnEventOnAnEdgeBelongsToIt) {
  const Picoseconds clock{1000};
  EXPECT_EQ(edge_at_or_after(Picoseconds{0}, clock), Cycle{0});
  EXPECT_EQ(edge_at_or_after(Picoseconds{1}, clock), Cycle{1});
  EXPECT_EQ(edge_at_or_after(Picoseconds{1000}, clock), Cycle{1});
  EXPECT_EQ(edge_at_or_after(Picoseconds{1001}, clock), Cycle{2});
  EXPECT_EQ(time_of(Cycle{2}, clock), Picoseconds{2000});
}

ClockPeriod mhz(std::uint64_t frequency) { return *ClockPeriod::of(1'000'000, frequency); }

TEST(ClockPeriod, IsInLowestTermsAndHasABound) {
  EXPECT_EQ(mhz(1350).numerator(), 20'000U);
  EXPECT_EQ(mhz(1350).denominator(), 27U);
  EXPECT_EQ(mhz(1000), ClockPeriod{Picoseconds{1000}});
  EXPECT_TRUE(mhz(1000).whole());
  EXPECT_FALSE(mhz(1350).whole());
  EXPECT_FALSE(ClockPeriod::of(1'000'000, 0));
  EXPECT_FALSE(ClockPeriod::of(0, 1));
  EXPECT_TRUE(ClockPeriod::of(999'999, 10'000));
  EXPECT_FALSE(ClockPeriod::of(1'000'000, 10'001));
}

TEST(ClockPeriod, EveryFrequencyOfWholeMegahertzHasAPeriod) {
  for (std::uint64_t frequency = 100; frequency <= 10'000; ++frequency)
    ASSERT_TRUE(ClockPeriod::of(1'000'000, frequency)) << frequency << " MHz";
}

TEST(ClockPeriod, EdgesAreAtTheTimesRoundedDownAndNoErrorAddsUp) {
  const ClockEdges edges{mhz(1350)};
  const std::array<std::uint64_t, 5> first{0, 740, 1481, 2222, 2962};
  for (std::uint64_t n = 0; n < first.size(); ++n)
    EXPECT_EQ(edges.time(Cycle{n}), Picoseconds{first.at(n)});
  EXPECT_EQ(edges.time(Cycle{1'350'000'000}), Picoseconds{1'000'000'000'000}) << "a second";
}

TEST(ClockPeriod, EveryMomentIsInTheCycleOfItsEdges) {
  for (const std::uint64_t frequency : {103U, 1085U, 1325U, 1350U, 1700U, 9973U}) {
    const ClockPeriod period = mhz(frequency);
    const ClockEdges edges{period};
    std::uint64_t cycle = 0;  // of the edge at or after t
    for (std::uint64_t t = 0; t < 40'000; ++t) {
      if (cycle * period.numerator() / period.denominator() < t) ++cycle;
      ASSERT_EQ(edges.cycle_at_or_after(Picoseconds{t}), Cycle{cycle}) << t << " " << frequency;
      ASSERT_EQ(edge_at_or_after(Picoseconds{t}, period), Cycle{cycle}) << t << " " << frequency;
      const Cycle before = edges.cycle_at_or_before(Picoseconds{t});
      ASSERT_EQ(before, edge_at_or_before(Picoseconds{t}, period));
      ASSERT_LE(edges.time(before), Picoseconds{t});
      ASSERT_LT(Picoseconds{t}, edges.time(before + Cycle{1}));
      ASSERT_EQ(edges.later(Picoseconds{t}, Cycle{7}), edges.time(Cycle{cycle + 7}));
    }
  }
}

TEST(ClockPeriod, FarEdgesAgreeWithTheSlowForm) {
  RandomStream random{1, "clock_period"};
  for (const std::uint64_t frequency : {103U, 1350U, 9973U}) {
    const ClockPeriod period = mhz(frequency);
    const ClockEdges edges{period};
    for (std::uint64_t bound = last_moment / period.denominator(); bound >= 16; bound /= 4)
      for (int draw = 0; draw < 500; ++draw) {
        const Picoseconds t{random.uniform(bound)};
        ASSERT_EQ(edges.cycle_at_or_after(t), edge_at_or_after(t, period)) << t.count();
        ASSERT_EQ(edges.time_at_or_after(t), time_of(edge_at_or_after(t, period), period));
      }
  }
}

TEST(ClockPeriod, CyclesLastAtLeastAndAtMostWhatIsSaid) {
  const ClockPeriod period = mhz(1350);
  for (std::uint64_t cycles = 0; cycles < 60; ++cycles) {
    Picoseconds least{~std::uint64_t{0}}, most;
    for (std::uint64_t from = 0; from < 27; ++from) {
      const Picoseconds lasts =
          time_of(Cycle{from + cycles}, period) - time_of(Cycle{from}, period);
      least = std::min(least, lasts);
      most = std::max(most, lasts);
    }
    EXPECT_EQ(period.min_time(Cycle{cycles}), least) << cycles;
    EXPECT_EQ(period.max_time(Cycle{cycles}), most) << cycles;
  }
}

TEST(ClockPeriod, HalfEdgesAreEdgesAndTheMiddleBetweenThem) {
  EXPECT_EQ(half_edge(0, mhz(1350)), Picoseconds{0});
  EXPECT_EQ(half_edge(1, mhz(1350)), Picoseconds{370});
  EXPECT_EQ(half_edge(2, mhz(1350)), Picoseconds{740});
  EXPECT_EQ(half_edge(3, mhz(1350)), Picoseconds{740 + 370});
  EXPECT_EQ(half_edge(5, Picoseconds{1000}), Picoseconds{2500});
}

TEST(ClockPeriod, IsWrittenAsItIsRead) {
  EXPECT_EQ(format_period(mhz(1350)), "20000/27 ps");
  EXPECT_EQ(format_period(Picoseconds{1000}), "1000 ps");
  for (const std::uint64_t frequency : {100U, 1000U, 1350U, 9999U})
    EXPECT_EQ(parse_parts(format_parts(mhz(frequency))), mhz(frequency));
  for (const char* const text : {"", "/", "1/", "/2", "1/0", "0/1", "1/2/3", "1/10001", "x", "-1"})
    EXPECT_FALSE(parse_parts(text)) << text;
}

}  // namespace
}  // namespace weir::clock_period_test
