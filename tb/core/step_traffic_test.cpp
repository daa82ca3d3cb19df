// SPDX-License-Identifier: Apache-2.0
#include "weir/core/step_traffic.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "support/small_chip.hpp"

namespace weir::step_traffic_test {
namespace {

constexpr unsigned copies = 3;

TEST(StepTraffic, EveryCopyThatWasTakenLeavesOnceAndTheLastOneSaysSo) {
  const Chip chip = test::small_chip(4, Cells{1000});
  StepTraffic traffic{chip, 7, copies, 16};
  std::map<PgIndex, std::multiset<std::pair<std::uint32_t, QueueIndex>>> held;  // by PG
  std::uint64_t packets = 0, lasts = 0;
  for (int cycle = 0; cycle < 20'000; ++cycle) {
    for (const ReleaseStep& step : traffic.releases(DomainId{0}, 2)) {
      const auto at = held[step.pg].find({step.cells.count(), step.queue});
      ASSERT_NE(at, held[step.pg].end()) << "cycle " << cycle << ": nothing such is held";
      held[step.pg].erase(at);
      lasts += step.last ? 1 : 0;
    }
    for (const ArrivalStep& step : traffic.arrivals(DomainId{0}, 2)) {
      ASSERT_LE(step.queues.size(), copies);
      ASSERT_EQ(std::set<QueueIndex>(step.queues.begin(), step.queues.end()).size(),
                step.queues.size())
          << "queues of a packet differ";
      ASSERT_EQ(step.cells, chip.cells(step.length));
      for (const QueueIndex queue : step.queues) held[step.pg].insert({step.cells.count(), queue});
      traffic.admitted(step, step.queues);
      ++packets;
    }
  }
  EXPECT_GT(packets, 1000U);
  EXPECT_EQ(lasts + traffic.held(DomainId{0}), packets) << "each packet has one last copy";
}

TEST(StepTraffic, TheSameSeedDrawsTheSameSteps) {
  const Chip chip = test::small_chip(4, Cells{1000});
  StepTraffic one{chip, 3, copies, 16}, same{chip, 3, copies, 16}, other{chip, 4, copies, 16};
  unsigned differ = 0;
  for (int cycle = 0; cycle < 2000; ++cycle) {
    const auto a = one.arrivals(DomainId{0}, 4), b = same.arrivals(DomainId{0}, 4),
               c = other.arrivals(DomainId{0}, 4);
    ASSERT_EQ(a.size(), b.size()) << "cycle " << cycle;
    for (std::size_t k = 0; k < a.size(); ++k) {
      ASSERT_EQ(a[k].pg, b[k].pg);
      ASSERT_EQ(a[k].length, b[k].length);
      ASSERT_EQ(a[k].queues, b[k].queues);
    }
    differ += a.size() != c.size() ? 1U : 0U;
    static_cast<void>(one.releases(DomainId{0}, 1));
    static_cast<void>(same.releases(DomainId{0}, 1));
    static_cast<void>(other.releases(DomainId{0}, 1));
  }
  EXPECT_GT(differ, 0U) << "another seed draws something else";
}

TEST(StepTraffic, AfterAResetNothingIsHeld) {
  const Chip chip = test::small_chip(4, Cells{1000});
  StepTraffic traffic{chip, 7, 1, 4};
  for (int cycle = 0; cycle < 10'000 && traffic.held(DomainId{0}) < 10; ++cycle) {
    static_cast<void>(traffic.releases(DomainId{0}, 0));
    for (const ArrivalStep& step : traffic.arrivals(DomainId{0}, 1))
      traffic.admitted(step, step.queues);
  }
  ASSERT_EQ(traffic.held(DomainId{0}), 10U);
  traffic.reset();
  EXPECT_EQ(traffic.held(DomainId{0}), 0U);
  EXPECT_TRUE(traffic.releases(DomainId{0}, 4).empty());
}

}  // namespace
}  // namespace weir::step_traffic_test
