// SPDX-License-Identifier: Apache-2.0
// Drives the built program: weir sweep.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "support/program.hpp"

namespace weir::sweep_command_test {
namespace {

using weir::test::Outcome;
using weir::test::program;
using weir::test::shell;
using weir::test::text_of;

namespace fs = std::filesystem;
using Json = nlohmann::json;

std::size_t lines_of(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

class SweepCommand : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("weir-sweep-" + std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  [[nodiscard]] fs::path at(const std::string& name) const { return folder_ / name; }
  [[nodiscard]] std::string path(const std::string& name) const { return at(name).string(); }

  // A sweep of short incasts; `lines` follow those of [sweep].
  void write(const std::string& lines, const std::string& until = "100 us") const {
    std::ofstream{at("s.toml")}
        << "[sweep]\nname = \"s\"\nscenarios = \""
        << fs::absolute("vectors/scenarios/incast_star16_dt_trident2.toml").string() << "\"\n"
        << lines << "\n[set]\n\"scenario.until\" = \"" << until << "\"\n";
  }
  // Twelve points, two of which do not fit their memory.
  void write_twelve() const {
    write(
        "seeds = 2\n[[axis]]\nname = \"alpha\"\nkey = \"switch.tor.profile.lossless.alpha\"\n"
        "values = [\"1/16\", \"1/4\"]\n[[axis]]\nname = \"memory\"\n"
        "key = \"switch.tor.pool.lossless.size\"\nvalues = [\"12 MB\", \"3 MB\", \"8 MB\"]\n");
  }
  [[nodiscard]] Outcome sweep(const std::string& out, const std::string& more = "") const {
    return shell(program() + " sweep " + path("s.toml") + " --out " + path(out) + " " + more);
  }
  [[nodiscard]] std::string query(const std::string& out, const std::string& sql) const {
    return shell("sqlite3 " + (at(out) / "sweep.sqlite").string() + " \"" + sql + "\"").text;
  }
  // Exit 2, one line that contains `words`, and no output written.
  void expect_refused(const std::string& more, const std::vector<std::string>& words) const {
    const Outcome outcome = sweep("refused", more);
    EXPECT_EQ(outcome.exit_code, 2) << outcome.text;
    EXPECT_EQ(lines_of(outcome.text), 1U) << outcome.text;
    for (const std::string& word : words)
      EXPECT_NE(outcome.text.find(word), std::string::npos)
          << "no " << word << " in " << outcome.text;
    EXPECT_FALSE(fs::exists(at("refused"))) << "something was left";
  }
  // Starts the sweep and kills it with SIGKILL when it has written `rows` rows.
  void kill_after(const std::string& out, int rows, const std::string& more) const {
    const pid_t pid = fork();
    if (pid == 0) {
      const std::string command = "exec " + program() + " sweep " + path("s.toml") +
                                  " --quiet --out " + path(out) + " " + more + " >/dev/null 2>&1";
      execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
      _exit(98);
    }
    for (int i = 0; i < 3000; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds{10});
      if (!fs::exists(at(out) / "sweep.sqlite")) continue;
      if (rows <= std::atoi(query(out, "SELECT count(*) FROM runs").c_str())) break;
    }
    kill(pid, SIGKILL);
    int status = 0;
    waitpid(pid, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status)) << "it ended before it was killed";
  }

