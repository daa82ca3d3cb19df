// SPDX-License-Identifier: Apache-2.0
#include "lockstep/scoreboard.hpp"

#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "lockstep/pins.hpp"

namespace weir::test {
namespace {

TEST(Scoreboard, ComplainsThatNothingWasCompared) {
  std::ostringstream log;
  const Scoreboard board{"block"};
  EXPECT_NE(board.complaints(log).find("nothing was compared"), std::string::npos);
  EXPECT_NE(log.str().find("compared 0"), std::string::npos);
}

TEST(Scoreboard, ComplainsOfAnOutputThatNeverMoved) {
  std::ostringstream log;
  Scoreboard board{"block"};
  const auto moving = board.output("moving"), dead = board.output("dead");
  for (std::uint64_t n = 0; n < 3; ++n) {
    board.compare(moving, n, n);
    board.compare(dead, 7, 7);
  }
  EXPECT_EQ(board.complaints(log), "block: output dead never moved\n");
}

TEST(Scoreboard, ComplainsOfAPointThatWasNeverHit) {
  std::ostringstream log;
  Scoreboard board{"block"};
  const auto output = board.output("o");
  const auto hit = board.point("hit"), missed = board.point("missed");
  board.compare(output, 0, 0);
  board.compare(output, 1, 1);
  board.hit(hit);
  board.hit_if(false, missed);
  EXPECT_EQ(board.complaints(log), "block: never happened: missed\n");
  EXPECT_NE(log.str().find("compared 2"), std::string::npos);
}

TEST(Scoreboard, SaysCycleInputsAndBothValuesOfTheFirstDifference) {
  Scoreboard board{"block", [] { return std::string{"pg 3, cells 2"}; }};
  const auto output = board.output("reason");
  board.cycle(41);
  try {
    board.compare(output, 1, 4, 2);
    FAIL() << "a difference went unseen";
  } catch (const Difference& difference) {
    const std::string text = difference.what();
    EXPECT_NE(text.find("cycle 41, reason[2]: expected 1 (0x1), actual 4 (0x4)"), std::string::npos)
        << text;
    EXPECT_NE(text.find("pg 3, cells 2"), std::string::npos) << text;
  }
}

TEST(Pins, FieldsOfAWidePortLieWhereTheyAreSet) {
  VlWide<4> pin{};
  clear_pin(pin);
  set_bits(pin, 20, 40, 0xab'cdef'0123ULL);
  set_bits(pin, 60, 64, 0x8000'0000'0000'0001ULL);
  EXPECT_EQ(bits(pin, 20, 40), 0xab'cdef'0123ULL);
  EXPECT_EQ(bits(pin, 60, 64), 0x8000'0000'0000'0001ULL);
  EXPECT_EQ(bits(pin, 0, 20), 0U) << "bits below the field moved";
  set_bits(pin, 60, 64, 0);
  EXPECT_EQ(bits(pin, 20, 40), 0xab'cdef'0123ULL) << "clearing a field moved its neighbour";
}

}  // namespace
}  // namespace weir::test
