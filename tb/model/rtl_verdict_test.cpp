// SPDX-License-Identifier: Apache-2.0
#include "weir/model/rtl/rtl_verdict.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "support/index_literals.hpp"
#include "support/small_chip.hpp"

namespace weir::rtl_verdict_test {
namespace {

using namespace test::index_literals;

// Queues 0 and 1 have a minimum of 9 cells; with `all`, every other one too.
Chip limited_chip(bool all) {
  Chip chip = test::small_chip(1, Cells{100});
  chip.queue_profiles.push_back({"lossy", {}, Cells{9}, {}});
  for (QueueIndex queue; queue < (all ? chip.profile_of_queue.end_index() : 2_queue); ++queue)
    chip.profile_of_queue[queue] = QueueProfileIndex{0};
  return chip;
}

// 5 cells in PG 0 and in queue 0.
Mmu filled(const Chip& chip) {
  Mmu mmu{chip};
  std::vector<QueueIndex> taken;
  const ArrivalStep arrival{0_pg, Cells{5}, test::packet_of(Cells{5}), {0_queue}};
  EXPECT_TRUE(decide(mmu, arrival, taken, Cycle{0}).verdict.admitted());
  return mmu;
}

Cells held(const Mmu& mmu, QueueIndex queue) {
  const QueueUse use = mmu.egress().queue(queue, DomainId{0});
  return use.minimum + use.shared;
}

class Release : public testing::TestWithParam<bool> {};

TEST_P(Release, OfAQueueThatHoldsLessReleasesThePg) {
  Mmu mmu = filled(limited_chip(GetParam()));
  const RtlReleaseVerdict verdict = decide(mmu, {0_pg, Cells{5}, 1_queue, true}, Cycle{0});
  EXPECT_TRUE(verdict.error);
  EXPECT_EQ(mmu.ingress().pg(0_pg).total(), Cells{0});
  EXPECT_EQ(held(mmu, 0_queue), Cells{5}) << "the other queue";
  EXPECT_EQ(held(mmu, 1_queue), Cells{0});
}

TEST_P(Release, OfAPgThatHoldsLessReleasesTheQueue) {
  Mmu mmu = filled(limited_chip(GetParam()));
  const RtlReleaseVerdict verdict = decide(mmu, {1_pg, Cells{5}, 0_queue, true}, Cycle{0});
  EXPECT_TRUE(verdict.error);
  EXPECT_EQ(mmu.ingress().pg(0_pg).total(), Cells{5}) << "the other PG";
  EXPECT_EQ(held(mmu, 0_queue), Cells{0});
}

INSTANTIATE_TEST_SUITE_P(WithAProfileOfEveryQueue, Release, testing::Bool());

}  // namespace
}  // namespace weir::rtl_verdict_test