 private:
  fs::path folder_;
};

TEST_F(SweepCommand, ASweepOfOnePointSaysSo) {
  write("");
  EXPECT_EQ(sweep("none", "--dry-run").text, "s: 1 point\n");
  EXPECT_TRUE(sweep("out", "--quiet").says("s: 1 of 1 point;"));
}

TEST_F(SweepCommand, EveryPointIsARowWithItsInputsAndItsFigures) {
  write_twelve();
  const Outcome outcome = sweep("out", "--csv " + path("out.csv"));
  EXPECT_EQ(outcome.exit_code, 1) << "some points failed: " << outcome.text;
  EXPECT_NE(outcome.text.find("12 of 12 points; 4 failed"), std::string::npos) << outcome.text;
  EXPECT_EQ(
      query("out", "SELECT point, alpha, memory, seed, status FROM runs WHERE point IN (0, 11)"),
      "0|1/16|12 MB|1|ok\n11|1/4|8 MB|2|ok\n");
  EXPECT_EQ(query("out",
                  "SELECT count(*) FROM runs WHERE status = 'ok' AND time_ps = 100000000 AND "
                  "delivered_packets > 0 AND error IS NULL"),
            "8\n");
  const std::string csv = text_of(at("out.csv"));
  EXPECT_EQ(lines_of(csv), 13U) << "a header and a row a run";
  EXPECT_EQ(csv.substr(0, 52), "point,scenario,workload,alpha,memory,seed,status,exi") << csv;
}

TEST_F(SweepCommand, TasksWithoutAJobArrayAreRefused) {
  const Outcome outcome = shell(program() + " sweep alpha_star16_dt_trident2 --tasks 3 --dry-run");
  EXPECT_EQ(outcome.exit_code, 2) << outcome.text;
  EXPECT_NE(outcome.text.find("--tasks = 3: has no effect with the engine local"),
            std::string::npos)
      << outcome.text;
}

TEST_F(SweepCommand, AFailedPointIsRecordedWithItsErrorAndStopsNothing) {
  write_twelve();
  ASSERT_EQ(sweep("out").exit_code, 1);
  EXPECT_EQ(query("out",
                  "SELECT DISTINCT memory, exit_code, time_ps FROM runs WHERE status = "
                  "'failed'"),
            "3 MB|2|\n");
  const std::string error = query("out", "SELECT DISTINCT error FROM runs WHERE error NOT NULL");
  EXPECT_NE(error.find("switch.tor.pool.lossless.size = \"3 MB\""), std::string::npos) << error;
  EXPECT_NE(error.find("fewer than"), std::string::npos) << error;
}

TEST_F(SweepCommand, ARowSaysTheSameAsARunOfItsOwn) {
  write_twelve();
  ASSERT_EQ(sweep("out").exit_code, 1);
  const Outcome run = shell(
      program() +
      " run vectors/scenarios/incast_star16_dt_trident2.toml --quiet --json --until '100 us' "
      "--seed 2"
      " --set switch.tor.profile.lossless.alpha=1/4 --set 'switch.tor.pool.lossless.size=8 MB'"
      " --out " +
      path("run"));
  const Json totals = Json::parse(text_of(at("run") / "summary.json")).at("totals");
  EXPECT_EQ(query("out",
                  "SELECT sent_packets, pauses_sent, peak_shared_cells, pause_time_ps FROM "
                  "runs WHERE point = 11"),
            totals.at("sent_packets").dump() + "|" + totals.at("pauses_sent").dump() + "|" +
                totals.at("peak_shared_cells").dump() + "|" + totals.at("pause_time_ps").dump() +
                "\n");
}

TEST_F(SweepCommand, SameBytesForAnyNumberOfJobsAndAgainInTheSameFolder) {
  write_twelve();
  ASSERT_EQ(sweep("one", "--jobs 1 --csv " + path("one.csv")).exit_code, 1);
  ASSERT_EQ(sweep("two", "--jobs 2 --csv " + path("two.csv")).exit_code, 1);
  const std::string one = text_of(at("one") / "sweep.sqlite");
  EXPECT_EQ(one.substr(0, 15), "SQLite format 3");
  EXPECT_EQ(one, text_of(at("two") / "sweep.sqlite"));
  EXPECT_EQ(text_of(at("one.csv")), text_of(at("two.csv")));
  ASSERT_EQ(sweep("two", "--jobs 5").exit_code, 1) << "a complete sweep is replaced";
  EXPECT_EQ(one, text_of(at("two") / "sweep.sqlite"));
  ASSERT_EQ(sweep("two", "--resume").exit_code, 1) << "nothing left to do";
  EXPECT_EQ(one, text_of(at("two") / "sweep.sqlite"));
}

TEST_F(SweepCommand, ResumeAfterAKillRepeatsNothingFinishedAndLosesNothing) {
  write("seeds = 60\n", "500 us");
  kill_after("out", 5, "--jobs 2");
  const int before = std::atoi(query("out", "SELECT count(*) FROM runs").c_str());
  ASSERT_GE(before, 5);
  ASSERT_LT(before, 60);
  // Marks a row; a repeated run would remove the mark.
  ASSERT_EQ(query("out", "UPDATE runs SET error = 'first'"), "");
  EXPECT_EQ(sweep("out").exit_code, 2) << "an unfinished sweep is not replaced by mistake";
  EXPECT_EQ(sweep("out", "--resume --jobs 2").exit_code, 0);
  EXPECT_EQ(query("out", "SELECT count(*), sum(error = 'first') FROM runs"),
            "60|" + std::to_string(before) + "\n");
  ASSERT_EQ(query("out", "UPDATE runs SET error = NULL"), "");
  ASSERT_EQ(sweep("whole").exit_code, 0);
  EXPECT_EQ(query("out", "SELECT * FROM runs"), query("whole", "SELECT * FROM runs"));
}

// A reader keeps the file open, or even reads, when the sorted file takes its place.
TEST_F(SweepCommand, ResultsAreWholeWhereAReaderHasThemOpenWhileTheSweepEnds) {
  write("seeds = 60\n");
  ASSERT_EQ(sweep("whole").exit_code, 0);
  for (const std::string begin : {"", "BEGIN;"}) {
    fs::remove_all(at("out"));
    fs::remove(at("seen"));
    kill_after("out", 5, "--jobs 2");
    const std::string file = (at("out") / "sweep.sqlite").string();
    std::FILE* const reader = popen(("sqlite3 " + file).c_str(), "w");
    ASSERT_NE(reader, nullptr);
    const std::string asked =
        ".output " + path("seen") + "\n" + begin + "SELECT count(*) FROM runs;\n.output\n";
    ASSERT_GE(std::fputs(asked.c_str(), reader), 0);
    std::fflush(reader);
    for (int i = 0; i < 1000 && (!fs::exists(at("seen")) || fs::file_size(at("seen")) == 0); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds{10});
    ASSERT_GT(fs::file_size(at("seen")), 0U);
    const Outcome outcome = sweep("out", "--resume --jobs 2 --quiet");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.text;
    EXPECT_FALSE(fs::exists(file + "-wal")) << "SQLite would read the old log with the new file";
    EXPECT_EQ(query("out", "PRAGMA quick_check"), "ok\n") << begin;
    EXPECT_EQ(query("out", "SELECT * FROM runs"), query("whole", "SELECT * FROM runs")) << begin;
    pclose(reader);
    EXPECT_EQ(query("out", "SELECT count(*) FROM runs"), "60\n") << begin;
  }
}

TEST_F(SweepCommand, ResumeRefusesResultsOfAnotherSweep) {
  write("seeds = 2\n");
  ASSERT_EQ(sweep("out").exit_code, 0);
  write("seeds = 3\n");
  const Outcome outcome = sweep("out", "--resume");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.text.find("another sweep"), std::string::npos) << outcome.text;
  EXPECT_EQ(query("out", "SELECT count(*) FROM runs"), "2\n") << "untouched";
}

