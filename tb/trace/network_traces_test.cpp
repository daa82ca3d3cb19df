// SPDX-License-Identifier: Apache-2.0
// A network of seven switches in which pauses spread upstream, recorded in every format at once:
// all files must agree, and have the same bytes in any folder. WEIR_PROGRAM names the program.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "support/vcd_reader.hpp"
#include "weir/core/pipeline_latency.hpp"

namespace weir::network_traces_test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using test::VcdReader;

constexpr std::uint64_t admit_ps = 1000 * std::uint64_t{pipeline::admit.usual};  // clock of 1 ns
constexpr std::uint64_t until_ps = 2'400'000'000;  // the storm begins at 1 ms

class NetworkTraces : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("weir-traces-" + std::to_string(getpid()));
    fs::create_directories(folder_);
    ASSERT_NE(std::getenv("WEIR_PROGRAM"), nullptr) << "ctest names the program";
  }
  void TearDown() override { fs::remove_all(folder_); }

  [[nodiscard]] fs::path at(const std::string& name) const { return folder_ / name; }
  [[nodiscard]] std::string bytes_of(const fs::path& file) const {
    std::ifstream in{file, std::ios::binary};
    return {std::istreambuf_iterator<char>{in}, {}};
  }
  // All traces, run from the directory `here`; all files into `into`, a path relative to it.
  void run(const fs::path& here, const fs::path& scenario, const fs::path& into) const {
    fs::create_directories(here / into);
    const auto file = [&](const char* name) { return " '" + (into / name).string() + "'"; };
    const std::string command =
        "cd '" + here.string() + "' && '" + fs::absolute(std::getenv("WEIR_PROGRAM")).string() +
        "' run '" + scenario.string() +
        "' --quiet --until '2.4 ms' --events all --pcap --log-level debug --out" + file("out") +
        " --wave" + file("run.fst") + " --timeline" + file("t.json") + " --log-file" +
        file("run.log") + " >/dev/null";
    const int status = std::system(command.c_str());
    ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) <= 1) << command;
  }
  void run_here() const { run(fs::current_path(), scenario_, at("a")); }

  [[nodiscard]] std::string output_of(const std::string& command) const {
    FILE* pipe = popen(command.c_str(), "r");
    std::string text;
    char buffer[65536];
    for (std::size_t n; (n = fread(buffer, 1, sizeof buffer, pipe)) != 0;) text.append(buffer, n);
    EXPECT_EQ(pclose(pipe), 0) << command;
    return text;
  }
  // Rows of words.
  [[nodiscard]] std::vector<std::vector<std::string>> ask(const std::string& query) const {
    std::istringstream lines{output_of("sqlite3 -separator ' ' -nullvalue - '" +
                                       at("a/out/events.sqlite").string() + "' \"" + query + "\"")};
    std::vector<std::vector<std::string>> rows;
    for (std::string line; std::getline(lines, line);) {
      rows.emplace_back();
      std::istringstream in{line};
      for (std::string value; in >> value;) rows.back().push_back(value);
    }
    return rows;
  }

  const fs::path scenario_{"vectors/scenarios/storm_clos4_dt_no_watchdog.toml"};

 private:
  fs::path folder_;
};

TEST_F(NetworkTraces, TheSameRunGivesTheSameBytesInEveryFileWhereverItIsWritten) {
  run_here();
  sleep(1);  // another second: no file may contain the time of day
  fs::create_directories(at("elsewhere"));
  run(at("elsewhere"), fs::absolute(scenario_), "b/deeper");
  std::size_t compared = 0;
  for (const char* name :
       {"run.fst", "run.gtkw", "t.json", "run.log", "out/events.sqlite", "out/pfc.pcapng",
        "out/report.html", "out/report.json", "out/summary.json"}) {
    const std::string a = bytes_of(at("a") / name), b = bytes_of(at("elsewhere/b/deeper") / name);
    EXPECT_GT(a.size(), 1000U) << name;
    EXPECT_TRUE(a == b) << name << " differs";
    EXPECT_EQ(a.find(at("a").string()), std::string::npos) << name << " holds a path";
    ++compared;
  }
  EXPECT_EQ(compared, 9U);
  for (const fs::directory_entry& entry : fs::directory_iterator{at("a/out")})
    EXPECT_TRUE(entry.path().filename() == "run.json" ||
                fs::exists(at("elsewhere/b/deeper/out") / entry.path().filename()))
        << entry.path() << " is not compared";
}

