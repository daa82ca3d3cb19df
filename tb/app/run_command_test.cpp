// SPDX-License-Identifier: Apache-2.0
// Drives the built program as a user does; WEIR_PROGRAM names it.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numeric>
#include <regex>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "support/policy_overrides.hpp"

namespace weir::run_command_test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr const char* scenario = "vectors/scenarios/incast_star16_dt_trident2.toml";

std::string text_of(const fs::path& file) {
  std::ifstream in{file, std::ios::binary};
  return {std::istreambuf_iterator<char>{in}, {}};
}

struct Outcome {
  int exit_code;
  std::string out, err;
};

class RunCommand : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("weir-run-" + std::to_string(getpid()));
    fs::create_directories(folder_);
    ASSERT_NE(std::getenv("WEIR_PROGRAM"), nullptr) << "ctest names the program";
  }
  void TearDown() override { fs::remove_all(folder_); }

  [[nodiscard]] fs::path at(const std::string& name) const { return folder_ / name; }

  // Starts `weir` with `arguments`, its output in files of the test's folder.
  [[nodiscard]] pid_t start(const std::vector<std::string>& arguments) const {
    const pid_t pid = fork();
    if (pid != 0) return pid;
    const std::string out = at("stdout"), err = at("stderr");
    if (freopen(out.c_str(), "w", stdout) == nullptr ||
        freopen(err.c_str(), "w", stderr) == nullptr)
      _exit(99);
    std::vector<char*> argv{std::getenv("WEIR_PROGRAM")};
    for (const std::string& argument : arguments)
      argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    execv(argv[0], argv.data());
    _exit(98);
  }
  [[nodiscard]] Outcome wait_for(pid_t pid) const {
    int status = 0;
    waitpid(pid, &status, 0);
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
    return {code, text_of(at("stdout")), text_of(at("stderr"))};
  }
  [[nodiscard]] Outcome weir(const std::vector<std::string>& arguments) const {
    return wait_for(start(arguments));
  }
  // `weir run` of the default scenario into the folder `out`.
  [[nodiscard]] Outcome run_into(const std::string& out,
                                 const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments{"run", scenario, "--out", at(out)};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return weir(arguments);
  }
  // A usage or configuration error: exit 2, one line that contains `words`, and no output written.
  void expect_refused(const std::vector<std::string>& arguments,
                      const std::vector<std::string>& words) const {
    const Outcome outcome = weir(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << outcome.out << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    for (const std::string& word : words)
      EXPECT_NE(outcome.err.find(word), std::string::npos)
          << "no " << word << " in " << outcome.err;
    EXPECT_EQ(entries(), (std::vector<std::string>{"stderr", "stdout"})) << "something was left";
  }
  // Names in the test's folder, hidden ones too.
  [[nodiscard]] std::vector<std::string> entries() const {
    std::vector<std::string> names;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_))
      names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    return names;
  }

 private:
  fs::path folder_;
};

TEST_F(RunCommand, TheDefaultScenarioMeetsItsExpectationsAndShowsWhy) {
  const Outcome outcome = weir({"run", scenario, "--out", at("out")});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  EXPECT_EQ(outcome.err, "") << "a short run shows no progress";
  for (const char* word : {"Arista 7050QX-32", "0 lossless", "limit eta", "ok     lossless_drops",
                           "threshold T", "latency", "seed 1"})
    EXPECT_NE(outcome.out.find(word), std::string::npos) << "no " << word << " in\n" << outcome.out;
  EXPECT_LE(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 60) << "fits a screen";
  EXPECT_EQ(outcome.out.find("FAILED"), std::string::npos) << outcome.out;
}

// The numbers of a line of the screen, up to a parenthesis: "1,478 lossy, 0 before" is 1478, 0.
std::vector<std::uint64_t> numbers_in(std::string line) {
  line = line.substr(0, line.find('('));
  line.erase(std::remove(line.begin(), line.end(), ','), line.end());
  std::vector<std::uint64_t> numbers;
  std::istringstream words{line};
  for (std::string word; words >> word;)
    if (std::all_of(word.begin(), word.end(), [](unsigned char c) { return std::isdigit(c) != 0; }))
      numbers.push_back(std::stoull(word));
  return numbers;
}

// The first line of `text` that begins with `head`, without it.
std::string line_after(const std::string& head, const std::string& text) {
  const std::size_t at = ("\n" + text).find("\n" + head);
  if (at == std::string::npos) return "";
  return text.substr(at + head.size(), text.find('\n', at) - at - head.size());
}

