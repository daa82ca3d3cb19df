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

namespace weir {
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
  EXPECT_FALSE(fs::exists(at("a"))) << "nothing is left behind";
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

TEST_F(LogCommand, CompareTellsWhatDiffersInConfigurationThenInResults) {
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
  EXPECT_TRUE(holds(text, "switch.tor.profile.lossless.alpha: not set -> 1/64 (--set)")) << text;
  EXPECT_TRUE(holds(text, "totals.pauses_sent")) << text;
  EXPECT_FALSE(holds(text, "totals.mac_drops")) << "it is 0 in both";
  const std::string page = file("c.html");
  EXPECT_TRUE(holds(page, "<td>switch.tor.profile.lossless.alpha</td>"));
  EXPECT_TRUE(holds(page, "<td>totals.pauses_sent</td>"));
  EXPECT_TRUE(holds(page, "default-src 'none'"));
}

TEST_F(LogCommand, ARunComparedWithItselfIsTheSame) {
  ASSERT_EQ(run("a", "--quiet"), 0);
  ASSERT_EQ(weir("compare '" + at("a") + "' '" + at("a") + "'"), 0);
  EXPECT_TRUE(holds(file("stdout"), "configuration\n  the same\n")) << file("stdout");
  EXPECT_TRUE(
      holds(file("stdout"), "totals that differ: A, B, B - A, of the larger\n  the same\n"));
  EXPECT_EQ(weir("compare '" + at("a") + "' '" + at("nowhere") + "'"), 2);
  EXPECT_TRUE(holds(file("stderr"), "summary.json is not in it")) << file("stderr");
}

}  // namespace
}  // namespace weir