TEST_F(NetworkTraces, WaveformAndEventsAgreeAtEverySwitch) {
  run_here();
  const VcdReader wave = VcdReader::from_fst(at("a/run.fst").string());
  struct Queue {
    std::vector<std::uint64_t> came, left;
  };
  std::map<std::string, Queue> queues;
  for (const auto& row : ask("SELECT switch || '.port[' || egress_port || '].queue[' || queue || "
                             "'].depth', time_ps, departed_ps FROM verdicts")) {
    Queue& queue = queues[row.at(0)];
    queue.came.push_back(std::stoull(row.at(1)));
    if (row.at(2) != "-") queue.left.push_back(std::stoull(row.at(2)));
  }
  std::set<std::string> switches;
  std::size_t deepest = 0;
  for (auto& [name, queue] : queues) {
    std::sort(queue.came.begin(), queue.came.end());
    std::sort(queue.left.begin(), queue.left.end());
    for (std::uint64_t time = 1'000'000; time < until_ps; time += 7'654'321) {
      const auto until = [&](const std::vector<std::uint64_t>& times) {
        return static_cast<std::size_t>(std::upper_bound(times.begin(), times.end(), time) -
                                        times.begin());
      };
      const std::size_t held = until(queue.came) - until(queue.left);
      ASSERT_EQ(wave.at(name, time), std::to_string(held)) << name << " at " << time;
      deepest = std::max(deepest, held);
    }
    switches.insert(name.substr(0, name.find('.')));
  }
  EXPECT_GE(switches.size(), 7U) << "4 ToRs, 2 leaves, 1 spine";
  EXPECT_GT(deepest, 50U);
  std::size_t levels = 0;
  for (const auto& row : ask("SELECT switch || '.port[' || port || '].pg[' || pg || '].xoff', "
                             "time_ps, xoff FROM levels")) {
    const std::uint64_t edge = std::stoull(row.at(1)) - admit_ps;
    EXPECT_EQ(wave.at(row.at(0), edge), row.at(2)) << row.at(0) << " at " << edge;
    EXPECT_NE(wave.at(row.at(0), edge - 1), row.at(2)) << row.at(0) << " before " << edge;
    ++levels;
  }
  EXPECT_GT(levels, 5U);
}

TEST_F(NetworkTraces, TheCaptureHoldsEveryPfcFrameOfEveryPort) {
  run_here();
  using Sent = std::multiset<std::pair<std::string, std::string>>;  // nanosecond, port
  Sent events, captured;
  for (const auto& row :
       ask("SELECT DISTINCT f.time_ps / 1000, CASE p.kind WHEN 'host' THEN f.node ELSE f.node || "
           "'.port[' || f.port || ']' END FROM pfc_frames f JOIN ports p USING (node, port) "
           "WHERE direction = 'sent'"))
    events.emplace(row.at(0), row.at(1));
  std::istringstream lines{output_of("tshark -r '" + at("a/out/pfc.pcapng").string() +
                                     "' -T fields -e frame.time_epoch -e frame.interface_name "
                                     "2>/dev/null")};
  for (std::string stamp, port; lines >> stamp >> port;) {
    stamp.erase(stamp.find('.'), 1);
    captured.emplace(std::to_string(std::stoull(stamp)), port);
  }
  EXPECT_GT(events.size(), 20U);
  EXPECT_EQ(captured, events);
}

TEST_F(NetworkTraces, ArrowsOfTheTimelineLeadFromPauseToPauseUpstream) {
  run_here();
  const Json trace = Json::parse(bytes_of(at("a/t.json")));
  std::map<int, std::string> nodes;
  std::set<std::tuple<int, int, std::string, std::string>> slices;  // pid, tid, begin, name
  std::map<int, Json> starts, ends;
  std::size_t sent = 0;
  for (const Json& event : trace["traceEvents"]) {
    const std::string kind = event["ph"];
    if (event["name"] == "process_name") nodes[event["pid"]] = event["args"]["name"];
    if (kind == "X") {
      slices.emplace(event["pid"], event["tid"], event["ts"].dump(), event["name"]);
      sent += event["name"] == "PAUSE sent" || event["name"] == "RESUME sent" ? 1 : 0;
    }
    if (kind == "s") starts[event["id"]] = event;
    if (kind == "f") ends[event["id"]] = event;
  }
  EXPECT_EQ(std::to_string(sent),
            ask("SELECT count(*) FROM pfc_frames WHERE direction = 'sent'").at(0).at(0));
  std::set<std::pair<std::string, std::string>> links;
  for (const auto& row : ask("SELECT node, peer_node FROM ports"))
    links.emplace(row.at(0), row.at(1));
  ASSERT_EQ(starts.size(), ends.size());
  std::map<std::string, std::set<std::string>> stops;  // who paused whom
  for (const auto& [id, start] : starts) {
    const Json& end = ends.at(id);
    EXPECT_EQ(slices.count({start["pid"], start["tid"], start["ts"].dump(), "PAUSE sent"}), 1U)
        << "an arrow begins at a PAUSE: " << start;
    EXPECT_EQ(slices.count({end["pid"], end["tid"], end["ts"].dump(), "paused"}), 1U)
        << "an arrow ends at what it paused: " << end;
    EXPECT_LT(start["ts"].get<double>(), end["ts"].get<double>());
    EXPECT_EQ(links.count({nodes[start["pid"]], nodes[end["pid"]]}), 1U) << "along a link";
    stops[nodes[start["pid"]]].insert(nodes[end["pid"]]);
  }
  // The storm of T0h0 spreads upstream, link by link, to hosts at the other end.
  std::set<std::string> reached{"T0h0"};
  for (std::size_t before = 0; before != reached.size();) {
    before = reached.size();
    for (const std::string& node : std::set<std::string>{reached})
      reached.insert(stops[node].begin(), stops[node].end());
  }
  for (const char* node : {"T0", "L0", "S0", "L1", "T2", "T2h0"})
    EXPECT_EQ(reached.count(node), 1U) << node;
}

}  // namespace
}  // namespace weir::network_traces_test
