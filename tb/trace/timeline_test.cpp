// SPDX-License-Identifier: Apache-2.0
#include "weir/trace/events/timeline.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/small_network.hpp"
#include "weir/model/mmu/ecn_marker_unit.hpp"
#include "weir/model/network/network.hpp"
#include "weir/model/probe/run_in_child.hpp"

namespace weir::timeline_test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using test::us;

class TimelineTest : public ::testing::Test {
 protected:
  void SetUp() override {
    file_ = fs::temp_directory_path() / ("weir-timeline-" + std::to_string(getpid()) + ".json");
  }
  void TearDown() override { fs::remove(file_); }

  // The events of a run of three hosts into one, and how long h0 was paused, in us.
  Json events() {
    paused_us_ = std::stod(run_in_child([&] {
      Scenario described = test::star(test::small_chip(4, test::gbps(100)), test::ns(200), us(400));
      described.traffic = {test::flood("a", 0, 3, 3, 1000), test::flood("b", 1, 3, 3, 1500),
                           test::flood("c", 2, 3, 3, 700)};
      Network network{described};
      Timeline timeline{file_, described};
      network.watch(timeline);
      network.run_until(us(400));
      timeline.finish(us(400));
      return std::to_string(
          static_cast<double>(network.host(0).paused_time(Priority{3}, us(400)).count()) / 1e6);
    }));
    std::ifstream in{file_};
    return Json::parse(in).at("traceEvents");
  }
  double paused_us_{0};
  fs::path file_;
};

TEST_F(TimelineTest, PausesAreSlicesAsLongAsTheHostWasPaused) {
  const Json all = events();
  std::map<int, std::string> nodes;
  for (const Json& event : all)
    if (event["ph"] == "M" && event["name"] == "process_name")
      nodes[event["pid"]] = event["args"]["name"];
  double paused = 0;
  std::size_t xoffs = 0;
  for (const Json& event : all) {
    if (event["ph"] != "X") continue;
    if (event["name"] == "paused" && nodes.at(event["pid"]) == "h0") paused += double(event["dur"]);
    if (event["name"] == "XOFF") {
      ++xoffs;
      EXPECT_EQ(nodes.at(event["pid"]), "sw");
    }
  }
  EXPECT_GT(xoffs, 0U);
  EXPECT_GT(paused, 0.0);
  EXPECT_NEAR(paused, paused_us_, 1e-5);
}

TEST_F(TimelineTest, EveryArrowLeadsFromASentPauseToAPausedSlice) {
  const Json all = events();
  std::map<std::uint64_t, Json> starts, ends;
  const auto slice_at = [&](const Json& arrow, const std::string& name) {
    for (const Json& event : all)
      if (event["ph"] == "X" && event["name"] == name && event["pid"] == arrow["pid"] &&
          event["tid"] == arrow["tid"] && event["ts"] == arrow["ts"])
        return true;
    return false;
  };
  for (const Json& event : all) {
    if (event["ph"] == "s") {
      EXPECT_TRUE(slice_at(event, "PAUSE sent")) << event;
      starts[event["id"]] = event;
    }
    if (event["ph"] == "f") {
      EXPECT_TRUE(slice_at(event, "paused")) << event;
      ends[event["id"]] = event;
    }
  }
  ASSERT_GT(starts.size(), 1U);
  ASSERT_EQ(starts.size(), ends.size());
  const double response =
      double(quanta_time(response_limit(test::gbps(100)), test::gbps(100)).count()) / 1e6;
  ASSERT_GT(response, 0.1);
  for (const auto& [id, start] : starts)
    EXPECT_NEAR(double(ends.at(id)["ts"]) - double(start["ts"]), 0.200 + 0.00576 + response, 1e-5)
        << "cable, frame and response time";
}

TEST_F(TimelineTest, AQueueThatMarksHasCountersThatEndWithItsTotals) {
  const std::uint64_t marked = std::stoull(run_in_child([&] {
    Scenario described = test::star(test::small_chip(4, test::gbps(100)), test::ns(200), us(40));
    Chip& chip = described.switches[0].chip;
    chip.wred_profiles = {{"red", Cells{10}, Cells{20}, 3277, true, false, WredPoint::dequeue}};
    chip.wred_of_queue.resize(chip.ports.size() * priorities);
    chip.wred_of_queue[queue_index(PortId{3}, Priority{3})] = WredProfileIndex{0};
    described.traffic = {test::flood("a", 0, 3, 3, 1000), test::flood("b", 1, 3, 3, 1500)};
    for (TrafficSpec& traffic : described.traffic) traffic.ecn = Ecn::ect0;
    described.monitor.period = us(2);
    Network network{described};
    Timeline timeline{file_, described};
    network.watch(timeline);
    network.run_until(us(40));
    network.finish();
    timeline.finish(us(40));
    return std::to_string(network.switch_at(0).mmu.ecn_marker->core().total().marked_packets);
  }));
  std::ifstream in{file_};
  std::vector<std::uint64_t> waiting, counts;
  const Json all = Json::parse(in).at("traceEvents");
  for (const Json& event : all) {
    if (event["ph"] != "C") continue;
    if (event["name"] == "port[3] queue 3 waiting (K_min 10, K_max 20)")
      waiting.push_back(event["args"]["cells"]);
    else if (event["name"] == "port[3] queue 3 marked")
      counts.push_back(event["args"]["packets"]);
    else
      ADD_FAILURE() << event;
  }
  EXPECT_GT(marked, 100U);
  ASSERT_EQ(counts.size(), 20U) << "40 us in periods of 2";
  EXPECT_EQ(waiting.size(), counts.size());
  EXPECT_GT(waiting.back(), 20U) << "two into one";
  EXPECT_EQ(counts.back(), marked);
}

}  // namespace
}  // namespace weir::timeline_test
