// SPDX-License-Identifier: Apache-2.0
#include "weir/trace/events/timeline.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "support/small_network.hpp"
#include "weir/model/network/network.hpp"
#include "weir/model/probe/run_in_child.hpp"

namespace weir {
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

 private:
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

}  // namespace
}  // namespace weir
