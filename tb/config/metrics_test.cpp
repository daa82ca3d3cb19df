// SPDX-License-Identifier: Apache-2.0
#include "weir/config/scenario/metrics.hpp"

#include <gtest/gtest.h>

#include <array>
#include <set>

#include "weir/config/format/document.hpp"

namespace weir::metrics_test {
namespace {

Expectation read(const std::string& line) {
  const Node root = parse_toml(line + "\n", "f");
  return to_expectation(root.children.front());
}

TEST(ConfigMetrics, EveryMetricHasItsOwnNameAndAMeaning) {
  std::set<std::string_view> names;
  for (const Metric& metric : metrics()) {
    EXPECT_TRUE(names.insert(metric.name).second) << metric.name << " is in the table twice";
    EXPECT_FALSE(metric.meaning.empty()) << metric.name;
    EXPECT_EQ(read(std::string{metric.name} + " = 0").metric, metric.name)
        << "a zero needs no unit";
  }
}

TEST(ConfigMetrics, TheDocumentHasTheRowOfEveryMetricInTheSameOrder) {
  constexpr std::array<std::string_view, 7> units{"",     "bytes", "cells", "time",
                                                  "rate", "ratio", "share"};
  std::string rows = "| Metric | Unit | Meaning |\n|---|---|---|\n";
  for (const Metric& metric : metrics())
    rows += "| `" + std::string{metric.name} + "` | " +
            std::string{units[static_cast<std::size_t>(metric.unit)]} + " | " +
            std::string{metric.meaning} + " |\n";
  const std::string page = read_text("docs/reference/scenario-format.md", Origin{}, "");
  EXPECT_NE(page.find(rows + "\n"), std::string::npos) << "its table of metrics is not:\n" << rows;
}

TEST(ConfigMetrics, EveryComparisonIsRead) {
  EXPECT_EQ(read("drops = 3").comparison, Comparison::equal);
  EXPECT_EQ(read("drops = '3'").comparison, Comparison::equal);
  EXPECT_EQ(read("drops = '== 3'").comparison, Comparison::equal);
  EXPECT_EQ(read("drops = '!= 3'").comparison, Comparison::not_equal);
  EXPECT_EQ(read("drops = '< 3'").comparison, Comparison::less);
  EXPECT_EQ(read("drops = '<=3'").comparison, Comparison::less_equal);
  EXPECT_EQ(read("drops = '> 3'").comparison, Comparison::greater);
  EXPECT_EQ(read("drops = '>= 3'").comparison, Comparison::greater_equal);
  EXPECT_EQ(read("drops = '>= 3'").bound, 3);
  EXPECT_EQ(read("drops = '>= 3'").text, ">= 3");
}

TEST(ConfigMetrics, BoundsAreInTheUnitOfTheirMetric) {
  EXPECT_EQ(read("delivered_bytes = '> 12 MB'").bound, 12'000'000);
  EXPECT_EQ(read("peak_shared = '<= 1200 cells'").bound, 1200);
  EXPECT_EQ(read("pause_time = '< 2 ms'").bound, 2'000'000'000);
  EXPECT_EQ(read("latency_p99 = '<= 40 us'").bound, 40'000'000);
  EXPECT_EQ(read("message_slowdown_p99 = '<= 3.5'").bound, 3'500);
  EXPECT_EQ(read("message_slowdown_p99 = '< 12'").bound, 12'000);
  EXPECT_EQ(read("message_slowdown_p99 = 2").bound, 2'000);
  EXPECT_EQ(read("ecn_marked_share = '< 2.5 %'").bound, 25'000);
  EXPECT_EQ(read("ecn_marked_share = '> 0'").bound, 0);
}

TEST(ConfigMetrics, AFigureThatIsNoMetricHasABoundInTheUnitThatItIsCountedIn) {
  const Node root = parse_toml("victim = '> 30 Gbps'\nbad = '> 30 us'\n", "f");
  const Expectation line = to_expectation(root.children[0], MetricUnit::bits_per_second);
  EXPECT_EQ(line.metric, "victim");
  EXPECT_EQ(line.bound, 30'000'000'000);
  EXPECT_THROW(static_cast<void>(to_expectation(root.children[1], MetricUnit::bits_per_second)),
               FileError);
}

TEST(ConfigMetrics, WhatIsNoExpectationIsRefused) {
  for (const std::string line : {"drops = '> 3 B'",
                                 "drops = -1",
                                 "drops = '> '",
                                 "drops = '~ 3'",
                                 "drops = true",
                                 "drops = [1]",
                                 "drops = 1.5",
                                 "peak_shared = '> 3'",
                                 "peak_shared = '> 3 B'",
                                 "pause_time = '> 3 B'",
                                 "message_slowdown_p50 = '< 1.0005'",
                                 "message_slowdown_p50 = '< 3 us'",
                                 "message_slowdown_p50 = '< 3 x'",
                                 "ecn_marked_share = '> 0.02'",
                                 "ecn_marked_share = '> 0.00001 %'",
                                 "delivered_bytes = '> 7'",
                                 "drops = '> 9223372036854775808'",
                                 "drops = '< 0'",
                                 "pause_time = '< 0 us'",
                                 "peak_shared = '< 0 cells'"}) {
    EXPECT_THROW(static_cast<void>(read(line)), FileError) << line;
  }
  EXPECT_EQ(read("drops = '> 9223372036854775807'").bound, 9'223'372'036'854'775'807);
  EXPECT_EQ(read("pause_time = '< 1 ps'").bound, 1) << "that of no pause is below it";
  EXPECT_EQ(read("pause_time = '<= 0 us'").bound, 0);
  try {
    static_cast<void>(read("pauses_snet = 0"));
    FAIL() << "an unknown metric was accepted";
  } catch (const FileError& error) {
    EXPECT_NE(std::string{error.what()}.find("did you mean pauses_sent?"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace weir::metrics_test
