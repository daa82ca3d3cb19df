// SPDX-License-Identifier: Apache-2.0
// Drives the built program: a sweep whose points any scheduler starts (weir sweep --plan, --point,
// --collect).
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/program.hpp"

namespace weir::sweep_plan_test {
namespace {

using weir::test::Outcome;
using weir::test::program;
using weir::test::shell;
using weir::test::text_of;

namespace fs = std::filesystem;
using Json = nlohmann::json;

// A sweep of twelve short incasts, four of which do not fit their memory.
class SweepPlan : public weir::test::InFolder {
 protected:
  SweepPlan() { write(2); }

  void write(int seeds) const {
    std::ofstream{at("s.toml")}
        << "[sweep]\nname = \"s\"\nseeds = " << seeds << "\nscenarios = \""
        << fs::absolute("vectors/scenarios/incast_star16_dt_trident2.toml").string()
        << "\"\n[[axis]]\nname = \"alpha\"\nkey = \"switch.tor.profile.lossless.alpha\"\n"
           "values = [\"1/16\", \"1/4\"]\n[[axis]]\nname = \"memory\"\n"
           "key = \"switch.tor.pool.lossless.size\"\nvalues = [\"12 MB\", \"3 MB\", \"8 MB\"]\n"
           "[set]\n\"scenario.until\" = \"100 us\"\n";
  }
  [[nodiscard]] Outcome sweep(const std::string& out, const std::string& more) const {
    return shell(program() + " sweep " + at("s.toml") + " --quiet --out " + at(out) + " " + more);
  }
  [[nodiscard]] std::string database(const std::string& out) const {
    return text_of(fs::path{at(out)} / "sweep.sqlite");
  }
  void plan(const std::string& out) const {
    const Outcome outcome = sweep(out, "--plan");
    ASSERT_EQ(outcome.exit_code, 0) << outcome.text;
  }
  void run_task(const std::string& out, int number, int of) const {
    const Outcome outcome =
        sweep(out, "--point " + std::to_string(number) + "/" + std::to_string(of));
    ASSERT_EQ(outcome.exit_code, 0) << outcome.text;
  }
  // Exit 2, one line that has `words`.
  static void expect_refused(const Outcome& outcome, const std::vector<std::string>& words) {
    EXPECT_EQ(outcome.exit_code, 2) << outcome.text;
    EXPECT_EQ(std::count(outcome.text.begin(), outcome.text.end(), '\n'), 1) << outcome.text;
    for (const std::string& word : words)
      EXPECT_TRUE(outcome.says(word)) << "no " << word << " in " << outcome.text;
  }
};

TEST_F(SweepPlan, TasksInAnyOrderGiveTheBytesOfALocalSweep) {
  ASSERT_EQ(sweep("local", "--csv " + at("local.csv")).exit_code, 1) << "some points fail";
  for (const int tasks : {1, 5, 12}) {
    const std::string out = "planned" + std::to_string(tasks);
    plan(out);
    for (int task = tasks; task >= 1; --task) run_task(out, task, tasks);
    const Outcome outcome = sweep(out, "--collect --csv " + at(out + ".csv"));
    EXPECT_EQ(outcome.exit_code, 1) << outcome.text;
    EXPECT_TRUE(outcome.says("12 of 12 points; 4 failed")) << outcome.text;
    EXPECT_EQ(database(out), database("local")) << tasks << " tasks";
    EXPECT_EQ(text_of(at(out + ".csv")), text_of(at("local.csv")));
    EXPECT_TRUE(fs::exists(fs::path{at(out)} / "report.html"));
  }
}

TEST_F(SweepPlan, TasksThatRunAtTheSameTimeOrTwiceChangeNothing) {
  ASSERT_EQ(sweep("local", "").exit_code, 1);
  plan("out");
  const std::string task =
      program() + " sweep " + at("s.toml") + " --out " + at("out") + " --quiet --jobs 2 --point ";
  const Outcome both =
      shell(task + "1/2 & " + task + "1/2 & " + task + "2/2 & wait; " + task + "2/2");
  EXPECT_EQ(both.exit_code, 0) << both.text;
  ASSERT_EQ(sweep("out", "--collect").exit_code, 1);
  EXPECT_EQ(database("out"), database("local"));
}

TEST_F(SweepPlan, CollectNamesTheMissingPointsAndTakesThemLater) {
  ASSERT_EQ(sweep("local", "").exit_code, 1);
  plan("out");
  run_task("out", 1, 3);
  run_task("out", 3, 3);
  const Outcome first = sweep("out", "--collect");
  EXPECT_EQ(first.exit_code, 1) << first.text;
  EXPECT_TRUE(first.says("8 of 12 points")) << first.text;
  EXPECT_TRUE(first.says("no result of 4 points: 1, 4, 7, 10. ")) << first.text;
  run_task("out", 2, 3);
  const Outcome second = sweep("out", "--collect --json");
  EXPECT_EQ(second.exit_code, 1) << second.text;
  EXPECT_EQ(Json::parse(second.text).at("points_found_at_start"), 8);
  EXPECT_EQ(database("out"), database("local"));
  const Outcome again = sweep("out", "--collect --csv " + at("again.csv"));
  EXPECT_TRUE(again.says("12 of 12 points, 12 of them from before")) << again.text;
  EXPECT_EQ(database("out"), database("local"));
}

TEST_F(SweepPlan, ResumeRunsHereWhatTheTasksHaveLeft) {
  ASSERT_EQ(sweep("local", "").exit_code, 1);
  plan("out");
  run_task("out", 4, 4);
  const Outcome outcome = sweep("out", "--resume --jobs 2");
  EXPECT_EQ(outcome.exit_code, 1) << outcome.text;
  EXPECT_EQ(database("out"), database("local"));
}

// Of a task that was killed, the outcome that it was about to write is cut off.
TEST_F(SweepPlan, ATaskThatIsStartedAgainGoesOnWhereItWasKilled) {
  ASSERT_EQ(sweep("local", "").exit_code, 1);
  plan("out");
  run_task("out", 1, 1);
  const fs::path file = fs::path{at("out")} / "tasks" / "1-of-1.1.jsonl";
  const std::string whole = text_of(file);
  ASSERT_EQ(std::count(whole.begin(), whole.end(), '\n'), 13) << "the digest and a line a point";
  std::size_t cut = 0;
  for (int line = 0; line < 6; ++line) cut = whole.find('\n', cut) + 1;
  std::ofstream{file, std::ios::trunc} << whole.substr(0, cut + 10);
  run_task("out", 1, 1);
  const std::string rest = text_of(file.parent_path() / "1-of-1.2.jsonl");
  EXPECT_EQ(std::count(rest.begin(), rest.end(), '\n'), 8) << "seven points, of twelve";
  ASSERT_EQ(sweep("out", "--collect").exit_code, 1);
  EXPECT_EQ(database("out"), database("local"));
}

TEST_F(SweepPlan, AWrongNumberOfATaskIsRefused) {
  plan("out");
  for (const char* const text : {"0/12", "13/12", "5/4"})
    expect_refused(sweep("out", std::string{"--point "} + text),
                   {"--point = " + std::string{text}, "I must be from 1 to"});
  for (const char* const text : {"1/13", "1/0"})
    expect_refused(sweep("out", std::string{"--point "} + text), {"N must be from 1 to 12"});
  for (const char* const text : {"3", "/", "1/", "/2", "a/b", "-1/2", "1/2/3", "1 / 2"})
    expect_refused(sweep("out", "--point '" + std::string{text} + "'"), {"must be I/N"});
  EXPECT_TRUE(fs::is_empty(fs::path{at("out")} / "tasks"));
}

TEST_F(SweepPlan, WithoutAPlanNothingRunsAndNothingIsCollected) {
  expect_refused(sweep("out", "--point 1/2"), {"plan.json", "there is no plan", "--plan"});
  expect_refused(sweep("out", "--collect"), {"plan.json", "there is no plan", "--plan"});
  EXPECT_FALSE(fs::exists(at("out"))) << "something was left";
}

TEST_F(SweepPlan, APlanOfAnotherSweepIsRefused) {
  plan("out");
  run_task("out", 1, 2);
  write(3);
  expect_refused(sweep("out", "--point 2/2"), {"plan.json", "another sweep", "plan again"});
  expect_refused(sweep("out", "--collect"), {"plan.json", "another sweep"});
  EXPECT_TRUE(fs::exists(fs::path{at("out")} / "tasks" / "1-of-2.1.jsonl")) << "untouched";
  std::ofstream{fs::path{at("out")} / "plan.json"} << "{\"digest\": 4}";
  expect_refused(sweep("out", "--collect"), {"plan.json:1: digest = 4"});
}

TEST_F(SweepPlan, PointsOfAnotherSweepAreNotCollected) {
  plan("out");
  run_task("out", 1, 1);
  std::ofstream{fs::path{at("out")} / "tasks" / "2-of-2.1.jsonl"} << "0123456789abcdef\n";
  expect_refused(sweep("out", "--collect"), {"2-of-2.1.jsonl:1", "another sweep"});
  EXPECT_FALSE(fs::exists(fs::path{at("out")} / "sweep.sqlite"));
  EXPECT_TRUE(fs::exists(fs::path{at("out")} / "tasks" / "1-of-1.1.jsonl")) << "untouched";
}

TEST_F(SweepPlan, APlannedSweepIsNotDroppedByMistake) {
  plan("out");
  run_task("out", 1, 2);
  for (const char* const more : {"", "--plan"})
    expect_refused(sweep("out", more), {"--out", "holds a planned sweep", "--collect", "--yes"});
  EXPECT_TRUE(fs::exists(fs::path{at("out")} / "tasks" / "1-of-2.1.jsonl"));
  EXPECT_EQ(sweep("out", "--plan --yes").exit_code, 0);
  EXPECT_TRUE(fs::is_empty(fs::path{at("out")} / "tasks"));
  EXPECT_EQ(sweep("out", "--yes").exit_code, 1);
  EXPECT_FALSE(fs::exists(fs::path{at("out")} / "plan.json"));
}

TEST_F(SweepPlan, AnOptionThatAWayWouldNotHeedIsRefused) {
  expect_refused(sweep("out", "--plan --collect"), {"--plan", "--collect"});
  expect_refused(sweep("out", "--plan --csv x.csv"), {"--plan", "--csv"});
  expect_refused(sweep("out", "--point 1/2 --resume"), {"--point", "--resume"});
  expect_refused(sweep("out", "--collect --engine local"), {"--collect", "--engine"});
  expect_refused(shell(program() + " sweep - --plan </dev/null"), {"SWEEP", "--plan"});
  EXPECT_FALSE(fs::exists(at("out")));
}

// What a pipe holds is never read: its writer may never come.
TEST_F(SweepPlan, APlanIsAFileOfTheSweepAsPlanned) {
  const std::string file = at("out/plan.json");
  const auto refused = [&](const std::vector<std::string>& words) {
    for (const std::string step : {"--point 1/2", "--collect"})
      expect_refused(shell("timeout 60 " + program() + " sweep " + at("s.toml") + " --out " +
                           at("out") + " " + step),
                     words);
  };
  plan("out");
  const std::string good = text_of(file);
  for (const std::string other : {"mkfifo ", "mkdir ", "ln -s /dev/zero ", "ln -s nowhere "}) {
    fs::remove_all(file);
    ASSERT_EQ(shell(other + file).exit_code, 0);
    refused({"plan.json", "must be a regular file"});
  }
  fs::remove_all(file);
  std::ofstream{file} << weir::test::with_all(good, "\"points\": 12", "\"points\": 13");
  refused({"plan.json", "points", "13", "another sweep"});
}

TEST_F(SweepPlan, ALineThatCannotBeCollectedDoesNotCountAsRun) {
  ASSERT_EQ(sweep("local", "").exit_code, 1);
  plan("out");
  const std::string digest = Json::parse(text_of(at("out/plan.json"))).at("digest");
  std::ofstream{at("out/tasks/1-of-2.1.jsonl")}
      << digest << "\n0 0 1 1 0 0 .\n2 0 1 1 0 0 \"cut\".\n4 0 1 1 0 3 1 2 3 .\n";
  run_task("out", 1, 2);
  run_task("out", 2, 2);
  const Outcome outcome = sweep("out", "--collect");
  EXPECT_TRUE(outcome.says("12 of 12 points")) << outcome.text;
  EXPECT_EQ(database("out"), database("local"));
}

TEST_F(SweepPlan, AFileOfATaskThatNoTaskWritesIsRefusedByItsSize) {
  plan("out");
  const std::string file = at("out/tasks/1-of-2.1.jsonl");
  std::ofstream{file} << std::string{Json::parse(text_of(at("out/plan.json"))).at("digest")}
                      << "\n";
  fs::resize_file(file, std::uintmax_t{1} << 36);  // a hole: no byte of it is on the disk
  expect_refused(sweep("out", "--collect"), {"1-of-2.1.jsonl", "larger than"});
}

}  // namespace
}  // namespace weir::sweep_plan_test
