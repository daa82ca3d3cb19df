// SPDX-License-Identifier: Apache-2.0
// What the commands do to files that are there: earlier results, inputs, pipes, links.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <thread>
#include <vector>

#include "support/killed.hpp"
#include "support/program.hpp"

namespace weir::output_command_test {
namespace {

namespace fs = std::filesystem;
using test::Outcome;
using test::text_of;

class OutputCommand : public test::InFolder {
 protected:
  static constexpr const char* scenario = "vectors/scenarios/incast_star16_dt_trident2.toml";

  static Outcome weir(const std::string& arguments) {
    return test::shell("'" + test::program() + "' " + arguments);
  }
  // A run that is too short for the checks of its scenario: 1 is good.
  [[nodiscard]] Outcome run(const std::string& out, const std::string& more = "") const {
    return weir("run " + std::string{scenario} + " --until '20 us' --quiet --out '" + at(out) +
                "' " + more);
  }
  [[nodiscard]] std::vector<std::string> entries(const std::string& folder = "") const {
    std::vector<std::string> names;
    for (const fs::directory_entry& entry : fs::directory_iterator(at(folder)))
      names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    return names;
  }
  void expect_refused(const Outcome& outcome, const std::string& words) const {
    EXPECT_EQ(outcome.exit_code, 2) << outcome.text;
    EXPECT_TRUE(outcome.says(words)) << outcome.text;
    EXPECT_EQ(std::count(outcome.text.begin(), outcome.text.end(), '\n'), 1) << outcome.text;
  }
};

using Names = std::vector<std::string>;

// glibc fills freed memory with bytes that are no pointer.
TEST_F(OutputCommand, ARunReadsNoFreedMemory) {
  for (const char* fill : {"1", "165"}) {
    const Outcome outcome =
        test::shell(std::string{"MALLOC_PERTURB_="} + fill + " '" + test::program() + "' run " +
                    scenario + " --until '20 us' --events all --quiet --out '" + at("o") + "'");
    EXPECT_EQ(outcome.exit_code, 1) << fill << outcome.text;
  }
}

TEST_F(OutputCommand, APageGoesThroughAPipeAndALink) {
  ASSERT_EQ(run("o").exit_code, 1);
  ASSERT_EQ(mkfifo(at("pipe").c_str(), 0666), 0);
  std::string page;
  std::thread reader{[&] { page = test::shell("timeout 20 cat '" + at("pipe") + "'").text; }};
  EXPECT_EQ(weir("report '" + at("o") + "' --out '" + at("pipe") + "'").exit_code, 0);
  reader.join();
  EXPECT_TRUE(page == text_of(at("o/report.html")));
  EXPECT_TRUE(fs::is_fifo(at("pipe"))) << "the pipe is still one";
  fs::create_symlink("far.html", at("link"));
  const std::string compare = "compare '" + at("o") + "' '" + at("o") + "' --html '";
  EXPECT_EQ(weir(compare + at("link") + "'").exit_code, 0);
  EXPECT_TRUE(fs::is_symlink(at("link")));
  EXPECT_GT(text_of(at("far.html")).size(), 1000U);
}

// What an output may find in its place, put there by another user.
enum class Found : std::uint8_t { pipe, link, link_ahead, full, folder };
constexpr std::array<Found, 4> no_folder{Found::pipe, Found::link, Found::link_ahead, Found::full};

void put(Found found, const std::string& place, const std::string& victim) {
  fs::remove_all(place);
  fs::remove(victim);
  if (found != Found::link_ahead) std::ofstream{victim} << "precious";
  switch (found) {
    case Found::pipe:
      ASSERT_EQ(mkfifo(place.c_str(), 0666), 0);
      break;
    case Found::link:
    case Found::link_ahead:
      fs::create_symlink(victim, place);
      break;
    case Found::full:
      fs::create_symlink("/dev/full", place);
      break;
    case Found::folder:
      fs::create_directory(place);
      break;
  }
}

// Of a name that the program has chosen.
TEST_F(OutputCommand, WhatAnotherHasPutInThePlaceOfAnOutputIsReplacedAndNotFollowed) {
  std::ofstream{at("s.toml")} << "[sweep]\nname = \"s\"\nscenarios = \"" +
                                     fs::absolute(scenario).string() +
                                     "\"\nseeds = 1\n[[axis]]\nname = \"alpha\"\n"
                                     "key = \"switch.tor.profile.lossless.alpha\"\n"
                                     "values = [\"1/64\", \"1/4\"]\n[[axis]]\nname = \"pool\"\n"
                                     "key = \"switch.tor.pool.lossless.size\"\n"
                                     "values = [\"12 MB\", \"8 MB\"]\n"
                                     "[goal]\nlossless_drops = 0\n"
                                     "[pareto]\nminimize = [\"pause_time\", \"peak_shared\"]\n"
                                     "[set]\n\"scenario.until\" = \"100 us\"\n";
  ASSERT_EQ(run("o").exit_code, 1);
  const auto quoted = [&](const std::string& name) { return "'" + at(name) + "'"; };
  const std::string sweep = "sweep " + quoted("s.toml") + " --quiet --out ";
  ASSERT_EQ(weir(sweep + quoted("done") + " --pictures " + quoted("p")).exit_code, 0);
  ASSERT_FALSE(entries("p").empty());
  const std::string picture = "p/" + entries("p").front();
  const std::string a_run = "run " + std::string{scenario} + " --until '20 us' --quiet --out ";
  struct Output {
    std::string place, command;
  };
  for (const Output& output :
       std::vector<Output>{{"o/report.html", "report " + quoted("o")},
                           {"done/report.html", "report " + quoted("done")},
                           {picture, "report " + quoted("done") + " --pictures " + quoted("p")},
                           {"done/run.json", sweep + quoted("done") + " --resume"},
                           {"done/report.html", sweep + quoted("done") + " --resume"},
                           {"fresh/plan.json", sweep + quoted("fresh") + " --plan --yes"},
                           {"fresh/sweep.sqlite", sweep + quoted("fresh")},
                           {"fresh/run.json", sweep + quoted("fresh")},
                           {"results/summary.json", a_run + quoted("results")},
                           {"results/report.html", a_run + quoted("results")},
                           {"w.gtkw", a_run + quoted("r") + " --wave " + quoted("w.vcd")}}) {
    fs::create_directories(fs::path{at(output.place)}.parent_path());
    for (const Found found : no_folder) {
      SCOPED_TRACE(output.command + ", " + std::to_string(static_cast<int>(found)));
      put(found, at(output.place), at("victim"));
      const Outcome outcome =
          test::shell("timeout --signal=KILL 60 '" + test::program() + "' " + output.command);
      EXPECT_TRUE(outcome.exit_code == 0 || outcome.exit_code == 1) << outcome.text;
      EXPECT_EQ(text_of(at("victim")), found == Found::link_ahead ? "" : "precious");
      EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(at(output.place))));
    }
    put(Found::folder, at(output.place), at("victim"));
    const Outcome outcome = weir(output.command);
    const bool cleared = output.place.rfind("fresh", 0) == 0;  // what earlier sweeps have left
    EXPECT_EQ(outcome.exit_code == 2 || outcome.exit_code == 3, !cleared) << outcome.text;
    EXPECT_EQ(fs::is_directory(at(output.place)), !cleared) << output.command;
    fs::remove_all(at(output.place));
  }
}

