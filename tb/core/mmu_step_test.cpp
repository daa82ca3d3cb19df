// SPDX-License-Identifier: Apache-2.0
// The rules of a step over blocks of a user. What they decide is in mmu_test.cpp and, with
// the blocks of SystemC modules, tb/model/mmu_blocks_test.cpp.
#include "weir/core/mmu_step.hpp"

#include <gtest/gtest.h>

#include "support/index_literals.hpp"
#include "support/small_chip.hpp"
#include "weir/core/mmu.hpp"
#include "weir/core/random.hpp"

namespace weir::mmu_step_test {
namespace {

using namespace test::index_literals;

using test::packet_of;
using test::small_chip;

/// The parts of an MMU, owned here.
struct Parts {
  explicit Parts(const Chip& chip)
      : settings{chip}, ingress{chip}, thresholds{settings}, egress{chip}, pfc{chip}, stats{chip} {}
  [[nodiscard]] MmuParts all() { return {&ingress, &thresholds, &egress, &pfc, &stats}; }

  MmuSettings settings;
  IngressAccounting ingress;
  Thresholds thresholds;
  EgressAccounting egress;
  PfcState pfc;
  StatsCounters stats;
};

TEST(MmuStep, BorrowedPartsHoldWhatAnMmuOfThemTakesIn) {
  Parts parts{small_chip(1, Cells{20})};
  Mmu mmu{parts.settings, parts.all()};
  mmu.arrive(3_pg, Cells{6}, packet_of(Cells{6}), 3_queue, Cycle{0});
  EXPECT_EQ(parts.ingress.pg(3_pg).shared, Cells{6});
  EXPECT_EQ(parts.stats.pg(3_pg).packets, 1U);
  EXPECT_EQ(&mmu.ingress(), &parts.ingress);
}

TEST(MmuStep, OverTheGeneralPartsIsThatOverThePlainOnes) {
  Parts parts{small_chip(2, Cells{60})};
  MmuStep<MmuParts> general{parts.settings, parts.all()};
  Mmu plain{small_chip(2, Cells{60})};
  ASSERT_FALSE(plain.needs_time());
  RandomStream random{5, "mmu_step"};
  std::size_t refused = 0, paused = 0;
  for (std::uint64_t n = 0; n < 2000; ++n) {
    const PgIndex pg{random.uniform(2 * priorities)};
    const QueueIndex queue{pg.value()};
    const Cells held = plain.ingress().pg(pg).total();
    if (held != Cells{0} && random.uniform(2) == 0) {
      const PfcLevel a = plain.release(pg, Cells{1}, queue, true, Cycle{n}),
                     b = general.release(pg, Cells{1}, queue, true, Cycle{n});
      ASSERT_EQ(a.xoff, b.xoff) << "step " << n;
      continue;
    }
    const Cells cells{static_cast<std::uint32_t>(1 + random.uniform(6))};
    const Verdict a = plain.arrive(pg, cells, packet_of(cells), queue, Cycle{n});
    const Verdict b = general.arrive(pg, cells, packet_of(cells), queue, Cycle{n});
    ASSERT_EQ(a.reason, b.reason) << "step " << n;
    ASSERT_EQ(a.placement, b.placement) << "step " << n;
    ASSERT_EQ(a.threshold, b.threshold) << "step " << n;
    ASSERT_EQ(a.pfc.xoff, b.pfc.xoff) << "step " << n;
    refused += a.admitted() ? 0 : 1;
    paused += a.pfc.changed ? 1 : 0;
  }
  EXPECT_NE(refused, 0U);
  EXPECT_NE(paused, 0U);
}

TEST(MmuStep, ACopyOfAnMmuHoldsTheSameAndGoesItsOwnWay) {
  Chip chip = small_chip(1, Cells{100});
  chip.profiles.front().threshold.policy = Policy::two_level;
  Mmu mmu{chip};
  mmu.arrive(3_pg, Cells{6}, packet_of(Cells{6}), 3_queue, Cycle{0});
  Mmu copy{mmu};
  EXPECT_EQ(copy.threshold(4_pg, Cycle{0}), mmu.threshold(4_pg, Cycle{0}));
  copy.arrive(4_pg, Cells{20}, packet_of(Cells{20}), 4_queue, Cycle{0});
  EXPECT_EQ(copy.ingress().pool(0_pool).shared, Cells{26});
  EXPECT_EQ(mmu.ingress().pool(0_pool).shared, Cells{6});
  EXPECT_LT(copy.threshold(3_pg, Cycle{0}), mmu.threshold(3_pg, Cycle{0}));
}

/// Steps that say only that they were asked.
class CountingStepper final : public MmuStepper {
 public:
  explicit CountingStepper(std::size_t& calls) : calls_{calls} {}
  Verdict arrive(PgIndex, Cells, Bytes, QueueIndex, Cycle) override {
    ++calls_;
    return {};
  }
  Verdict arrive(PgIndex, Cells, Bytes, std::vector<QueueIndex>&, Cycle) override {
    ++calls_;
    return {};
  }
  PfcLevel release(PgIndex, Cells, QueueIndex, bool, Cycle) override {
    ++calls_;
    return {};
  }
  [[nodiscard]] Cells threshold(PgIndex, Cycle) const override { return Cells{77}; }
  [[nodiscard]] Cells queue_threshold(QueueIndex, DomainId, Cycle) const override {
    return Cells{78};
  }
  [[nodiscard]] bool port_off(PortId) const override { return true; }
  void settings_changed() override { ++calls_; }
  void clear_stats() override { ++calls_; }

 private:
  std::size_t& calls_;
};

TEST(MmuStep, AnMmuLeavesEveryStepToTheStepperThatItIsGiven) {
  std::size_t calls = 0;
  Mmu mmu{small_chip(1, Cells{20})};
  mmu.step_by(std::make_unique<CountingStepper>(calls));
  mmu.arrive(3_pg, Cells{6}, packet_of(Cells{6}), 3_queue, Cycle{0});
  std::vector<QueueIndex> queues{3_queue};
  mmu.arrive(3_pg, Cells{6}, packet_of(Cells{6}), queues, Cycle{0});
  mmu.release(3_pg, Cells{6}, 3_queue, true, Cycle{0});
  mmu.set_profile(ProfileIndex{0}, mmu.chip().profiles.front());
  mmu.clear_stats();
  EXPECT_EQ(calls, 5U);
  EXPECT_TRUE(mmu.needs_time());
  EXPECT_EQ(mmu.threshold(3_pg, Cycle{0}), Cells{77});
  EXPECT_EQ(mmu.queue_threshold(3_queue, DomainId{0}, Cycle{0}), Cells{78});
  EXPECT_EQ(mmu.xoff_classes(PortId{0}), 0xff);
  EXPECT_EQ(mmu.ingress().pg(3_pg).total(), Cells{0}) << "nothing of it is the MMU's own";
}

}  // namespace
}  // namespace weir::mmu_step_test
