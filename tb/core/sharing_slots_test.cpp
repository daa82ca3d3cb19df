// SPDX-License-Identifier: Apache-2.0
#include "weir/core/policies/sharing_slots.hpp"

#include <gtest/gtest.h>

namespace weir::sharing_slots_test {
namespace {

constexpr Cells pool{1000};

SharingSlot slot_of(std::size_t index, Policy policy) {
  SharingSlot slot;
  slot.index = SlotIndex{index};
  slot.rows = {PortRow{0}, ClassRow{index}, PoolRow{0}};
  slot.setting.policy = policy;
  slot.setting.port_alpha = Alpha{1, 0};
  slot.line = Threshold{pool, Alpha{1, 1}, Cells{}};
  slot.pool = pool;
  return slot;
}

TEST(SharingSlots, ASlotOfALineHasTheLine) {
  SharingSlots slots{{1, 1, 1, 1}};
  slots.set(slot_of(0, Policy::dynamic));
  EXPECT_EQ(slots.limit(SlotIndex{0}, Cells{400}, Cycle{0}), Cells{300}) << "(1000 - 400) / 2";
  EXPECT_EQ(slots.admission_limit(SlotIndex{0}, Cells{400}, Cycle{0}), Cells{300});
  EXPECT_FALSE(slots.insured(SlotIndex{0}));
  EXPECT_FALSE(slots.port_off(PortRow{0}));
}

TEST(SharingSlots, APolicySeesWhatSlotsOfOtherPoliciesHoldAtItsPort) {
  SharingSlots slots{{2, 1, 2, 1}};
  slots.set(slot_of(0, Policy::two_level));
  slots.set(slot_of(1, Policy::dynamic));
  slots.moved(SlotIndex{1}, {Cells{520}, Cells{}, Cells{520}}, Cells{}, Cells{520}, Cycle{0});
  EXPECT_EQ(slots.limit(SlotIndex{0}, Cells{520}, Cycle{0}), Cells{0})
      << "port: 480 - 520 held by the other";
  slots.moved(SlotIndex{1}, {Cells{400}, Cells{}, Cells{400}}, Cells{120}, Cells{400}, Cycle{1});
  EXPECT_EQ(slots.limit(SlotIndex{0}, Cells{400}, Cycle{1}), Cells{200})
      << "port: 600 - 400, own line 300";
}

TEST(SharingSlots, EachPolicyCountsItsOwnSlots) {
  SharingSlots slots{{2, 1, 2, 1}};
  slots.set(slot_of(0, Policy::edt));
  slots.set(slot_of(1, Policy::dynamic));
  slots.moved(SlotIndex{1}, {Cells{400}, Cells{}, Cells{400}}, Cells{}, Cells{400}, Cycle{0});
  slots.moved(SlotIndex{0}, {Cells{300}, Cells{}, Cells{300}}, Cells{}, Cells{700}, Cycle{0});
  EXPECT_EQ(slots.limit(SlotIndex{0}, Cells{700}, Cycle{0}), pool)
      << "one burst, though both passed T";
}

TEST(SharingSlots, ALaterSettingChangesLimitsAndNothingThatIsHeld) {
  SharingSlots slots{{1, 1, 1, 1}};
  slots.set(slot_of(0, Policy::two_level));
  slots.moved(SlotIndex{0}, {Cells{100}, Cells{}, Cells{100}}, Cells{}, Cells{100}, Cycle{0});
  SharingSlot narrower = slot_of(0, Policy::two_level);
  narrower.setting.port_alpha = Alpha{1, 3};
  slots.set(narrower);
  EXPECT_EQ(slots.limit(SlotIndex{0}, Cells{100}, Cycle{0}), Cells{112}) << "100 + (900 / 8 - 100)";
}

TEST(SharingSlots, TimeNeverGoesBack) {
  SharingSlots slots{{1, 1, 1, 1}};
  SharingSlot slot = slot_of(0, Policy::edt);
  slot.setting.burst = Cycle{10};
  slots.set(slot);
  slots.moved(SlotIndex{0}, {Cells{600}, Cells{}, Cells{600}}, Cells{}, Cells{600}, Cycle{5});
  slots.moved(SlotIndex{0}, {Cells{601}, Cells{}, Cells{601}}, Cells{}, Cells{601}, Cycle{20});
  EXPECT_EQ(slots.limit(SlotIndex{0}, Cells{601}, Cycle{0}), Cells{199})
      << "the burst was over in cycle 15";
}

TEST(SharingSlots, OnlyAnInsuredSlotHasAnInsurance) {
  SharingSlots slots{{2, 1, 2, 1}};
  SharingSlot dsh = slot_of(0, Policy::dsh);
  dsh.insurance = Cells{40};
  dsh.insured_groups = 1;
  slots.set(dsh);
  slots.set(slot_of(1, Policy::abm));
  EXPECT_TRUE(slots.insured(SlotIndex{0}));
  EXPECT_FALSE(slots.insured(SlotIndex{1}));
  slots.moved(SlotIndex{0}, {Cells{}, Cells{7}, Cells{7}}, Cells{}, Cells{}, Cycle{0});
  EXPECT_EQ(slots.insurance(SlotIndex{0}), Cells{40});
  EXPECT_EQ(slots.insurance_used(SlotIndex{0}), Cells{7});
  slots.judge_port(SlotIndex{0}, {true, true, false}, Cells{});
  EXPECT_TRUE(slots.port_off(PortRow{0}));
}

TEST(SharingSlots, ACopyHasAStateOfItsOwn) {
  SharingSlots slots{{1, 1, 1, 1}};
  slots.set(slot_of(0, Policy::edt));
  slots.moved(SlotIndex{0}, {Cells{600}, Cells{}, Cells{600}}, Cells{}, Cells{600}, Cycle{0});
  const SharingSlots copy = slots;
  slots.moved(SlotIndex{0}, {}, Cells{600}, Cells{}, Cycle{1});
  EXPECT_EQ(slots.limit(SlotIndex{0}, Cells{600}, Cycle{1}), Cells{200}) << "empty: no burst";
  EXPECT_EQ(copy.limit(SlotIndex{0}, Cells{600}, Cycle{1}), pool) << "still a burst";
}

}  // namespace
}  // namespace weir::sharing_slots_test
