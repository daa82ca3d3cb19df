// SPDX-License-Identifier: Apache-2.0
#include "weir/core/accounting/egress_accounting.hpp"

#include <gtest/gtest.h>

#include <string>

#include "support/index_literals.hpp"
#include "support/small_chip.hpp"
#include "weir/core/errors.hpp"

namespace weir::egress_accounting_test {
namespace {

using namespace test::index_literals;

constexpr DomainId domain{0};

// Queue 0 of both ports: minimum 3, T_q = (B_e - S_e) / 2.
Chip limited_chip(std::uint32_t shared) {
  Chip chip = test::small_chip(2, Cells{shared});
  QueueProfile queue;
  queue.name = "lossy";
  queue.minimum = Cells{3};
  queue.threshold.alpha = Alpha::power_of_two(-1);
  chip.queue_profiles.push_back(queue);
  chip.profile_of_queue[QueueIndex{0}] = QueueProfileIndex{0};
  chip.profile_of_queue[QueueIndex{8}] = QueueProfileIndex{0};
  return chip;
}

TEST(EgressAccounting, LimitsOnlyQueuesThatHaveAProfile) {
  const EgressAccounting egress{limited_chip(16)};
  EXPECT_TRUE(egress.limited(0_queue));
  EXPECT_TRUE(egress.limited(8_queue));
  EXPECT_FALSE(egress.limited(1_queue)) << "a queue without a profile";
}

TEST(EgressAccounting, FillsTheMinimumFirstAndThenTheSharedPart) {
  EgressAccounting egress{limited_chip(16)};
  egress.charge(0_queue, domain, Cells{2});
  EXPECT_EQ(egress.queue(0_queue, domain).minimum, Cells{2});
  EXPECT_EQ(egress.pool_shared(0_egress_pool), Cells{0}) << "the minimum is not part of S_e";
  egress.charge(0_queue, domain, Cells{4});
  EXPECT_EQ(egress.queue(0_queue, domain).minimum, Cells{3});
  EXPECT_EQ(egress.queue(0_queue, domain).shared, Cells{3});
  EXPECT_EQ(egress.pool_shared(0_egress_pool), Cells{3}) << "S_e";
}

// T_q of queue 0 as its line has it for S_e of now.
Cells threshold_of_0(const EgressAccounting& egress) {
  return egress.line(0_queue, domain).at(egress.pool_shared(0_egress_pool));
}

TEST(EgressAccounting, AcceptsWhatFitsTheMinimumWhateverTheThreshold) {
  EgressAccounting egress{limited_chip(0)};
  EXPECT_TRUE(egress.accepts(0_queue, domain, Cells{3}, threshold_of_0(egress)))
      << "exactly the minimum, T_q = 0";
  EXPECT_FALSE(egress.accepts(0_queue, domain, Cells{4}, threshold_of_0(egress)))
      << "one cell past the minimum, T_q = 0";
}

TEST(EgressAccounting, AcceptsAtOneBelowTheThresholdAndRefusesAtIt) {
  EgressAccounting egress{limited_chip(16)};
  egress.charge(8_queue, domain, Cells{7});  // S_e = 4
  egress.charge(0_queue, domain, Cells{6});  // w_q = 3, S_e = 7, T_q = 4
  EXPECT_EQ(threshold_of_0(egress), Cells{4});
  EXPECT_TRUE(egress.accepts(0_queue, domain, Cells{1}, threshold_of_0(egress))) << "w_q = 3 < 4";
  egress.charge(8_queue, domain, Cells{2});  // S_e = 9, T_q = 3
  EXPECT_EQ(threshold_of_0(egress), Cells{3});
  EXPECT_FALSE(egress.accepts(0_queue, domain, Cells{1}, threshold_of_0(egress))) << "w_q = 3 >= 3";
}

TEST(EgressAccounting, TakesAWholePacketOnceOneCellIsBelowTheThreshold) {
  EgressAccounting egress{limited_chip(4)};
  EXPECT_TRUE(egress.accepts(0_queue, domain, Cells{50}, threshold_of_0(egress))) << "w_q = 0 < 2";
  egress.charge(0_queue, domain, Cells{50});
  EXPECT_EQ(egress.pool_shared(0_egress_pool), Cells{47});
  EXPECT_EQ(threshold_of_0(egress), Cells{0}) << "S_e past B_e leaves no negative T_q";
}

TEST(EgressAccounting, GivesBackTheSharedPartFirst) {
  EgressAccounting egress{limited_chip(16)};
  egress.charge(0_queue, domain, Cells{5});
  egress.release(0_queue, domain, Cells{1});
  EXPECT_EQ(egress.queue(0_queue, domain).minimum, Cells{3});
  EXPECT_EQ(egress.queue(0_queue, domain).shared, Cells{1});
  egress.release(0_queue, domain, Cells{2});
  EXPECT_EQ(egress.queue(0_queue, domain).minimum, Cells{2});
  EXPECT_EQ(egress.queue(0_queue, domain).shared, Cells{0});
  EXPECT_EQ(egress.pool_shared(0_egress_pool), Cells{0}) << "S_e";
}

TEST(EgressAccounting, CountsEveryDomainApart) {
  Chip chip = limited_chip(16);
  chip.domains = 2;
  chip.ports[1].domain = DomainId{1};
  EgressAccounting egress{chip};
  egress.charge(0_queue, DomainId{0}, Cells{5});
  egress.charge(0_queue, DomainId{1}, Cells{4});
  EXPECT_EQ(egress.queue(0_queue, DomainId{0}).shared, Cells{2});
  EXPECT_EQ(egress.queue(0_queue, DomainId{1}).minimum, Cells{3}) << "a minimum of its own";
  EXPECT_EQ(egress.queue(0_queue, DomainId{1}).shared, Cells{1});
  EXPECT_EQ(egress.pool_shared(0_egress_pool), Cells{2}) << "S_e of domain 0";
  EXPECT_EQ(egress.pool_shared(1_egress_pool), Cells{1}) << "S_e of domain 1";
}

TEST(EgressAccounting, DividesAPoolAmongItsLimitedQueuesUnderCompletePartitioning) {
  Chip chip = limited_chip(17);
  chip.queue_profiles.front().threshold.policy = Policy::complete_partitioning;
  const EgressAccounting egress{chip};
  EXPECT_EQ(threshold_of_0(egress), Cells{8}) << "floor(17 / 2 queues)";
}

TEST(EgressAccounting, RefusesToReleaseOneCellMoreThanHeld) {
  EgressAccounting egress{limited_chip(16)};
  egress.charge(8_queue, domain, Cells{5});
  try {
    egress.release(8_queue, domain, Cells{6});
    FAIL() << "released 6 of 5 cells";
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("port 1 queue 0"), std::string::npos) << error.what();
  }
  EXPECT_NO_THROW(egress.release(8_queue, domain, Cells{5})) << "exactly what is held";
}

}  // namespace
}  // namespace weir::egress_accounting_test
