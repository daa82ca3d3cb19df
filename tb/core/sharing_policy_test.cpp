// SPDX-License-Identifier: Apache-2.0
// The policies that use more than S, worked by hand: both sides of each limit. Against the ledger
// on random traces: mmu_property_test.cpp.
#include "weir/core/policies/sharing_policy.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <variant>

#include "support/index_literals.hpp"
#include "weir/core/errors.hpp"
#include "weir/core/mmu.hpp"
#include "weir/core/policies/sharing_slots.hpp"

namespace weir::sharing_policy_test {
namespace {

using namespace test::index_literals;

constexpr Cells pool{1000};

// Slots 0 and 1 share a port, slot 2 has another; 0 and 2 are of one class.
class Slots {
 public:
  explicit Slots(SharingSlot slot) : slots_{{3, 2, 2, 1}} {
    constexpr SharingSlot::Rows rows[]{{PortRow{0}, ClassRow{0}, PoolRow{0}},
                                       {PortRow{0}, ClassRow{1}, PoolRow{0}},
                                       {PortRow{1}, ClassRow{0}, PoolRow{0}}};
    for (slot.index = SlotIndex{0}; slot.index < SlotIndex{slots_.size()}; ++slot.index) {
      slot.rows = rows[slot.index.value()];
      slots_.set(slot);
    }
  }

  // Sets the shared cells of `slot`; a smaller number than before releases the difference.
  void hold(std::size_t slot, std::uint32_t shared, std::uint64_t now = 0,
            std::uint32_t headroom = 0) {
    const std::uint32_t total = shared + headroom, before = shared_[slot] + headroom_[slot];
    used_ = used_ - shared_[slot] + shared;
    shared_[slot] = shared;
    headroom_[slot] = headroom;
    slots_.moved(SlotIndex{slot}, {Cells{shared}, Cells{headroom}, Cells{total}},
                 Cells{total < before ? before - total : 0}, Cells{used_}, Cycle{now});
  }
  std::uint32_t limit(std::size_t slot, std::uint64_t now = 0) const {
    return slots_.limit(SlotIndex{slot}, Cells{used_}, Cycle{now}).count();
  }
  std::uint32_t admission_limit(std::size_t slot) const {
    return slots_.admission_limit(SlotIndex{slot}, Cells{used_}, Cycle{0}).count();
  }
  void judge(std::size_t slot, bool arrival, bool pressed) {
    slots_.judge_port(SlotIndex{slot}, {arrival, pressed, true}, Cells{used_});
  }
  bool off(std::size_t port) const { return slots_.port_off(PortRow{port}); }