// Of a name that the user has typed.
TEST_F(OutputCommand, ANamedOutputFollowsALinkAndNamesWhatItCannotWrite) {
  ASSERT_EQ(run("o").exit_code, 1);
  ASSERT_EQ(run("captured", "--pcap-frames all --pcap '" + at("c.pcapng") + "'").exit_code, 1);
  std::ofstream{at("s.toml")} << "[sweep]\nname = \"s\"\nscenarios = \"" +
                                     fs::absolute(scenario).string() +
                                     "\"\nseeds = 1\n[set]\n\"scenario.until\" = \"20 us\"\n";
  const std::string o = " '" + at("o") + "' ", a_run = "run " + std::string{scenario} +
                                                       " --until '20 us' --quiet --out '" +
                                                       at("r") + "' ";
  for (const std::string& command : std::vector<std::string>{
           "report" + o + "--out", "compare" + o + o + "--html",
           "sweep '" + at("s.toml") + "' --quiet --out '" + at("s") + "' --csv",
           "pfc '" + at("c.pcapng") + "' --rate '40 Gbps' --html", a_run + "--wave",
           a_run + "--pcap", a_run + "--timeline", a_run + "--log-level debug --log-file",
           "probe --qos-params vectors/sonic/traditional_40g --out"}) {
    const std::string place = at("x.vcd");
    const auto with = [&](const std::string& name) {
      return test::shell("timeout --signal=KILL 60 '" + test::program() + "' " + command + " '" +
                         name + "'");
    };
    SCOPED_TRACE(command);
    put(Found::link, place, at("victim"));
    const Outcome linked = with(place);
    EXPECT_TRUE(linked.exit_code == 0 || linked.exit_code == 1) << linked.text;
    EXPECT_TRUE(fs::is_symlink(place));
    EXPECT_NE(text_of(at("victim")), "precious");
    put(Found::full, place, at("victim"));
    const Outcome full = with(place);
    EXPECT_EQ(full.exit_code, 3) << full.text;
    EXPECT_TRUE(full.says("No space left on device")) << full.text;
    EXPECT_EQ(std::count(full.text.begin(), full.text.end(), '\n'), 1) << full.text;
    put(Found::folder, place, at("victim"));
    expect_refused(with(place), "this is a directory");
    fs::remove_all(place);
    expect_refused(with("/proc/x.vcd"), "/proc/x.vcd");
    expect_refused(with(at("missing/x.vcd")), "missing/x.vcd");
  }
}