TEST_F(RunCommand, TheScreenAccountsForEveryPacketThatWasSent) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> runs{
      {"storm_clos4_dt_switch_watchdog", {"after it"}},
      {"storm_clos4_dt_nic_watchdog", {"in hosts (nic_buffer "}},
      {"incast_star9_lossy_dcqcn",
       {"wred", "--until", "1 ms", "--set", "switch.tor.wred.ecn.drop=true", "--set",
        "traffic.incast.control=none", "--set", "traffic.incast.ecn=not_ect"}}};
  for (const auto& [name, more] : runs) {
    std::vector<std::string> arguments{"run", name, "--quiet", "--no-report", "--out", at("out")};
    arguments.insert(arguments.end(), more.begin() + 1, more.end());
    const Outcome outcome = weir(arguments);
    const std::string line = line_after("dropped", outcome.out);
    EXPECT_NE(line.find(more.front()), std::string::npos) << line;
    const auto delivered = numbers_in(line_after("delivered", outcome.out));
    const auto in_flight = numbers_in(line_after("in flight", outcome.out));
    ASSERT_GE(delivered.size(), 1U) << outcome.out << outcome.err;
    ASSERT_EQ(in_flight.size(), 2U) << outcome.out;
    const auto dropped = numbers_in(line);
    const auto sum = std::accumulate(dropped.begin(), dropped.end(), std::uint64_t{0});
    EXPECT_GT(sum, 1'000U) << line;
    EXPECT_EQ(delivered.front() + sum + in_flight.front(), in_flight.back()) << outcome.out;
  }
}

TEST_F(RunCommand, TheTablesHaveEveryDropAtItsPort) {
  ASSERT_NE(weir({"run", "incast_star9_lossy_dcqcn", "--quiet", "--no-report", "--out", at("out"),
                  "--until", "1 ms", "--set", "switch.tor.wred.ecn.drop=true", "--set",
                  "traffic.incast.control=none", "--set", "traffic.incast.ecn=not_ect"})
                .exit_code,
            2);
  const Json summary = Json::parse(text_of(at("out") / "summary.json"));
  const std::string dropped = summary.at("totals").at("wred_drops").dump();
  // h8 receives; its queue dropped all of them.
  std::string row = line_after("     8 h8", text_of(at("stdout")));
  row.erase(std::remove(row.begin(), row.end(), ','), row.end());
  EXPECT_EQ(row.substr(row.rfind(' ') + 1), dropped) << row;
  const Outcome storm = weir(
      {"run", "storm_clos4_dt_switch_watchdog", "--quiet", "--no-report", "--out", at("storm")});
  std::string tor = line_after("  T0 ", storm.out);  // switch, bytes, unit, drops
  tor.erase(std::remove(tor.begin(), tor.end(), ','), tor.end());
  std::istringstream words{tor};
  std::string bytes, unit, drops;
  words >> bytes >> unit >> drops;
  EXPECT_EQ(drops, Json::parse(text_of(at("storm") / "summary.json"))
                       .at("totals")
                       .at("watchdog_egress_drops")
                       .dump())
      << tor;
}

