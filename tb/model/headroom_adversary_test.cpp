// SPDX-License-Identifier: Apache-2.0
#include "weir/model/probe/headroom_adversary.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include "support/headroom_chip.hpp"
#include "weir/core/errors.hpp"
#include "weir/model/probe/headroom_verification.hpp"
#include "weir/model/probe/run_in_child.hpp"

namespace weir::headroom_adversary_test {
namespace {

using test::gbps;
using test::headroom_chip;

struct GridPoint {
  std::uint64_t gbps, metres, mtu, cell;
};

std::string name_of(const GridPoint& point) {
  return std::to_string(point.gbps) + "G, " + std::to_string(point.metres) + " m, MTU " +
         std::to_string(point.mtu) + ", cells of " + std::to_string(point.cell) + " B";
}

// Every value of every axis; the longest cables only where a run is short. With WEIR_FULL in the
// environment, all points, as in scripts/check/headroom --full.
std::vector<GridPoint> grid() {
  const bool full = std::getenv("WEIR_FULL") != nullptr;
  std::vector<GridPoint> points;
  for (const std::uint64_t rate : {10, 25, 40, 50, 100, 200, 400, 800})
    for (const std::uint64_t metres : {1, 5, 40, 300, 2000, 10'000, 40'000})
      for (const std::uint64_t mtu : {1500, 9216})
        for (const std::uint64_t cell : {80, 144, 208, 254, 420}) {
          const bool whole_plane = metres == 1 || metres == 300;
          const bool sample = cell == 208 && (metres < 10'000 || rate <= 100);
          if (full || whole_plane || sample) points.push_back({rate, metres, mtu, cell});
        }
  return points;
}

TEST(HeadroomAdversary, WorstCaseSufficesAndIsTightOnTheWholeGrid) {
  std::size_t compared = 0, exact = 0;
  for (const GridPoint& point : grid()) {
    const Chip chip = headroom_chip(3, gbps(point.gbps), point.mtu, point.cell);
    for (const HeadroomProof& proof : verify_headroom(chip, Millimetres{point.metres * 1000})) {
      EXPECT_EQ(proof.drops_at_need, 0U) << name_of(point) << ": the measured need drops";
      EXPECT_NE(proof.drops_below, 0U) << name_of(point) << ": one cell less does not drop";
      EXPECT_GE(proof.worst_case, proof.need) << name_of(point);
      EXPECT_LE(saturating_subtract(proof.worst_case, proof.need), proof.allowed) << name_of(point);
      ++compared;
      if (proof.worst_case == proof.need) ++exact;
    }
  }
  RecordProperty("compared", static_cast<int>(compared));
  EXPECT_EQ(compared, grid().size()) << "one kind of port a chip";
  EXPECT_EQ(exact, compared) << "the attack reaches every cell of worst_case on all of these chips";
}

TEST(HeadroomAdversary, AttacksAllPortsAtOnceAndTheirLosslessClassesInTurns) {
  const Chip chip = with_headroom(headroom_chip(8, gbps(100)), Cells{5000});
  const AttackResult result = attack({chip, Picoseconds{1'500'000}});
  ASSERT_EQ(result.pgs.size(), 7U) << "all but the one that drains nothing";
  std::set<std::uint8_t> classes;
  for (const AttackedPg& pg : result.pgs) {
    classes.insert(pg.pg.count());
    EXPECT_GT(pg.window, Picoseconds{2 * 1'500'000})
        << "port " << pg.port << " was not paused late";
    EXPECT_GT(pg.peak, chip.cells(chip.mtu) * 2) << "port " << pg.port;
    EXPECT_EQ(pg.drops, 0U) << "port " << pg.port;
  }
  EXPECT_EQ(classes, (std::set<std::uint8_t>{3, 4}));
  EXPECT_EQ(result.port_fifo_drops, 0U);
}

TEST(HeadroomAdversary, PortsThatWaitForTheirSlotsNeedMoreAndWorstCaseKnows) {
  Chip chip = headroom_chip(16, gbps(100), 1500, 80);
  ASSERT_GT(chip.ports.size(), chip.lanes) << "a request must wait";
  // A slow clock makes a round of slots long.
  chip.clock = Picoseconds{2000};
  chip.lanes = default_lanes(chip);
  for (const HeadroomProof& proof : verify_headroom(chip, Millimetres{1000})) {
    EXPECT_GT(proof.setting.slot_wait, 0U);
    EXPECT_TRUE(proof.good()) << "need " << proof.need << ", worst_case " << proof.worst_case;
  }
}

TEST(HeadroomAdversary, NoOtherPhaseOfTriggerAndReverseFrameIsWorse) {
  // Small cells and a short cable: a picosecond may decide about a frame.
  for (const std::uint64_t rate : {10, 100, 400}) {
    const Chip chip = with_headroom(headroom_chip(3, gbps(rate), 1500, 80), Cells{20000});
    const auto window = [&](std::uint64_t after_edge, std::uint64_t before_request) {
      return attack({chip, Picoseconds{5000}, Picoseconds{after_edge}, Picoseconds{before_request}})
          .pgs.front();
    };
    const AttackedPg worst = window(1, 1);
    for (const std::uint64_t after_edge : {0, 1, 2, 40, 500, 999})
      for (const std::uint64_t before_request : {0, 1, 2, 999, 1000, 1001, 4999, 5000}) {
        const AttackedPg other = window(after_edge, before_request);
        EXPECT_LE(other.window, worst.window)
            << rate << "G: " << after_edge << " ps after the edge, " << before_request
            << " ps before the request";
        EXPECT_LE(other.peak, worst.peak) << rate << "G, " << after_edge << ", " << before_request;
      }
    EXPECT_LT(window(0, 1).window, worst.window) << "on the edge is a cycle earlier";
    EXPECT_LT(window(1, 0).window, worst.window) << "the PFC frame goes first";
  }
}

TEST(HeadroomAdversary, ShowsThatTheHeadroomOfThePaperIsTooSmallForASlowButLegalPeerAt100G) {
  const Chip chip = headroom_chip(3, gbps(100), 1500, 254);
  const HeadroomPort port = headroom_port(chip, PortId{0}, Millimetres{300'000});
  const auto drops = [&](const char* method) {
    const Cells headroom = size_headroom(method, port).cells;
    return attack({with_headroom(chip, headroom), port.propagation()}).pgs.front().drops;
  };
  EXPECT_GT(drops("paper"), 0U);
  EXPECT_GT(drops("standard"), 0U) << "bytes are not cells";
  EXPECT_EQ(drops("worst_case"), 0U);
}

TEST(HeadroomAdversary, FindsTheNeedOfEachKindOfPort) {
  Chip chip = headroom_chip(4, gbps(100), 1500);
  chip.ports[1].rate = gbps(25);
  chip.ports[1].response = quanta_time(response_limit(gbps(25)), gbps(25));
  const std::vector<HeadroomProof> proofs = verify_headroom(chip, Millimetres{40'000});
  ASSERT_EQ(proofs.size(), 2U);
  EXPECT_EQ(proofs[0].setting.rate, gbps(100));
  EXPECT_EQ(proofs[1].setting.rate, gbps(25));
  for (const HeadroomProof& proof : proofs)
    EXPECT_TRUE(proof.good()) << proof.setting.rate << ": need " << proof.need << ", worst_case "
                              << proof.worst_case;
}

TEST(HeadroomAdversary, RefusesAChipThatHasNothingToAttack) {
  Chip lossy = headroom_chip(3, gbps(100));
  for (auto& profile : lossy.profile_of_pg) profile = ProfileIndex{1};
  EXPECT_THROW(attack({lossy, Picoseconds{0}}), ConfigError) << "no lossless PG";
  EXPECT_THROW(attack({headroom_chip(1, gbps(100)), Picoseconds{0}}), ConfigError)
      << "a single port has no other port that lowers T";
}

TEST(HeadroomAdversary, AProofIsGoodOnlyWithinBothEdges) {
  HeadroomProof proof;
  proof.need = Cells{100};
  proof.allowed = Cells{45};
  proof.drops_below = 1;
  const auto good_with = [&](std::uint32_t cells) {
    proof.worst_case = Cells{cells};
    return proof.good();
  };
  EXPECT_FALSE(good_with(99)) << "a cell short";
  EXPECT_TRUE(good_with(100));
  EXPECT_TRUE(good_with(145));
  EXPECT_FALSE(good_with(146)) << "a cell more than a largest frame above the need";
  proof.drops_at_need = 1;
  EXPECT_FALSE(good_with(100)) << "the need did not hold";
  proof.drops_at_need = 0;
  proof.drops_below = 0;
  EXPECT_FALSE(good_with(100)) << "less would have done";
  proof.configured = Cells{99};
  EXPECT_FALSE(proof.enough()) << "the chip gives a cell less than the need";
  proof.configured = Cells{100};
  EXPECT_TRUE(proof.enough());
}

TEST(HeadroomAdversary, AProofHasTheLeastHeadroomThatTheChipGivesItsPorts) {
  Chip chip = headroom_chip(3, gbps(100), 1500);
  chip.profiles.push_back(chip.profiles[ProfileIndex{0}]);
  chip.profiles[ProfileIndex{0}].headroom = Cells{500};
  chip.profiles[ProfileIndex{2}].headroom = Cells{400};
  chip.profile_of_pg[pg_index(PortId{0}, Priority{4})] = ProfileIndex{2};
  const std::vector<HeadroomProof> proofs = verify_headroom(chip, Millimetres{1000});
  ASSERT_EQ(proofs.size(), 1U);
  EXPECT_EQ(proofs[0].configured, Cells{400}) << "one group of port 0 has less than the others";
}

TEST(HeadroomAdversary, AResultSurvivesItsWayOutOfTheChild) {
  AttackResult result;
  result.port_fifo_drops = 3;
  result.pgs = {{PortId{7}, Priority{4}, Picoseconds{123'456}, Cells{42}, 5}};
  const AttackResult back = attack_result_from(to_text(result));
  EXPECT_EQ(back.port_fifo_drops, 3U);
  ASSERT_EQ(back.pgs.size(), 1U);
  EXPECT_EQ(back.pgs[0].port, PortId{7});
  EXPECT_EQ(back.pgs[0].pg, Priority{4});
  EXPECT_EQ(back.pgs[0].window, Picoseconds{123'456});
  EXPECT_EQ(back.pgs[0].peak, Cells{42});
  EXPECT_EQ(back.pgs[0].drops, 5U);
  EXPECT_THROW(attack_result_from("1 2 3"), ModelError);
}

}  // namespace
}  // namespace weir::headroom_adversary_test