TEST_F(SweepCommand, CtrlCKeepsWhatIsThere) {
  write("seeds = 1000\n", "1 ms");
  const Outcome outcome = shell("timeout --signal=INT 2 " + program() + " sweep " + path("s.toml") +
                                " --out " + path("out") + "; echo exit $?");
  EXPECT_NE(outcome.text.find("go on with --resume"), std::string::npos) << outcome.text;
  EXPECT_EQ(query("out", "SELECT value FROM sweep WHERE key = 'complete'"), "0\n");
}

TEST_F(SweepCommand, BadSweepsAreRefusedInOneLineAndLeaveNothing) {
  write("[[axis]]\nkey = \"switch.tor.profile.lossless.alhpa\"\nvalues = [\"1/8\"]\n");
  expect_refused("", {"s.toml:6: switch.tor.profile.lossless.alhpa = \"1/8\"", "alpha?"});
  write("[[axis]]\nkey = \"switch.tor.profile.lossless.alpha\"\nvalues = [\"1/8\", true]\n");
  expect_refused("", {"s.toml:6: switch.tor.profile.lossless.alpha = true: must be n/2^m"});
  write("[[axis]]\nkey = \"scenario.until\"\nfrom = \"2 ms\"\nto = \"1 ms\"\nstep = \"1 us\"\n");
  expect_refused("", {"s.toml:7: axis[0].to = \"1 ms\"", "empty range"});
  write(
      "seeds = 1000000\n[[axis]]\nkey = \"scenario.until\"\nfrom = \"1 us\"\nto = \"1 ms\"\n"
      "steps = 1000\n");
  expect_refused("", {"1,000,000,000 points", "--yes"});
  write("");
  std::ofstream{at("s.toml"), std::ios::app} << "[[scenario]]\nfile = \"nowhere.toml\"\n";
  expect_refused("", {"s.toml:8: scenario[0].file", "nowhere.toml", "no such file"});
  write("");
  expect_refused("--jobs 0", {"--jobs"});
  expect_refused("--engine cloud", {"--engine"});
  expect_refused("--csv /nowhere/x.csv", {"--csv", "/nowhere"});
}

