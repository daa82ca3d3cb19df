// SPDX-License-Identifier: Apache-2.0
#include "weir/core/mmu_settings.hpp"

#include <gtest/gtest.h>

#include "support/index_literals.hpp"
#include "support/small_chip.hpp"
#include "weir/core/errors.hpp"

namespace weir::mmu_settings_test {
namespace {

using namespace test::index_literals;

using test::small_chip;

TEST(MmuSettings, RefusesAChipThatItsOwnCheckRefuses) {
  Chip chip = small_chip(1, Cells{20});
  chip.ports.clear();
  EXPECT_THROW(MmuSettings{chip}, ConfigError);
}

TEST(MmuSettings, ResolvesAProfileForTheDomainOfThePort) {
  Chip chip = small_chip(2, Cells{20});
  chip.domains = 2;
  chip.ports[1].domain = DomainId{1};
  chip.profiles.front().headroom = Cells{5};
  const MmuSettings settings{chip};
  EXPECT_EQ(settings.of(0_pg).pool_domain, 0_pool);
  EXPECT_EQ(settings.of(8_pg).pool_domain, 1_pool);
  EXPECT_EQ(settings.domain_of_pg(8_pg), DomainId{1});
  EXPECT_EQ(settings.of(0_pg).headroom_limit, Cells{5});
  EXPECT_EQ(settings.of(0_pg).headroom_pool, Cells{0xffff'ffffU})
      << "dedicated: no limit of a pool";
}

TEST(MmuSettings, APgWithoutAProfileOwnsNothing) {
  Chip chip = small_chip(1, Cells{20});
  chip.pg_of_priority.fill(3);
  chip.profile_of_pg.assign(priorities, std::nullopt);
  chip.profile_of_pg[PgIndex{3}] = ProfileIndex{0};
  const MmuSettings settings{chip};
  EXPECT_FALSE(settings.has_profile(0_pg));
  EXPECT_TRUE(settings.has_profile(3_pg));
  EXPECT_EQ(settings.of(0_pg).shared_pool, Cells{0});
}

TEST(MmuSettings, AreOnlyPlainWhileEveryThresholdFollowsTheLiveSum) {
  Chip chip = small_chip(1, Cells{20});
  EXPECT_TRUE(MmuSettings{chip}.is_plain());
  chip.threshold_lag = 1;
  EXPECT_FALSE(MmuSettings{chip}.is_plain());
  EXPECT_FALSE(MmuSettings{chip}.has_policies());
  chip.threshold_lag = 0;
  chip.profiles.front().threshold.policy = Policy::edt;
  EXPECT_FALSE(MmuSettings{chip}.is_plain());
  EXPECT_TRUE(MmuSettings{chip}.has_policies());
}

TEST(MmuSettings, AChangedProfileIsSeenByAllItsPgsAndARefusedOneByNone) {
  MmuSettings settings{small_chip(2, Cells{20})};
  Profile profile = settings.chip().profiles.front();
  profile.threshold.alpha = Alpha{1, 1};
  settings.set_profile(ProfileIndex{0}, profile);
  EXPECT_EQ(settings.of(0_pg).threshold.at(Cells{0}), Cells{10});
  EXPECT_EQ(settings.of(8_pg).threshold.at(Cells{0}), Cells{10});
  profile.headroom = Cells{1};
  profile.xon = Cells{3};
  EXPECT_THROW(settings.set_profile(ProfileIndex{0}, profile), ConfigError)
      << "cells are counted against it";
  EXPECT_EQ(settings.of(0_pg).xon, Cells{0});
}

}  // namespace
}  // namespace weir::mmu_settings_test
