// SPDX-License-Identifier: Apache-2.0
// needs: model
// clang-format off
// rtl: mmu_8_4_1 = weir_mmu Ports=8 Domains=4 Lanes=1 Copies=1 Profiles=3 QueueProfiles=1 Pools=2 EgressPools=1 AxisW=128 FcsInStream=0 ThresholdLag=2 PfcLatency=0
// rtl: mmu_13_1_1 = weir_mmu Ports=13 Domains=1 Lanes=1 Copies=1 Profiles=4 QueueProfiles=3 Pools=3 EgressPools=2 PfcLatency=5
// rtl: mmu_64_1_1 = weir_mmu Ports=64 Domains=1 Lanes=1 Copies=1 Profiles=4 QueueProfiles=2 Pools=2 EgressPools=2
// Verilator's headers come before those of SystemC; otherwise they call it for the time.
#include "Vmmu_13_1_1.h"
#include "Vmmu_64_1_1.h"
#include "Vmmu_8_4_1.h"
#include "lockstep/bench.hpp"
// clang-format on
#include <gtest/gtest.h>

#include "lockstep/mmu_rounds.hpp"

namespace weir::test {
namespace {

TEST(WeirMmuPorts, EqualsTheCoreWithFourDomainsWhereTheThresholdLags) {
  RtlShape shape = mmu_shape(8, 4, 1, 1);
  shape.profiles = 3;
  shape.queue_profiles = shape.egress_pools = 1;
  shape.axis_w = 128;
  shape.fcs = 0;
  shape.lag = 2;
  shape.pfc = 0;
  EXPECT_EQ(mmu_complaints<Vmmu_8_4_1>(shape, 1'500'000, 20'000), "");
}

TEST(WeirMmuPorts, EqualsTheCoreWithThirteenPorts) {
  RtlShape shape = mmu_shape(13, 1, 1, 1);
  shape.queue_profiles = shape.pools = 3;
  shape.pfc = 5;
  EXPECT_EQ(mmu_complaints<Vmmu_13_1_1>(shape, 1'500'000, 30'000), "");
}

TEST(WeirMmuPorts, EqualsTheCoreWithSixtyFourPorts) {
  EXPECT_EQ(mmu_complaints<Vmmu_64_1_1>(mmu_shape(64, 1, 1, 1), 1'000'000, 50'000), "");
}

}  // namespace
}  // namespace weir::test