TEST_F(SweepCommand, AFolderThatIsNotOurOwnIsNotTouched) {
  write("");
  fs::create_directories(at("mine"));
  std::ofstream{at("mine") / "thesis.tex"} << "x";
  EXPECT_EQ(sweep("mine").exit_code, 2);
  EXPECT_EQ(sweep("mine", "--yes --resume").exit_code, 2);
  EXPECT_TRUE(fs::exists(at("mine") / "thesis.tex"));
}

TEST_F(SweepCommand, FiguresOfChosenHostsAndTheGoalAreColumns) {
  write(
      "[figure.background]\nof = \"delivered_bytes\"\nhosts = \"h19\"\npriority = 0\n"
      "[figure.rate]\nof = \"throughput\"\nhosts = \"h19\"\npriority = 0\n"
      "[figure.late]\nof = \"latency_p99\"\nhosts = \"h19\"\n"
      "[goal]\nlossless_drops = 0\nbackground = \"> 1 B\"\nrate = \"> 1 Gbps\"\n"
      "latency_p99 = \"< 10 ms\"\n");
  ASSERT_EQ(sweep("out").exit_code, 0);
  EXPECT_EQ(query("out", "SELECT background_bytes > 1000, goal_met FROM runs"), "1|1\n");
  EXPECT_EQ(query("out", "SELECT rate_bps = background_bytes * 8 * 10000 FROM runs"), "1\n")
      << "of 100 us";
  EXPECT_EQ(query("out",
                  "SELECT late_ps > 0 AND latency_p50_ps <= average_latency_ps * 3 AND "
                  "latency_p50_ps <= latency_p99_ps AND latency_p99_ps <= latency_p999_ps AND "
                  "latency_p999_ps <= longest_latency_ps AND memory_bytes > 12000000 AND "
                  "memory_bytes <= 12766208 FROM runs"),
            "1\n");
  write("[figure.rate]\nof = \"throughput\"\n[goal]\nrate = \"> 100 Gbps\"\n");
  ASSERT_EQ(sweep("out").exit_code, 0);
  EXPECT_EQ(query("out", "SELECT goal_met FROM runs"), "0\n") << "a port has 40 Gbps";
  write("[figure.rate]\nof = \"throughput\"\n[goal]\nrate = \"> 1 us\"\n");
  expect_refused("", {"s.toml:7: goal.rate = \"> 1 us\"", "Gbps"});
}

