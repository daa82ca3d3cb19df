// SPDX-License-Identifier: Apache-2.0
// `weir run --log-level --log-file`, and `weir compare`, on the built program.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace weir::log_command_test {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
  std::ifstream in{file, std::ios::binary};
  return {std::istreambuf_iterator<char>{in}, {}};
}

bool holds(const std::string& text, const std::string& what) {
  return text.find(what) != std::string::npos;
}

class LogCommand : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("weir-log-" + std::to_string(getpid()));
    fs::create_directories(folder_);
    ASSERT_NE(std::getenv("WEIR_PROGRAM"), nullptr) << "ctest names the program";
  }
  void TearDown() override { fs::remove_all(folder_); }

  [[nodiscard]] std::string at(const std::string& name) const { return folder_ / name; }
  [[nodiscard]] std::string file(const std::string& name) const { return text_of(at(name)); }
  [[nodiscard]] int weir(const std::string& arguments) const {
    const std::string command = std::string{std::getenv("WEIR_PROGRAM")} + " " + arguments + " >'" +
                                at("stdout") + "' 2>'" + at("stderr") + "'";
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + status;
  }
  [[nodiscard]] int run(const std::string& out, const std::string& more) const {
    return weir("run vectors/scenarios/incast_star16_dt_trident2.toml --out '" + at(out) + "' " +
                more);
  }

 private:
  fs::path folder_;
};

TEST_F(LogCommand, AGoodRunSaysNothing) {
  ASSERT_EQ(run("a", ""), 0);
  EXPECT_EQ(file("stderr"), "");
}

TEST_F(LogCommand, QuietLeavesOutWarningsAndNotTheSummary) {
  const std::string waits = "--until '10 us' --wave-trigger deadlock --wave ";
  ASSERT_EQ(run("a", waits + "'" + at("a.vcd") + "' --quiet"), 1) << "too short for its checks";
  EXPECT_EQ(file("stderr"), "");
  EXPECT_TRUE(holds(file("stdout"), "incast_star16_dt_trident2")) << file("stdout");
  EXPECT_TRUE(holds(file("a/run.json"), "--wave-trigger")) << file("a/run.json");
  ASSERT_EQ(run("b", waits + "'" + at("b.vcd") + "'"), 1);
  EXPECT_TRUE(holds(file("stderr"), "warning")) << file("stderr");
  ASSERT_EQ(weir("run --help"), 0);
  EXPECT_TRUE(holds(file("stdout"), "No progress and no warnings")) << file("stdout");
}

TEST_F(LogCommand, LevelsHoldOneAnotherAndTimesAreSimulated) {
  ASSERT_EQ(run("a", "--log-level info"), 0);
  const std::string info = file("stderr");
  ASSERT_EQ(run("a", "--log-level debug --log-file '" + at("log") + "'"), 0);
  EXPECT_EQ(file("stderr"), "") << "all of it goes to the file";
  const std::string debug = file("log");
  EXPECT_GT(debug.size(), 5 * info.size());
  std::size_t lines = 0;
  std::istringstream in{info};
  for (std::string line; std::getline(in, line); ++lines) EXPECT_TRUE(holds(debug, line)) << line;
  EXPECT_GE(lines, 4U);
  EXPECT_TRUE(holds(info, "       0.000 ns  info     incast_star16_dt_trident2: 2 ms to run"))
      << info;
  EXPECT_TRUE(holds(info, " 2000000.000 ns  info     the end: 14,984 packets delivered")) << info;
  EXPECT_TRUE(holds(info, "goes to XOFF")) << info;
  EXPECT_FALSE(holds(info, "debug"));
  EXPECT_TRUE(holds(debug, "sends PFC, class:quanta 3:65535")) << debug.substr(0, 2000);
}

TEST_F(LogCommand, TheSameRunGivesTheSameLog) {
  ASSERT_EQ(run("a", "--log-level debug --log-file '" + at("log1") + "'"), 0);
  ASSERT_EQ(run("b", "--log-level debug --log-file '" + at("log2") + "'"), 0);
  EXPECT_EQ(file("log1"), file("log2"));
}

