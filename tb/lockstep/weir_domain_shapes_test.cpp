// SPDX-License-Identifier: Apache-2.0
// clang-format off
// rtl: domain_lag = weir_domain Ports=3 Lanes=3 Copies=2 Profiles=4 QueueProfiles=2 Pools=2 EgressPools=2 ThresholdLag=1
// rtl: domain_widest = weir_domain Ports=2 Lanes=1 Copies=8 Profiles=4 QueueProfiles=2 Pools=2 EgressPools=2 CellW=24 LenW=10 ByteW=16 StatW=64 AdmitLatency=Least+4
// rtl: domain_eight = weir_domain Ports=2 Lanes=8 Copies=1 Profiles=4 QueueProfiles=2 Pools=2 EgressPools=2
// rtl: domain_narrow = weir_domain Ports=1 Lanes=2 Copies=1 Profiles=1 QueueProfiles=1 Pools=1 EgressPools=1 CellW=8 LenW=8
// clang-format on
//
// weir_domain at the limits of its parameters, and with releases of more than a queue holds.
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>

#include "Vdomain_eight.h"
#include "Vdomain_lag.h"
#include "Vdomain_narrow.h"
#include "Vdomain_widest.h"
#include "lockstep/domain_chip.hpp"
#include "lockstep/domain_lockstep.hpp"
#include "lockstep/lockstep_cycles.hpp"
#include "weir/core/chip.hpp"
#include "weir/core/random.hpp"
#include "weir/core/units.hpp"

namespace weir::test {
namespace {

constexpr std::uint64_t cycles_a_round = 10'000;

// Corners first, where there are two profiles; then each round is another chip. A run of less than
// `cycles` leaves the corners out and need not reach every functional point.
// Returns the first difference, or the reason why the comparison is worthless; empty: neither.
template <class Model>
std::string complaints(const RtlShape& shape, std::uint64_t cycles) {
  DomainLockstep<Model> lockstep{shape};
  lockstep.overdraw_queues();
  const std::uint64_t all = lockstep_cycles(cycles);
  const std::string difference = difference_in([&] {
    if (all >= cycles && shape.profiles > 1) lockstep.corners();
    for (std::uint64_t n = 0; n < all / cycles_a_round; ++n) lockstep.round(1, n, cycles_a_round);
  });
  if (!difference.empty()) return difference;
  if (lockstep.overdrawn_queues() == 0) return "no queue was asked for more than it holds";
  return all < cycles ? lockstep.board().short_run_complaints() : lockstep.board().complaints();
}

TEST(WeirDomainShapes, EqualsTheCoreWithThreeLanesAndAThresholdOneCycleLate) {
  RtlShape shape;
  shape.ports = 3;
  shape.lanes = 3;
  shape.copies = 2;
  shape.lag = 1;
  EXPECT_EQ(complaints<Vdomain_lag>(shape, 600'000), "");
}

// More lanes than ports: every lane of a cycle at the PGs of two ports. Rows are flip-flops.
TEST(WeirDomainShapes, EqualsTheCoreWithEightLanes) {
  RtlShape shape;
  shape.lanes = 8;
  EXPECT_EQ(complaints<Vdomain_eight>(shape, 200'000), "");
}

/// A wide chip, in one of four with a constant threshold of 2^24; of another number nothing.
std::optional<Chip> wide_chip(const RtlShape& shape, std::uint64_t number) {
  RandomStream random{2, "chip", number};
  RandomChip drawn{shape, random, number};
  Chip chip = drawn.make();
  if (!drawn.wide()) return std::nullopt;
  if (number % 4 == 0)
    for (Profile& profile : chip.profiles) {
      profile.threshold.policy = Policy::fixed;
      profile.threshold.static_limit = Cells{1U << 24};
    }
  chip.check();
  return chip;
}

// Limits, thresholds and segments have all bits of their fields, so that lanes and settings do,
// too. What a short run need not reach, this one need not, either.
TEST(WeirDomainShapes, EqualsTheCoreWithEightLanesWhereCountsAreLarge) {
  RtlShape shape;
  shape.lanes = 8;
  constexpr std::uint64_t round = 2'500;
  DomainLockstep<Vdomain_eight> lockstep{shape};
  const std::string difference = difference_in([&] {
    std::uint64_t rounds = lockstep_cycles(100'000) / round;
    for (std::uint64_t number = 0; rounds != 0; ++number) {
      const std::optional<Chip> chip = wide_chip(shape, number);
      if (!chip) continue;
      lockstep.run(*chip, true, number, round);
      --rounds;
    }
  });
  EXPECT_EQ(difference, "");
  EXPECT_EQ(lockstep.board().short_run_complaints(), "");
}

TEST(WeirDomainShapes, EqualsTheCoreWithTheWidestCountsAndEightCopies) {
  RtlShape shape;
  shape.copies = 8;
  shape.cell_w = 24;
  shape.len_w = 10;
  shape.byte_w = 16;
  shape.stat_w = 64;
  shape.admit = pipeline::admit.rtl_least + 4;
  EXPECT_EQ(complaints<Vdomain_widest>(shape, 600'000), "");
}

TEST(WeirDomainShapes, EqualsTheCoreWithOnePortOneProfileAndTheNarrowestCounts) {
  RtlShape shape;
  shape.ports = 1;
  shape.lanes = 2;
  shape.profiles = shape.queue_profiles = shape.pools = shape.egress_pools = 1;
  shape.cell_w = 8;
  EXPECT_EQ(complaints<Vdomain_narrow>(shape, 600'000), "");
}

}  // namespace
}  // namespace weir::test