TEST_F(SweepCommand, SizeIsTheSmallestValueThatMeetsTheGoalAndOneStepLessMissesIt) {
  const std::string axes =
      "[[axis]]\nname = \"alpha\"\nkey = \"switch.tor.profile.lossless.alpha\"\n"
      "values = [\"1/4\", \"1/512\"]\n[goal]\npause_time = \"< 6 ms\"\n";
  const std::string key = "key = \"switch.tor.pool.lossless.size\"\n";
  write("seeds = 2\n" + axes + "[size]\n" + key +
            "from = \"2 MB\"\nto = \"16 MB\"\nstep = \"250 kB\"\n",
        "500 us");
  const Outcome outcome = shell(program() + " size " + path("s.toml") + " --json --quiet");
  EXPECT_EQ(outcome.exit_code, 1) << "with alpha = 1/512 no memory is enough: " << outcome.text;
  const Json sizes = Json::parse(outcome.text).at("sizes");
  ASSERT_EQ(sizes.size(), 2U);
  EXPECT_TRUE(sizes[1].at("smallest").is_null()) << sizes[1];
  const std::string smallest = sizes[0].at("smallest");
  EXPECT_LE(sizes[0].at("runs"), 2 * 7) << "57 values: six halvings and the largest";
  // The same values as a sweep: the goal is met from that value on and not below.
  write("seeds = 2\n" + axes + "[[axis]]\nname = \"memory\"\n" + key +
            "from = \"2 MB\"\nto = \"16 MB\"\nstep = \"250 kB\"\n",
        "500 us");
  ASSERT_EQ(sweep("out", "--quiet").exit_code, 1) << "the smallest ones do not fit";
  EXPECT_EQ(query("out",
                  "SELECT value FROM axis_values WHERE axis = 'memory' AND number = (SELECT "
                  "1 + max(number) FROM axis_values JOIN runs ON memory = value WHERE axis = "
                  "'memory' AND alpha = '1/4' AND coalesce(goal_met, 0) = 0)"),
            smallest + "\n");
}

// The sizes are 8.9, 6.3 and 4.3 MB.
TEST_F(SweepCommand, ASizeAtTheLowerBoundOfTheSearchIsNotCalledTheSmallest) {
  const auto size = [&](const std::string& from, const std::string& options) {
    return shell(
        "(d=$(mktemp -d) && cp docs/guide/first/*.toml $d && sed -i 's/^from .*/from = \"" + from +
        "\"/' $d/size.toml && " + program() + " size $d/size.toml --quiet " + options +
        "; c=$?; rm -r $d; exit $c)");
  };
  const Outcome all = size("10 MB", "");
  EXPECT_EQ(all.exit_code, 0) << all.text;
  EXPECT_TRUE(all.says("  10 MB or less      scenario incast, alpha 1/16")) << all.text;
  EXPECT_TRUE(all.says("or less: from meets the goal")) << all.text;
  EXPECT_FALSE(all.says("not at all")) << "what alpha does is not known: " << all.text;
  const Outcome some = size("6 MB", "--json");
  ASSERT_EQ(some.exit_code, 0) << some.text;
  const Json json = Json::parse(some.text);
  EXPECT_EQ(json.at("sizes").at(1).at("smallest"), "6.3 MB") << json;
  EXPECT_EQ(json.at("sizes").at(1).at("at_lower_bound"), false) << json;
  EXPECT_EQ(json.at("sizes").at(2).at("smallest"), "6 MB") << json;
  EXPECT_EQ(json.at("sizes").at(2).at("at_lower_bound"), true) << "4.3 MB would do: " << json;
  EXPECT_EQ(json.at("sensitivity").at(0).at("max_at"), "1/16") << json;
  EXPECT_EQ(json.at("sensitivity").at(0).at("min_at"), "1/8") << "1/2 has no size that is known";
}