TEST_F(OutputCommand, APipeWithoutAReaderIsAnErrorAndNoWaitForEver) {
  ASSERT_EQ(run("o").exit_code, 1);
  ASSERT_EQ(mkfifo(at("p").c_str(), 0666), 0);
  expect_refused(test::shell("timeout --signal=KILL 60 '" + test::program() + "' report '" +
                             at("o") + "' --out '" + at("p") + "'"),
                 "without a reader");
  // Signals are noted by then.
  const Outcome ended = test::shell("timeout --signal=TERM --kill-after=5 1 '" + test::program() +
                                    "' run " + scenario + " --quiet --out '" + at("r") +
                                    "' --timeline '" + at("p") + "'; test $? = 124");
  EXPECT_EQ(ended.exit_code, 0) << ended.text;
  EXPECT_EQ(entries(), (Names{"o", "p"}));
}

TEST_F(OutputCommand, TracesMayBeInTheResultFolderAndLaterRunsReplaceThem) {
  const std::string traces = "--wave '" + at("o/x.fst") + "' --timeline '" + at("o/deep/t.json") +
                             "' --log-file '" + at("o/log") + "' --pcap '" + at("o/p.pcapng") + "'";
  for (const char* const which : {"into a new folder", "over an earlier one"}) {
    const Outcome outcome = run("o", traces);
    ASSERT_EQ(outcome.exit_code, 1) << which << ": " << outcome.text;
    EXPECT_EQ(entries("o"), (Names{"deep", "events.sqlite", "log", "p.pcapng", "report.html",
                                   "report.json", "run.json", "summary.json", "x.fst", "x.gtkw"}))
        << which;
    EXPECT_GT(fs::file_size(at("o/deep/t.json")), 100U);
  }
  ASSERT_EQ(run("o").exit_code, 1);
  EXPECT_EQ(entries("o"),
            (Names{"events.sqlite", "report.html", "report.json", "run.json", "summary.json"}));
  EXPECT_EQ(entries(), Names{"o"});
}

TEST_F(OutputCommand, WhatNoRunHasWrittenKeepsAFolderFromBeingReplaced) {
  ASSERT_EQ(run("o", "--wave '" + at("o/x.fst") + "'").exit_code, 1);
  fs::copy_file(scenario, at("o/mine.toml"));
  expect_refused(run("o"), "mine.toml");
  EXPECT_TRUE(fs::exists(at("o/x.fst")));
}

