// SPDX-License-Identifier: Apache-2.0
// The line with which a run of a sweep reports its result to another process.
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "weir/trace/sweep/sweep_run.hpp"

namespace weir::sweep_line_test {
namespace {

SweepOutcome ran() {
  SweepOutcome outcome;
  outcome.point = 12;
  outcome.seed = std::numeric_limits<std::uint64_t>::max();
  outcome.expect_met = true;
  outcome.figures = {0, 1, std::numeric_limits<std::uint64_t>::max(), 7};
  return outcome;
}

SweepOutcome failed() {
  SweepOutcome outcome;
  outcome.point = 3;
  outcome.exit_code = 137;
  outcome.error = "line one\nline \"two\" 5 6 . \\ \u00e9 ";
  return outcome;
}

void expect_same(const SweepOutcome& a, const SweepOutcome& b) {
  EXPECT_EQ(a.point, b.point);
  EXPECT_EQ(a.exit_code, b.exit_code);
  EXPECT_EQ(a.error, b.error);
  EXPECT_EQ(a.seed, b.seed);
  EXPECT_EQ(a.expect_met, b.expect_met);
  EXPECT_EQ(a.goal_met, b.goal_met);
  EXPECT_EQ(a.figures, b.figures);
}

TEST(SweepLine, ComesBackAsItWas) {
  for (const SweepOutcome& outcome : {SweepOutcome{}, ran(), failed()}) {
    const std::string line = to_line(outcome);
    EXPECT_EQ(line.find('\n'), std::string::npos) << line;
    const auto back = parse_outcome(line);
    ASSERT_TRUE(back) << line;
    expect_same(outcome, *back);
  }
}

TEST(SweepLine, BytesThatAreNoTextDoNotBreakIt) {
  SweepOutcome outcome = failed();
  outcome.error = "name \xff\xfe";
  const auto back = parse_outcome(to_line(outcome));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->error.substr(0, 5), "name ");
}

TEST(SweepLine, WhateverIsCutOffIsNoOutcome) {
  for (const SweepOutcome& outcome : {ran(), failed()}) {
    const std::string line = to_line(outcome);
    for (std::size_t length = 0; length < line.size(); ++length) {
      const auto back = parse_outcome(line.substr(0, length));
      EXPECT_FALSE(back) << line.substr(0, length);
    }
    EXPECT_FALSE(parse_outcome(line.substr(1) + line.substr(0, 1))) << "no mark at its end";
    EXPECT_FALSE(parse_outcome("x" + line));
  }
}

}  // namespace
}  // namespace weir::sweep_line_test
