// SPDX-License-Identifier: Apache-2.0
// needs: model
// clang-format off
// rtl: mutants_mmu = weir_mmu Ports=2 Domains=2 Lanes=2 Copies=1 Profiles=3 QueueProfiles=2 Pools=2 EgressPools=2 AxisW=64 AdmitLatency=Least+3 WredProfiles=2 WredDrops=1
// Verilator's headers come before those of SystemC; otherwise they call it for the time.
#include "Vmutants_mmu.h"
#include "lockstep/bench.hpp"
// clang-format on
//
// The lockstep of weir_mmu, all its pins, short enough to run once for every mutant
// (scripts/rtl/mutants): two domains, two lanes, frames of eight beats, marking and early drop.
#include <gtest/gtest.h>

#include "lockstep/mmu_rounds.hpp"

namespace weir::test {
namespace {

constexpr std::uint64_t rounds = 12, cycles_a_round = 12'000;

TEST(WeirMmuMutants, TwoDomainsEqualTheCore) {
  RtlShape shape = mmu_shape(2, 2, 2, 1);
  shape.profiles = 3;
  shape.axis_w = 64;
  shape.admit = pipeline::admit.rtl_least + 3;
  shape.wred_profiles = 2;
  shape.wred_drops = 1;
  EXPECT_EQ(difference_in([&] {
              MmuLockstep<Vmutants_mmu> lockstep{shape};
              for (std::uint64_t round = 0; round < rounds; ++round)
                lockstep.round(1, round, cycles_a_round);
            }),
            "");
}

}  // namespace
}  // namespace weir::test