TEST_F(OutputCommand, AnOutputThatWouldOverwriteAnInputIsRefused) {
  fs::copy("vectors", at("vectors"), fs::copy_options::recursive);
  const std::string own = at(scenario), text = text_of(own);
  const std::string command = "run '" + own + "' --until '20 us' --quiet --out '" + at("o") + "' ";
  for (const std::string option : {"--timeline", "--log-file", "--pcap"}) {
    expect_refused(weir(command + option + " '" + own + "'"), option);
    EXPECT_EQ(text_of(own), text) << option;
  }
  std::size_t chips = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(at("vectors/chips"))) {
    if (text.find(entry.path().filename().string()) == std::string::npos) continue;
    const std::string before = text_of(entry.path());
    expect_refused(weir(command + "--log-file '" + entry.path().string() + "'"), "--log-file");
    EXPECT_EQ(text_of(entry.path()), before);
    ++chips;
  }
  EXPECT_EQ(chips, 1U) << "that of the scenario";
  ASSERT_EQ(run("a").exit_code, 1);
  const std::string summary = text_of(at("a/summary.json"));
  expect_refused(
      weir("compare '" + at("a") + "' '" + at("a") + "' --html '" + at("a/summary.json") + "'"),
      "--html");
  expect_refused(weir("report '" + at("a") + "' --out '" + at("a/summary.json") + "'"), "--out");
  EXPECT_EQ(text_of(at("a/summary.json")), summary);
  // Whole results: what the command does not look at as well.
  for (const std::string file : {"report.html", "run.json", "events.sqlite"}) {
    const std::string before = text_of(at("a/" + file));
    expect_refused(
        weir("compare '" + at("a") + "' '" + at("a") + "' --html '" + at("a/" + file) + "'"),
        "--html");
    EXPECT_TRUE(text_of(at("a/" + file)) == before) << file;
  }
  EXPECT_EQ(weir("report '" + at("a") + "' --out '" + at("a/report.html") + "'").exit_code, 0);
  expect_refused(test::shell("cd '" + at("vectors/scenarios") + "' && '" +
                             fs::absolute(test::program()).string() +
                             "' run - --until '20 us' --quiet --out '" + at("o") +
                             "' --timeline '" + own + "' < '" + own + "'"),
                 "--timeline");
  EXPECT_EQ(text_of(own), text);
  const std::string sonic = at("vectors/sonic/traditional_40g");
  for (const fs::directory_entry& entry : fs::directory_iterator(sonic)) {
    const std::string before = text_of(entry.path());
    expect_refused(weir("probe --qos-params '" + sonic + "' --out '" + entry.path().string() + "'"),
                   "--out");
    EXPECT_EQ(text_of(entry.path()), before);
  }
  fs::create_directories(at("own"));
  std::ofstream{at("own/sweep.json")}
      << R"({"sweep": {"name": "s", "scenarios": ")" + fs::absolute(scenario).string() +
             R"(", "seeds": 1}, "set": {"scenario.until": "20 us"}})";
  expect_refused(
      weir("sweep '" + at("own/sweep.json") + "' --quiet --yes --out '" + at("own") + "'"),
      "--out");
  EXPECT_TRUE(fs::exists(at("own/sweep.json")));
  const std::string sweep = at("vectors/sweeps/alpha_star16_dt_trident2.toml");
  const std::string swept = text_of(sweep);
  expect_refused(weir("sweep '" + sweep + "' --out '" + at("s") + "' --csv '" + sweep + "'"),
                 "--csv");
  EXPECT_EQ(text_of(sweep), swept);
  EXPECT_FALSE(fs::exists(at("s")));
}

TEST_F(OutputCommand, TwoOutputsOfOneNameAreRefused) {
  expect_refused(run("o", "--timeline '" + at("f") + "' --pcap '" + at("f") + "'"), "--timeline");
  expect_refused(run("o", "--wave '" + at("x.fst") + "' --log-file '" + at("x.gtkw") + "'"),
                 "--log-file");
  expect_refused(run("o", "--timeline '" + at("o/summary.json") + "'"), "--timeline");
  EXPECT_EQ(entries(), Names{});
}

TEST_F(OutputCommand, ARunThatIsKilledAtARenameLeavesOldOrNewResults) {
  ASSERT_EQ(run("o", "--seed 1").exit_code, 1);
  const std::string old = text_of(at("o/summary.json"));
  ASSERT_EQ(run("other", "--seed 2").exit_code, 1);
  const std::string fresh = text_of(at("other/summary.json"));
  ASSERT_NE(old, fresh);
  fs::remove_all(at("other"));
  for (std::size_t n = 0;; ++n) {
    const bool ended = test::ends_before_call(n, test::any_rename, [&] {
      close(1);
      execl(test::program().c_str(), "weir", "run", scenario, "--until", "20 us", "--quiet",
            "--seed", "2", "--out", at("o").c_str(), nullptr);
      _exit(99);
    });
    const std::string found = text_of(at("o/summary.json"));
    ASSERT_TRUE(found == old || found == fresh) << "killed at rename " << n;
    ASSERT_LT(n, 100U);
    if (ended) break;
  }
  EXPECT_EQ(text_of(at("o/summary.json")), fresh);
  EXPECT_EQ(entries(), Names{"o"}) << "drafts of killed runs are gone";
}

