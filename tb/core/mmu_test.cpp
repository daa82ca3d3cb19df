// SPDX-License-Identifier: Apache-2.0
// Rules of the MMU as a whole. Each rule of a block is in the test of that block; random traces
// against the ledger are in mmu_property_test.cpp, worked sequences in mmu_vectors_test.cpp.
#include "weir/core/mmu.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/index_literals.hpp"
#include "support/small_chip.hpp"
#include "weir/core/errors.hpp"

namespace weir::mmu_test {
namespace {

using namespace test::index_literals;

using test::packet_of;
using test::small_chip;

constexpr PgIndex pg{3};
constexpr QueueIndex queue{3};

// The PG of the same number at another port.
PgIndex pg_at(std::size_t port) {
  return pg_index(PortId{static_cast<std::uint16_t>(port)}, number_in_port(pg));
}

Verdict arrive(Mmu& mmu, PgIndex at, std::uint32_t cells, QueueIndex to = queue) {
  return mmu.arrive(at, Cells{cells}, packet_of(Cells{cells}), to, Cycle{0});
}

TEST(Mmu, RefusesAChipThatItsOwnCheckRefuses) {
  Chip chip = small_chip(1, Cells{20});
  chip.ports.clear();
  EXPECT_THROW(Mmu{chip}, ConfigError);
}

TEST(Mmu, JudgesXoffByTheThresholdAfterTheArrivalNotBefore) {
  Mmu mmu{small_chip(1, Cells{20})};
  const Verdict verdict = arrive(mmu, pg, 10);
  EXPECT_EQ(verdict.threshold, Cells{20}) << "T that admitted it";
  EXPECT_EQ(mmu.threshold(pg, Cycle{0}), Cells{10}) << "T after it";
  EXPECT_TRUE(verdict.pfc.xoff) << "w = 10 >= T = 10";
  Mmu other{small_chip(1, Cells{21})};
  EXPECT_FALSE(arrive(other, pg, 10).pfc.xoff) << "w = 10 < T = 11";
}

TEST(Mmu, EvaluatesOnlyThePgThatAStepTouches) {
  Mmu mmu{small_chip(2, Cells{20})};
  arrive(mmu, pg, 6);
  arrive(mmu, pg_at(1), 8);
  EXPECT_LT(mmu.threshold(pg, Cycle{0}), Cells{7}) << "T has fallen to w or below";
  EXPECT_FALSE(mmu.pfc().xoff(pg)) << "XOFF in another PG's step";
  EXPECT_TRUE(arrive(mmu, pg, 1).pfc.xoff) << "XOFF at its own next step";
}

TEST(Mmu, RefusesAtAPgWithoutAProfile) {
  Chip chip = small_chip(1, Cells{20});
  chip.pg_of_priority.fill(3);
  chip.profile_of_pg.assign(priorities, std::nullopt);
  chip.profile_of_pg[PgIndex{3}] = ProfileIndex{0};
  Mmu mmu{chip};
  EXPECT_FALSE(mmu.has_profile(0_pg));
  EXPECT_TRUE(mmu.has_profile(3_pg));
  EXPECT_FALSE(arrive(mmu, 0_pg, 1).admitted()) << "a PG without a profile owns no cells";
}

TEST(Mmu, TreatsAUnicastAsAMulticastOfOne) {
  Chip chip = small_chip(1, Cells{20});
  chip.queue_profiles.push_back({"lossy", {}, Cells{2}, {}});
  chip.profile_of_queue[QueueIndex{0}] = QueueProfileIndex{0};
  Mmu one{chip}, many{chip};
  for (const std::uint32_t cells : {3U, 9U, 4U, 1U}) {
    const Verdict a = arrive(one, pg, cells, 0_queue);
    std::vector<QueueIndex> queues{0_queue};
    const Verdict b = many.arrive(pg, Cells{cells}, packet_of(Cells{cells}), queues, Cycle{0});
    EXPECT_EQ(to_string(a.reason), to_string(b.reason)) << cells << " cells";
    EXPECT_TRUE(a.placement == b.placement) << cells << " cells";
    EXPECT_EQ(queues.size(), a.admitted() ? 1U : 0U) << cells << " cells";
    EXPECT_EQ(one.egress().queue(0_queue, DomainId{0}).shared,
              many.egress().queue(0_queue, DomainId{0}).shared)
        << cells << " cells";
  }
}

TEST(Mmu, FreesIngressCellsWithTheLastCopyOnly) {
  Mmu mmu{small_chip(2, Cells{100})};
  std::vector<QueueIndex> queues{3_queue, 11_queue};
  ASSERT_TRUE(mmu.arrive(pg, Cells{5}, packet_of(Cells{5}), queues, Cycle{0}).admitted());
  EXPECT_EQ(mmu.ingress().pg(pg).total(), Cells{5}) << "one copy of the cells for two queues";
  mmu.release(pg, Cells{5}, 3_queue, false, Cycle{0});
  EXPECT_EQ(mmu.ingress().pg(pg).total(), Cells{5}) << "freed by a copy that was not the last";
  mmu.release(pg, Cells{5}, 11_queue, true, Cycle{0});
  EXPECT_EQ(mmu.ingress().pg(pg).total(), Cells{0});
}

TEST(Mmu, RefusesAPacketWithNoQueueAtAll) {
  Mmu mmu{small_chip(1, Cells{100})};
  std::vector<QueueIndex> none;
  EXPECT_EQ(mmu.arrive(pg, Cells{1}, Bytes{64}, none, Cycle{0}).reason, Reason::egress_queue);
}

TEST(Mmu, NamesTheQueueWhenQueueAndIngressBothRefuse) {
  Chip chip = small_chip(1, Cells{0});
  chip.profiles.front().lossless = false;
  chip.queue_profiles.push_back({"lossy", {}, Cells{0}, {}});
  chip.profile_of_queue[QueueIndex{0}] = QueueProfileIndex{0};
  Mmu mmu{chip};
  EXPECT_EQ(arrive(mmu, pg, 1, 0_queue).reason, Reason::egress_queue);
  EXPECT_EQ(arrive(mmu, pg, 1, 1_queue).reason, Reason::shared_threshold) << "ingress alone";
  EXPECT_EQ(mmu.stats().queue(0_queue).dropped, 1U);
}

TEST(Mmu, ReportsXoffByPriorityThroughTheMap) {
  Chip chip = small_chip(2, Cells{20});
  chip.pg_of_priority = {0, 1, 2, 3, 3, 5, 6, 7};
  Mmu mmu{chip};
  EXPECT_EQ(mmu.xoff_classes(PortId{1}), 0U);
  arrive(mmu, pg_at(1), 15);
  EXPECT_EQ(mmu.xoff_classes(PortId{1}), 0b0001'1000U) << "priorities 3 and 4 share PG 3";
  EXPECT_EQ(mmu.xoff_classes(PortId{0}), 0U) << "the other port";
}

TEST(Mmu, ThrowsWhenMoreIsReleasedThanHeld) {
  Mmu mmu{small_chip(1, Cells{20})};
  arrive(mmu, pg, 2);
  EXPECT_THROW(mmu.release(pg, Cells{3}, queue, true, Cycle{0}), ModelError);
  EXPECT_NO_THROW(mmu.release(pg, Cells{2}, queue, true, Cycle{0}));
}

TEST(Mmu, ClearsCountersButNotWhatIsHeld) {
  Mmu mmu{small_chip(1, Cells{20})};
  arrive(mmu, pg, 4);
  mmu.clear_stats();
  EXPECT_EQ(mmu.stats().pg(pg).packets, 0U);
  EXPECT_EQ(mmu.ingress().pg(pg).total(), Cells{4});
}

TEST(Mmu, AppliesAChangedProfileAtTheNextStepOfEachPg) {
  Chip chip = small_chip(2, Cells{20});
  chip.domains = 2;
  chip.ports[1].domain = DomainId{1};
  Mmu mmu{chip};
  arrive(mmu, pg, 8);
  arrive(mmu, pg_at(1), 8);
  Profile tighter = chip.profiles.front();
  tighter.threshold.alpha = Alpha{1, 1};
  mmu.set_profile(ProfileIndex{0}, tighter);
  EXPECT_EQ(mmu.threshold(pg, Cycle{0}), Cells{6}) << "T = (20 - 8) / 2 in domain 0";
  EXPECT_EQ(mmu.threshold(pg_at(1), Cycle{0}), Cells{6}) << "and in domain 1";
  EXPECT_FALSE(mmu.pfc().xoff(pg)) << "no step has touched the PG yet";
  EXPECT_TRUE(arrive(mmu, pg, 1).pfc.xoff) << "its own next step";
  EXPECT_FALSE(mmu.pfc().xoff(pg_at(1))) << "the other PG waits for its own";
}

TEST(Mmu, RefusesAProfileThatWouldMoveTheSegmentsUnderHeldCells) {
  Mmu mmu{small_chip(1, Cells{20})};
  const Profile before = mmu.chip().profiles.front();
  std::vector<Profile> changes(5, before);
  changes[0].private_cells = Cells{1};
  changes[1].headroom = Cells{1};
  changes[2].lossless = false;
  changes[3].pool = PoolNumber{1};
  changes[4].threshold.policy = static_cast<Policy>(200);
  for (std::size_t change = 0; change < changes.size(); ++change) {
    EXPECT_THROW(mmu.set_profile(ProfileIndex{0}, changes[change]), ConfigError)
        << "change " << change;
    EXPECT_EQ(mmu.threshold(pg, Cycle{0}), Cells{20}) << "change " << change << " left a trace";
  }
}

// --- dynamic threshold, in equilibrium and in transients ---------------------------------------

constexpr std::uint32_t pool_cells = 60'000;  // 12 MB in cells of 200 B

Chip alpha_chip(Alpha alpha, std::size_t ports) {
  Chip chip = small_chip(ports, Cells{pool_cells});
  chip.profiles.front().threshold.alpha = alpha;
  return chip;
}

// Saturated queues: each sends until XOFF, in turn.
void saturate(Mmu& mmu, std::size_t queues, std::uint32_t packet) {
  for (bool anyone = true; anyone;) {
    anyone = false;
    for (std::size_t port = 0; port < queues; ++port) {
      if (mmu.pfc().xoff(pg_at(port))) continue;
      arrive(mmu, pg_at(port), packet);
      anyone = true;
    }
  }
}

TEST(MmuDynamicThreshold, GivesSaturatedQueuesTheShareOfTheSteadyState) {
  std::size_t compared = 0;
  for (const Alpha alpha : {Alpha{1, 6}, Alpha{1, 4}, Alpha{1, 3}, Alpha{1, 1}, Alpha{1, 0},
                            Alpha{3, 2}, Alpha{8, 0}}) {
    for (const std::uint32_t queues : {1U, 2U, 5U, 16U, 32U}) {
      for (const std::uint32_t packet : {1U, 8U}) {
        Mmu mmu{alpha_chip(alpha, queues)};
        saturate(mmu, queues, packet);
        // alpha B / (1 + alpha S) and B / (1 + alpha S), alpha = n / 2^m
        const std::uint64_t scale = (1ULL << alpha.shift) + alpha.numerator * queues;
        const std::uint64_t share = std::uint64_t{alpha.numerator} * pool_cells / scale;
        const std::uint64_t unused = (std::uint64_t{pool_cells} << alpha.shift) / scale;
        const std::string where = "alpha " + std::to_string(alpha.numerator) + "/2^" +
                                  std::to_string(alpha.shift) + ", " + std::to_string(queues) +
                                  " queues, packets of " + std::to_string(packet);
        for (std::size_t port = 0; port < queues; ++port) {
          const std::uint64_t length = mmu.ingress().pg(pg_at(port)).shared.count();
          EXPECT_LE(length, share + packet) << where << ": above by more than a packet";
          EXPECT_GE(length + packet, share) << where << ": below by more than a packet";
        }
        const std::uint64_t left = pool_cells - mmu.ingress().pool(0_pool).shared.count();
        EXPECT_LE(left, unused + std::uint64_t{packet} * queues) << where << ": unused";
        EXPECT_GE(left + std::uint64_t{packet} * queues, unused) << where << ": unused";
        ++compared;
      }
    }
  }
  EXPECT_EQ(compared, 7U * 5U * 2U);
}

struct TransientCase {
  Alpha alpha;
  std::uint32_t old_queues, new_queues, rate;
  std::uint64_t bytes;  ///< Length of a new queue at its first XOFF.
};

// Old queues start at T0, drain one cell a tick and refill whenever they may; new ones get `rate`
// cells a tick and drain one. Returns the length of the first new queue that goes XOFF.
std::uint64_t length_at_first_xoff(const TransientCase& c) {
  Mmu mmu{alpha_chip(c.alpha, c.old_queues + c.new_queues)};
  saturate(mmu, c.old_queues, 1);
  for (;;) {
    for (std::size_t port = 0; port < c.old_queues; ++port) {
      const PgIndex at = pg_at(port);
      mmu.release(at, Cells{1}, queue, true, Cycle{0});
      while (!mmu.pfc().xoff(at)) arrive(mmu, at, 1);
    }
    for (std::uint32_t cell = 0; cell < c.rate; ++cell)
      for (std::size_t port = c.old_queues; port < c.old_queues + c.new_queues; ++port)
        if (arrive(mmu, pg_at(port), 1).pfc.xoff)
          return mmu.ingress().pg(pg_at(port)).shared.count();
    for (std::size_t port = c.old_queues; port < c.old_queues + c.new_queues; ++port)
      mmu.release(pg_at(port), Cells{1}, queue, true, Cycle{0});
  }
}

TEST(MmuDynamicThreshold, MeetsNewQueuesWhereTheTransientSaysToOneTick) {
  const std::vector<TransientCase> cases{{{1, 0}, 1, 1, 2, 4'000'000},
                                         {{1, 0}, 1, 1, 4, 3'600'000},
                                         {{1, 1}, 2, 4, 3, 1'200'000},
                                         {{8, 0}, 1, 4, 2, 426'667}};
  for (const TransientCase& c : cases) {
    const std::uint64_t cells = length_at_first_xoff(c), expected = c.bytes / 200;
    EXPECT_LE(cells, expected + c.rate) << c.bytes << " B: later than the cells of one tick";
    EXPECT_GE(cells + c.rate, expected) << c.bytes << " B: earlier than the cells of one tick";
  }
}

}  // namespace
}  // namespace weir::mmu_test
