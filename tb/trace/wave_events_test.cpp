// SPDX-License-Identifier: Apache-2.0
// Two records of one run: what fst2vcd reads back from its waveform must agree with events.sqlite.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "support/vcd_reader.hpp"
#include "weir/core/pipeline_latency.hpp"

namespace weir::wave_events_test {
namespace {

namespace fs = std::filesystem;
using test::VcdReader;

constexpr std::uint64_t admit_ps = 1000 * std::uint64_t{pipeline::admit.usual};  // clock of 1 ns

class WaveAndEvents : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("weir-both-" + std::to_string(getpid()));
    fs::create_directories(folder_);
    ASSERT_NE(std::getenv("WEIR_PROGRAM"), nullptr) << "ctest names the program";
    const std::string command = std::string{std::getenv("WEIR_PROGRAM")} +
                                " run vectors/scenarios/incast_star16_dt_trident2.toml --quiet"
                                " --no-report --until '400 us' --events all --wave " +
                                (folder_ / "run.fst").string() + " --out " +
                                (folder_ / "out").string() + " >/dev/null";
    std::system(command.c_str());  // exit code 1: the scenario's checks need the whole run
    ASSERT_TRUE(fs::exists(folder_ / "out/events.sqlite"));
  }
  void TearDown() override { fs::remove_all(folder_); }

  [[nodiscard]] VcdReader wave() const {
    return VcdReader::from_fst((folder_ / "run.fst").string());
  }
  // Rows of integers.
  [[nodiscard]] std::vector<std::vector<std::uint64_t>> ask(const std::string& query) const {
    const std::string command = "sqlite3 -separator ' ' -nullvalue 0 '" +
                                (folder_ / "out/events.sqlite").string() + "' \"" + query + "\"";
    FILE* pipe = popen(command.c_str(), "r");
    std::string text;
    char buffer[65536];
    for (std::size_t n; (n = fread(buffer, 1, sizeof buffer, pipe)) != 0;) text.append(buffer, n);
    EXPECT_EQ(pclose(pipe), 0) << query;
    std::vector<std::vector<std::uint64_t>> rows;
    std::istringstream lines{text};
    for (std::string line; std::getline(lines, line);) {
      rows.emplace_back();
      std::istringstream in{line};
      for (std::uint64_t value; in >> value;) rows.back().push_back(value);
    }
    return rows;
  }

 private:
  fs::path folder_;
};

TEST_F(WaveAndEvents, AtSampledTimesQueuesHoldWhatTheRowsSayHasComeAndNotLeft) {
  const VcdReader read = wave();
  struct Queue {
    std::vector<std::uint64_t> came, left;
  };
  std::map<std::pair<std::uint64_t, std::uint64_t>, Queue> queues;
  for (const auto& row : ask("SELECT egress_port, queue, time_ps, departed_ps FROM verdicts "
                             "WHERE reason = 'admitted'")) {
    Queue& queue = queues[{row.at(0), row.at(1)}];
    queue.came.push_back(row.at(2));
    if (row.at(3) != 0) queue.left.push_back(row.at(3));
  }
  std::size_t compared = 0, deepest = 0;
  for (auto& [place, queue] : queues) {
    std::sort(queue.came.begin(), queue.came.end());
    std::sort(queue.left.begin(), queue.left.end());
    const std::string name = "tor.port[" + std::to_string(place.first) + "].queue[" +
                             std::to_string(place.second) + "].depth";
    for (std::uint64_t time = 1'000'000; time < 400'000'000; time += 1'234'567) {
      const auto until = [&](const std::vector<std::uint64_t>& times) {
        return static_cast<std::size_t>(std::upper_bound(times.begin(), times.end(), time) -
                                        times.begin());
      };
      const std::size_t held = until(queue.came) - until(queue.left);
      ASSERT_EQ(read.at(name, time), std::to_string(held)) << name << " at " << time;
      deepest = std::max(deepest, held);
      ++compared;
    }
  }
  EXPECT_GT(compared, 900U);
  EXPECT_GT(deepest, 1000U) << "the incast must wait in a queue";
}

TEST_F(WaveAndEvents, LevelsChangeInTheWaveformAsManyCyclesEarlierAsTheVerdictTakes) {
  const VcdReader read = wave();
  std::size_t compared = 0;
  for (const auto& row : ask("SELECT time_ps, port, pg, xoff FROM levels ORDER BY time_ps")) {
    const std::string name =
        "tor.port[" + std::to_string(row.at(1)) + "].pg[" + std::to_string(row.at(2)) + "].xoff";
    const std::uint64_t edge = row.at(0) - admit_ps;
    EXPECT_EQ(read.at(name, edge), std::to_string(row.at(3))) << name << " at " << edge;
    EXPECT_NE(read.at(name, edge - 1), std::to_string(row.at(3))) << name << " before " << edge;
    ++compared;
  }
  EXPECT_GT(compared, 16U);
}

// A verdict contains the T that its packet was compared with. Many steps may share an edge: S may
// rise back to its value, and T with it, though a packet in between was compared with another T (a
// release frees cells first). A packet that is the only one charged at its edge was compared with
// the T before the edge. For any other, T was at least its value after the edge, because releases
// come first and T only falls from then on.
TEST_F(WaveAndEvents, TheLimitOfAVerdictIsTheLimitInTheWaveform) {
  const VcdReader read = wave();
  std::size_t alone = 0, moved = 0, among = 0;
  for (const auto& row :
       ask("SELECT time_ps, port, threshold, shared, count(*) OVER (PARTITION BY time_ps), pg "
           "FROM verdicts ORDER BY time_ps, id")) {
    if (row.at(5) != 3) continue;
    const std::string port = "tor.port[" + std::to_string(row.at(1)) + "].pg[3].threshold";
    const std::uint64_t edge = row.at(0) - admit_ps, limit = row.at(2);
    const auto value = [&](const std::string& name, std::uint64_t time) {
      return std::stoull(read.at(name, time));
    };
    const std::uint64_t before = value(port, edge - 1), after = value(port, edge);
    const std::string shared = "tor.mmu.ingress_accounting.domain[0].lossless.shared";
    if (row.at(4) == 1 && value(shared, edge) == value(shared, edge - 1) + row.at(3)) {
      EXPECT_EQ(before, limit) << port << " at " << edge;
      ++alone;
      moved += before != after ? 1 : 0;
    } else {
      EXPECT_LE(after, limit) << port << " at " << edge;
      ++among;
    }
  }
  EXPECT_GT(alone, 50U);
  EXPECT_GT(moved, 10U) << "T must move at some of the edges";
  EXPECT_GT(among, 50U);
}

TEST_F(WaveAndEvents, PauseTimersHoldTheQuantaOfThePfcFramesReceived) {
  const VcdReader read = wave();
  std::size_t compared = 0;
  for (std::size_t host = 0; host < 16; ++host) {
    const std::string node = "h" + std::to_string(host);
    for (const auto& row : ask("SELECT time_ps, class, quanta FROM pfc_frames WHERE node = '" +
                               node + "' AND direction = 'received'")) {
      const std::string name = node + ".tx.pause_timer[" + std::to_string(row.at(1)) + "]";
      EXPECT_EQ(read.at(name, row.at(0)), std::to_string(row.at(2))) << name << " " << row.at(0);
      ++compared;
    }
  }
  EXPECT_GT(compared, 16U);
}

}  // namespace
}  // namespace weir::wave_events_test