TEST_F(LogCommand, AnotherLevelOrAFileThatCannotBeMadeIsAnError) {
  EXPECT_EQ(run("a", "--log-level loud"), 2);
  EXPECT_EQ(run("a", "--log-file /nowhere/log"), 2);
  EXPECT_TRUE(holds(file("stderr"), "--log-file = /nowhere/log: cannot be written"))
      << file("stderr");
  EXPECT_FALSE(fs::exists(at("a"))) << "nothing is left";
}

TEST_F(LogCommand, AnOptionThatIsRefusedLeavesNoTraceOfThoseBeforeIt) {
  EXPECT_EQ(run("a", "--wave '" + at("w.fst") + "' --pcap '" + at("p.pcapng") +
                         "' --timeline /nowhere/t.json"),
            2);
  EXPECT_FALSE(fs::exists(at("w.fst")));
  EXPECT_FALSE(fs::exists(at("p.pcapng")));
  EXPECT_EQ(run("a", "--wave '" + at("w.vcd") + "' --pcap --pcap-frames port:nowhere"), 2);
  EXPECT_FALSE(fs::exists(at("w.vcd")));
  EXPECT_FALSE(fs::exists(at("a")));
}

TEST_F(LogCommand, CompareShowsWhatDiffersInConfigurationThenInResults) {
  ASSERT_EQ(run("a", "--quiet"), 0);
  ASSERT_EQ(run("b", "--quiet --set switch.tor.profile.lossless.alpha=1/64"), 0) << file("stderr");
  ASSERT_EQ(weir("compare '" + at("a") + "' '" + at("b") + "' --html '" + at("c.html") + "'"), 0)
      << file("stderr");
  const std::string text = file("stdout");
  const std::size_t settings = text.find("configuration\n"),
                    totals = text.find("totals that differ");
  ASSERT_NE(settings, std::string::npos);
  ASSERT_NE(totals, std::string::npos);
  EXPECT_LT(settings, totals);
  EXPECT_TRUE(holds(text,
                    "configuration\n  switch.tor.profile.lossless.alpha: 1/8 "
                    "(arista_7050qx_32.toml:24) -> 1/64 (--set)\n\n"))
      << text;
  EXPECT_TRUE(holds(text, "totals.pauses_sent")) << text;
  EXPECT_FALSE(holds(text, "totals.mac_drops")) << "it is 0 in both";
  const std::string page = file("c.html");
  EXPECT_TRUE(holds(page, "<td>switch.tor.profile.lossless.alpha</td>"));
  EXPECT_TRUE(holds(page, "<td>totals.pauses_sent</td>"));
  EXPECT_TRUE(holds(page, "default-src 'none'"));
}

TEST_F(LogCommand, CompareCallsAVerdictDifferentOnlyWhereItTurned) {
  ASSERT_EQ(run("a", "--quiet"), 0);
  ASSERT_EQ(run("b", "--quiet --set switch.tor.profile.lossless.alpha=1/64"), 0) << file("stderr");
  ASSERT_EQ(run("c", "--quiet --set expect.pauses_sent=0"), 1) << file("stderr");
  ASSERT_EQ(weir("compare '" + at("a") + "' '" + at("b") + "'"), 0) << file("stderr");
  EXPECT_TRUE(holds(file("stdout"),
                    "verdicts that differ\n  the same\n\n"
                    "measured values and conditions of [expect] that differ\n"
                    "  expect.pauses_sent.measured "))
      << "both are ok: " << file("stdout");
  ASSERT_EQ(weir("compare '" + at("a") + "' '" + at("c") + "' --html '" + at("c.html") + "'"), 0);
  const std::string text = file("stdout");
  const std::size_t turned = text.find("verdicts that differ\n  expect.pauses_sent.met ");
  ASSERT_NE(turned, std::string::npos) << text;
  const std::string row = text.substr(turned, text.find("\n\n", turned) - turned);
  EXPECT_TRUE(holds(row, " ok ") && holds(row, " FAILED ")) << row;
  EXPECT_FALSE(holds(row, "condition")) << row;
  EXPECT_TRUE(holds(file("c.html"), ">FAILED</td>"));
}