TEST_F(RunCommand, TheResultFolderHasTheSameNumbersAsTheScreen) {
  ASSERT_EQ(weir({"run", scenario, "--out", at("out")}).exit_code, 0);
  const Json summary = Json::parse(text_of(at("out") / "summary.json"));
  const Json& totals = summary.at("totals");
  EXPECT_EQ(totals.at("lossless_drops"), 0);
  EXPECT_GT(totals.at("pauses_sent"), 0);
  EXPECT_GT(totals.at("peak_headroom_cells"), 0);
  EXPECT_EQ(totals.at("sent_packets").get<std::uint64_t>(),
            totals.at("delivered_packets").get<std::uint64_t>() +
                totals.at("drops").get<std::uint64_t>() +
                totals.at("in_flight_packets").get<std::uint64_t>());
  EXPECT_EQ(summary.at("time_ps"), 2'000'000'000);
  const Json& port = summary.at("switches").at(0).at("ports").at(0);
  EXPECT_EQ(port.at("peer"), "h0");
  EXPECT_EQ(port.at("rate_bps"), 40'000'000'000);
  const Json& group = port.at("priority_groups").at(0);
  EXPECT_EQ(group.at("sai").at("SAI_INGRESS_PRIORITY_GROUP_STAT_PACKETS"), group.at("packets"));
  const Json run = Json::parse(text_of(at("out") / "run.json"));
  EXPECT_EQ(run.at("version").get<std::string>().empty(), false);
  EXPECT_GT(run.at("wall_seconds"), 0.0);
  EXPECT_EQ(text_of(at("out") / "events.sqlite").substr(0, 15), "SQLite format 3");
}

TEST_F(RunCommand, SameInputsAndSeedGiveTheSameBytes) {
  ASSERT_EQ(run_into("a").exit_code, 0);
  ASSERT_EQ(run_into("b").exit_code, 0);
  ASSERT_EQ(run_into("c", {"--seed", "2"}).exit_code, 0);
  for (const char* file : {"summary.json", "events.sqlite"})
    EXPECT_EQ(text_of(at("a") / file), text_of(at("b") / file)) << file;
  EXPECT_NE(text_of(at("a") / "summary.json"), text_of(at("c") / "summary.json")) << "another seed";
}

TEST_F(RunCommand, JsonPrintsTheSummaryFileAndNothingElse) {
  const Outcome outcome = run_into("out", {"--json"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, text_of(at("out") / "summary.json"));
}

TEST_F(RunCommand, AFailedExpectationIsExitCodeOneAndNamed) {
  const Outcome outcome = run_into("out", {"--set", "expect.pauses_sent=\"> 1000000\""});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
  EXPECT_NE(outcome.out.find("FAILED pauses_sent"), std::string::npos) << outcome.out;
  EXPECT_TRUE(fs::exists(at("out") / "summary.json")) << "the results are written";
}

TEST_F(RunCommand, SetOverridesAKeyOfTheChipFile) {
  ASSERT_EQ(run_into("a").exit_code, 0);
  const Outcome outcome = run_into(
      "b", {"--set", "switch.tor.profile.lossless.alpha=1/64", "--set", "scenario.name=b"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const Json wide = Json::parse(text_of(at("a") / "summary.json"));
  const Json narrow = Json::parse(text_of(at("b") / "summary.json"));
  EXPECT_EQ(narrow.at("scenario"), "b");
  EXPECT_GT(narrow.at("totals").at("pauses_sent"), wide.at("totals").at("pauses_sent"))
      << "a smaller alpha pauses more";
}

TEST_F(RunCommand, AnErrorOfUntilAmongOthersNamesTheOption) {
  const Outcome outcome = run_into("out", {"--set", "switch.tor.chip.clock=\"3 GHz\"", "--set",
                                           "scenario.x=1", "--until", "2000000 s"});
  EXPECT_EQ(outcome.exit_code, 2);
  for (const char* const line : {"weir: --until = \"2000000 s\": must be at most",
                                 "weir: --set: scenario.x = 1: unknown key", "weir: 2 errors"})
    EXPECT_NE(outcome.err.find(line), std::string::npos) << line << " in " << outcome.err;
}

TEST_F(RunCommand, CtrlCEndsWithWhatThereIs) {
  const pid_t pid = start({"run", scenario, "--out", at("out"), "--until", "2000 s", "--set",
                           "traffic.background.rate=10 Gbps"});
  // The draft folder exists once signals are caught.
  for (int i = 0; i < 2000 && entries().size() < 3; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds{5});
  std::this_thread::sleep_for(std::chrono::milliseconds{200});
  // Sent twice, because a process and its group may both get one; it counts as one request.
  kill(pid, SIGINT);
  std::this_thread::sleep_for(std::chrono::milliseconds{2});
  kill(pid, SIGINT);
  const Outcome outcome = wait_for(pid);
  EXPECT_EQ(outcome.exit_code, 130) << outcome.out << outcome.err;
  EXPECT_NE(outcome.out.find("INTERRUPTED"), std::string::npos) << outcome.out;
  const Json summary = Json::parse(text_of(at("out") / "summary.json"));
  EXPECT_EQ(summary.at("interrupted"), true);
  EXPECT_LT(summary.at("time_ps"), summary.at("until_ps"));
  EXPECT_FALSE(summary.at("expect").empty());
  for (const Json& line : summary.at("expect"))
    EXPECT_FALSE(line.contains("met")) << "not judged: " << line.dump();
  EXPECT_EQ(entries(), (std::vector<std::string>{"out", "stderr", "stdout"})) << "no draft is left";
}

// A look of the monitor every picosecond: without a question within a slice the run would come to
// the end of its first microsecond after minutes.
TEST_F(RunCommand, ASignalEndsARunWithinItsFirstSlice) {
  const pid_t pid = start({"run", scenario, "--out", at("out"), "--set", "monitor.period=1 ps",
                           "--until", "20 us", "--no-report"});
  for (int i = 0; i < 2000 && entries().size() < 3; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds{5});
  std::this_thread::sleep_for(std::chrono::milliseconds{200});
  const auto sent = std::chrono::steady_clock::now();
  kill(pid, SIGTERM);
  const Outcome outcome = wait_for(pid);
  // Half a second on a machine that does nothing else.
  EXPECT_LT(std::chrono::steady_clock::now() - sent, std::chrono::seconds{5});
  EXPECT_EQ(outcome.exit_code, 143) << outcome.out << outcome.err;
  const Json summary = Json::parse(text_of(at("out") / "summary.json"));
  EXPECT_EQ(summary.at("interrupted"), true);
  EXPECT_LT(summary.at("time_ps"), 1'000'000) << "within the first slice";
}

TEST_F(RunCommand, AClosedTerminalEndsWithWhatThereIsUnlessNohupSaysOtherwise) {
  const auto run = [&](const std::string& out) {
    return start({"run", scenario, "--out", at(out), "--until", "2000 s", "--set",
                  "traffic.background.rate=10 Gbps"});
  };
  const auto is_running = [&](std::size_t more) {
    for (int i = 0; i < 2000 && entries().size() < more; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds{5});
    std::this_thread::sleep_for(std::chrono::milliseconds{100});
  };
  const pid_t closed = run("out");
  is_running(3);
  kill(closed, SIGHUP);
  EXPECT_EQ(wait_for(closed).exit_code, 129);
  EXPECT_EQ(Json::parse(text_of(at("out") / "summary.json")).at("interrupted"), true);

  std::signal(SIGHUP, SIG_IGN);  // as nohup does; the program inherits it
  const pid_t kept = run("kept");
  is_running(4);
  kill(kept, SIGHUP);
  std::this_thread::sleep_for(std::chrono::milliseconds{100});
  EXPECT_EQ(waitpid(kept, nullptr, WNOHANG), 0) << "it goes on";
  kill(kept, SIGTERM);
  EXPECT_EQ(wait_for(kept).exit_code, 143);
}

TEST_F(RunCommand, ReplacesItsOwnFolderAndTouchesNoOther) {
  ASSERT_EQ(run_into("out").exit_code, 0);
  ASSERT_EQ(run_into("out", {"--seed", "3"}).exit_code, 0) << "an earlier result is replaced";
  EXPECT_EQ(Json::parse(text_of(at("out") / "summary.json")).at("seed"), 3);

  fs::create_directories(at("mine"));
  std::ofstream{at("mine") / "thesis.txt"} << "irreplaceable";
  const Outcome outcome = run_into("mine");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.err.find("thesis.txt"), std::string::npos) << outcome.err;
  EXPECT_EQ(text_of(at("mine") / "thesis.txt"), "irreplaceable");
  EXPECT_FALSE(fs::exists(at("mine") / "summary.json"));
}

TEST_F(RunCommand, AnEmptyFolderIsTaken) {
  fs::create_directories(at("out"));
  EXPECT_EQ(run_into("out").exit_code, 0);
  EXPECT_TRUE(fs::exists(at("out") / "summary.json"));
}

TEST_F(RunCommand, AFolderThatCannotBeWrittenIsRefusedBeforeTheRun) {
  // Permissions do not stop root, but a file in place of a folder does.
  expect_refused({"run", scenario, "--out", at("stdout") / "below" / "out"},
                 {"--out", "cannot be"});
  expect_refused({"run", scenario, "--out", at("stderr")}, {"--out", "not a folder"});
  expect_refused({"run", scenario, "--out", "/proc/weir/out"}, {"--out", "/proc/weir/out"});
}

TEST_F(RunCommand, BadInputIsOneLineThatNamesIt) {
  const std::string out = at("out");
  expect_refused({"run", "no/such.toml", "--out", out}, {"no/such.toml"});
  expect_refused({"run", scenario, "--out", out, "--set", "scenario.colour=red"},
                 {"--set", "scenario.colour"});
  expect_refused({"run", scenario, "--out", out, "--set", "no equals sign"}, {"--set"});
  expect_refused({"run", scenario, "--out", out, "--set", "traffic.incast.to=h99"}, {"h99"});
  expect_refused({"run", scenario, "--out", out, "--set", "switch.tor.profile.lossless.alpha=0"},
                 {"alpha"});
  expect_refused({"run", scenario, "--out", out, "--set", "expect.drpos=0"}, {"expect.drpos"});
  for (const char* until : {"soon", "5", "5 parsecs", "0 s", "-1 ms"})
    expect_refused({"run", scenario, "--out", out, "--until", until}, {"--until", "time such as"});
  const std::string clock = "switch.tor.chip.clock=\"3 GHz\"";
  expect_refused({"run", scenario, "--out", out, "--set", clock, "--until", "2000000 s"},
                 {"weir: --until = \"2000000 s\": must be at most"});
  expect_refused({"run", scenario, "--out", out, "--seed", "many"}, {"--seed", "many"});
  expect_refused({"run", scenario, "--out", out, "--seed", "-1"}, {"--seed", "-1"});
  for (const char* const seed : {"010", "08", "0x10", "9223372036854775808"})
    expect_refused({"run", scenario, "--out", out, "--seed", seed},
                   {"--seed", seed, "decimal integer from 0 to 9223372036854775807"});
  expect_refused({"run", "/dev/zero", "--out", out}, {"/dev/zero", "device"});
  expect_refused({"run", scenario, "--out", out, "--set", "traffic.incast.to=h\n\033[1m"},
                 {"traffic[0].to"});
}

TEST_F(RunCommand, WrongUsageIsOneLineThatSaysWhereToReadOn) {
  expect_refused({}, {"--help"});
  expect_refused({"fly"}, {"--help"});
  expect_refused({"run"}, {"SCENARIO", "weir run --help"});
  expect_refused({"run", scenario, "--wings"}, {"--wings", "weir run --help"});
}

TEST_F(RunCommand, HelpAndVersionAreCompleteAndGood) {
  const Outcome version = weir({"--version"});
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_EQ(version.out.substr(0, 5), "weir ") << version.out;
  EXPECT_NE(weir({"--help"}).out.find("run"), std::string::npos);
  const Outcome help = weir({"run", "--help"});
  EXPECT_EQ(help.exit_code, 0);
  for (const char* word : {"SCENARIO", "--out", "--set", "--until", "--seed", "--json", "--quiet",
                           "Exit codes", "Examples", "\"10 ms\""})
    EXPECT_NE(help.out.find(word), std::string::npos) << "no " << word << " in\n" << help.out;
}

TEST_F(RunCommand, HelpOfEveryCommandThatHasExitCodesSaysWhatEachMeans) {
  const char* const usage = "\n  2 usage";
  const char* const machine =
      "\n  3 an error of the model or of the machine (an output that cannot be written, no "
      "memory)\n";
  for (const std::vector<std::string>& command : {std::vector<std::string>{"cosim"},
                                                  {"headroom"},
                                                  {"import", "sonic"},
                                                  {"lint"},
                                                  {"pfc"},
                                                  {"probe"},
                                                  {"run"},
                                                  {"size"},
                                                  {"sweep"},
                                                  {}}) {
    std::vector<std::string> arguments = command;
    arguments.emplace_back("--help");
    const std::string help = weir(arguments).out;
    const std::size_t codes = help.find("\nExit codes:\n  0 ");
    ASSERT_NE(codes, std::string::npos) << help;
    EXPECT_NE(help.find(usage, codes), std::string::npos) << help;
    EXPECT_NE(help.find(machine, codes), std::string::npos) << help;
    EXPECT_LT(codes, help.find("\nExample")) << "examples come last\n" << help;
  }
}

TEST_F(RunCommand, PagesHaveTheExitCodesOfTheHelp) {
  for (const auto& [command, page] :
       {std::pair{"run", "results"}, std::pair{"sweep", "sweeps"}, std::pair{"lint", "lint"}}) {
    const std::string text = text_of(fmt::format("docs/reference/{}.md", page));
    const std::string help = weir({command, "--help"}).out;
    std::istringstream codes{help.substr(help.find("Exit codes:\n") + 12)};
    std::size_t compared = 0;
    for (std::string line; std::getline(codes, line) && !line.empty(); ++compared) {
      const std::string code = line.substr(2, line.find(' ', 2) - 2);
      EXPECT_TRUE(std::regex_search(text, std::regex{"\n\\| " + code + "[ ,]"})) << page << code;
    }
    EXPECT_GE(compared, 4U) << command;
  }
}

TEST_F(RunCommand, TracesLeaveTheResultsTheSame) {
  ASSERT_EQ(run_into("plain", {"--until", "200 us"}).exit_code, 1) << "too short for its checks";
  const Outcome traced = run_into("traced", {"--until", "200 us", "--wave", at("w.fst"), "--pcap",
                                             "--timeline", at("t.json"), "--events", "all"});
  EXPECT_EQ(traced.exit_code, 1) << traced.err;
  EXPECT_EQ(text_of(at("plain") / "summary.json"), text_of(at("traced") / "summary.json"));
  for (const fs::path& file :
       {at("w.fst"), at("w.gtkw"), at("t.json"), at("traced") / "pfc.pcapng"})
    EXPECT_GT(text_of(file).size(), 500U) << file;
  EXPECT_EQ(run_into("traced", {"--until", "200 us"}).exit_code, 1)
      << "a folder with a capture is a result folder";
}

TEST_F(RunCommand, EveryFileThatAnOptionNamesIsWrittenNextToTheSameResults) {
  const std::string help = weir({"run", "--help"}).out;
  // "  --wave F.fst|F.vcd  ...": an option whose value is a file to write, and what it ends with.
  const std::regex form{R"(\n +(--[a-z-]+) (?:FILE|F)(\.[a-z]+)?[ |\n])"};
  std::vector<std::string> options{"--until", "200 us", "--log-level", "debug"};
  std::vector<fs::path> files;
  for (std::sregex_iterator found{help.begin(), help.end(), form}, end; found != end; ++found) {
    files.push_back(at("written-by" + (*found)[1].str() + (*found)[2].str()));
    options.insert(options.end(), {(*found)[1].str(), files.back().string()});
  }
  EXPECT_GE(files.size(), 4U) << help;
  ASSERT_EQ(run_into("plain", {"--until", "200 us"}).exit_code, 1) << "too short for its checks";
  const Outcome traced = run_into("traced", options);
  EXPECT_EQ(traced.exit_code, 1) << traced.err;
  EXPECT_EQ(text_of(at("plain") / "summary.json"), text_of(at("traced") / "summary.json"));
  for (const fs::path& file : files) EXPECT_GT(text_of(file).size(), 500U) << file;
}

TEST_F(RunCommand, PoliciesThatTheRtlLacksAreRefusedWithItsNames) {
  std::size_t refused = 0;
  std::vector<std::string_view> names;
  for (const PolicyRow& row : policy_table())
    if (row.in_rtl) names.push_back(row.name);
  ASSERT_GE(names.size(), 2U);
  const std::string last{names.back()};
  names.pop_back();
  const std::string legal = fmt::format("{} or {} with RTL", fmt::join(names, ", "), last);
  for (const PolicyRow& row : policy_table()) {
    if (row.in_rtl) continue;
    std::vector<std::string> command{"run", scenario, "--out", at("out"), "--backend", "rtl"};
    for (const std::string& setting : test::policy_overrides(row, "switch.tor.profile.lossless."))
      command.insert(command.end(), {"--set", setting});
    expect_refused(command, {"profile.lossless.policy = " + std::string{row.name}, legal});
    ++refused;
  }
  EXPECT_GE(refused, 4U) << "two_level, dsh, abm, edt";
}

TEST_F(RunCommand, TraceOptionsThatMakeNoSenseAreRefused) {
  const auto refused = [&](std::vector<std::string> options, const std::string& word) {
    options.insert(options.begin(), {"run", scenario, "--out", at("out")});
    expect_refused(options, {word});
  };
  refused({"--wave", at("w.fst"), "--wave-trigger", "never"}, "--wave-trigger");
  refused({"--wave", at("w.fst"), "--wave-window", "100 us"}, "--wave-window");
  refused({"--wave", at("w.fst"), "--wave-window", "2 us..1 us"}, "must end after it begins");
  refused({"--wave", at("w.fst"), "--wave-before", "1 us"}, "--wave-trigger");
  refused({"--wave-scope", "tor.*"}, "needs --wave");
  refused({"--wave", at("w.txt")}, "must end in .fst or .vcd");
  refused({"--pcap-frames", "all"}, "needs --pcap");
  refused({"--pcap", at("a.pcapng"), "--pcap-frames", "port:tor"}, "no port of that name");
}

}  // namespace
}  // namespace weir::run_command_test
