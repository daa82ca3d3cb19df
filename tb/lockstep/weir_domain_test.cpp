// SPDX-License-Identifier: Apache-2.0
// clang-format off
// rtl: domain_2_1 = weir_domain Ports=2 Lanes=1 Copies=1 Profiles=4 QueueProfiles=2 Pools=2 EgressPools=2
// rtl: domain_2_2 = weir_domain Ports=2 Lanes=2 Copies=4 Profiles=4 QueueProfiles=2 Pools=2 EgressPools=2
// clang-format on
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>

#include "Vdomain_2_1.h"
#include "Vdomain_2_2.h"
#include "lockstep/domain_lockstep.hpp"
#include "lockstep/lockstep_cycles.hpp"

namespace weir::test {
namespace {

// Corners first, then rounds: each is another chip, and starts with a reset in the middle of the
// one before. A run of less than `cycles` leaves the corners out and need not reach every
// functional point. Returns the first difference, or the reason why the comparison is worthless;
// empty: neither.
template <class Model>
std::string complaints(const RtlShape& shape, std::uint64_t cycles, std::uint64_t cycles_a_round) {
  DomainLockstep<Model> lockstep{shape};
  const std::uint64_t all = lockstep_cycles(cycles), length = lockstep_round(cycles_a_round);
  const std::string difference = difference_in([&] {
    if (all >= cycles) lockstep.corners();
    for (std::uint64_t n = 0; n < all / length; ++n)
      lockstep.round(shape.ports * 10 + shape.lanes, n, length);
  });
  if (!difference.empty()) return difference;
  return all < cycles ? lockstep.board().short_run_complaints() : lockstep.board().complaints();
}

RtlShape shape_of(unsigned ports, unsigned lanes, unsigned copies) {
  RtlShape shape;
  shape.ports = ports;
  shape.lanes = lanes;
  shape.copies = copies;
  return shape;
}

TEST(WeirDomain, EqualsTheCoreWithTwoPortsAndOneLane) {
  EXPECT_EQ(complaints<Vdomain_2_1>(shape_of(2, 1, 1), 1'000'000, 20'000), "");
}

TEST(WeirDomain, EqualsTheCoreWithTwoPortsTwoLanesAndMulticast) {
  EXPECT_EQ(complaints<Vdomain_2_2>(shape_of(2, 2, 4), 750'000, 20'000), "");
}

/// Rounds of 500 cycles, one for each counter and row.
/// Returns the first difference, or that nothing was compared; empty: neither.
template <class Model>
std::string complaints_of_counters(const RtlShape& shape) {
  DomainLockstep<Model> lockstep{shape};
  const std::string difference = difference_in([&] {
    for (std::uint64_t seed = 20; seed < 24; ++seed)
      lockstep.round_of_every_counter(seed, lockstep_cycles(500));
  });
  return difference.empty() ? lockstep.board().short_run_complaints() : difference;
}
TEST(WeirDomain, ShowsEveryCounterInEveryCycle) {
  EXPECT_EQ(complaints_of_counters<Vdomain_2_1>(shape_of(2, 1, 1)), "");
  EXPECT_EQ(complaints_of_counters<Vdomain_2_2>(shape_of(2, 2, 4)), "");
}

// One queue that may hold half of all cells, and PGs that are never full before it.
Chip one_queue(const RtlShape& shape, std::size_t queue) {
  RandomStream random{1, "chip"};
  Chip chip = RandomChip{shape, random, 0}.make();
  const Cells all{(1U << shape.cell_w) - 1};
  chip.mtu = Bytes{chip.cell.count() * ((1U << shape.len_w) - 1)};
  for (Pool& pool : chip.ingress_pools) pool = {pool.name, Cells{0}, Cells{0}, true};
  for (Pool& pool : chip.egress_pools) pool.shared = Cells{0};
  chip.ingress_pools.front().shared = chip.egress_pools.front().shared = all;
  for (Profile& profile : chip.profiles) {
    profile.lossless = false;
    profile.pool = {};
    profile.private_cells = profile.headroom = Cells{0};
    profile.threshold.policy = Policy::dynamic;
    profile.threshold.alpha = Alpha::power_of_two(7);
  }
  for (QueueProfile& profile : chip.queue_profiles) {
    profile.pool = {};
    profile.minimum = Cells{0};
    profile.threshold.policy = Policy::dynamic;
    profile.threshold.alpha = Alpha{65535, 16};
  }
  std::fill(chip.profile_of_queue.begin(), chip.profile_of_queue.end(), std::nullopt);
  chip.profile_of_queue[QueueIndex{queue}] = QueueProfileIndex{0};
  chip.check();
  return chip;
}

/// w x 2^m has its highest bit set: the last packet exceeds T, which is half of the pool then.
/// Returns the first difference, or that the queue never held this much; empty: neither.
template <class Model>
std::string complaints_of_one_queue(const RtlShape& shape) {
  DomainLockstep<Model> lockstep{shape};
  const std::string difference =
      difference_in([&] { lockstep.run(one_queue(shape, 12), true, 4, 20'000); });
  if (!difference.empty()) return difference;
  return lockstep.queue_watermark(QueueIndex{12}) < Cells{1U << 16}
             ? "the queue never held 2^16 cells"
             : "";
}
TEST(WeirDomain, EqualsTheCoreWhereOneQueueHoldsHalfOfAllCells) {
  EXPECT_EQ(complaints_of_one_queue<Vdomain_2_1>(shape_of(2, 1, 1)), "");
  EXPECT_EQ(complaints_of_one_queue<Vdomain_2_2>(shape_of(2, 2, 4)), "");
}

/// Half of the limited queues may hold 2^24 cells, the others only their minimum.
TEST(WeirDomain, EqualsTheCoreWhereQueuesHaveTheGreatestLimitAndTheLeast) {
  const RtlShape shape = shape_of(2, 2, 4);
  RandomStream random{1, "chip"};
  Chip chip = RandomChip{shape, random, 0}.make();
  for (QueueProfileIndex q; q < chip.queue_profiles.end_index(); ++q) {
    ThresholdSetting& threshold = chip.queue_profiles[q].threshold;
    threshold.policy = Policy::fixed;
    threshold.static_limit = Cells{q == QueueProfileIndex{0} ? 1U << 24 : 0};
  }
  for (std::size_t queue = 0; queue < chip.profile_of_queue.size(); ++queue)
    if (queue % priorities >= priorities / 2)
      chip.profile_of_queue[QueueIndex{queue}] = QueueProfileIndex{queue % 2};
  chip.check();
  DomainLockstep<Vdomain_2_2> lockstep{shape};
  EXPECT_EQ(difference_in([&] { lockstep.run(chip, false, 5, 20'000); }), "");
}

TEST(WeirDomain, CountsManyReleasesOfMoreThanThereIs) {
  EXPECT_EQ(difference_in([] {
              DomainLockstep<Vdomain_2_1> lockstep{shape_of(2, 1, 1)};
              lockstep.release_too_much();
              lockstep.round(3, 0, 100'000);
              lockstep.round(3, 1, 1'000);
            }),
            "");
}

}  // namespace
}  // namespace weir::test
