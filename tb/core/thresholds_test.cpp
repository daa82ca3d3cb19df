// SPDX-License-Identifier: Apache-2.0
// Which rule answers for a PG or a queue. The rules themselves: dynamic_threshold_test.cpp and
// sharing_policy_test.cpp.
#include "weir/core/accounting/thresholds.hpp"

#include <gtest/gtest.h>

#include "support/index_literals.hpp"
#include "support/small_chip.hpp"

namespace weir::thresholds_test {
namespace {

using namespace test::index_literals;

using test::small_chip;

constexpr Cycle now{0};

Chip chip_with_queue() {
  Chip chip = small_chip(1, Cells{100});
  QueueProfile queue;
  queue.name = "lossy";
  queue.threshold.alpha = Alpha{1, 1};
  chip.queue_profiles.push_back(queue);
  chip.profile_of_queue[QueueIndex{2}] = QueueProfileIndex{0};
  return chip;
}

TEST(Thresholds, FollowTheSumOfThePoolOnAChipOfLines) {
  const MmuSettings settings{chip_with_queue()};
  const Thresholds thresholds{settings};
  EXPECT_EQ(thresholds.limit(0_pg, Cells{0}, now), Cells{100});
  EXPECT_EQ(thresholds.limit(0_pg, Cells{30}, now), Cells{70});
  EXPECT_EQ(thresholds.queue_limit(2_queue, DomainId{0}, Cells{30}, now), Cells{35});
  EXPECT_FALSE(thresholds.insurance(0_pg, Cells{0}, now));
  EXPECT_FALSE(thresholds.port_off(PortId{0}));
}

TEST(Thresholds, AQueueOnAChipWithPoliciesHasItsOwn) {
  Chip chip = chip_with_queue();
  chip.profiles.front().threshold.policy = Policy::two_level;
  const MmuSettings settings{chip};
  EXPECT_EQ(Thresholds{settings}.queue_limit(2_queue, DomainId{0}, Cells{30}, now), Cells{35})
      << "a line among policies";
}

TEST(Thresholds, RememberWhatMovesForAPolicyOfThePort) {
  Chip chip = small_chip(1, Cells{100});
  chip.profiles.front().threshold.policy = Policy::two_level;
  chip.profiles.front().threshold.port_alpha = Alpha{1, 1};
  const MmuSettings settings{chip};
  Thresholds thresholds{settings};
  EXPECT_EQ(thresholds.limit(0_pg, Cells{0}, now), Cells{50}) << "the port's";
  thresholds.pg_moved(1_pg, {Cells{0}, Cells{40}, Cells{0}}, Cells{0}, Cells{40}, now);
  EXPECT_EQ(thresholds.limit(0_pg, Cells{40}, now), Cells{0}) << "60 / 2 < 40 of the port";
  EXPECT_EQ(thresholds.limit(1_pg, Cells{40}, now), Cells{40}) << "full at what it holds";
}

TEST(Thresholds, TakeTheNewSettingsOfAProfile) {
  Chip chip = small_chip(1, Cells{100});
  chip.profiles.front().threshold.policy = Policy::edt;
  MmuSettings settings{chip};
  Thresholds thresholds{settings};
  Profile profile = chip.profiles.front();
  profile.threshold.alpha = Alpha{1, 2};
  settings.set_profile(ProfileIndex{0}, profile);
  thresholds.settings_changed();
  EXPECT_EQ(thresholds.limit(0_pg, Cells{0}, now), Cells{25});
}

}  // namespace
}  // namespace weir::thresholds_test