 private:
  SharingSlots slots_;
  std::uint32_t used_{0};
  std::uint32_t shared_[3]{}, headroom_[3]{};
};

SharingSlot slot_of(Policy policy, Alpha alpha) {
  SharingSlot slot;
  slot.setting.policy = policy;
  slot.line = Threshold{pool, alpha, Cells{}};
  slot.pool = pool;
  return slot;
}

// The row of the page that says what a policy is.
std::string row_of_page(const PolicyRow& row) {
  std::string keys;
  for (const PolicyKey* key : row.keys)
    keys += (keys.empty() ? " `" : ", `") + std::string{key->name} + "`";
  return "| " + std::to_string(static_cast<unsigned>(row.policy)) + " | `" + std::string{row.name} +
         "` |" + keys + " | " + (row.in_rtl ? "yes" : "no") + " | " + std::string{row.summary} +
         " |";
}

TEST(SharingPolicy, ThePageListsThePoliciesOfTheTable) {
  std::ifstream file{"docs/blocks/sharing_policy.md"};
  std::string wanted, found;
  for (std::string line; std::getline(file, line);)
    if (line.size() > 3 && line[0] == '|' && line[2] >= '0' && line[2] <= '9') found += line + "\n";
  for (const PolicyRow& row : policy_table()) wanted += row_of_page(row) + "\n";
  EXPECT_EQ(found, wanted) << "docs/blocks/sharing_policy.md: its table must be these lines:\n"
                           << wanted;
}

TEST(SharingPolicy, ThePlaceInTheTableIsTheNumberAndTheRtlHasTheFirst) {
  bool in_rtl = true;
  for (std::size_t number = 0; number < policy_table().size(); ++number) {
    const PolicyRow& row = policy_table()[number];
    EXPECT_EQ(static_cast<std::size_t>(row.policy), number) << row.name;
    EXPECT_TRUE(in_rtl || !row.in_rtl) << row.name << " comes after one that the RTL has not";
    in_rtl = row.in_rtl;
    EXPECT_EQ(&row_of(row.policy), &row) << row.name;
    EXPECT_EQ(find_policy(row.name), &row) << row.name;
    EXPECT_FALSE(row.insured && row.for_lossy) << row.name << ": what is lossy has no headroom";
  }
  EXPECT_EQ(find_policy("fair"), nullptr);
  EXPECT_THROW(static_cast<void>(row_of(static_cast<Policy>(policy_table().size()))), ConfigError);
}

TEST(SharingPolicy, EveryKeyIsReadBySomePolicyAndCheckedUnderIt) {
  for (const PolicyRow& row : policy_table()) {
    for (const PolicyKey* key : row.keys) {
      ThresholdContext context;
      context.setting.policy = row.policy;
      if (const auto* alpha = std::get_if<Alpha ThresholdSetting::*>(&key->member))
        context.setting.*(*alpha) = Alpha{0, 0};
      else if (const auto* time = std::get_if<Cycle ThresholdSetting::*>(&key->member))
        context.setting.*(*time) = Cycle{0};
      else
        continue;  // every count of cells is legal
      try {
        static_cast<void>(make_threshold(context, "profile.p"));
        ADD_FAILURE() << row.name << " takes a " << key->name << " of 0";
      } catch (const ConfigError& error) {
        EXPECT_EQ(error.key(), "profile.p." + std::string{key->name}) << row.name;
      }
    }
  }
  EXPECT_GE(policy_keys().size(), 5U) << "alpha, limit, port_alpha, window, burst";
}

TEST(SharingPolicy, TwoLevelStopsAGroupAtItsOwnLimitOrAtThatOfItsPort) {
  SharingSlot slot = slot_of(Policy::two_level, Alpha{1, 1});
  slot.setting.port_alpha = Alpha{1, 0};
  Slots slots{slot};
  EXPECT_EQ(slots.limit(0), 500U) << "alone: alpha (B - S), the port has 1000";
  slots.hold(0, 250);
  slots.hold(1, 250);  // S = 500: T = 250, port 500: both limits reached
  EXPECT_EQ(slots.limit(0), 250U) << "w = 250 >= 250: full";
  slots.hold(1, 249);  // S = 499: T = 250, port 501 - 499 used
  EXPECT_EQ(slots.limit(0), 250U);
  slots.hold(2, 101);  // S = 600: T = 200, port 400 - 499 used: none left
  slots.hold(0, 100);  // S = 450: T = 275, port 550 - 349 used = 201 more
  EXPECT_EQ(slots.limit(0), 275U) << "own limit first: 100 + 201 is above it";
  slots.hold(1, 390);  // S = 591: T = 204, port 409 - 490
  EXPECT_EQ(slots.limit(0), 100U) << "the port is full: w = 100 is at T";
  EXPECT_EQ(slots.limit(2), 204U) << "another port is not concerned";
}

TEST(SharingPolicy, DshPausesAGroupAtTMinusEtaAndAdmitsUpToItsPort) {
  SharingSlot slot = slot_of(Policy::dsh, Alpha{1, 2});
  slot.headroom = Cells{40};
  slot.insurance = Cells{40};
  slot.insured_groups = 2;
  slot.xon_offset = Cells{10};
  Slots slots{slot};
  EXPECT_EQ(slots.limit(0), 210U) << "X_qoff = 250 - 40";
  EXPECT_EQ(slots.admission_limit(0), 500U) << "N_q T = 2 x 250";
  slots.hold(0, 200);  // T = 200
  slots.hold(1, 133);  // T = 166, N_q T = 332, the port holds 333
  EXPECT_EQ(slots.limit(0), 126U);
  EXPECT_EQ(slots.admission_limit(0), 200U) << "no room: w = 200 is not below it";
  slots.judge(0, true, false);
  EXPECT_TRUE(slots.off(0)) << "333 >= 332";
  EXPECT_FALSE(slots.off(1)) << "another port is not concerned";
  EXPECT_EQ(slots.admission_limit(1), 0U) << "a port that is off takes nothing into shared";
}

TEST(SharingPolicy, DshPortGoesOffByItsInsuranceAndOnWhenItIsEmptyAndFarEnoughBelow) {
  SharingSlot slot = slot_of(Policy::dsh, Alpha{1, 2});
  slot.headroom = Cells{40};
  slot.insurance = Cells{40};
  slot.insured_groups = 2;
  slot.xon_offset = Cells{10};
  Slots slots{slot};
  slots.hold(0, 100);
  slots.judge(0, true, false);
  EXPECT_FALSE(slots.off(0));
  slots.hold(0, 100, 0, 1);
  slots.judge(0, true, true);
  EXPECT_TRUE(slots.off(0)) << "a cell in the insurance";
  slots.judge(1, false, false);
  EXPECT_TRUE(slots.off(0)) << "the insurance is not empty";
  slots.hold(0, 330);  // T = 167, N_q T = 334: 330 > 324
  slots.judge(0, false, false);
  EXPECT_TRUE(slots.off(0)) << "not yet delta below";
  slots.hold(0, 326);  // T = 168, N_q T = 336: 326 <= 326
  slots.judge(0, false, false);
  EXPECT_FALSE(slots.off(0));
  slots.judge(0, true, true);
  EXPECT_TRUE(slots.off(0)) << "the ingress refused a packet";
  slots.hold(0, 0);
  slots.judge(0, false, false);
  EXPECT_FALSE(slots.off(0)) << "nothing held: nothing of its own would come to resume it";
}

TEST(SharingPolicy, DshReleaseNeverTurnsAPortOff) {
  SharingSlot slot = slot_of(Policy::dsh, Alpha{1, 2});
  slot.insured_groups = 1;
  Slots slots{slot};
  slots.hold(0, 300);  // T = 175: above
  slots.judge(0, false, false);
  EXPECT_FALSE(slots.off(0));
  slots.judge(0, true, false);
  EXPECT_TRUE(slots.off(0));
}

TEST(SharingPolicy, AbmSharesAmongTheCongestedOfAClass) {
  SharingSlot slot = slot_of(Policy::abm, Alpha{1, 0});
  slot.setting.window = Cycle{100};
  slot.cells_in_window = 50;
  Slots slots{slot};
  EXPECT_EQ(slots.limit(0), 1000U) << "none congested: n = 1";
  slots.hold(0, 473);  // T = 527: 4730 < 4743
  slots.hold(2, 10);   // T = 517
  EXPECT_EQ(slots.limit(2), 517U) << "473 is below nine tenths: none is congested";
  slots.hold(0, 474);  // T = 516: 4740 >= 4644
  EXPECT_EQ(slots.limit(2), 516U) << "one congested";
  slots.hold(2, 465);  // T = 61: congested too
  EXPECT_EQ(slots.limit(0), 30U) << "(1000 - 939) / 2";
  EXPECT_EQ(slots.limit(1), 61U) << "another class";
}

TEST(SharingPolicy, AbmCountsTheDrainOfTheLastWholeWindowOfABacklog) {
  SharingSlot slot = slot_of(Policy::abm, Alpha{1, 0});
  slot.setting.window = Cycle{100};
  slot.cells_in_window = 50;
  Slots slots{slot};
  slots.hold(0, 110, 100);
  slots.hold(0, 100, 150);  // 10 left in the window from 100
  EXPECT_EQ(slots.limit(0, 199), 900U) << "no whole window yet";
  EXPECT_EQ(slots.limit(0, 200), 180U) << "10 of 50";
  EXPECT_EQ(slots.limit(0, 299), 180U);
  EXPECT_EQ(slots.limit(0, 300), 0U) << "a window in which nothing left";
  slots.hold(0, 25, 310);  // 75 in one window: more than the line carries
  EXPECT_EQ(slots.limit(0, 400), 975U) << "at most all of it";
  slots.hold(0, 0, 410);
  slots.hold(0, 5, 450);
  EXPECT_EQ(slots.limit(0, 500), 995U) << "it was empty in the last whole window: not measured";
}

TEST(SharingPolicy, EdtLetsABurstPastItsLineUntilItIsEmptyOrTimeIsOver) {
  SharingSlot slot = slot_of(Policy::edt, Alpha{1, 2});
  slot.setting.burst = Cycle{100};
  Slots slots{slot};
  slots.hold(0, 199, 10);
  EXPECT_EQ(slots.limit(0, 10), 200U) << "(1000 - 199) / 4, below it";
  slots.hold(0, 200, 20);
  EXPECT_EQ(slots.limit(0, 20), 1000U) << "at its line: a burst, alone";
  slots.hold(2, 200, 30);  // S = 400, line 150
  EXPECT_EQ(slots.limit(0, 30), 500U) << "two bursts share B";
  EXPECT_EQ(slots.limit(2, 30), 500U);
  EXPECT_EQ(slots.limit(1, 30), 150U) << "who is below its line has the line";
  EXPECT_EQ(slots.limit(0, 119), 500U) << "cycle 20 + 99";
  EXPECT_EQ(slots.limit(0, 120), 150U) << "its time is over";
  slots.hold(0, 210, 120);
  slots.hold(0, 100, 121);
  slots.hold(0, 250, 122);
  EXPECT_EQ(slots.limit(0, 122), 137U) << "no second burst before it was empty";
  EXPECT_EQ(slots.limit(2, 122), 1000U) << "the other is alone now";
  slots.hold(0, 0, 123);
  slots.hold(0, 260, 124);
  EXPECT_EQ(slots.limit(0, 124), 500U) << "empty in between: a new burst";
}

// A chip of one port with two groups under dsh: phi 2, eta 10, B 100, alpha 1.
Chip dsh_chip() {
  Chip chip;
  chip.ports.assign(2, {BitRate{100'000'000'000}, DomainId{0}, Picoseconds{}});
  chip.ingress_pools.push_back({"pool", Cells{100}, Cells{}, true});
  Profile profile;
  profile.name = "lossless";
  profile.lossless = true;
  profile.private_cells = Cells{2};
  profile.headroom = Cells{10};
  profile.threshold.policy = Policy::dsh;
  profile.xoff_trigger = XoffTrigger::on_headroom;
  chip.profiles.push_back(profile);
  Profile lossy;
  lossy.name = "lossy";
  lossy.threshold.policy = Policy::fixed;
  chip.profiles.push_back(lossy);
  chip.profile_of_pg.assign(16, ProfileIndex{1});
  chip.profile_of_pg[PgIndex{3}] = chip.profile_of_pg[PgIndex{4}] = ProfileIndex{0};
  chip.profile_of_queue.assign(16, std::nullopt);
  return chip;
}

TEST(SharingPolicy, DshReservesOneInsuranceAPortInPlaceOfHeadroomAGroup) {
  Chip chip = dsh_chip();
  EXPECT_EQ(insured_groups(chip, PoolNumber{0}, PortId{0}), 2U);
  EXPECT_EQ(insurance_of(chip, PoolNumber{0}, PortId{0}), Cells{10});
  EXPECT_EQ(reserved_cells(chip, PoolNumber{0}, PortId{0}), 14U) << "2 x phi + eta";
  EXPECT_EQ(insurance_of(chip, PoolNumber{0}, PortId{1}), Cells{0}) << "no group under dsh there";
  chip.profiles.front().threshold.policy = Policy::dynamic;
  EXPECT_EQ(reserved_cells(chip, PoolNumber{0}, PortId{0}), 24U) << "2 x (phi + eta)";
}

TEST(SharingPolicy, DshPausesEveryClassOfAPortWhoseInsuranceIsTouched) {
  Mmu mmu{dsh_chip()};
  const auto arrive = [&](PgIndex pg, std::uint32_t cells) {
    return mmu.arrive(pg, Cells{cells}, Bytes{64}, 8_queue, Cycle{0});
  };
  EXPECT_FALSE(arrive(3_pg, 46).pfc.xoff) << "w = 44, T - eta = 56 - 10 = 46";
  const Verdict crossing = arrive(3_pg, 1);
  EXPECT_TRUE(crossing.pfc.xoff) << "w = 45, T - eta = 45";
  EXPECT_EQ(mmu.xoff_classes(PortId{0}), 1U << 3);
  EXPECT_FALSE(arrive(4_pg, 23).pfc.port_changed) << "W = 66 < 2 x 34";
  EXPECT_EQ(mmu.xoff_classes(PortId{0}), 1U << 3) << "w = 21, T - eta = 24";
  const Verdict full = arrive(4_pg, 1);
  EXPECT_TRUE(full.pfc.port_changed) << "W = 67 >= 2 x 33";
  EXPECT_EQ(mmu.xoff_classes(PortId{0}), 0xff) << "all timers set, those of lossy classes too";
  EXPECT_TRUE(mmu.port_off(PortId{0}));
  EXPECT_FALSE(mmu.port_off(PortId{1}));
  EXPECT_EQ(arrive(4_pg, 6).placement, (Placement{Cells{0}, Cells{0}, Cells{6}})) << "insurance";
  EXPECT_EQ(arrive(3_pg, 4).placement, (Placement{Cells{0}, Cells{0}, Cells{4}})) << "10 of 10";
  EXPECT_EQ(arrive(3_pg, 1).reason, Reason::headroom_pool) << "11 of 10: the port's, not its own";
  EXPECT_FALSE(mmu.release(3_pg, Cells{4}, 8_queue, true, Cycle{0}).port_changed)
      << "PG 4 still has 6 in it";
  EXPECT_FALSE(mmu.release(4_pg, Cells{5}, 8_queue, true, Cycle{0}).port_changed);
  EXPECT_FALSE(mmu.release(4_pg, Cells{1}, 8_queue, true, Cycle{0}).port_changed)
      << "W = 67 >= 66 still";
  EXPECT_TRUE(mmu.release(4_pg, Cells{1}, 8_queue, true, Cycle{0}).port_changed)
      << "W = 66 <= 2 x 34";
  EXPECT_FALSE(mmu.port_off(PortId{0}));
}

TEST(SharingPolicy, DshIsRefusedWhereNothingPausesOrThereIsAHeadroomPool) {
  const auto error_of = [](const Chip& chip) -> std::string {
    try {
      chip.check();
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "none";
  };
  Chip chip = dsh_chip();
  EXPECT_EQ(error_of(chip), "none");
  chip.profiles[ProfileIndex{1}].threshold.policy = Policy::dsh;
  EXPECT_NE(error_of(chip).find("profile.lossy.policy = dsh"), std::string::npos);
  chip = dsh_chip();
  chip.ingress_pools.front().dedicated_headroom = false;
  chip.ingress_pools.front().headroom = Cells{20};
  EXPECT_NE(error_of(chip).find("headroom pool"), std::string::npos);
  chip = dsh_chip();
  chip.egress_pools.push_back({"out", Cells{10}, Cells{}, true});
  QueueProfile queue;
  queue.name = "q";
  queue.threshold.policy = Policy::dsh;
  chip.queue_profiles.push_back(queue);
  EXPECT_NE(error_of(chip).find("queue.q.policy = dsh"), std::string::npos);
}

TEST(SharingPolicy, AKindOfPolicyStaysWhilePacketsAreHeld) {
  Mmu mmu{dsh_chip()};
  Profile profile = mmu.chip().profiles.front();
  profile.threshold.policy = Policy::dynamic;
  EXPECT_THROW(mmu.set_profile(ProfileIndex{0}, profile), ConfigError);
  profile = mmu.chip().profiles.front();
  profile.threshold.alpha = Alpha{1, 1};
  mmu.set_profile(ProfileIndex{0}, profile);
  EXPECT_EQ(mmu.threshold(3_pg, Cycle{0}), Cells{40}) << "100 / 2 - 10";
}

}  // namespace
}  // namespace weir::sharing_policy_test
