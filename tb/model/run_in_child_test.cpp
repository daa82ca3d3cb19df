// SPDX-License-Identifier: Apache-2.0
#include "weir/model/probe/run_in_child.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <systemc>

#include "weir/config/format/node.hpp"
#include "weir/core/errors.hpp"

namespace weir::run_in_child_test {
namespace {

// A simulation of its own with one process, which calls `what` at `time` ns.
class OneProcess : public sc_core::sc_module {
 public:
  OneProcess(const sc_core::sc_module_name& name, double time, std::function<void()> what)
      : sc_core::sc_module{name}, what_{std::move(what)} {
    SC_HAS_PROCESS(OneProcess);
    SC_METHOD(act);
    dont_initialize();
    sensitive << event_;
    event_.notify(time, sc_core::SC_NS);
  }

 private:
  void act() { what_(); }
  sc_core::sc_event event_;
  std::function<void()> what_;
};

// Error of run_in_child() for `job`, with its type in front.
std::string error_of(const ChildJob& job) {
  try {
    return "none: " + run_in_child(job);
  } catch (const FileError& error) {
    return std::string{"FileError: "} + error.what();
  } catch (const ConfigError& error) {
    return std::string{"ConfigError: "} + error.what();
  } catch (const ModelError& error) {
    return std::string{"ModelError: "} + error.what();
  }
}

TEST(RunInChild, ReturnsWhatTheJobReturnsByteForByte) {
  std::string bytes(300'000, 'x');  // more than a pipe holds
  bytes[5] = '\0';
  bytes[7] = ':';
  EXPECT_EQ(run_in_child([&] { return bytes; }), bytes);
  EXPECT_EQ(run_in_child([] { return std::string{}; }), "") << "nothing is a result too";
}

TEST(RunInChild, EachJobElaboratesItsOwnSimulation) {
  for (int run = 0; run < 3; ++run) {
    const std::string time = run_in_child([] {
      OneProcess process{"process", 5, [] {}};
      sc_core::sc_start();
      return std::to_string(sc_core::sc_time_stamp().value());
    });
    EXPECT_EQ(time, "5000") << "run " << run;
  }
}

TEST(RunInChild, ThrowsWhatTheJobThrowsWithTheSameText) {
  EXPECT_EQ(error_of([]() -> std::string {
              throw FileError({"chip.toml", 7}, "chip.cell", "\"0 B\"", "must be above zero");
            }),
            "FileError: chip.toml:7: chip.cell = \"0 B\": must be above zero");
  EXPECT_EQ(error_of([]() -> std::string { throw ConfigError("lanes", "0", "1 to 64"); }),
            "ConfigError: lanes = 0: 1 to 64");
  EXPECT_EQ(error_of([]() -> std::string { throw ModelError("S is above B"); }),
            "ModelError: S is above B");
  EXPECT_EQ(error_of([]() -> std::string { throw std::runtime_error("something else"); }),
            "ModelError: something else");
}

TEST(RunInChild, AWarningOfSystemCIsAnError) {
  const std::string error = error_of([]() -> std::string {
    SC_REPORT_WARNING("a warning", "it would be lost");
    return "went on";
  });
  EXPECT_NE(error.find("it would be lost"), std::string::npos) << error;
  EXPECT_EQ(error.substr(0, 10), "ModelError") << error;
}

TEST(RunInChild, NamesTheSignalThatKilledTheChild) {
  const std::string error = error_of([]() -> std::string {
    std::raise(SIGKILL);
    return "went on";
  });
  EXPECT_EQ(error, "ModelError: child process killed: Killed");
}

TEST(RunInChild, RefusesAProcessThatHasElaboratedAlready) {
  OneProcess process{"process", 1, [] {}};
  EXPECT_NE(error_of([] { return std::string{}; }).find("already elaborated"), std::string::npos);
}

TEST(RunInChildren, GivesResultsInTheOrderOfTheJobsNotOfTheirEnds) {
  std::vector<ChildJob> jobs;
  for (unsigned i = 0; i < 9; ++i) {
    jobs.push_back([i] {
      usleep((9 - i) * 2000);  // so that the first one ends last
      return std::to_string(i);
    });
  }
  const std::vector<ChildResult> results = run_in_children(jobs, 4);
  ASSERT_EQ(results.size(), jobs.size());
  for (std::size_t i = 0; i < results.size(); ++i) {
    EXPECT_TRUE(results[i].ok) << results[i].error;
    EXPECT_EQ(results[i].output, std::to_string(i));
    EXPECT_EQ(results[i].exit_code, 0);
  }
}

TEST(RunInChildren, OneFailureLeavesTheOthersAlone) {
  const std::vector<ChildResult> results =
      run_in_children({[] { return std::string{"first"}; },
                       []() -> std::string { throw ConfigError("k", "v", "legal"); },
                       []() -> std::string { throw ModelError("broken"); },
                       []() -> std::string {
                         std::raise(SIGTERM);
                         return "";
                       },
                       [] { return std::string{"last"}; }},
                      2);
  ASSERT_EQ(results.size(), 5U);
  EXPECT_EQ(results[0].output, "first");
  EXPECT_EQ(results[1].error, "k = v: legal");
  EXPECT_EQ(results[1].exit_code, 2) << "configuration";
  EXPECT_EQ(results[2].error, "broken");
  EXPECT_EQ(results[2].exit_code, 3) << "model error";
  EXPECT_EQ(results[3].exit_code, 128 + SIGTERM);
  EXPECT_FALSE(results[3].ok);
  EXPECT_EQ(results[4].output, "last");
}

TEST(RunInChildren, NoJobsGiveNoResults) { EXPECT_TRUE(run_in_children({}, 2).empty()); }

// Ten jobs; job 3 fails. Records the calls of `ended`, and when `next` was called.
TEST(RunChildQueue, ReportsEveryJobOnceWhileOthersStillWait) {
  std::size_t given = 0, given_at_first_end = 0;
  std::vector<std::string> reported(10, "nothing");
  ChildQueue queue;
  queue.next = [&]() -> std::optional<ChildJob> {
    if (given == reported.size()) return std::nullopt;
    const std::size_t index = given++;
    return [index]() -> std::string {
      if (index == 3) throw ConfigError("k", "v", "legal");
      return std::to_string(index);
    };
  };
  queue.ended = [&](std::size_t index, const ChildResult& result) {
    if (given_at_first_end == 0) given_at_first_end = given;
    ASSERT_LT(index, reported.size());
    EXPECT_EQ(reported[index], "nothing") << "job " << index << " ended twice";
    reported[index] = result.ok ? result.output : result.error;
  };
  run_child_queue(queue, 2);
  for (std::size_t i = 0; i < reported.size(); ++i)
    EXPECT_EQ(reported[i], i == 3 ? "k = v: legal" : std::to_string(i));
  EXPECT_LE(given_at_first_end, 4U) << "results are reported while jobs still wait";
}

TEST(RunChildQueue, StopKillsWhatRuns) {
  bool given = false;
  ChildQueue queue;
  queue.next = [&]() -> std::optional<ChildJob> {
    if (given) return std::nullopt;
    given = true;
    return []() -> std::string {
      sleep(1000);
      return "";
    };
  };
  queue.ended = [](std::size_t, const ChildResult&) { ADD_FAILURE() << "nothing ended"; };
  int asked = 0;
  queue.stop = [&] { return ++asked == 3; };
  run_child_queue(queue, 1);
  EXPECT_EQ(asked, 3);
}

}  // namespace
}  // namespace weir::run_in_child_test