// A stage of a run begins with such a call: what is read, the end of elaboration (signals are noted
// from there on), drafts, libraries, results, their name.
bool begins_a_stage(std::uint64_t number) {
#ifdef SYS_mkdir
  if (number == SYS_mkdir) return true;
#endif
  return number == SYS_openat || number == SYS_mkdirat || number == SYS_rt_sigaction ||
         test::any_rename(number);
}

// Before the first event there is nothing to keep: the signal ends the program on the spot, and
// what was there stays. From then on the results until then are written.
TEST_F(OutputCommand, ASignalAtAnyStageOfARunLeavesOldOrWholeResults) {
  constexpr std::array<int, 3> signals{SIGTERM, SIGINT, SIGHUP};
  for (const int sent : signals) {
    ASSERT_EQ(run("o", "--seed 1").exit_code, 1);
    const std::string old = text_of(at("o/summary.json"));
    std::size_t killed = 0, of_no_time = 0, whole = 0;
    for (bool got_it = true; got_it;) {
      const std::size_t n = killed + of_no_time + whole;
      SCOPED_TRACE(strsignal(sent) + std::string{" at stage "} + std::to_string(n));
      const test::Signalled end = test::with_signal_at_call(n, begins_a_stage, sent, [&] {
        if (freopen("/dev/null", "w", stdout) == nullptr) _exit(98);
        for (const int signal : signals) std::signal(signal, SIG_DFL);
        execl(test::program().c_str(), "weir", "run", scenario, "--until", "20 us", "--quiet",
              "--seed", "2", "--out", at("o").c_str(), nullptr);
        _exit(99);
      });
      got_it = end.got_it;
      ASSERT_EQ(entries(), Names{"o"});
      const std::string found = text_of(at("o/summary.json"));
      if (WIFSIGNALED(end.status)) {
        ASSERT_EQ(WTERMSIG(end.status), sent);
        ASSERT_TRUE(found == old) << "the earlier results are replaced";
        ASSERT_EQ(whole + of_no_time, 0U) << "once it is noted, a signal keeps results";
        ++killed;
        continue;
      }
      const nlohmann::json summary = nlohmann::json::parse(found);
      const bool interrupted = summary.at("interrupted").get<bool>();
      ASSERT_EQ(WEXITSTATUS(end.status), interrupted ? 128 + sent : 1);
      ASSERT_EQ(summary.at("seed"), 2);
      ASSERT_EQ(summary.at("time_ps"), interrupted ? 0 : 20'000'000);
      ASSERT_EQ(weir("report '" + at("o") + "'").exit_code, 0);
      ++(interrupted ? of_no_time : whole);
    }
    EXPECT_GT(killed, 5U);
    EXPECT_GT(of_no_time, 1U) << "a signal between elaboration and the first event";
    EXPECT_GT(whole, 1U) << "a signal after the last event";
  }
}

// Tests that count calls of the program: its sanitizers make calls of their own between them.
#ifdef __SANITIZE_ADDRESS__
constexpr bool calls_are_its_own = false;
#else
constexpr bool calls_are_its_own = true;
#endif

bool asks_for_memory(std::uint64_t number) { return number == SYS_brk || number == SYS_mmap; }

bool sets_a_signal(std::uint64_t number) { return number == SYS_rt_sigaction; }

bool makes_a_folder(std::uint64_t number) {
#ifdef SYS_mkdir
  if (number == SYS_mkdir) return true;
#endif
  return number == SYS_mkdirat;
}

