// SPDX-License-Identifier: Apache-2.0
// Drives the built program: one signal ends it when an output is a pipe that is full and whose
// reader holds it open without reading.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "support/program.hpp"

namespace weir::test::stuck_pipe_test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

// A pipe of one page with a reader that never reads.
class StuckPipe {
 public:
  explicit StuckPipe(const std::string& name) {
    if (mkfifo(name.c_str(), 0666) != 0) ADD_FAILURE() << name;
    reader_ = open(name.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
    capacity_ = fcntl(reader_, F_SETPIPE_SZ, 4096);
    EXPECT_GT(capacity_, 0);
  }
  ~StuckPipe() { close(reader_); }
  StuckPipe(const StuckPipe&) = delete;
  StuckPipe& operator=(const StuckPipe&) = delete;

  [[nodiscard]] bool full() const {
    int octets = 0;
    return ioctl(reader_, FIONREAD, &octets) == 0 && octets == capacity_;
  }
  void fill() const {
    const std::string page(static_cast<std::size_t>(capacity_), 'x');
    EXPECT_EQ(write(reader_, page.data(), page.size()), capacity_);
  }

 private:
  int reader_, capacity_;
};

constexpr const char* scenario = "vectors/scenarios/incast_star16_dt_trident2.toml";

class StuckPipes : public InFolder {
 protected:
  static void wait_for(const std::function<bool()>& what) {
    while (!what()) std::this_thread::sleep_for(std::chrono::milliseconds{5});
  }
  // Ends a command by one SIGTERM when `now` is true. What it prints on stderr is the text; its
  // stdout is `screen`.
  [[nodiscard]] Outcome ended(const std::string& words, const std::function<bool()>& now,
                              const std::string& screen = "out.txt") const {
    const pid_t child = fork();
    if (child == 0) {
      const int to_stdout = open(at(screen).c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
      const int to_stderr = open(at("err.txt").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
      dup2(to_stdout, 1);
      dup2(to_stderr, 2);
      execl("/bin/sh", "sh", "-c", ("exec '" + program() + "' " + words).c_str(), nullptr);
      _exit(127);
    }
    wait_for(now);
    kill(child, SIGTERM);
    int status = 0;
    constexpr int looks = 12'000;  // a minute: what waits for a second signal waits for ever
    for (int look = 0; waitpid(child, &status, WNOHANG) == 0; ++look) {
      if (look == looks) kill(child, SIGKILL);
      std::this_thread::sleep_for(std::chrono::milliseconds{5});
    }
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), text_of(at("err.txt"))};
  }
  [[nodiscard]] std::string run(const std::string& until) const {
    return "run " + std::string{scenario} + " --until '" + until + "' --quiet --out '" + at("o") +
           "' ";
  }
  void expect_given_up(const Outcome& outcome, const std::string& name) const {
    EXPECT_EQ(outcome.exit_code, 128 + SIGTERM) << outcome.text;
    EXPECT_EQ(outcome.text,
              "weir: " + at(name) +
                  " is given up: its reader takes no data, and a signal ends the program\n");
  }
  // The draft of the results is there, so signals are noted, and this file of it.
  [[nodiscard]] bool has_begun(const std::string& file = "") const {
    for (const auto& entry : fs::directory_iterator(at("")))
      if (entry.path().filename().string().rfind(".o.draft-", 0) == 0)
        return fs::exists(entry.path() / file);
    return false;
  }
};

TEST_F(StuckPipes, ARunThatWaitsForOneEndsAtASignalAndKeepsItsResults) {
  for (const std::string option :
       {"--timeline", "--pcap-frames all --pcap", "--log-level debug --log-file", "--wave"}) {
    SCOPED_TRACE(option);
    const std::string name = option == "--wave" ? "p.vcd" : "p";
    fs::remove_all(at(name));
    const StuckPipe pipe{at(name)};
    const Outcome outcome =
        ended(run("2000 s") + option + " '" + at(name) + "'", [&] { return pipe.full(); });
    expect_given_up(outcome, name);
    const Json summary = Json::parse(text_of(at("o/summary.json")), nullptr, false);
    EXPECT_EQ(summary.value("interrupted", false), true);
    for (const char* const file : {"report.html", "events.sqlite", "run.json"})
      EXPECT_TRUE(fs::is_regular_file(at("o/" + std::string{file}))) << file;
    EXPECT_NE(text_of(at("o/run.json")).find("is given up"), std::string::npos);
    fs::remove_all(at("o"));
  }
}

TEST_F(StuckPipes, SeveralOfThemAreGivenUpByOneSignal) {
  const StuckPipe first{at("a")}, second{at("b")}, third{at("c")};
  for (const StuckPipe* const pipe : {&first, &second, &third}) pipe->fill();
  const Outcome outcome = ended(run("2000 s") + "--timeline '" + at("a") + "' --pcap '" + at("b") +
                                    "' --log-file '" + at("c") + "'",
                                [&] { return has_begun(); });
  EXPECT_EQ(outcome.exit_code, 128 + SIGTERM) << outcome.text;
  EXPECT_EQ(std::count(outcome.text.begin(), outcome.text.end(), '\n'), 3) << outcome.text;
  EXPECT_TRUE(fs::is_regular_file(at("o/summary.json")));
}

// Its results are whole; it waits for the reader alone.
TEST_F(StuckPipes, ARunAtItsEndIsNoSuccessWithoutItsOutput) {
  const StuckPipe pipe{at("p")};
  pipe.fill();
  for (const std::string last : {"", "summary.json"}) {
    SCOPED_TRACE(last);  // the signal comes before and after the end of the simulation
    const Outcome outcome =
        ended(run("20 us") + "--timeline '" + at("p") + "'", [&] { return has_begun(last); });
    expect_given_up(outcome, "p");
    EXPECT_TRUE(fs::is_regular_file(at("o/summary.json")));
    fs::remove_all(at("o"));
  }
}

TEST_F(StuckPipes, ASweepKeepsItsRowsWhenItsTableIsGivenUp) {
  std::ofstream{at("s.toml")} << "[sweep]\nname = \"s\"\nscenarios = \"" +
                                     fs::absolute(scenario).string() +
                                     "\"\nseeds = 2\n[set]\n\"scenario.until\" = \"20 us\"\n";
  const StuckPipe pipe{at("p")};
  pipe.fill();
  const Outcome outcome =
      ended("sweep '" + at("s.toml") + "' --quiet --out '" + at("o") + "' --csv '" + at("p") + "'",
            [&] { return fs::exists(at("o/sweep.sqlite")); });
  expect_given_up(outcome, "p");
  EXPECT_TRUE(fs::is_regular_file(at("o/run.json")));
}

TEST_F(StuckPipes, AScreenThatTakesNothingKeepsNoRunFromItsEnd) {
  const StuckPipe pipe{at("p")};
  pipe.fill();
  const Outcome outcome = ended(
      run("2000 s") + "--json", [&] { return has_begun(); }, "p");
  EXPECT_EQ(outcome.exit_code, 128 + SIGTERM) << outcome.text;
  EXPECT_TRUE(fs::is_regular_file(at("o/summary.json")));
}

}  // namespace
}  // namespace weir::test::stuck_pipe_test
