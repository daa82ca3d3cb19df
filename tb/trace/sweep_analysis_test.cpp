// SPDX-License-Identifier: Apache-2.0
#include "weir/trace/sweep/sweep_analysis.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "weir/core/random.hpp"

namespace weir::sweep_analysis_test {
namespace {

using Rows = std::vector<std::vector<std::uint64_t>>;
using Indices = std::vector<std::size_t>;

TEST(ParetoFront, HoldsWhatNothingBeats) {
  EXPECT_EQ(pareto_front({{1, 9}, {5, 5}, {9, 1}, {5, 6}, {9, 9}}), (Indices{0, 1, 2}));
  EXPECT_EQ(pareto_front({{3, 3}, {3, 2}}), (Indices{1})) << "equal in one, better in the other";
  EXPECT_EQ(pareto_front({{2, 2}, {2, 2}}), (Indices{0, 1})) << "equal rows beat neither";
  EXPECT_EQ(pareto_front({}), Indices{});
  EXPECT_EQ(pareto_front({{7}}), (Indices{0}));
}

TEST(ParetoFront, AgreesWithTheDefinitionOnRandomRows) {
  RandomStream random{1, "pareto"};
  for (std::size_t round = 0; round < 400; ++round) {
    const std::size_t width = 1 + round % 5, values = 2 + random.uniform(12);
    Rows rows(1 + random.uniform(120));
    for (auto& row : rows)
      for (std::size_t i = 0; i < width; ++i) row.push_back(random.uniform(values));
    Indices expected;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const bool beaten = std::any_of(rows.begin(), rows.end(), [&](const auto& other) {
        bool larger = false, smaller = false;
        for (std::size_t k = 0; k < width; ++k) {
          larger = larger || other[k] > rows[i][k];
          smaller = smaller || other[k] < rows[i][k];
        }
        return !larger && smaller;
      });
      if (!beaten) expected.push_back(i);
    }
    ASSERT_EQ(pareto_front(rows), expected) << "round " << round;
  }
}

// No row beats another: comparing every two would be 2 x 10^10 comparisons.
TEST(ParetoFront, IsFoundInMomentsWhereNoRowIsBeaten) {
  constexpr std::uint64_t count = 200'000;
  RandomStream random{2, "pareto"};
  Rows rows;
  for (std::uint64_t i = 0; i < count; ++i)
    rows.push_back({i, random.uniform(count), random.uniform(count), count - i});
  EXPECT_EQ(pareto_front(rows).size(), count);
}

// Two workloads, an axis of three levels, two objectives; two scenarios would add nothing.
SweepTable table_of(const Rows& values, bool max_second = false) {
  SweepTable table;
  table.inputs = {
      {"scenario", {"s"}, false}, {"workload", {"a", "b"}, false}, {"x", {"1", "2", "3"}, false}};
  table.figures = {"memory_bytes", "rate_bps"};
  table.objectives = {{"memory", 0, false}, {"rate", 1, max_second}};
  for (std::size_t i = 0; i < values.size(); ++i) {
    SweepCase entry;
    entry.point = i;
    entry.levels = {0, i / 3, i % 3};
    entry.runs = 1;
    for (const std::uint64_t value : values[i]) entry.figures.push_back({value, value, value});
    if (values[i].empty()) entry.failed = 1;
    table.cases.push_back(entry);
  }
  return table;
}

TEST(Fronts, EveryWorkloadJudgesByTheWorstOfThem) {
  //                         x = 1    2        3       of workload a; then of b
  const SweepTable table = table_of({{1, 9}, {2, 5}, {3, 5}, {1, 9}, {2, 9}, {3, 8}});
  const std::vector<SweepFront> fronts = fronts_of(table);
  ASSERT_EQ(fronts.size(), 3U);
  EXPECT_EQ(fronts[0].workload, std::nullopt);
  EXPECT_EQ(fronts[1].workload, "a");
  EXPECT_EQ(fronts[0].values, (Rows{{1, 9}, {2, 9}, {3, 8}}));
  EXPECT_EQ(fronts[0].members, (Indices{0, 2})) << "2 has more memory than 1 and is no better in b";
  EXPECT_EQ(fronts[1].members, (Indices{0, 1})) << "in a alone 3 is beaten by 2";
  EXPECT_EQ(fronts[2].members, (Indices{0, 2}));
}

TEST(Fronts, MoreIsBetterWhereTheSweepSaysSo) {
  const std::vector<SweepFront> fronts =
      fronts_of(table_of({{1, 9}, {2, 5}, {3, 10}, {1, 1}, {2, 1}, {3, 1}}, true));
  EXPECT_EQ(fronts[1].members, (Indices{0, 2}));
  EXPECT_EQ(fronts[2].members, (Indices{0}));
}

TEST(Fronts, WhatFailedIsOnNoFront) {
  const std::vector<SweepFront> fronts =
      fronts_of(table_of({{}, {2, 5}, {3, 4}, {1, 9}, {2, 9}, {3, 8}}));
  EXPECT_EQ(fronts[0].cases, (Indices{1, 2})) << "x = 1 did not run with every workload";
  EXPECT_EQ(fronts[1].cases, (Indices{1, 2}));
  EXPECT_EQ(fronts[2].cases, (Indices{3, 4, 5}));
}

TEST(WorstOfSeeds, IsTheMostOfAFigureThatShouldBeLess) {
  SweepCase entry;
  entry.figures = {{3, 8, 11}};
  EXPECT_EQ(entry.worst({"f", 0, false}), 8U);
  EXPECT_EQ(entry.worst({"f", 0, true}), 3U);
}

TEST(Effects, AKeyMovesAResultByItsSwingWithAllElseEqual) {
  // result = 10 x + y, x of 0..2, y of 0..3
  const std::vector<SweepInput> inputs{{"x", {"0", "1", "2"}, false},
                                       {"fixed", {"only"}, false},
                                       {"y", {"0", "1", "2", "3"}, false}};
  std::vector<Indices> levels;
  for (std::size_t x = 0; x < 3; ++x)
    for (std::size_t y = 0; y < 4; ++y) levels.push_back({x, 0, y});
  const ResultOf result = [&](std::size_t i) { return 10 * levels[i][0] + levels[i][2]; };
  const std::vector<SweepEffect> effects = effects_of(inputs, levels, result);
  ASSERT_EQ(effects.size(), 2U) << "what has one level moves nothing";
  EXPECT_EQ(effects[0].input, 0U);
  EXPECT_DOUBLE_EQ(effects[0].average_swing, 20);
  EXPECT_EQ(effects[0].largest_swing, 20U);
  EXPECT_EQ(effects[0].settings, 4U);
  EXPECT_EQ(effects[0].highest, 2U);
  EXPECT_DOUBLE_EQ(effects[1].average_swing, 3);
  EXPECT_EQ(effects[1].settings, 3U);
  EXPECT_EQ(effects[1].lowest, 0U);
}

TEST(Effects, ASettingWithOneResultSaysNothing) {
  const std::vector<SweepInput> inputs{{"x", {"0", "1"}, false}, {"y", {"0", "1"}, false}};
  const std::vector<Indices> levels{{0, 0}, {1, 0}, {0, 1}, {1, 1}};
  // x = 0, y = 1 failed; counted, it would exaggerate the effect of y.
  const std::vector<SweepEffect> effects =
      effects_of(inputs, levels, [](std::size_t i) -> std::optional<std::uint64_t> {
        if (i == 2) return std::nullopt;
        return i == 3 ? 107 : 100 + 5 * i;
      });
  EXPECT_EQ(effects[0].settings, 1U) << "y = 0 only";
  EXPECT_DOUBLE_EQ(effects[0].average_swing, 5);
  EXPECT_DOUBLE_EQ(effects[1].average_swing, 2) << "x = 1 only";
}

TEST(Effects, OfASampledKeyItIsTheRankCorrelation) {
  const std::vector<SweepInput> inputs{{"up", {"0", "1", "2", "3"}, true},
                                       {"down", {"0", "1", "2", "3"}, true}};
  const std::vector<Indices> levels{{2, 1}, {0, 3}, {3, 0}, {1, 2}};
  const std::vector<SweepEffect> effects = effects_of(
      inputs, levels, [&](std::size_t i) { return levels[i][0] * levels[i][0] * levels[i][0]; });
  EXPECT_DOUBLE_EQ(effects[0].rank_correlation.value(), 1);
  EXPECT_DOUBLE_EQ(effects[1].rank_correlation.value(), -1);
  const auto flat = effects_of(inputs, levels, [](std::size_t) { return std::uint64_t{7}; });
  EXPECT_DOUBLE_EQ(flat[0].rank_correlation.value(), 0) << "nothing moves";
}

TEST(HeatMaps, AverageOverAllThatShareBothLevels) {
  const SweepTable table = table_of({{1, 9}, {2, 5}, {}, {1, 1}, {4, 1}, {3, 1}});
  const ResultOf memory = [&](std::size_t i) -> std::optional<std::uint64_t> {
    if (!table.cases[i].ran()) return std::nullopt;
    return table.cases[i].figures[0].most;
  };
  const HeatMap map = heat_map(table, 2, 1, memory);
  EXPECT_EQ(map.columns, (std::vector<std::string>{"1", "2", "3"}));
  EXPECT_EQ(map.rows, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(map.fields[2].cases, 0U) << "a, 3 failed";
  EXPECT_DOUBLE_EQ(map.fields[4].average, 4);
  const HeatMap wide = heat_map(table, 2, 0, memory, 2);
  EXPECT_EQ(wide.columns, (std::vector<std::string>{"1 .. 2", "3"})) << "put together";
  EXPECT_DOUBLE_EQ(wide.fields[0].average, (1 + 2 + 1 + 4) / 4.0);
  EXPECT_EQ(wide.fields[1].cases, 1U);
}

}  // namespace
}  // namespace weir::sweep_analysis_test