// To build and to elaborate a network of thousands of hosts takes seconds, in which nothing looks
// at a signal that is noted: it must end the program by itself until the first file is made.
TEST_F(OutputCommand, ASignalWhileALargeNetworkIsBuiltEndsTheRunAtOnce) {
  if (!calls_are_its_own) GTEST_SKIP();
  const auto run = [&] {
    if (freopen("/dev/null", "w", stdout) == nullptr) _exit(98);
    std::signal(SIGTERM, SIG_DFL);
    execl(test::program().c_str(), "weir", "run",
          "vectors/scenarios/permutation_clos1152_dt_trident2.toml", "--quiet", "--out",
          at("o").c_str(), nullptr);
    _exit(99);
  };
  // Calls until the first file is made. How much is built between two of them is what they ask for.
  std::size_t signals = 0, calls = 0, calls_once_noted = 0;
  constexpr std::size_t own_and_of_main = 2;  // before those that note signals
  const test::CountedCall first_file = [&](std::uint64_t number) {
    if (sets_a_signal(number)) ++signals;
    if (asks_for_memory(number)) ++(own_and_of_main < signals ? calls_once_noted : calls);
    return makes_a_folder(number);
  };
  ASSERT_TRUE(test::with_signal_at_call(0, first_file, SIGKILL, run).got_it);
  ASSERT_GT(signals, own_and_of_main) << "signals are noted before the first file";
  EXPECT_LT(calls_once_noted, calls / 20) << "nothing large is built once signals are noted";
  ASSERT_GT(calls, 100U) << "a network that is large enough";
  for (const std::size_t n : {calls / 2, calls * 3 / 4, calls * 9 / 10}) {
    const test::Signalled end = test::with_signal_at_call(n, asks_for_memory, SIGTERM, run);
    ASSERT_TRUE(end.got_it);
    EXPECT_TRUE(WIFSIGNALED(end.status)) << "call for memory " << n << " of " << calls;
    EXPECT_EQ(entries(), Names{}) << n;
  }
}

// Which takes longer than to build the network: the first calls that write are those of names.
TEST_F(OutputCommand, ASignalWhileTheNamesOfALargeWaveformAreWrittenEndsTheRun) {
  if (!calls_are_its_own) GTEST_SKIP();
  const auto writes = [](std::uint64_t number) { return number == SYS_write; };
  const test::Signalled end = test::with_signal_at_call(2, writes, SIGTERM, [&] {
    if (freopen("/dev/null", "w", stdout) == nullptr) _exit(98);
    std::signal(SIGTERM, SIG_DFL);
    execl(test::program().c_str(), "weir", "run",
          "vectors/scenarios/permutation_clos1152_dt_trident2.toml", "--quiet", "--out",
          at("o").c_str(), "--wave", at("x.fst").c_str(), nullptr);
    _exit(99);
  });
  ASSERT_TRUE(end.got_it);
  EXPECT_TRUE(WIFEXITED(end.status));
  EXPECT_EQ(WEXITSTATUS(end.status), 128 + SIGTERM);
  EXPECT_EQ(entries(), Names{}) << "no waveform without all names, and no results of 0 ps";
}

TEST_F(OutputCommand, AFullDiskUnderTheScreenIsAnErrorOfOneLine) {
  ASSERT_EQ(run("o").exit_code, 1);
  for (const std::string& command :
       {std::string{"--version"}, std::string{"--help"}, "lint " + std::string{scenario},
        "report '" + at("o") + "'", "compare '" + at("o") + "' '" + at("o") + "'",
        "run " + std::string{scenario} + " --until '20 us' --quiet --out '" + at("o") + "'",
        "run " + std::string{scenario} + " --until '20 us' --quiet --json --out '" + at("o") +
            "'"}) {
    const Outcome outcome = weir(command + " >/dev/full");
    EXPECT_EQ(outcome.exit_code, 3) << command;
    EXPECT_EQ(std::count(outcome.text.begin(), outcome.text.end(), '\n'), 1) << outcome.text;
    EXPECT_TRUE(outcome.says("standard output cannot be written")) << command << outcome.text;
  }
}

// Without a signal that ends the program before it says why.
TEST_F(OutputCommand, AFileThatTheShellLimitsIsAnErrorOfOneLine) {
  for (const std::string& more : {std::string{}, "--wave '" + at("x.fst") + "'"})
    for (const std::string blocks : {"1", "40"}) {
      const Outcome outcome =
          test::shell("ulimit -f " + blocks + "; '" + test::program() + "' run " + scenario +
                      " --until '300 us' --quiet --out '" + at("o") + "' " + more);
      EXPECT_EQ(outcome.exit_code, 3) << blocks << more << outcome.text;
      EXPECT_EQ(std::count(outcome.text.begin(), outcome.text.end(), '\n'), 1) << outcome.text;
      EXPECT_EQ(entries(), Names{}) << blocks << more;
    }
}