TEST_F(SweepCommand, SizeNeedsAGoalAndAKey) {
  write("");
  const std::string command = program() + " size " + path("s.toml");
  EXPECT_NE(shell(command).text.find("size: is missing"), std::string::npos);
  write(
      "[size]\nkey = \"switch.tor.pool.lossless.size\"\nfrom = \"2 MB\"\nto = \"3 MB\"\n"
      "step = \"1 MB\"\n");
  const Outcome outcome = shell(command);
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.text.find("goal: is missing"), std::string::npos) << outcome.text;
}

// A scheduler of one node on this machine, in a folder of its own.
struct LocalScheduler {
  std::string engine, script, folder_variable, list;

  friend std::ostream& operator<<(std::ostream& out, const LocalScheduler& scheduler) {
    return out << scheduler.engine;
  }
};

class SweepArray : public SweepCommand, public testing::WithParamInterface<LocalScheduler> {
 protected:
  [[nodiscard]] std::string script() const {
    return GetParam().folder_variable + "=" + path("scheduler") + " scripts/lib/" +
           GetParam().script;
  }
  [[nodiscard]] std::string engine() const { return "--engine " + GetParam().engine; }
  // Starts it, for all programs from now on: `export NAME=VALUE NAME=VALUE`, line by line.
  void start() const {
    std::istringstream words{shell(script() + " start").text};
    bool any = false;
    for (std::string word; words >> word;) {
      const std::size_t sign = word.find('=');
      if (sign == std::string::npos) continue;
      setenv(word.substr(0, sign).c_str(), word.substr(sign + 1).c_str(), 1);
      any = true;
    }
    ASSERT_TRUE(any);
  }
};

TEST_P(SweepArray, GivesTheSameBytesAsChildProcesses) {
  write(
      "seeds = 25\n[[axis]]\nname = \"memory\"\nkey = \"switch.tor.pool.lossless.size\"\n"
      "values = [\"12 MB\", \"3 MB\", \"8 MB\", \"10 MB\"]\n");
  ASSERT_EQ(sweep("local").exit_code, 1);
  const Outcome outcome = shell(script() + " run " + program() + " sweep " + path("s.toml") + " " +
                                engine() + " --tasks 8 --jobs 2 --quiet --out " + path("array"));
  EXPECT_EQ(outcome.exit_code, 1) << outcome.text;
  EXPECT_NE(outcome.text.find("100 of 100 points; 25 failed"), std::string::npos) << outcome.text;
  EXPECT_EQ(text_of(at("local") / "sweep.sqlite"), text_of(at("array") / "sweep.sqlite"));
}

TEST_P(SweepArray, IsResumedWhenItsCollectorIsKilled) {
  write("seeds = 200\n", "500 us");
  ASSERT_EQ(sweep("local").exit_code, 0);
  start();
  kill_after("array", 3, engine() + " --tasks 4");
  const int before = std::atoi(query("array", "SELECT count(*) FROM runs").c_str());
  const Outcome resumed = sweep("array", engine() + " --tasks 4 --quiet --resume");
  EXPECT_EQ(resumed.exit_code, 0) << resumed.text;
  EXPECT_NE(
      resumed.text.find("200 of 200 points, " + std::to_string(before) + " of them from before"),
      std::string::npos)
      << resumed.text;
  EXPECT_EQ(text_of(at("local") / "sweep.sqlite"), text_of(at("array") / "sweep.sqlite"));
  // A task ends some time after its last point.
  for (int i = 0; i < 100 && !shell(GetParam().list).text.empty(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds{200});
  EXPECT_EQ(shell(GetParam().list).text, "") << "the array that was left is cancelled";
  static_cast<void>(shell(script() + " stop"));
}

INSTANTIATE_TEST_SUITE_P(
    Of, SweepArray,
    testing::Values(LocalScheduler{"slurm", "slurm-local", "WEIR_SLURM_DIR", "squeue --noheader"},
                    LocalScheduler{"sge", "grid-engine-local", "WEIR_SGE_DIR", "qstat"}),
    [](const testing::TestParamInfo<LocalScheduler>& row) { return row.param.engine; });

}  // namespace
}  // namespace weir::sweep_command_test
