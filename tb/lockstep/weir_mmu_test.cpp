// SPDX-License-Identifier: Apache-2.0
// needs: model
// clang-format off
// rtl: mmu_2_1_1 = weir_mmu Ports=2 Domains=1 Lanes=1 Copies=1 Profiles=4 QueueProfiles=2 Pools=2 EgressPools=2
// rtl: mmu_4_2_2 = weir_mmu Ports=4 Domains=2 Lanes=2 Copies=2 Profiles=4 QueueProfiles=2 Pools=2 EgressPools=2 AxisW=64
// rtl: mmu_4_1_4 = weir_mmu Ports=4 Domains=1 Lanes=4 Copies=1 Profiles=3 QueueProfiles=1 Pools=1 EgressPools=1 AxisW=256 AdmitLatency=Least+1
// rtl: mmu_wred = weir_mmu Ports=2 Domains=2 Lanes=2 Copies=2 Profiles=4 QueueProfiles=2 Pools=2 EgressPools=2 AxisW=64 AdmitLatency=Least+4 WredProfiles=3 WredDrops=1 MarkLatency=Least+1
// Verilator's headers come before those of SystemC; otherwise they call it for the time.
#include "Vmmu_2_1_1.h"
#include "Vmmu_4_1_4.h"
#include "Vmmu_4_2_2.h"
#include "Vmmu_wred.h"
#include "lockstep/bench.hpp"
// clang-format on
#include <gtest/gtest.h>

#include "lockstep/mmu_rounds.hpp"
#include "lockstep/pcap_file.hpp"

namespace weir::test {
namespace {

TEST(WeirMmu, EqualsTheCoreWithTwoPortsAndOneLane) {
  EXPECT_EQ(mmu_complaints<Vmmu_2_1_1>(mmu_shape(2, 1, 1, 1), 3'000'000, 20'000), "");
}

TEST(WeirMmu, EqualsTheCoreWithTwoDomainsTwoLanesAndMulticast) {
  RtlShape shape = mmu_shape(4, 2, 2, 2);
  shape.axis_w = 64;
  EXPECT_EQ(mmu_complaints<Vmmu_4_2_2>(shape, 2'000'000, 20'000), "");
}

TEST(WeirMmu, EqualsTheCoreWithFourLanes) {
  RtlShape shape = mmu_shape(4, 1, 4, 1);
  shape.profiles = 3;
  shape.queue_profiles = shape.pools = shape.egress_pools = 1;
  shape.axis_w = 256;
  shape.admit = pipeline::admit.rtl_least + 1;
  EXPECT_EQ(mmu_complaints<Vmmu_4_1_4>(shape, 1'500'000, 20'000), "");
}

RtlShape marking_shape() {
  RtlShape shape = mmu_shape(2, 2, 2, 2);
  shape.axis_w = 64;
  shape.admit = pipeline::admit.rtl_least + 4;
  shape.wred_profiles = 3;
  shape.wred_drops = 1;
  shape.mark = pipeline::mark.rtl_least + 1;
  return shape;
}

// Marks at dequeue and at enqueue, drops, packets that are discarded, and too many cells that
// leave.
TEST(WeirMmu, EqualsTheCoreWhereItMarksAndDropsEarly) {
  EXPECT_EQ(mmu_complaints<Vmmu_wred>(marking_shape(), 1'000'000, 20'000), "");
}

TEST(WeirMmu, EveryChipThatIsDrawnToMarkIsLegal) {
  for (std::uint64_t round = 0; round < 5'000; ++round) {
    RandomStream random{round, "chip"};
    EXPECT_NO_THROW(static_cast<void>(RandomChip{marking_shape(), random, round}.make()))
        << "round " << round;
  }
}

/// Enough frames on two ports that only the upper halves of their counters never toggle; then the
/// counters are cleared.
TEST(WeirMmu, CountsManyFrames) {
  EXPECT_EQ(difference_in([] {
              MmuLockstep<Vmmu_2_1_1> lockstep{mmu_shape(2, 1, 1, 1)};
              lockstep.pfc().hurry();
              std::uint64_t busiest = 0, most = 0;  // of the chips, each tried for a while
              for (std::uint64_t n = 0; n < 30; ++n) {
                lockstep.round(3, n, 12'000);
                if (lockstep.fewest_frames() > most) {
                  busiest = n;
                  most = lockstep.fewest_frames();
                }
              }
              lockstep.round(3, busiest, 128'000);
              EXPECT_GT(lockstep.fewest_frames(), 1U << 15);
              lockstep.round(3, 0, 2'000);
            }),
            "");
}

/// tshark must read what the whole MMU sent at its ports: class-enable vector, quanta, source, FCS.
TEST(WeirMmu, TsharkReadsEveryPfcFrameAsSent) {
  const std::string path = ::testing::TempDir() + "weir_mmu_lockstep.pcap";
  const RtlShape shape = mmu_shape(2, 1, 1, 1);
  MmuLockstep<Vmmu_2_1_1> lockstep{shape};
  lockstep.pfc().capture(2'000);
  try {
    for (std::uint64_t n = 0; lockstep.pfc().sent().size() < 2'000; ++n)
      lockstep.round(7, n, 20'000);
  } catch (const Difference& difference) {
    FAIL() << difference.what();
  }
  const std::vector<SentFrame>& sent = lockstep.pfc().sent();
  {
    PcapFile file{path};
    for (const SentFrame& frame : sent) file.write(frame.octets.data(), frame.octets.size());
  }
  const std::vector<PfcFields> read = tshark_pfc_fields(path);
  ASSERT_EQ(read.size(), sent.size()) << "frames that tshark takes for PFC";
  std::vector<std::size_t> of_port(shape.ports);
  for (std::size_t i = 0; i < read.size(); ++i) {
    ++of_port[sent[i].port];
    EXPECT_EQ(read[i].destination, "01:80:c2:00:00:01") << "frame " << i;
    EXPECT_EQ(read[i].source, address_text(PfcGenerator::address_of(sent[i].port)))
        << "frame " << i;
    EXPECT_TRUE(read[i].fcs_good) << "frame " << i;
    EXPECT_EQ(read[i].class_enable, sent[i].frame.class_enable) << "frame " << i;
    for (std::size_t n = 0; n < priorities; ++n)
      EXPECT_EQ(read[i].time[n], sent[i].frame.time[n].count()) << "frame " << i << ", class " << n;
  }
  for (const std::size_t frames : of_port) EXPECT_GT(frames, 100U) << "of each port";
}

}  // namespace
}  // namespace weir::test