TEST_F(LogCommand, ARunComparedWithItselfIsTheSame) {
  ASSERT_EQ(run("a", "--quiet"), 0);
  ASSERT_EQ(weir("compare '" + at("a") + "' '" + at("a") + "'"), 0);
  EXPECT_TRUE(holds(file("stdout"), "configuration\n  the same\n")) << file("stdout");
  EXPECT_TRUE(holds(file("stdout"),
                    "totals that differ: A, B, B - A, share of the larger value\n  the same\n"));
  EXPECT_EQ(weir("compare '" + at("a") + "' '" + at("nowhere") + "'"), 2);
  EXPECT_TRUE(holds(file("stderr"), at("nowhere") + ": does not exist; must be a result folder"))
      << file("stderr");
  ASSERT_EQ(run("b", "--quiet"), 0);
  std::ofstream{at("b/report.json")} << "[1,2]";
  EXPECT_EQ(weir("compare '" + at("a") + "' '" + at("b") + "'"), 2);
  EXPECT_TRUE(holds(file("stderr"), "DIR = " + at("b") + ": ")) << file("stderr");
  EXPECT_TRUE(holds(file("stderr"), "report.json is not a JSON object")) << file("stderr");
}

// Chips with several memory domains hold each pool once a domain; probes and deadlocks are lists of
// elements that only several keys identify.
TEST_F(LogCommand, EveryKindOfRunComparedWithItselfIsTheSame) {
  const std::string tomahawk = "incast_star16_dt_tomahawk1 --until '30 us'";
  const std::string runs[] = {tomahawk,
                              tomahawk + " --set switch.tor.file=../chips/tomahawk2_64x100g.toml",
                              tomahawk + " --set switch.tor.file=../chips/tomahawk3_32x400g.toml",
                              tomahawk + " --set switch.tor.file=../chips/tomahawk5_128x400g.toml",
                              "permutation_leafspine16_dt_tomahawk1 --until '30 us'",
                              "pingmesh_leafspine48_dt_idle --until '3 ms'",
                              "flooding_fig4_dt_trident2",
                              "incast_star4_dt_lost_xoff",
                              "storm_clos4_dt_both_watchdogs --until '1 ms'"};
  for (const std::string& arguments : runs) {
    const std::size_t end = arguments.find(' ');
    const int code =
        weir("run vectors/scenarios/" + arguments.substr(0, end) + ".toml --quiet --out '" +
             at("a") + "'" + (end == std::string::npos ? "" : arguments.substr(end)));
    ASSERT_LE(code, 1) << arguments << ": " << file("stderr");
    ASSERT_EQ(weir("compare '" + at("a") + "' '" + at("a") + "'"), 0) << arguments;
    EXPECT_TRUE(holds(file("stdout"),
                      "configuration\n  the same\n\n"
                      "totals that differ: A, B, B - A, share of the larger value\n  the same\n\n"
                      "verdicts that differ\n  the same\n\n"
                      "measured values and conditions of [expect] that differ\n  the same\n\n"
                      "other figures that differ\n  the same\n"))
        << arguments << "\n"
        << file("stdout");
    fs::remove_all(at("a"));
  }
}

// The chip of the scenario with other values, as a file of its own name.
std::string chip_with(const std::vector<std::pair<std::string, std::string>>& changes) {
  std::string text = text_of("vectors/chips/arista_7050qx_32.toml");
  for (const auto& [from, to] : changes) {
    const std::size_t place = text.find(from);
    if (place == std::string::npos) return "the test looks for what is not there: " + from;
    text.replace(place, from.size(), to);
  }
  return text;
}