TEST_F(OutputCommand, APipeWhoseReaderEndsIsAnErrorOfOneLine) {
  ASSERT_EQ(mkfifo(at("p").c_str(), 0666), 0);
  for (const std::string option : {"--pcap-frames all --pcap", "--timeline"}) {
    std::thread reader{[&] { test::shell("timeout 20 head -c 1 '" + at("p") + "'"); }};
    const Outcome outcome = weir("run " + std::string{scenario} + " --events all --quiet --out '" +
                                 at("o") + "' " + option + " '" + at("p") + "'");
    reader.join();
    EXPECT_EQ(outcome.exit_code, 3) << option << outcome.text;
    EXPECT_EQ(std::count(outcome.text.begin(), outcome.text.end(), '\n'), 1) << outcome.text;
    EXPECT_EQ(entries(), Names{"p"}) << option;
  }
}

TEST_F(OutputCommand, AnEmptyValueIsNotTheDefault) {
  std::ofstream{at("s.toml")} << "[sweep]\nname = \"s\"\nscenarios = \"" +
                                     fs::absolute(scenario).string() + "\"\n";
  const std::string run = "run " + std::string{scenario} + " --out '" + at("o") + "' ";
  for (const std::string& command : std::vector<std::string>{
           "run " + std::string{scenario} + " --out ''", run + "--until ''", run + "--log-file ''",
           run + "--wave ''", run + "--set ''", "sweep '" + at("s.toml") + "' --out ''",
           "sweep '" + at("s.toml") + "' --out '" + at("s") + "' --csv ''",
           "import sonic vectors/sonic/traditional_40g --out ''", "lint ''"})
    expect_refused(weir(command), "must not be empty");
  EXPECT_EQ(entries(), Names{"s.toml"});
}

