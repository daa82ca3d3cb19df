// SPDX-License-Identifier: Apache-2.0
// What the commands do to files that are there: earlier results, inputs, pipes, links.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <thread>
#include <vector>

#include "support/killed.hpp"
#include "support/program.hpp"

namespace weir {
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
}  // namespace weir