TEST_F(LogCommand, CompareKnowsTheKeysOfTwoChipFilesByTheirPathInTheSwitch) {
  std::ofstream{at("one.toml")} << chip_with({});
  std::ofstream{at("two.toml")} << chip_with(
      {{"\"1/8\"", "\"1/16\""}, {"\"18432 B\"", "\"2496 B\""}, {"\"7326924 B\"", "\"6240000 B\""}});
  const auto with_chip = [&](const std::string& name, const std::string& rate) {
    return run(name, "--quiet --until '400 us' --set scenario.name=" + name +
                         " --set 'traffic.answers.rate=" + rate +
                         "' --set switch.tor.file=" + at(name + ".toml"));
  };
  ASSERT_LE(with_chip("one", "1 Gbps"), 1) << file("stderr");
  ASSERT_LE(with_chip("two", "2 Gbps"), 1) << file("stderr");
  ASSERT_EQ(weir("compare '" + at("one") + "' '" + at("two") + "'"), 0) << file("stderr");
  const std::string text = file("stdout");
  const std::string expected =
      "configuration\n"
      "  switch.tor.file: " +
      at("one.toml") + " (--set) -> " + at("two.toml") +
      " (--set)\n"
      "  traffic[2].rate: 1 Gbps (--set) -> 2 Gbps (--set)\n"
      "  switch.tor.profile.lossless.alpha: 1/8 (one.toml:24) -> 1/16 (two.toml:24)\n"
      "  switch.tor.profile.lossless.xon: 18432 B (one.toml:25) -> 2496 B (two.toml:25)\n"
      "  switch.tor.egress_pool.lossy.size: 7326924 B (one.toml:35) -> 6240000 B (two.toml:35)\n"
      "  scenario.name: one (--set) -> two (--set)\n\n";
  EXPECT_TRUE(holds(text, expected)) << text.substr(0, 2000);
  const std::size_t throughput = text.find("totals.throughput_bps");
  ASSERT_NE(throughput, std::string::npos) << text;
  EXPECT_TRUE(holds(text.substr(throughput, text.find('\n', throughput) - throughput), "Gbps"))
      << text.substr(throughput, 120);
  const std::size_t others = text.find("other figures that differ");
  EXPECT_TRUE(holds(text.substr(others, 400), "%")) << "numbers come before names: " << text;
}

// Chips of two switches whose files have the same name, in two folders.
TEST_F(LogCommand, CompareKnowsTwoChipFilesOfTheSameName) {
  for (const char* const folder : {"a", "b"}) fs::create_directories(at(folder));
  std::ofstream{at("a/tor.toml")} << chip_with({});
  std::ofstream{at("b/tor.toml")} << chip_with({});
  std::ofstream{at("two.toml")} << R"([scenario]
name = "two"
until = "20 us"
[switch.s0]
file = "a/tor.toml"
[switch.s1]
file = "b/tor.toml"
[host.h0]
switch = "s0"
port = 0
cable = "10 m"
[host.h1]
switch = "s1"
port = 0
cable = "10 m"
[[link]]
a = "s0.port[1]"
b = "s1.port[1]"
cable = "10 m"
[[traffic]]
name = "t"
kind = "constant"
from = "h0"
to = "h1"
priority = 3
packet = "1000 B"
rate = "1 Gbps"
)";
  const auto run_two = [&](const std::string& out) {
    return weir("run '" + at("two.toml") + "' --quiet --out '" + at(out) + "'");
  };
  ASSERT_LE(run_two("before"), 1) << file("stderr");
  std::ofstream{at("b/tor.toml")} << chip_with({{"\"1/8\"", "\"1/64\""}});
  ASSERT_LE(run_two("after"), 1) << file("stderr");
  ASSERT_EQ(weir("compare '" + at("before") + "' '" + at("after") + "'"), 0) << file("stderr");
  const std::string text = file("stdout");
  EXPECT_TRUE(holds(text,
                    "configuration\n"
                    "  switch.s1.profile.lossless.alpha: 1/8 (b/tor.toml:24) -> 1/64 "
                    "(b/tor.toml:24)\n\n"))
      << text;
  const std::string report = file("after/report.json");
  for (const char* const key : {"a/tor.toml: profile.lossless.alpha", "b/tor.toml: chip.ports"})
    EXPECT_TRUE(holds(report, std::string{"\""} + key + "\"")) << key;
}

}  // namespace
}  // namespace weir::log_command_test
