// SPDX-License-Identifier: Apache-2.0
// The edges found by multiplication equal those of plain division, at every edge and far from it.
#include "weir/core/scheduling/clock_edges.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>

#include "weir/core/random.hpp"

namespace weir::clock_edges_test {
namespace {

constexpr std::array<std::uint64_t, 6> periods{2, 3, 1000, 1001, 1333, 1'000'000'007};
constexpr std::uint64_t last_moment = std::uint64_t{1} << 62;

// Plain division; no sum that could wrap.
std::uint64_t by_division(std::uint64_t t, std::uint64_t period) {
  return t / period + (t % period == 0 ? 0 : 1);
}

void expect_equal(const ClockEdges& edges, std::uint64_t period, std::uint64_t t) {
  const std::uint64_t cycle = by_division(t, period);
  ASSERT_EQ(edges.cycle_at_or_after(Picoseconds{t}), Cycle{cycle})
      << "t = " << t << " ps, period " << period << " ps";
  ASSERT_EQ(edges.time_at_or_after(Picoseconds{t}), Picoseconds{cycle * period})
      << "t = " << t << " ps, period " << period << " ps";
}

TEST(ClockEdges, AnEventOnAnEdgeBelongsToItAndOnePicosecondLaterToTheNext) {
  for (const std::uint64_t period : periods) {
    const ClockEdges edges{Picoseconds{period}};
    for (std::uint64_t cycle = 1; cycle < 5000; ++cycle) {
      const Picoseconds edge = edges.time(Cycle{cycle});
      ASSERT_EQ(edge, Picoseconds{cycle * period});
      ASSERT_EQ(edges.cycle_at_or_after(edge - Picoseconds{1}), Cycle{cycle}) << "just before";
      ASSERT_EQ(edges.cycle_at_or_after(edge), Cycle{cycle}) << "on the edge";
      ASSERT_EQ(edges.cycle_at_or_after(edge + Picoseconds{1}), Cycle{cycle + 1}) << "just after";
    }
  }
}

TEST(ClockEdges, TimeBeginsWithAnEdge) {
  for (const std::uint64_t period : periods) {
    const ClockEdges edges{Picoseconds{period}};
    EXPECT_EQ(edges.cycle_at_or_after(Picoseconds{0}), Cycle{0}) << period;
    EXPECT_EQ(edges.cycle_at_or_after(Picoseconds{1}), Cycle{1}) << period;
  }
}

TEST(ClockEdges, EveryPowerOfTwoAndItsNeighboursAgreeWithTheDivision) {
  for (const std::uint64_t period : periods) {
    const ClockEdges edges{Picoseconds{period}};
    for (std::uint64_t power = 1; power <= last_moment; power *= 2) {
      for (const std::uint64_t t : {power - 1, power, power + 1}) expect_equal(edges, period, t);
    }
  }
}

TEST(ClockEdges, EdgesNearTheEndOfTimeAgreeWithTheDivision) {
  for (const std::uint64_t period : periods) {
    const ClockEdges edges{Picoseconds{period}};
    const std::uint64_t last_edge = last_moment / period * period;
    for (std::uint64_t back = 0; back < 1000; ++back) {
      const std::uint64_t edge = last_edge - back * period;
      for (const std::uint64_t t : {edge - 1, edge, edge + 1}) expect_equal(edges, period, t);
    }
  }
}

TEST(ClockEdges, RandomMomentsOfEverySizeAgreeWithTheDivision) {
  RandomStream random{1, "clock_edges"};
  for (const std::uint64_t period : periods) {
    const ClockEdges edges{Picoseconds{period}};
    for (std::uint64_t bound = last_moment; bound >= 16; bound /= 4) {
      for (int draw = 0; draw < 500; ++draw) expect_equal(edges, period, random.uniform(bound));
    }
  }
}

TEST(ClockEdges, TheSlowFormOfTheUnitsSaysTheSame) {
  for (const std::uint64_t period : periods) {
    const ClockEdges edges{Picoseconds{period}};
    for (std::uint64_t t = 0; t < 10'000; ++t) {
      ASSERT_EQ(edges.cycle_at_or_after(Picoseconds{t}),
                edge_at_or_after(Picoseconds{t}, Picoseconds{period}))
          << "t = " << t << " ps, period " << period << " ps";
    }
  }
}

}  // namespace
}  // namespace weir::clock_edges_test
