// SPDX-License-Identifier: Apache-2.0
#include "weir/core/headroom/headroom_budget.hpp"

#include <gtest/gtest.h>

#include "weir/core/errors.hpp"

namespace weir::headroom_budget_test {
namespace {

HeadroomPlan small_plan() {
  HeadroomPlan plan;
  plan.memory = Bytes{1000};
  plan.ports = 4;
  plan.classes = 2;
  plan.headroom = Bytes{101};
  plan.private_buffer = Bytes{10};
  plan.oversubscription = 3;
  return plan;
}

TEST(HeadroomBudget, DedicatedHeadroomIsOneForEachClassOfEachPort) {
  const HeadroomShare share = headroom_budget(small_plan()).dedicated;
  EXPECT_EQ(share.per_port, Bytes{202});
  EXPECT_EQ(share.chip, Bytes{808});
  EXPECT_EQ(share.share_ppm, 808'000U);
  EXPECT_EQ(share.left, Bytes{1000 - 808 - 80});
}

TEST(HeadroomBudget, ASharedPoolIsThatDividedByItsOversubscriptionRoundedUp) {
  const HeadroomShare share = headroom_budget(small_plan()).pool;
  EXPECT_EQ(share.chip, Bytes{270}) << "808 / 3 = 269.3";
  EXPECT_EQ(share.left, Bytes{1000 - 270 - 80});
}

TEST(HeadroomBudget, DshInsuresEachPortWithOneHeadroom) {
  const HeadroomShare share = headroom_budget(small_plan()).insurance;
  EXPECT_EQ(share.per_port, Bytes{101});
  EXPECT_EQ(share.chip, Bytes{404});
}

TEST(HeadroomBudget, MoreThanTheMemoryLeavesNothingAndSaysSo) {
  HeadroomPlan plan = small_plan();
  plan.memory = Bytes{888};
  EXPECT_EQ(headroom_budget(plan).dedicated.left, Bytes{0}) << "just all of it";
  plan.memory = Bytes{889};
  EXPECT_EQ(headroom_budget(plan).dedicated.left, Bytes{1});
  plan.memory = Bytes{404};
  EXPECT_EQ(headroom_budget(plan).dedicated.share_ppm, 2'000'000U) << "200 %";
  EXPECT_EQ(headroom_budget(plan).dedicated.left, Bytes{0});
}

TEST(HeadroomBudget, RefusesAChipThatCannotBe) {
  const auto refused = [](const char* key, auto change) {
    HeadroomPlan plan = small_plan();
    change(plan);
    try {
      static_cast<void>(headroom_budget(plan));
      ADD_FAILURE() << key << " was taken";
    } catch (const ConfigError& error) {
      EXPECT_EQ(error.key(), key);
    }
  };
  refused("memory", [](HeadroomPlan& p) { p.memory = Bytes{0}; });
  refused("ports", [](HeadroomPlan& p) { p.ports = 0; });
  refused("classes", [](HeadroomPlan& p) { p.classes = 9; });
  refused("oversubscription", [](HeadroomPlan& p) { p.oversubscription = 0; });
}

TEST(HeadroomBudget, DcqcnThresholdsAreZeroWhereHeadroomTakesItAll) {
  const Bytes flight{1000};
  EXPECT_EQ(dcqcn_thresholds(Bytes{8 * 4 * 1000}, 4, flight, 8).static_pfc.rounded_down(), Bytes{});
  EXPECT_EQ(dcqcn_thresholds(Bytes{8 * 4 * 1001}, 4, flight, 8).static_pfc.rounded_down(),
            Bytes{1});
  EXPECT_EQ(dcqcn_thresholds(Bytes{100}, 4, flight, 8).ecn.rounded_down(), Bytes{});
}

TEST(HeadroomBudget, EcnMarksBeforePfcPausesWhenEveryIngressQueueFeedsOneEgressQueue) {
  // All 8 n egress queues at t_ECN; an ingress queue may then hold n x t_ECN before it pauses.
  const Bytes memory{12'000'000}, flight{22'400};
  const std::uint64_t ecn = dcqcn_thresholds(memory, 32, flight, 8).ecn.rounded_down().count();
  const auto pfc = [&](std::uint64_t t_ecn) {
    return dcqcn_pfc_threshold(memory, 32, flight, 8, Bytes{t_ecn * 256}).rounded_down().count();
  };
  EXPECT_GE(pfc(ecn), 32 * ecn);
  EXPECT_LT(pfc(ecn + 1), 32 * (ecn + 1)) << "a byte more and PFC may come first";
}

}  // namespace
}  // namespace weir::headroom_budget_test
