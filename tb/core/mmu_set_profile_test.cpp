// SPDX-License-Identifier: Apache-2.0
// Which settings may change while packets are held, and which may not.
#include <gtest/gtest.h>

#include "support/index_literals.hpp"
#include "support/small_chip.hpp"
#include "weir/core/errors.hpp"
#include "weir/core/mmu.hpp"

namespace weir::mmu_set_profile_test {
namespace {

using namespace test::index_literals;

using namespace test;

constexpr Cells one{1};

Verdict arrive(Mmu& mmu, PgIndex pg, Cells n) {
  return mmu.arrive(pg, n, packet_of(n), 0_queue, Cycle{0});
}

TEST(MmuSetProfile, ANewAlphaDecidesTheNextArrivalAndMovesNoCell) {
  Mmu mmu{small_chip(2, Cells{100})};  // alpha 1
  ASSERT_TRUE(arrive(mmu, 0_pg, Cells{40}).admitted());
  Profile profile = mmu.chip().profiles.front();
  profile.threshold.alpha = Alpha{1, 1};
  mmu.set_profile(ProfileIndex{0}, profile);
  EXPECT_EQ(mmu.ingress().pg(0_pg).shared, Cells{40});
  EXPECT_FALSE(mmu.pfc().xoff(0_pg)) << "a group is evaluated at its own next step";
  EXPECT_EQ(mmu.threshold(0_pg, Cycle{0}), Cells{30}) << "floor(60 / 2)";
  const Verdict verdict = arrive(mmu, 0_pg, one);
  EXPECT_EQ(verdict.reason, Reason::shared_threshold);
  EXPECT_TRUE(verdict.pfc.xoff);
}

TEST(MmuSetProfile, XonAndItsOffsetTakeHoldAtTheNextRelease) {
  Chip chip = small_chip(2, Cells{100});
  chip.profiles.front().xon_offset = Cells{40};
  Mmu mmu{chip};
  ASSERT_TRUE(arrive(mmu, 0_pg, Cells{50}).pfc.xoff) << "w = T = 50";
  ASSERT_TRUE(mmu.release(0_pg, one, 0_queue, true, Cycle{0}).xoff) << "w = 49 > T - 40 = 11";
  Profile profile = chip.profiles.front();
  profile.xon = Cells{47};
  mmu.set_profile(ProfileIndex{0}, profile);
  EXPECT_TRUE(mmu.release(0_pg, one, 0_queue, true, Cycle{0}).xoff) << "w = 48 > xon = 47";
  profile.xon_offset = Cells{6};
  mmu.set_profile(ProfileIndex{0}, profile);
  const PfcLevel level = mmu.release(0_pg, one, 0_queue, true, Cycle{0});
  EXPECT_FALSE(level.xoff) << "w = 47 <= max(47, 53 - 6)";
  EXPECT_TRUE(level.changed);
}

TEST(MmuSetProfile, EveryMemoryDomainSeesTheChange) {
  Chip chip = small_chip(2, Cells{100});
  chip.domains = 2;
  chip.ports[1].domain = DomainId{1};
  Mmu mmu{chip};
  Profile profile = chip.profiles.front();
  profile.threshold.alpha = Alpha{1, 2};
  mmu.set_profile(ProfileIndex{0}, profile);
  EXPECT_EQ(mmu.threshold(0_pg, Cycle{0}), Cells{25});
  EXPECT_EQ(mmu.threshold(8_pg, Cycle{0}), Cells{25});
}

TEST(MmuSetProfile, RefusesAnImpossibleSettingAndKeepsTheOldOne) {
  Mmu mmu{small_chip(2, Cells{100})};
  Profile profile = mmu.chip().profiles.front();
  profile.threshold.alpha = Alpha{0, 0};
  EXPECT_THROW(mmu.set_profile(ProfileIndex{0}, profile), ConfigError);
  profile.threshold.alpha = Alpha{1, 17};
  EXPECT_THROW(mmu.set_profile(ProfileIndex{0}, profile), ConfigError);
  EXPECT_EQ(mmu.threshold(0_pg, Cycle{0}), Cells{100});
  EXPECT_EQ(mmu.chip().profiles.front().threshold.alpha, (Alpha{1, 0}));
}

TEST(MmuSetProfile, RefusesToMoveWhatHeldCellsAreCountedAgainst) {
  Mmu mmu{small_chip(2, Cells{100})};
  const Profile now = mmu.chip().profiles.front();
  Profile wanted = now;
  wanted.private_cells = one;
  EXPECT_THROW(mmu.set_profile(ProfileIndex{0}, wanted), ConfigError) << "private";
  wanted = now;
  wanted.headroom = one;
  EXPECT_THROW(mmu.set_profile(ProfileIndex{0}, wanted), ConfigError) << "headroom";
  wanted = now;
  wanted.lossless = false;
  EXPECT_THROW(mmu.set_profile(ProfileIndex{0}, wanted), ConfigError) << "class";
  wanted = now;
  wanted.xon_rule = XonRule::paper;
  EXPECT_THROW(mmu.set_profile(ProfileIndex{0}, wanted), ConfigError) << "rule";
  EXPECT_NO_THROW(mmu.set_profile(ProfileIndex{0}, now));
}

}  // namespace
}  // namespace weir::mmu_set_profile_test
