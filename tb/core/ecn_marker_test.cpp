// SPDX-License-Identifier: Apache-2.0
#include "weir/core/congestion/ecn_marker.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "weir/core/errors.hpp"
#include "weir/core/random.hpp"

namespace weir::ecn_marker_test {
namespace {

constexpr Bytes length{1000};
constexpr std::uint64_t seed = 7;
const QueueIndex queue = queue_index(PortId{1}, Priority{3});

WredProfile profile_of(std::uint32_t min, std::uint32_t max, std::uint32_t probability) {
  return {"p", Cells{min}, Cells{max}, probability, true, false, WredPoint::dequeue};
}

// Two ports; `queue`, and the queue after it, have the profile.
Chip chip_of(const WredProfile& profile) {
  Chip chip;
  chip.ports.resize(2);
  chip.wred_profiles = {profile};
  chip.wred_of_queue.resize(2 * priorities);
  chip.wred_of_queue[queue] = WredProfileIndex{0};
  chip.wred_of_queue[QueueIndex{queue.value() + 1}] = WredProfileIndex{0};
  return chip;
}

// A marker whose `queue` holds `q` cells.
EcnMarker holding(const WredProfile& profile, std::uint32_t q) {
  EcnMarker marker{chip_of(profile), seed};
  EXPECT_FALSE(marker.enters(queue, Cells{q}, length, Ecn::not_ect));
  return marker;
}

// Whether a packet after which `q` cells wait is marked, and whether it drew.
struct Asked {
  bool hit, drew;
  friend bool operator==(Asked a, Asked b) { return a.hit == b.hit && a.drew == b.drew; }
  friend std::ostream& operator<<(std::ostream& out, Asked a) {
    return out << (a.hit ? "hit" : "passed") << (a.drew ? ", drew" : ", drew nothing");
  }
};
Asked leaving(const WredProfile& profile, std::uint32_t q, Ecn ecn = Ecn::ect0) {
  EcnMarker marker = holding(profile, q + 1);
  const std::uint32_t before = marker.draw_state(PortId{1});
  const bool hit = marker.leaves(queue, Cells{1}, length, ecn);
  return {hit, marker.draw_state(PortId{1}) != before};
}
Asked arriving(const WredProfile& profile, std::uint32_t q, Ecn ecn = Ecn::ect0) {
  EcnMarker marker = holding(profile, q);
  const std::uint32_t before = marker.draw_state(PortId{1});
  const bool hit = marker.enters(queue, Cells{1}, length, ecn);
  return {hit, marker.draw_state(PortId{1}) != before};
}
Asked dropping(const WredProfile& profile, std::uint32_t q, Ecn ecn, bool lossless = false) {
  EcnMarker marker = holding(profile, q);
  const std::uint32_t before = marker.draw_state(PortId{1});
  const bool hit = marker.drops(queue, ecn, lossless);
  EXPECT_EQ(marker.counters(queue).dropped, hit ? 1U : 0U);
  return {hit, marker.draw_state(PortId{1}) != before};
}

constexpr Asked passed{false, false}, hit{true, false};

TEST(EcnMarker, BelowMinNothingIsMarkedFromMaxOnEverythingAndOnlyBetweenAPacketDraws) {
  for (const WredPoint at : {WredPoint::dequeue, WredPoint::enqueue}) {
    WredProfile profile = profile_of(100, 200, 65536);
    profile.at = at;
    const auto asked = [&](std::uint32_t q) {
      return at == WredPoint::dequeue ? leaving(profile, q) : arriving(profile, q);
    };
    EXPECT_EQ(asked(0), passed);
    EXPECT_EQ(asked(99), passed);
    EXPECT_EQ(asked(100), (Asked{false, true})) << "P = 0 at min, and a draw is never below 0";
    EXPECT_TRUE(asked(101).drew);
    EXPECT_TRUE(asked(199).drew);
    EXPECT_EQ(asked(200), hit);
    EXPECT_EQ(asked(100'000), hit);
  }
}

TEST(EcnMarker, EqualThresholdsAreAStep) {
  const WredProfile profile = profile_of(100, 100, 1);
  EXPECT_EQ(leaving(profile, 99), passed);
  EXPECT_EQ(leaving(profile, 100), hit);
}

TEST(EcnMarker, EveryPacketSeesAThresholdOfZero) {
  EXPECT_EQ(leaving(profile_of(0, 1, 65536), 0), (Asked{false, true}));
  EXPECT_EQ(leaving(profile_of(0, 1, 65536), 1), hit);
}

TEST(EcnMarker, OnlyPacketsThatMayBeMarkedAreAskedAtDequeue) {
  const WredProfile profile = profile_of(100, 200, 65536);
  EXPECT_EQ(leaving(profile, 200, Ecn::not_ect), passed);
  EXPECT_EQ(leaving(profile, 150, Ecn::not_ect), passed) << "nor does it draw";
  EXPECT_EQ(leaving(profile, 200, Ecn::ect1), hit);
  EXPECT_EQ(leaving(profile, 200, Ecn::ce), hit) << "marked before: marked here as well";
  EXPECT_EQ(arriving(profile, 200), passed) << "this profile marks at dequeue";
  WredProfile at_enqueue = profile;
  at_enqueue.at = WredPoint::enqueue;
  EXPECT_EQ(leaving(at_enqueue, 200), passed);
  EXPECT_EQ(leaving(at_enqueue, 150), passed);
}

TEST(EcnMarker, AProfileThatDropsRefusesWhatItCannotMark) {
  WredProfile both = profile_of(100, 200, 65536);
  EXPECT_EQ(dropping(both, 200, Ecn::not_ect), passed) << "a profile without drop";
  both.drop = true;
  EXPECT_EQ(dropping(both, 99, Ecn::not_ect), passed);
  EXPECT_TRUE(dropping(both, 150, Ecn::not_ect).drew);
  EXPECT_EQ(dropping(both, 200, Ecn::not_ect), hit);
  EXPECT_EQ(dropping(both, 200, Ecn::ect0), passed) << "it is marked instead";
  EXPECT_EQ(leaving(both, 200), hit);
  WredProfile drops_all = both;
  drops_all.mark = false;
  EXPECT_EQ(dropping(drops_all, 200, Ecn::ect0), hit) << "without marking, all are alike";
  EXPECT_EQ(leaving(drops_all, 200), passed);
}

TEST(EcnMarker, ALosslessPacketIsNeverDropped) {
  WredProfile profile = profile_of(0, 1, 65536);
  profile.drop = true;
  EXPECT_EQ(dropping(profile, 1'000'000, Ecn::not_ect, true), passed);
}

// |P - probability (q - min) / (max - min)| <= 1, in 2^-16, by cross-multiplication.
void expect_on_the_line(const WredProfile& profile, const WredLine& line, std::uint64_t q) {
  const auto width = static_cast<std::int64_t>((profile.max - profile.min).count());
  const auto above = static_cast<std::int64_t>(q - profile.min.count());
  const std::int64_t exact = std::int64_t{profile.probability} * above;  // x width
  const std::int64_t error =
      std::int64_t{line.at(Cells{static_cast<std::uint32_t>(q)})} * width - exact;
  ASSERT_LE(std::abs(error), width) << "q " << q << " of " << profile.min << " to " << profile.max
                                    << ", probability " << profile.probability;
}

TEST(EcnMarker, PIsWithinOnePartIn65536OfTheLineAndNeverFalls) {
  for (const std::uint32_t width : {1U, 2U, 3U, 7U, 1000U, 1500U, 65535U, 65537U})
    for (const std::uint32_t probability : {1U, 2U, 3277U, 65535U, 65536U}) {
      const WredProfile profile = profile_of(17, 17 + width, probability);
      const WredLine line{profile};
      std::uint32_t before = 0;
      for (std::uint32_t q = 17; q < 17 + width; ++q) {
        ASSERT_NO_FATAL_FAILURE(expect_on_the_line(profile, line, q));
        const std::uint32_t p = line.at(Cells{q});
        ASSERT_LE(before, p) << "q " << q;
        ASSERT_LE(p, probability) << "q " << q;
        before = p;
      }
    }
}

TEST(EcnMarker, TheLineHoldsForTheLargestSizes) {
  constexpr std::uint32_t largest = 1U << 24;
  RandomStream draws{1, "line"};
  for (int i = 0; i < 200'000; ++i) {
    const auto min = static_cast<std::uint32_t>(draws.uniform(largest));
    const auto max = min + 1 + static_cast<std::uint32_t>(draws.uniform(largest - min));
    const auto probability = static_cast<std::uint32_t>(1 + draws.uniform(65536));
    const WredProfile profile = profile_of(min, max, probability);
    const WredLine line{profile};
    for (const std::uint64_t q : {std::uint64_t{min}, std::uint64_t{max} - 1,
                                  min + draws.uniform(std::uint64_t{max} - min)})
      ASSERT_NO_FATAL_FAILURE(expect_on_the_line(profile, line, q));
  }
}

TEST(EcnMarker, AStepIsSixteenShiftsAndTheDrawItsLowHalf) {
  const DrawStep step{0xa300'0000U};
  std::uint32_t state = 1;
  for (const std::uint32_t expected : {0x0001'4600U, 0x5614'0001U, 0x0001'1014U, 0x1471'7801U,
                                       0x6711'5271U, 0x4700'0111U, 0x0153'6100U, 0x7806'0153U}) {
    state = step(state);
    EXPECT_EQ(state, expected);
    EXPECT_EQ(drawn(state), expected & 0xffffU);
  }
}

TEST(EcnMarker, AStepOfAnyPolynomialAndStateIsSixteenShifts) {
  RandomStream random{1, "steps"};
  for (int i = 0; i < 1000; ++i) {
    const auto polynomial = static_cast<std::uint32_t>(random.next());
    const DrawStep step{polynomial};
    for (int k = 0; k < 20; ++k) {
      const auto state = static_cast<std::uint32_t>(random.next());
      std::uint32_t shifted = state;
      for (int shift = 0; shift < 16; ++shift) shifted = draw_shift(shifted, polynomial);
      ASSERT_EQ(step(state), shifted) << "polynomial " << polynomial << ", state " << state;
    }
  }
}

// Counts of a draw below a small P, and of two such draws in a row: as often as of independent
// draws, within four standard deviations of a count.
TEST(EcnMarker, ADrawThatHitsSaysNothingOfTheNext) {
  constexpr double draws = 4e6;
  for (const std::uint32_t p : {82U, 655U, 3277U, 32768U}) {
    const DrawStep step{default_draw_polynomial};
    std::uint32_t state = first_draw_state(seed, PortId{0});
    double hits = 0, pairs = 0;
    bool before = false;
    for (int i = 0; i < static_cast<int>(draws); ++i) {
      state = step(state);
      const bool below = drawn(state) < p;
      hits += below ? 1 : 0;
      pairs += below && before ? 1 : 0;
      before = below;
    }
    const double share = p / 65536.0;
    EXPECT_NEAR(hits, draws * share, 4 * std::sqrt(draws * share)) << "P " << p;
    EXPECT_NEAR(pairs, draws * share * share, 4 * std::sqrt(draws * share * share)) << "P " << p;
  }
}

TEST(EcnMarker, APolynomialMustPassThroughAllStates) {
  for (const std::uint32_t primitive :
       {0xa300'0000U, 0x8020'0003U, 0xb4bc'd35cU, 0xedb8'8320U, 0x8000'0057U, 0xd000'0001U})
    EXPECT_TRUE(is_primitive_polynomial(primitive)) << primitive;
  EXPECT_FALSE(is_primitive_polynomial(0));
  EXPECT_FALSE(is_primitive_polynomial(0x4000'0000U)) << "of degree 31";
  EXPECT_FALSE(is_primitive_polynomial(0x8000'0000U)) << "it only turns round";
  EXPECT_FALSE(is_primitive_polynomial(0xa300'0001U));
}

TEST(EcnMarker, PortsDrawApartAndTheQueuesOfAPortTogether) {
  WredProfile profile = profile_of(0, 100, 32768);
  Chip chip = chip_of(profile);
  chip.wred_of_queue[queue_index(PortId{0}, Priority{0})] = WredProfileIndex{0};
  EcnMarker marker{chip, seed};
  EXPECT_NE(marker.first_draw_state_of(PortId{0}), marker.first_draw_state_of(PortId{1}));
  const std::uint32_t other = marker.draw_state(PortId{0});
  const DrawStep step{chip.draw_polynomial};
  std::uint32_t expected = marker.first_draw_state_of(PortId{1});
  for (const QueueIndex of : {queue, QueueIndex{queue.value() + 1}, queue}) {
    EXPECT_FALSE(marker.enters(of, Cells{2}, length, Ecn::ect0));
    static_cast<void>(marker.leaves(of, Cells{1}, length, Ecn::ect0));
    expected = step(expected);
    EXPECT_EQ(marker.draw_state(PortId{1}), expected);
  }
  EXPECT_EQ(marker.draw_state(PortId{0}), other);
}

TEST(EcnMarker, TheSeedOfTheChipGoesBeforeThatOfTheRun) {
  Chip chip = chip_of(profile_of(0, 1, 1));
  const std::uint32_t by_run = EcnMarker(chip, 5).first_draw_state_of(PortId{1});
  EXPECT_EQ(by_run, first_draw_state(5, PortId{1}));
  EXPECT_NE(EcnMarker(chip, 6).first_draw_state_of(PortId{1}), by_run);
  chip.draw_seed = 9;
  EXPECT_EQ(EcnMarker(chip, 5).first_draw_state_of(PortId{1}), first_draw_state(9, PortId{1}));
  for (std::uint64_t s = 0; s < 10'000; ++s) ASSERT_NE(first_draw_state(s, PortId{0}), 0);
}

TEST(EcnMarker, WhatWaitsIsTheSumOfWhatEnteredAndHasNotLeft) {
  EcnMarker marker{chip_of(profile_of(10, 20, 100)), seed};
  RandomStream draws{1, "cells"};
  std::vector<std::uint32_t> inside;
  std::uint32_t sum = 0;
  for (int i = 0; i < 10'000; ++i) {
    if (inside.empty() || draws.uniform(2) == 0) {
      inside.push_back(1 + static_cast<std::uint32_t>(draws.uniform(8)));
      sum += inside.back();
      static_cast<void>(marker.enters(queue, Cells{inside.back()}, length, Ecn::ect0));
    } else {
      sum -= inside.front();
      if (draws.uniform(4) == 0)
        marker.discards(queue, Cells{inside.front()});
      else
        static_cast<void>(marker.leaves(queue, Cells{inside.front()}, length, Ecn::ect0));
      inside.erase(inside.begin());
    }
    ASSERT_EQ(marker.waiting(queue), Cells{sum});
  }
  EXPECT_THROW(marker.discards(queue, Cells{sum + 1}), ModelError);
}

TEST(EcnMarker, MarksAndDropsAreCountedByQueueAndPort) {
  WredProfile profile = profile_of(0, 1, 65536);
  profile.drop = true;
  EcnMarker marker = holding(profile, 100);
  const QueueIndex other{queue.value() + 1};
  static_cast<void>(marker.enters(other, Cells{10}, length, Ecn::ect0));
  EXPECT_TRUE(marker.leaves(queue, Cells{5}, Bytes{700}, Ecn::ect0));
  EXPECT_TRUE(marker.leaves(queue, Cells{5}, Bytes{300}, Ecn::ect1));
  EXPECT_TRUE(marker.leaves(other, Cells{5}, Bytes{64}, Ecn::ect1));
  EXPECT_TRUE(marker.drops(queue, Ecn::not_ect, false));
  EXPECT_EQ(marker.counters(queue).marked_packets, 2U);
  EXPECT_EQ(marker.counters(queue).marked_bytes, Bytes{1000});
  EXPECT_EQ(marker.counters(queue).dropped, 1U);
  EXPECT_EQ(marker.of_port(PortId{1}).marked_packets, 3U);
  EXPECT_EQ(marker.of_port(PortId{1}).marked_bytes, Bytes{1064});
  EXPECT_EQ(marker.of_port(PortId{1}).dropped, 1U);
  EXPECT_EQ(marker.of_port(PortId{0}).marked_packets, 0U);
  marker.clear();
  EXPECT_EQ(marker.of_port(PortId{1}).marked_packets, 0U);
  EXPECT_EQ(marker.counters(queue).dropped, 0U);
  EXPECT_EQ(marker.waiting(queue), Cells{90}) << "what waits is not a counter";
}

TEST(EcnMarker, OnlyQueuesWithAProfileHaveOne) {
  const EcnMarker marker{chip_of(profile_of(1, 2, 1)), seed};
  EXPECT_TRUE(marker.has_profile(queue));
  EXPECT_FALSE(marker.has_profile(QueueIndex{queue.value() - 1}));
  EXPECT_FALSE(EcnMarker(Chip{}, seed).has_profile(queue)) << "a chip without profiles";
}

// Row E1 of docs/design/published-rows.md: 2N packets in a queue that does not move, then all
// leave.
TEST(EcnMarker, OfTwoNPacketsTheFirstNAreMarkedAtDequeueAndTheLastNAtEnqueue) {
  constexpr std::uint32_t n = 50, cells = 5;
  for (const WredPoint at : {WredPoint::dequeue, WredPoint::enqueue}) {
    WredProfile profile = profile_of(n * cells, n * cells, 1);
    profile.at = at;
    EcnMarker marker{chip_of(profile), seed};
    std::vector<bool> marked(2 * n + 1, false);
    for (std::uint32_t i = 1; i <= 2 * n; ++i)
      if (marker.enters(queue, Cells{cells}, length, Ecn::ect0)) marked[i] = true;
    for (std::uint32_t i = 1; i <= 2 * n; ++i)
      if (marker.leaves(queue, Cells{cells}, length, Ecn::ect0)) marked[i] = true;
    for (std::uint32_t i = 1; i <= 2 * n; ++i)
      EXPECT_EQ(marked[i], at == WredPoint::dequeue ? i <= n : n < i) << "packet " << i;
    EXPECT_EQ(marker.counters(queue).marked_packets, n);
  }
}

// Row E2 of docs/design/published-rows.md: 2,010 packets leave a queue with min 500, max 2000, 5 %.
TEST(EcnMarker, MarksOfALineAreThoseOfItsProbabilityOverManySeeds) {
  constexpr std::uint32_t packets = 2010;
  constexpr int seeds = 200;
  double sum = 0, squares = 0;
  for (int run = 1; run <= seeds; ++run) {
    EcnMarker marker{chip_of(profile_of(500, 2000, 3277)), static_cast<std::uint64_t>(run)};
    for (std::uint32_t i = 0; i < packets; ++i)
      static_cast<void>(marker.enters(queue, Cells{1}, length, Ecn::ect0));
    int marks = 0;
    for (std::uint32_t i = 1; i <= packets; ++i) {
      const bool marked = marker.leaves(queue, Cells{1}, length, Ecn::ect0);
      ASSERT_TRUE(marked || 10 < i) << "packet " << i << " leaves at least max";
      ASSERT_FALSE(marked && packets - 500 < i) << "packet " << i << " leaves less than min";
      marks += marked ? 1 : 0;
    }
    sum += marks;
    squares += static_cast<double>(marks) * marks;
  }
  constexpr double expected = 47.475;  // 10 + 5 % x (1500 - 1) / 2
  const double mean = sum / seeds;
  const double error = std::sqrt((squares / seeds - mean * mean) / (seeds - 1));
  EXPECT_GT(error, 0.1) << "the seeds give different runs";
  EXPECT_NEAR(mean, expected, 3 * error);
}

}  // namespace
}  // namespace weir::ecn_marker_test
