// SPDX-License-Identifier: Apache-2.0
// Waveforms around faults in networks of several switches, with the options of a user; WEIR_PROGRAM
// names the program.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "support/vcd_reader.hpp"

namespace weir::wave_trigger_test {
namespace {

namespace fs = std::filesystem;
using test::VcdReader;

class WaveTrigger : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("weir-trigger-" + std::to_string(getpid()));
    fs::create_directories(folder_);
    ASSERT_NE(std::getenv("WEIR_PROGRAM"), nullptr) << "ctest names the program";
  }
  void TearDown() override { fs::remove_all(folder_); }

  [[nodiscard]] std::string at(const std::string& name) const { return folder_ / name; }
  [[nodiscard]] std::string bytes_of(const std::string& name) const {
    std::ifstream in{at(name), std::ios::binary};
    return {std::istreambuf_iterator<char>{in}, {}};
  }
  [[nodiscard]] int weir(const std::string& arguments) const {
    const std::string command = std::string{std::getenv("WEIR_PROGRAM")} + " " + arguments + " >'" +
                                at("stdout") + "' 2>'" + at("stderr") + "'";
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + status;
  }
  // The run of a scenario with a trigger, 3 us before and 2 us after it.
  [[nodiscard]] int run(const std::string& scenario, const std::string& trigger) const {
    return weir("run vectors/scenarios/" + scenario + ".toml --quiet --no-report --out '" +
                at("out") + "' --wave '" + at("a.vcd") + "' --wave-trigger " + trigger +
                " --wave-before '3 us' --wave-after '2 us'");
  }
  [[nodiscard]] std::uint64_t ask(const std::string& query) const {
    const std::string command = "sqlite3 '" + at("out/events.sqlite") + "' \"" + query + "\"";
    FILE* pipe = popen(command.c_str(), "r");
    unsigned long long value = 0;
    EXPECT_EQ(std::fscanf(pipe, "%llu", &value), 1) << query;
    pclose(pipe);
    return value;
  }
  void expect_window_around(std::uint64_t moment, const std::string& marker) const {
    const VcdReader wave = VcdReader::from_file(at("a.vcd"));
    ASSERT_FALSE(wave.times().empty());
    EXPECT_EQ(wave.times().front(), moment - 3'000'000);
    EXPECT_EQ(wave.times().back(), moment + 2'000'000);
    EXPECT_NE(bytes_of("a.gtkw").find("[markername] " + marker), std::string::npos)
        << bytes_of("a.gtkw");
    EXPECT_NE(bytes_of("a.gtkw").find(" " + std::to_string(moment)), std::string::npos);
  }

 private:
  fs::path folder_;
};

TEST_F(WaveTrigger, AWatchdogThatActsIsOne) {
  ASSERT_EQ(run("storm_clos4_dt_both_watchdogs", "watchdog"), 0) << bytes_of("stderr");
  expect_window_around(ask("SELECT min(time_ps) FROM watchdogs WHERE action <> 'restored'"),
                       "Dwatchdog");
}

TEST_F(WaveTrigger, ADeadlockIsOneWhenItFormed) {
  ASSERT_EQ(run("loop_ring2_dt_trident2", "deadlock"), 0) << bytes_of("stderr");
  expect_window_around(ask("SELECT formed_ps FROM deadlocks WHERE id = 1"), "Cdeadlock");
}

TEST_F(WaveTrigger, ThatNeverComesIsReported) {
  ASSERT_EQ(run("on_off_star4_dt_trident2", "watchdog --log-file '" + at("log") + "'"), 0)
      << bytes_of("stderr");
  EXPECT_NE(bytes_of("log").find("the trigger of the waveform never came"), std::string::npos);
  EXPECT_EQ(bytes_of("a.gtkw").find("watchdog"), std::string::npos);
}

TEST_F(WaveTrigger, AWindowThatBeginsAfterTheRunEndsIsReported) {
  const auto run_with = [&](const std::string& window) {
    return weir(
        "run vectors/scenarios/on_off_star4_dt_trident2.toml --until '20 us' --quiet "
        "--no-report --out '" +
        at("out") + "' --wave '" + at("a.vcd") + "' --wave-window '" + window + "' --log-file '" +
        at("log") + "'");
  };
  const char* const note = "the window of the waveform begins after the run ends (20 us)";
  run_with("20000001 ps..30 us");
  EXPECT_NE(bytes_of("log").find(note), std::string::npos) << bytes_of("log") << bytes_of("stderr");
  run_with("20 us..30 us");
  EXPECT_EQ(bytes_of("log").find(note), std::string::npos) << "its first moment is that end";
}

TEST_F(WaveTrigger, AMismatchNeedsTwoWhoCanDisagree) {
  EXPECT_EQ(run("on_off_star4_dt_trident2", "mismatch"), 2);
  EXPECT_NE(bytes_of("stderr").find("--wave-trigger = mismatch: needs --backend lockstep"),
            std::string::npos)
      << bytes_of("stderr");
  EXPECT_FALSE(fs::exists(at("a.vcd")));
}

}  // namespace
}  // namespace weir::wave_trigger_test
