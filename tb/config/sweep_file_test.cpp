// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "weir/config/sweep/sweep.hpp"
#include "weir/config/sweep/sweep_values.hpp"

namespace weir::sweep_file_test {
namespace {

namespace fs = std::filesystem;

constexpr const char* scenario = "vectors/scenarios/incast_star16_dt_trident2.toml";

class SweepFile : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("weir-sweep-file-" + std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  // The sweep of the default scenario; these lines follow those of [sweep].
  [[nodiscard]] Sweep sweep_of(const std::string& lines) const {
    const fs::path file = folder_ / "s.toml";
    std::ofstream{file} << "[sweep]\nname = \"s\"\nscenarios = \""
                        << fs::absolute(scenario).string() << "\"\n"
                        << lines << "\n";
    return load_sweep(file);
  }
  // Values of one axis over a range.
  [[nodiscard]] std::vector<std::string> range(const std::string& lines) const {
    std::vector<std::string> texts;
    const Sweep sweep = sweep_of(
        "samples = 8\n[[axis]]\nkey = \"k.sampled\"\nfrom = 1\nto = 9\n"
        "sample = \"latin_hypercube\"\n[[axis]]\nkey = \"k\"\n" +
        lines);
    for (const SweepValue& value : sweep.axes[1].values) texts.push_back(value.text);
    return texts;
  }
  // Error message of loading and checking; the file's name as "s.toml".
  [[nodiscard]] std::string error_of(const std::string& lines) const {
    try {
      check_sweep(sweep_of(lines));
      return "none";
    } catch (const FileError& error) {
      std::string text = error.what();
      const std::string path = (folder_ / "s.toml").string();
      for (std::size_t at = text.find(path); at != std::string::npos; at = text.find(path))
        text.replace(at, path.size(), "s.toml");
      return text;
    }
  }
  void expect_refused(const std::string& lines, const std::vector<std::string>& words) const {
    const std::string error = error_of(lines);
    for (const std::string& word : words)
      EXPECT_NE(error.find(word), std::string::npos) << "no " << word << " in: " << error;
  }

 private:
  fs::path folder_;
};

using Texts = std::vector<std::string>;

TEST_F(SweepFile, AStepRunsFromTheFirstValueToTheLastThatFits) {
  EXPECT_EQ(range("from = \"8 MB\"\nto = \"32 MB\"\nstep = \"8 MB\""),
            (Texts{"8 MB", "16 MB", "24 MB", "32 MB"}));
  EXPECT_EQ(range("from = \"8 MB\"\nto = \"31.9 MB\"\nstep = \"8 MB\""),
            (Texts{"8 MB", "16 MB", "24 MB"}));
  EXPECT_EQ(range("from = -8\nto = -6\nstep = 1"), (Texts{"-8", "-7", "-6"}));
  EXPECT_EQ(range("from = 5\nto = 5\nstep = 1"), (Texts{"5"}));
}

TEST_F(SweepFile, AFactorMultiplies) {
  EXPECT_EQ(range("from = \"1/64\"\nto = \"8\"\nfactor = 2"),
            (Texts{"1/64", "1/32", "1/16", "1/8", "1/4", "1/2", "1", "2", "4", "8"}));
  EXPECT_EQ(range("from = \"1 us\"\nto = \"150 us\"\nfactor = 10"),
            (Texts{"1 us", "10 us", "100 us"}));
}

TEST_F(SweepFile, StepsIncludeBothEndsAndKeepEqualDistanceOrEqualRatio) {
  EXPECT_EQ(range("from = \"10 Gbps\"\nto = \"40 Gbps\"\nsteps = 4"),
            (Texts{"10 Gbps", "20 Gbps", "30 Gbps", "40 Gbps"}));
  EXPECT_EQ(range("from = \"10 Gbps\"\nto = \"40 Gbps\"\nsteps = 3\nspacing = \"log\""),
            (Texts{"10 Gbps", "20 Gbps", "40 Gbps"}));
  EXPECT_EQ(range("from = 1\nto = 1000000000000\nsteps = 5\nspacing = \"log\""),
            (Texts{"1", "1000", "1000000", "1000000000", "1000000000000"}));
  EXPECT_EQ(range("from = \"1/64\"\nto = \"4\"\nsteps = 5\nspacing = \"log\""),
            (Texts{"1/64", "1/16", "1/4", "1", "4"}));
}

TEST_F(SweepFile, ValuesAreWrittenInTheUnitOfTheFirstWhereThatIsExact) {
  EXPECT_EQ(range("from = \"1 MB\"\nto = \"2 MB\"\nsteps = 4"),
            (Texts{"1 MB", "1.333333 MB", "1.666667 MB", "2 MB"}));
  EXPECT_EQ(range("from = \"1 MiB\"\nto = \"3 MiB\"\nsteps = 3"),
            (Texts{"1 MiB", "2 MiB", "3 MiB"}));
  EXPECT_EQ(range("from = \"1 KiB\"\nto = \"2 KiB\"\nsteps = 4"),
            (Texts{"1024 B", "1365 B", "1707 B", "2048 B"}))
      << "thirds of a KiB have no exact decimals";
  EXPECT_EQ(range("from = \"10 %\"\nto = \"11 %\"\nsteps = 3"), (Texts{"10 %", "10.5 %", "11 %"}));
}

TEST_F(SweepFile, ALatinHypercubeHasOneValueInEachPartAndDependsOnTheSeedAlone) {
  const auto sampled = [this](const std::string& seed, const std::string& more) {
    return sweep_of("samples = 100\nsample_seed = " + seed +
                    "\n[[axis]]\nkey = \"a\"\nfrom = 0\nto = 99999\nsample = \"latin_hypercube\"\n"
                    "[[axis]]\nkey = \"b\"\nfrom = \"1 ns\"\nto = \"1 ms\"\n"
                    "sample = \"latin_hypercube\"\nspacing = \"log\"\n" +
                    more);
  };
  const Sweep sweep = sampled("1", "");
  EXPECT_EQ(sweep.points, 100U) << "samples are not crossed with each other";
  std::set<std::int64_t> parts;
  for (const SweepValue& value : sweep.axes[0].values) parts.insert(*value.integer / 1000);
  EXPECT_GE(parts.size(), 99U) << "a value at the edge of its part may round into the next";
  EXPECT_FALSE(std::is_sorted(sweep.axes[0].values.begin(), sweep.axes[0].values.end(),
                              [](const auto& a, const auto& b) { return a.integer < b.integer; }));
  const auto texts = [](const Sweep& of, std::size_t axis) {
    Texts list;
    for (const SweepValue& value : of.axes[axis].values) list.push_back(value.text);
    return list;
  };
  EXPECT_EQ(texts(sweep, 1), texts(sampled("1", "[[axis]]\nkey = \"c\"\nvalues = [1, 2]"), 1))
      << "another axis changes no sample";
  EXPECT_NE(texts(sweep, 0), texts(sampled("2", ""), 0)) << "another seed";
}

TEST_F(SweepFile, PointsAreTheCrossOfEverythingAndEachIsDifferent) {
  const Sweep sweep = sweep_of(
      "seeds = [7, 9]\nsamples = 3\n"
      "[[workload]]\nname = \"x\"\nset = { \"traffic.incast.packet\" = \"64 B\" }\n"
      "[[workload]]\nname = \"y\"\nset = { \"traffic.incast.packet\" = \"65 B\" }\n"
      "[[axis]]\nkey = \"a\"\nvalues = [\"p\", true, 3, [1, 2]]\n"
      "[[axis]]\nkey = [\"b\", \"c\"]\nname = \"both\"\nfrom = 1\nto = 9\nsample = "
      "\"latin_hypercube\"\n");
  ASSERT_EQ(sweep.points, 2U * 3 * 2 * 4);
  std::set<std::vector<std::string>> seen;
  for (std::uint64_t i = 0; i < sweep.points; ++i) {
    const SweepPoint point = sweep_point(sweep, i);
    EXPECT_EQ(point.index, i);
    seen.insert(overrides_of(sweep, point));
  }
  EXPECT_EQ(seen.size(), sweep.points);
  const std::vector<std::string> last = overrides_of(sweep, sweep_point(sweep, sweep.points - 1));
  EXPECT_EQ(last.front(), "traffic.incast.packet=\"65 B\"");
  EXPECT_EQ(last[1], "a=[1, 2]");
  EXPECT_EQ(last[2].substr(0, 2), "b=");
  EXPECT_EQ(last[3], "c" + last[2].substr(1)) << "both keys get the value";
  EXPECT_EQ(last.back(), "scenario.seed=9");
}

TEST_F(SweepFile, APointOfASearchIsThatOfTheSweepWithOneMoreValue) {
  const Sweep sweep = sweep_of(
      "seeds = [7, 9]\nsamples = 3\n[[axis]]\nkey = \"a\"\nvalues = [\"p\", \"q\"]\n"
      "[[axis]]\nkey = \"b\"\nfrom = 1\nto = 9\nsample = \"latin_hypercube\"\n"
      "[size]\nkey = \"m\"\nfrom = \"1 MB\"\nto = \"5 MB\"\nstep = \"1 MB\"\n");
  const Sweep search = size_search(sweep);
  ASSERT_EQ(search.points, sweep.points * 5);
  std::set<std::uint64_t> seen;
  for (std::uint64_t i = 0; i < sweep.points; ++i)
    for (std::size_t value = 0; value < 5; ++value) {
      const std::uint64_t point = size_search_point(sweep, i, value);
      seen.insert(point);
      std::vector<std::string> expected = overrides_of(sweep, sweep_point(sweep, i));
      expected.insert(expected.end() - 1, "m=" + sweep.size->values[value].toml);
      EXPECT_EQ(overrides_of(search, sweep_point(search, point)), expected) << i << " " << value;
    }
  EXPECT_EQ(seen.size(), search.points);
  EXPECT_EQ(*seen.rbegin(), search.points - 1);
}

TEST_F(SweepFile, AllErrorsOfAFileAreReportedAtOnceSortedByLine) {
  const std::string errors = error_of(
      "[[axis]]\nkey = \"k\"\nvalues = []\n[[axis]]\nkey = \"l\"\nfrom = 1\n[goal]\ndrps = 0\n"
      "[figure.f]\nof = \"nothing\"\n[unknown]\n");
  std::size_t at = 0;
  for (const char* const error :
       {"s.toml:6: axis[0].values", "s.toml:7: axis[1]", "s.toml:11: goal.drps",
        "s.toml:13: figure.f.of", "s.toml:14: unknown"}) {
    const std::size_t found = errors.find(error);
    EXPECT_NE(found, std::string::npos) << error << "\n" << errors;
    EXPECT_LE(at, found) << errors;
    at = found;
  }
}

TEST_F(SweepFile, BadAxesNameFileLineKeyAndWhatIsLegal) {
  expect_refused("[[axis]]\nkey = \"k\"\nvalues = []", {"s.toml:6: axis[0].values = []", "empty"});
  expect_refused("[[axis]]\nkey = \"k\"\nvalues = [1, 1]", {"axis[0].values[1] = 1", "twice"});
  expect_refused("[[axis]]\nkey = \"k\"\nvalues = [0.1]", {"axis[0].values[0]", "whole number"});
  expect_refused("[[axis]]\nkey = \"k\"\nfrom = 2\nto = 1\nstep = 1",
                 {"s.toml:7: axis[0].to = 1", "empty range"});
  expect_refused("[[axis]]\nkey = \"k\"\nfrom = 1\nto = 2", {"axis[0]", "exactly one of step"});
  expect_refused("[[axis]]\nkey = \"k\"\nfrom = 1\nto = 2\nstep = 1\nsteps = 2", {"exactly one"});
  expect_refused("[[axis]]\nkey = \"k\"\nfrom = 1\nto = 2\nstep = 0", {"axis[0].step = 0"});
  expect_refused("[[axis]]\nkey = \"k\"\nfrom = 1\nto = 2\nfactor = 1", {"axis[0].factor = 1"});
  expect_refused("[[axis]]\nkey = \"k\"\nfrom = 1\nto = 2\nsteps = 3", {"more values than lie"});
  expect_refused("[[axis]]\nkey = \"k\"\nfrom = 0\nto = 2\nsteps = 2\nspacing = \"log\"",
                 {"axis[0].from = 0", "above zero"});
  expect_refused("[[axis]]\nkey = \"k\"\nfrom = \"1 MB\"\nto = \"2 ms\"\nsteps = 2", {"unit of"});
  expect_refused("[[axis]]\nkey = \"k\"\nfrom = \"one\"\nto = \"two\"\nsteps = 2",
                 {"axis[0].from = \"one\"", "alpha"});
  expect_refused("[[axis]]\nkey = \"k\"\nfrom = 0\nto = 1000000000\nstep = 1", {"at most 65536"});
  expect_refused("[[axis]]\nkey = \"k\"\nfrom = 1\nto = 9\nsample = \"latin_hypercube\"",
                 {"needs samples"});
  expect_refused("samples = 5", {"sweep.samples = 5", "latin_hypercube"});
  std::string axes, figures, set = "[set]\n";
  for (int i = 0; i < 1001; ++i)
    axes += "[[axis]]\nname = \"a" + std::to_string(i) + "\"\nkey = \"k\"\nvalues = [1]\n";
  expect_refused(axes, {"axis[1000]: is one table too many: there may be 1000"});
  for (int i = 100; i < 601; ++i)
    figures += "[figure.f" + std::to_string(i) + "]\nof = \"throughput\"\n";
  expect_refused(figures, {"figure.f600: is one figure too many: there may be 500"});
  for (int i = 0; i < 10'001; ++i) set += "\"k" + std::to_string(10'000 + i) + "\" = 1\n";
  expect_refused(set, {"set.k20000 = 1: is one key too many: a table may set 10000"});
  expect_refused("seeds = 0", {"sweep.seeds = 0"});
  expect_refused("seeds = [1, 1]", {"sweep.seeds[1] = 1", "twice"});
  expect_refused("[[axis]]\nkey = \"k\"\nvalues = [1]\n[[axis]]\nkey = \"k\"\nvalues = [2]",
                 {"axis[1]", "two axes"});
  expect_refused("seeds = 2\n[[axis]]\nkey = \"scenario.seed\"\nvalues = [1]", {"scenario.seed"});
  expect_refused("[[axis]]\nkey = \"k\"\nvalues = [1]\ncolour = 2",
                 {"axis[0].colour", "legal here"});
  expect_refused("[goal]\ndrpos = 0", {"goal.drpos", "did you mean drops?"});
  expect_refused("[goal]\npause_time = \"< 0 us\"",
                 {"s.toml:", "goal.pause_time = \"< 0 us\"", "can never be met"});
  expect_refused("[figure.drops]\nof = \"delivered_bytes\"", {"figure.drops", "metric"});
  expect_refused("[figure.x]\nof = \"happiness\"", {"figure.x.of", "delivered_bytes"});
}

TEST_F(SweepFile, WhatNoScenarioHasIsRefusedAndWhatOnlyDoesNotFitIsNot) {
  const std::string alpha = "[[axis]]\nkey = \"switch.tor.profile.lossless.alpha\"\n";
  EXPECT_EQ(error_of(alpha + "values = [\"1/8\", 2]"), "none");
  expect_refused(alpha + "values = [\"1/16\", \"1/3\"]",
                 {"s.toml:6: switch.tor.profile.lossless.alpha = \"1/3\": must be n/2^m"});
  expect_refused(alpha + "values = [\"1/3\", \"1/16\"]", {"= \"1/3\": must be n/2^m"});
  expect_refused("[[axis]]\nkey = \"traffic.incast.from\"\nvalues = [\"h[1-2]\", \"h[1-99]\"]",
                 {"s.toml:6: traffic.incast.from = \"h[1-99]\""});
  EXPECT_EQ(error_of("[[axis]]\nkey = \"switch.tor.pool.lossless.size\"\n"
                     "values = [\"12 MB\", \"1 MB\"]"),
            "none")
      << "a quantity in a unit that works: its points fail when they run";
  expect_refused(alpha + "values = [\"1/8\", \"big\"]",
                 {"s.toml:6: switch.tor.profile.lossless.alpha = \"big\": must be n/2^m"});
  expect_refused(alpha + "values = [\"big\", \"1/8\"]", {"= \"big\": must be n/2^m"});
  expect_refused(alpha + "values = [true]", {"= true: must be n/2^m"});
  expect_refused("[[axis]]\nkey = \"switch.tor.profile.lossless.alhpa\"\nvalues = [\"1/8\"]",
                 {"alhpa", "did you mean alpha?"});
  expect_refused("[set]\n\"scenario.untill\" = \"1 ms\"", {"s.toml:5: scenario.untill", "until"});
  expect_refused("[figure.x]\nof = \"pause_time\"\nhosts = \"h99\"", {"figure.x.hosts", "h99"});
  EXPECT_EQ(error_of("[[axis]]\nkey = \"switch.tor.pool.lossless.size\"\nfrom = \"1 MB\"\n"
                     "to = \"16 MB\"\nsteps = 4"),
            "none")
      << "a pool too small for its reservations is a point that fails";
  const std::string pools =
      "[[axis]]\nkey = \"switch.tor.pool.lossless.size\"\nvalues = [\"6 MB\", \"16 MB\"]\n";
  const std::string methods =
      "[[axis]]\nkey = \"switch.tor.profile.lossless.headroom\"\nvalues = [\"0 B\", "
      "{ cable = \"1 km\", method = \"worst_case\" }]\n";
  EXPECT_EQ(error_of(pools + methods), "none")
      << "a headroom that fits the larger pool alone is a point that fails with the other";
  expect_refused(pools + methods +
                     "[[axis]]\nkey = \"switch.tor.profile.lossless.xon\"\n"
                     "values = [\"0 B\", { cable = \"1 km\" }]",
                 {"xon = { cable = \"1 km\" }: must be"});
  expect_refused("[[axis]]\nkey = \"switch.tor.pool.lossless.size\"\nvalues = [\"1 MB\"]",
                 {"= \"1 MB\": is 4807 cells, fewer than"});
}

TEST_F(SweepFile, KeysOfASetTakeEffectTogetherInWhateverOrder) {
  const std::string head =
      "[set]\n\"switch.tor.pool.lossless.headroom_pool\" = \"1 MB\"\n[[workload]]\nname = "
      "\"dsh\"\n";
  const std::string policy = "\"switch.tor.profile.lossless.policy\" = \"dsh\"";
  const std::string pool = "\"switch.tor.pool.lossless.headroom_pool\" = \"0 B\"";
  EXPECT_EQ(error_of(head + "set = { " + policy + ", " + pool + " }"), "none");
  EXPECT_EQ(error_of(head + "set = { " + pool + ", " + policy + " }"), "none");
  expect_refused(head + "set = { " + policy + " }", {"headroom pool"});
  expect_refused(head + "set = { " + pool + ", \"switch.tor.profile.lossless.alpha\" = \"big\" }",
                 {"s.toml:8: switch.tor.profile.lossless.alpha = \"big\": must be n/2^m"});
}

TEST_F(SweepFile, AnOptionOfAnAxisIsADesignOfSeveralKeys) {
  const std::string axis = "[[axis]]\nname = \"design\"\n";
  const std::string dt =
      "[[axis.option]]\nname = \"dt\"\nset = { \"switch.tor.profile.lossless.alpha\" = \"1/4\" }\n";
  const std::string dsh =
      "[[axis.option]]\nname = \"dsh\"\nset = { \"switch.tor.profile.lossless.policy\" = \"dsh\", "
      "\"switch.tor.profile.lossless.alpha\" = \"1\" }\n";
  const Sweep sweep = sweep_of(axis + dt + dsh + "[[axis]]\nkey = \"scenario.until\"\n" +
                               "values = [\"1 us\", \"2 us\"]");
  check_sweep(sweep);
  ASSERT_EQ(sweep.points, 4U);
  EXPECT_EQ(sweep.axes[0].values[1].text, "dsh");
  EXPECT_EQ(overrides_of(sweep, sweep_point(sweep, 1)),
            (Texts{"switch.tor.profile.lossless.alpha=\"1/4\"", "scenario.until=\"2 us\""}));
  EXPECT_EQ(overrides_of(sweep, sweep_point(sweep, 2)),
            (Texts{"switch.tor.profile.lossless.policy=\"dsh\"",
                   "switch.tor.profile.lossless.alpha=\"1\"", "scenario.until=\"1 us\""}));
  expect_refused(axis + dt + dt, {"axis[0].option[1]", "two options are called dt"});
  expect_refused("[[axis]]\n" + dt, {"axis[0].name", "what the options are called together"});
  expect_refused(axis + "key = \"k\"\n" + dt, {"axis[0].key", "legal here"});
  expect_refused(axis + "option = []", {"axis[0].option = []", "at least one option"});
  expect_refused(axis + dt + "[[axis.option]]\nname = \"x\"\nset = { \"scenario.untill\" = 1 }",
                 {"s.toml:11: scenario.untill", "until"});
  expect_refused(axis + dt + "[[axis]]\nkey = \"switch.tor.profile.lossless.alpha\"\nvalues = [1]",
                 {"axis[1]", "has an axis already"});
}

TEST_F(SweepFile, HostsOfAFigureMayBeAPattern) {
  const Sweep sweep = sweep_of("[figure.x]\nof = \"pause_time\"\nhosts = [\"h[3-5]\", \"h9\"]");
  check_sweep(sweep);
  EXPECT_EQ(sweep.figures[0].hosts, (Texts{"h3", "h4", "h5", "h9"}));
  expect_refused("[figure.x]\nof = \"pause_time\"\nhosts = \"h[98-99]\"",
                 {"figure.x.hosts", "h98"});
}

TEST_F(SweepFile, ASizeMayBeThatOfSeveralKeys) {
  const std::string range = "from = \"8 MB\"\nto = \"10 MB\"\nstep = \"1 MB\"\n";
  const Sweep sweep = sweep_of("[goal]\ndrops = 0\n[size]\nkey = [\"a.b\", \"c\"]\n" + range);
  const Sweep search = size_search(sweep);
  EXPECT_EQ(search.axes.back().name, "a.b, c");
  EXPECT_EQ(overrides_of(search, sweep_point(search, 1)), (Texts{"a.b=\"9 MB\"", "c=\"9 MB\""}));
  expect_refused("[size]\nkey = [\"a\", \"a\"]\n" + range, {"size.key[1]", "listed twice"});
  expect_refused("[[axis]]\nkey = \"c\"\nvalues = [1]\n[size]\nkey = [\"a\", \"c\"]\n" + range,
                 {"the key c has an axis already"});
}

TEST_F(SweepFile, TheDigestFollowsEveryFileThatCounts) {
  const std::string lines = "[[axis]]\nkey = \"scenario.until\"\nvalues = [\"1 us\"]";
  const std::string before = sweep_digest(sweep_of(lines));
  EXPECT_EQ(sweep_digest(sweep_of(lines)), before);
  EXPECT_NE(sweep_digest(sweep_of(lines + " # a remark")), before);
}

TEST_F(SweepFile, EveryExampleLoadsAndCanBeRun) {
  std::size_t files = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator{"vectors/sweeps"}) {
    ++files;
    const Sweep sweep = load_sweep(entry.path());
    EXPECT_EQ(sweep.name, entry.path().stem().string());
    EXPECT_NO_THROW(check_sweep(sweep)) << entry.path();
  }
  EXPECT_GE(files, 2U);
}

}  // namespace
}  // namespace weir::sweep_file_test
