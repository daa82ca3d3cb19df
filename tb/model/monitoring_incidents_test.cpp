// SPDX-License-Identifier: Apache-2.0
// Rows W4, T6 and T8 of docs/design/published-rows.md, scaled down: a misconfigured alpha, latency
// under load, and the counters that show them. At the size of the paper: scripts/check/incidents
// --full.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "weir/config/scenario/scenario_file.hpp"
#include "weir/model/network/network.hpp"
#include "weir/model/probe/run_in_child.hpp"
#include "weir/trace/summary/conservation.hpp"
#include "weir/trace/summary/summary.hpp"
#include "weir/trace/summary/summary_json.hpp"

namespace weir::monitoring_incidents_test {
namespace {

using Json = nlohmann::json;

// summary.json of a scenario, run in a process of its own.
Json run(const std::string& name, const std::vector<std::string>& overrides = {}) {
  return Json::parse(run_in_child([&] {
    const Scenario scenario = load_scenario("vectors/scenarios/" + name + ".toml", overrides);
    Network network{scenario};
    network.run_until(scenario.until);
    network.finish();
    check_conservation(network);
    return to_json(summarize(network));
  }));
}

void expect_all_met(const Json& summary) {
  for (const Json& line : summary.at("expect"))
    EXPECT_TRUE(line.at("met")) << summary.at("scenario") << ": " << line.dump();
}

TEST(MisconfiguredAlpha, ThreeTimesThePausesAndTheDriftIsNamed) {
  const Json wrong = run("incast_star18_dt_alpha64"), right = run("incast_star18_dt_alpha16");
  expect_all_met(wrong);
  expect_all_met(right);
  const auto pauses = [](const Json& summary) {
    return summary.at("totals").at("pauses_sent").get<std::uint64_t>();
  };
  EXPECT_GT(pauses(right), 0U);
  EXPECT_GE(pauses(wrong), 3 * pauses(right));
  EXPECT_EQ(wrong.at("totals").at("delivered_packets"), right.at("totals").at("delivered_packets"))
      << "the same incast";
  ASSERT_EQ(wrong.at("drifts").size(), 1U);
  const Json& drift = wrong.at("drifts")[0];
  EXPECT_EQ(drift.at("switch"), "tor");
  EXPECT_EQ(drift.at("key"), "profile.lossless.alpha");
  EXPECT_EQ(drift.at("desired"), "1/16");
  EXPECT_EQ(drift.at("running"), "1/64");
  EXPECT_EQ(drift.at("found_ps"), 0);
}

// The two scenarios differ only in alpha and its consequences.
TEST(MisconfiguredAlpha, WithTheFixTheRunsAreTheSame) {
  const Json fixed = run("incast_star18_dt_alpha64", {"switch.tor.profile.lossless.alpha=1/16"});
  const Json right = run("incast_star18_dt_alpha16");
  EXPECT_EQ(fixed.at("switches"), right.at("switches"));
  EXPECT_TRUE(fixed.at("drifts").empty());
}

TEST(LatencyUnderLoad, TheClassOfTheTrafficWaitsAndTheOtherOneDoesNot) {
  const Json idle = run("pingmesh_leafspine48_dt_idle"), load = run("pingmesh_leafspine48_dt_load");
  expect_all_met(idle);
  expect_all_met(load);
  const auto p99 = [](const Json& summary, int priority) {
    for (const Json& row : summary.at("probes"))
      if (row.at("priority") == priority) return row.at("rtt").at("p99_ps").get<double>();
    ADD_FAILURE() << "no probes in class " << priority;
    return 0.0;
  };
  EXPECT_EQ(idle.at("probes")[0].at("level"), "podset");
  const double rise = p99(load, 3) / p99(idle, 3), other = p99(load, 1) / p99(idle, 1);
  EXPECT_GE(rise, 4.0);
  EXPECT_LE(rise, 12.0);
  EXPECT_LT(other, 1.05);
  EXPECT_GE(other, 0.95);
}

// T8: per port and priority, pauses both ways, pause duration, packets and bytes both ways, drops
// at ingress and at egress; the two ends of a link agree where they count the same.
TEST(CountersOfAPort, EveryOneOfThemIsThereForEveryPortAndPriority) {
  const Json summary = run("incast_star18_dt_alpha64", {"scenario.until=6 ms"});
  std::map<std::string, Json> hosts;
  for (const Json& host : summary.at("hosts")) hosts[host.at("name")] = host;
  std::size_t classes = 0;
  for (const Json& port : summary.at("switches")[0].at("ports"))
    for (const Json& entry : port.at("priorities")) {
      ++classes;
      for (const char* key : {"pauses_sent", "pauses_received", "pause_time_ps", "pause_intervals",
                              "longest_pause_ps", "rx_packets", "rx_bytes", "tx_packets",
                              "tx_bytes", "ingress_drops", "egress_drops"})
        EXPECT_TRUE(entry.at(key).is_number_unsigned()) << key;
      const Json& peer = hosts.at(port.at("peer")).at("priorities")[0];
      EXPECT_EQ(peer.at("pauses_received"), entry.at("pauses_sent"));
      EXPECT_EQ(peer.at("pause_time_ps"), entry.at("upstream_pause_time_ps"));
      EXPECT_EQ(peer.at("tx_packets"), entry.at("rx_packets"));
      EXPECT_EQ(peer.at("rx_bytes"), entry.at("tx_bytes"));
    }
  EXPECT_EQ(classes, 18U);
}

}  // namespace
}  // namespace weir::monitoring_incidents_test
