// SPDX-License-Identifier: Apache-2.0
// Copies of flooded frames in the waveform and in the event database.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>

#include "support/small_network.hpp"
#include "support/vcd_reader.hpp"
#include "weir/model/network/network.hpp"
#include "weir/trace/events/event_database.hpp"
#include "weir/trace/wave/wave_recorder.hpp"

namespace weir::flood_trace_test {
namespace {

namespace fs = std::filesystem;
using namespace test;

constexpr Picoseconds until = us(100);

// Ten packets to a host that is dead and has no table entry, all at once, and ten to a live one:
// the first are flooded, and their copies queue at the slow port 3.
Scenario flooded() {
  Chip chip = small_chip(4, gbps(100));
  chip.ports[3].rate = gbps(10);
  chip.ports[3].response = quanta_time(response_limit(gbps(10)), gbps(10));
  chip.neighbours.emplace();
  Scenario scenario = star(chip, ns(0), until);
  scenario.name = "flooded";
  scenario.hosts[2].dead_from = ps(0);
  std::vector<ReplayPacket> packets;
  for (std::uint64_t i = 0; i < 10; ++i) packets.push_back(packet(us(1), 1000, 3, 0, 2));
  for (std::uint64_t i = 0; i < 10; ++i) packets.push_back(packet(us(1), 1000, 3, 0, 1));
  scenario.traffic = {replay(packets, 4)};
  return scenario;
}

class FloodTrace : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("weir-flood-" + std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  // Answer of the plain sqlite3 tool about a run with this much detail.
  std::string ask(EventDetail detail, const std::string& query) {
    const fs::path file = folder_ / "events.sqlite";
    if (!fs::exists(file)) {
      const Scenario scenario = flooded();
      Network network{scenario};
      EventDatabase events{file, scenario, detail};
      network.watch(events);
      network.run_until(until);
      events.finish(until);
    }
    const std::string command = "sqlite3 '" + file.string() + "' \"" + query + "\"";
    FILE* pipe = popen(command.c_str(), "r");
    char buffer[256];
    const std::size_t length = fread(buffer, 1, sizeof buffer, pipe);
    EXPECT_EQ(pclose(pipe), 0) << command;
    return {buffer, length};
  }
  fs::path folder_;
};

TEST_F(FloodTrace, TheDepthOfAQueueCountsCopiesInAndOut) {
  const Scenario scenario = flooded();
  Network network{scenario};
  WaveOptions options;
  options.file = (folder_ / "a.vcd").string();
  WaveRecorder recorder{options, scenario};
  network.watch(recorder);
  network.run_until(until);
  recorder.finish(until);
  const VcdReader wave = VcdReader::from_file(options.file);
  const auto deepest = [&](const std::string& name) {
    unsigned long most = 0;
    for (const VcdReader::Change& change : wave.changes(name))
      most = std::max(most, std::stoul(change.value));
    return most;
  };
  for (const char* port : {"1", "2", "3"}) {
    const std::string name = std::string{"sw.port["} + port + "].queue[3].depth";
    EXPECT_EQ(wave.changes(name).back().value, "0") << name << ": a copy is not counted out";
    EXPECT_GE(deepest(name), 1U) << name;
    EXPECT_LE(deepest(name), 10U) << name;
  }
  EXPECT_GE(deepest("sw.port[3].queue[3].depth"), 8U) << "copies wait at the slow port";
}

TEST_F(FloodTrace, ADatabaseOfEverythingHasOneVerdictAPacketAndEveryStrayCopy) {
  EXPECT_EQ(ask(EventDetail::all, "SELECT count(*) FROM verdicts"), "20\n");
  EXPECT_EQ(ask(EventDetail::all, "SELECT count(*) FROM verdicts WHERE departed_ps IS NULL"), "0\n")
      << "every packet has left through the port of its host";
  EXPECT_EQ(ask(EventDetail::all,
                "SELECT count(*) FROM drops WHERE reason = 'stray_copy' AND port IN (1, 3)"),
            "20\n");
  EXPECT_EQ(ask(EventDetail::all, "SELECT count(*) FROM drops WHERE reason = 'dead_host'"), "10\n");
}

TEST_F(FloodTrace, ASmallerDatabaseLeavesStrayCopiesOut) {
  EXPECT_EQ(ask(EventDetail::pfc, "SELECT count(*) FROM drops WHERE reason = 'stray_copy'"), "0\n");
  EXPECT_EQ(ask(EventDetail::pfc, "SELECT count(*) FROM drops WHERE reason = 'dead_host'"), "10\n");
}

}  // namespace
}  // namespace weir::flood_trace_test
