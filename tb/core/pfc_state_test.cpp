// SPDX-License-Identifier: Apache-2.0
#include "weir/core/pfc/pfc_state.hpp"

#include <gtest/gtest.h>

#include "support/index_literals.hpp"

namespace weir::pfc_state_test {
namespace {

using namespace test::index_literals;

constexpr bool pressed = true;
constexpr bool relaxed = false;

// phi 2, xon 3, xon_offset 4.
PgSettings settings(XoffTrigger trigger, XonRule rule) {
  PgSettings pg;
  pg.lossless = true;
  pg.private_limit = Cells{2};
  pg.xon = Cells{3};
  pg.xon_offset = Cells{4};
  pg.xoff_trigger = trigger;
  pg.xon_rule = rule;
  return pg;
}

Placement held(std::uint32_t private_cells, std::uint32_t shared, std::uint32_t headroom) {
  return {Cells{private_cells}, Cells{shared}, Cells{headroom}};
}

const PgSettings silicon = settings(XoffTrigger::on_crossing, XonRule::sai);
const PgSettings paper = settings(XoffTrigger::on_headroom, XonRule::paper);

TEST(PfcState, CrossesAtTheThresholdAndNotOneBelow) {
  PfcState state{1};
  EXPECT_FALSE(state.after_arrival(0_pg, silicon, held(2, 9, 0), Cells{10}, relaxed).xoff);
  const PfcLevel level = state.after_arrival(0_pg, silicon, held(2, 10, 0), Cells{10}, relaxed);
  EXPECT_TRUE(level.xoff);
  EXPECT_TRUE(level.changed);
}

TEST(PfcState, DoesNotCrossWhilePrivateHasRoom) {
  PfcState state{1};
  EXPECT_FALSE(state.after_arrival(0_pg, silicon, held(1, 0, 0), Cells{0}, relaxed).xoff);
  EXPECT_TRUE(state.after_arrival(0_pg, silicon, held(2, 0, 0), Cells{0}, relaxed).xoff)
      << "private exactly full, T = 0";
}

TEST(PfcState, OnHeadroomIgnoresTheCrossingAndWaitsForPressure) {
  PfcState state{1};
  EXPECT_FALSE(state.after_arrival(0_pg, paper, held(2, 50, 0), Cells{10}, relaxed).xoff);
  EXPECT_TRUE(state.after_arrival(0_pg, paper, held(2, 50, 1), Cells{10}, pressed).xoff);
}

TEST(PfcState, IsALevelThatChangesOnce) {
  PfcState state{1};
  EXPECT_TRUE(state.after_arrival(0_pg, silicon, held(2, 10, 0), Cells{10}, relaxed).changed);
  const PfcLevel again = state.after_arrival(0_pg, silicon, held(2, 11, 0), Cells{10}, relaxed);
  EXPECT_TRUE(again.xoff);
  EXPECT_FALSE(again.changed) << "XOFF already";
}

TEST(PfcState, NeverEntersXoffOnARelease) {
  PfcState state{1};
  EXPECT_FALSE(state.after_release(0_pg, silicon, held(2, 50, 0), Cells{10}).xoff);
}

TEST(PfcState, ResumesBySaiAtTheRelativeMarkAndNotOneAbove) {
  PfcState state{1};
  state.after_arrival(0_pg, silicon, held(2, 12, 0), Cells{12}, relaxed);
  EXPECT_TRUE(state.after_release(0_pg, silicon, held(2, 9, 0), Cells{12}).xoff) << "9 > 12 - 4";
  const PfcLevel level = state.after_release(0_pg, silicon, held(2, 8, 0), Cells{12});
  EXPECT_FALSE(level.xoff) << "8 <= 12 - 4";
  EXPECT_TRUE(level.changed);
}

TEST(PfcState, ResumesBySaiAtTheAbsoluteMarkWhenThatIsHigher) {
  PfcState state{1};
  state.after_arrival(0_pg, silicon, held(2, 6, 0), Cells{5}, relaxed);
  EXPECT_TRUE(state.after_release(0_pg, silicon, held(2, 4, 0), Cells{5}).xoff) << "4 > max(3, 1)";
  EXPECT_FALSE(state.after_release(0_pg, silicon, held(2, 3, 0), Cells{5}).xoff)
      << "3 <= max(3, 1)";
}

TEST(PfcState, DoesNotWrapWhenTheOffsetExceedsTheThreshold) {
  PfcState state{1};
  state.after_arrival(0_pg, silicon, held(2, 9, 0), Cells{2}, relaxed);
  EXPECT_TRUE(state.after_release(0_pg, silicon, held(1, 4, 0), Cells{2}).xoff) << "4 > max(3, 0)";
}

TEST(PfcState, DoesNotResumeWhileTheConditionHolds) {
  PfcState state{1};
  state.after_arrival(0_pg, silicon, held(2, 3, 0), Cells{3}, relaxed);
  EXPECT_TRUE(state.after_release(0_pg, silicon, held(2, 3, 0), Cells{3}).xoff)
      << "w = 3 <= xon, but w >= T";
}

TEST(PfcState, DoesNotResumeWhileHeadroomIsHeld) {
  PfcState state{1};
  state.after_arrival(0_pg, silicon, held(2, 5, 1), Cells{5}, pressed);
  EXPECT_TRUE(state.after_release(0_pg, silicon, held(1, 0, 1), Cells{50}).xoff);
  EXPECT_FALSE(state.after_release(0_pg, silicon, held(1, 0, 0), Cells{50}).xoff);
}

TEST(PfcState, ResumesByThePaperBelowTheMarkOrAtZero) {
  PfcState state{1};
  state.after_arrival(0_pg, paper, held(2, 9, 1), Cells{9}, pressed);
  EXPECT_TRUE(state.after_release(0_pg, paper, held(2, 3, 0), Cells{50}).xoff)
      << "3 is not below 3";
  EXPECT_FALSE(state.after_release(0_pg, paper, held(2, 2, 0), Cells{50}).xoff);

  PgSettings no_mark = paper;
  no_mark.xon = Cells{0};
  state.after_arrival(0_pg, no_mark, held(2, 9, 1), Cells{9}, pressed);
  EXPECT_TRUE(state.after_release(0_pg, no_mark, held(2, 1, 0), Cells{50}).xoff) << "1 is not 0";
  EXPECT_FALSE(state.after_release(0_pg, no_mark, held(2, 0, 0), Cells{50}).xoff) << "w = 0";
}

TEST(PfcState, ResumesOnAnArrivalWhenTheThresholdHasRisen) {
  PfcState state{1};
  state.after_arrival(0_pg, silicon, held(2, 10, 0), Cells{10}, relaxed);
  const PfcLevel level = state.after_arrival(0_pg, silicon, held(2, 11, 0), Cells{40}, relaxed);
  EXPECT_FALSE(level.xoff) << "11 <= 40 - 4";
  EXPECT_TRUE(level.changed);
}

TEST(PfcState, IsNeverXoffWithoutCells) {
  PfcState state{1};
  PgSettings bare = silicon;
  bare.private_limit = Cells{0};
  EXPECT_FALSE(state.after_arrival(0_pg, bare, held(0, 0, 0), Cells{0}, pressed).xoff)
      << "refused while empty";
  state.after_arrival(0_pg, bare, held(0, 1, 0), Cells{1}, relaxed);
  EXPECT_TRUE(state.xoff(0_pg));
  EXPECT_FALSE(state.after_release(0_pg, bare, held(0, 0, 0), Cells{0}).xoff)
      << "the last cell left while w >= T still holds";
}

TEST(PfcState, KeepsPriorityGroupsApart) {
  PfcState state{2};
  state.after_arrival(1_pg, silicon, held(2, 10, 0), Cells{10}, relaxed);
  EXPECT_TRUE(state.xoff(1_pg));
  EXPECT_FALSE(state.xoff(0_pg));
}

}  // namespace
}  // namespace weir::pfc_state_test