#ifndef __SANITIZE_ADDRESS__  // which takes terabytes of addresses
// Each step of the program is where memory ends at some limit; some 1.5 MB after the first good run
// all are good.
TEST_F(OutputCommand, ALackOfMemoryOrThreadsIsAnErrorOfOneLine) {
  struct Steps {
    const char* arguments;
    int first, step, last;  // kB
  };
  unsigned without_memory = 0;
  for (const Steps& steps :
       {Steps{"permutation_clos1152_dt_trident2 --until '40 us'", 25'000, 5'000, 50'000},
        Steps{"permutation_clos1152_dt_trident2 --until '40 us'", 75'000, 25'000, 100'000},
        Steps{"incast_star4_dt_late_xoff", 25'000, 5'000, 40'000},
        Steps{"incast_star4_dt_late_xoff", 44'000, 250, 50'000}}) {
    int until = steps.last;
    for (int limit = steps.first; limit <= until; limit += steps.step) {
      const Outcome outcome =
          test::shell("ulimit -v " + std::to_string(limit) + "; '" + test::program() + "' run " +
                      steps.arguments + " --quiet --out '" + at("o") + "'");
      if (outcome.exit_code == 127) continue;  // the program's libraries are not loaded
      if (outcome.exit_code <= 1) {            // 1: an [expect] for the whole run
        fs::remove_all(at("o"));
        until = std::min(until, limit + 1'500);
        continue;
      }
      EXPECT_EQ(outcome.exit_code, 3) << limit << outcome.text;
      EXPECT_EQ(std::count(outcome.text.begin(), outcome.text.end(), '\n'), 1) << outcome.text;
      const bool memory = outcome.says("out of memory: take a smaller network");
      EXPECT_TRUE(memory || outcome.says("no thread can be started: ")) << outcome.text;
      if (memory) ++without_memory;
      EXPECT_EQ(entries(), Names{}) << limit;
    }
  }
  EXPECT_NE(without_memory, 0U);
}
#endif

TEST_F(OutputCommand, TooManyOpenFilesAreNamedAndLeaveNothing) {
  std::ofstream{at("s.toml")} << "[sweep]\nname = \"s\"\nscenarios = \"" +
                                     fs::absolute(scenario).string() +
                                     "\"\nseeds = 2\n[set]\n\"scenario.until\" = \"20 us\"\n";
  unsigned named = 0;
  for (int files = 4; files <= 14; ++files) {
    const std::string out = at("s" + std::to_string(files));
    const Outcome outcome =
        test::shell("ulimit -n " + std::to_string(files) + "; '" + test::program() + "' sweep '" +
                    at("s.toml") + "' --quiet --out '" + out + "'");
    if (outcome.exit_code == 0) continue;
    if (outcome.exit_code == 127) continue;  // the program's libraries are not loaded
    EXPECT_TRUE(outcome.exit_code == 1 || outcome.exit_code == 2 || outcome.exit_code == 3)
        << files << ": " << outcome.text;
    if (outcome.says("Too many open files")) ++named;
    if (outcome.exit_code == 2) {
      EXPECT_FALSE(fs::exists(out)) << files << " files: " << outcome.text;
    }
    EXPECT_FALSE(outcome.says("check its permissions")) << outcome.text;
  }
  EXPECT_GT(named, 0U);
}

TEST_F(OutputCommand, ALongRunsEventsStayBelowTheirLimitAndWhatIsMissingIsSaid) {
  const std::string run = "run " + std::string{scenario} + " --until '60 ms' --events all --out '" +
                          at("o") + "' --events-limit ";
  const Outcome outcome = weir(run + "'16 MB'");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text;
  EXPECT_TRUE(outcome.says("events.sqlite leaves out ")) << outcome.text;
  EXPECT_LT(fs::file_size(at("o/events.sqlite")), 17'000'000U);
  EXPECT_NE(text_of(at("o/run.json")).find("events.sqlite leaves out "), std::string::npos);
  for (const char* const value : {"15 MB", "16", "-1 GB"})
    expect_refused(weir(run + "'" + value + "'"), "--events-limit = ");
}

// The element of a page that says what it may load and run.
std::string policy_of(const std::string& page) {
  const std::size_t at = page.find("<meta http-equiv=\"Content-Security-Policy\"");
  return at == std::string::npos ? "" : page.substr(at, page.find('>', at) - at);
}

TEST_F(OutputCommand, AllPagesHaveOnePolicyThatRunsNoScriptButOurs) {
  ASSERT_EQ(run("o").exit_code, 1);
  const std::string o = "'" + at("o") + "'";
  ASSERT_EQ(weir("compare " + o + " " + o + " --html '" + at("compare.html") + "'").exit_code, 0);
  std::ofstream{at("s.toml")} << "[sweep]\nname = \"s\"\nscenarios = \"" +
                                     fs::absolute(scenario).string() +
                                     "\"\nseeds = 1\n[set]\n\"scenario.until\" = \"20 us\"\n";
  ASSERT_EQ(weir("sweep '" + at("s.toml") + "' --quiet --out '" + at("s") + "'").exit_code, 0);
  const std::string policy = policy_of(text_of(at("o/report.html")));
  EXPECT_NE(policy.find("default-src 'none'"), std::string::npos) << policy;
  EXPECT_NE(policy.find("script-src 'sha256-"), std::string::npos) << policy;
  EXPECT_EQ(policy.find("script-src 'unsafe-inline'"), std::string::npos) << policy;
  for (const char* const file : {"compare.html", "s/report.html"}) {
    const std::string page = text_of(at(file));
    EXPECT_EQ(policy_of(page), policy) << file;
    EXPECT_EQ(page.find(" onclick="), std::string::npos) << file;
  }
}

TEST_F(OutputCommand, AFileOfASweepThatCannotBeWrittenIsAnError) {
  fs::create_directories(at("s/run.json"));
  std::ofstream{at("s.toml")} << "[sweep]\nname = \"s\"\nscenarios = \"" +
                                     fs::absolute(scenario).string() +
                                     "\"\nseeds = 1\n[set]\n\"scenario.until\" = \"20 us\"\n";
  const Outcome outcome = weir("sweep '" + at("s.toml") + "' --quiet --out '" + at("s") + "'");
  EXPECT_EQ(outcome.exit_code, 3) << outcome.text;
  EXPECT_TRUE(outcome.says("run.json")) << outcome.text;
}

}  // namespace
}  // namespace weir::output_command_test
