// SPDX-License-Identifier: Apache-2.0
#include "weir/trace/summary/measurement.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "support/small_network.hpp"
#include "weir/config/scenario/scenario_file.hpp"
#include "weir/core/errors.hpp"
#include "weir/model/probe/run_in_child.hpp"
#include "weir/trace/summary/conservation.hpp"
#include "weir/trace/summary/summary_json.hpp"

namespace weir::measurement_test {
namespace {

using nlohmann::json;
using test::flood;
using test::gbps;
using test::ns;
using test::packet;
using test::ps;
using test::replay;
using test::small_chip;
using test::star;
using test::us;

json run(const Scenario& scenario, std::uint64_t permutation = 0) {
  const std::string text = run_in_child([&] {
    Network network{scenario, permutation};
    const Measurement measurement{network};
    network.run_until(scenario.until);
    network.finish();
    check_conservation(network);
    return to_json(measurement.summary());
  });
  return json::parse(text);
}

// Everything that may be in a summary: pauses, drops of lossless and lossy classes, several ports.
Scenario busy(const char* file, Picoseconds until, Picoseconds warm_up) {
  Scenario scenario = load_scenario(file, {});
  scenario.until = until;
  scenario.warm_up = warm_up;
  scenario.expect.clear();
  return scenario;
}

constexpr const char* incast = "vectors/scenarios/incast_star16_dt_trident2.toml";
constexpr const char* lossy_mix = "vectors/scenarios/lossy_mix_star8_dt_trident2.toml";

// The second part of a run is the whole less the run that ends where it begins.
TEST(Measurement, WhatIsCountedIsTheRunLessTheRunUpToTheWarmUp) {
  for (const char* file : {incast, lossy_mix}) {
    for (const Picoseconds warm_up : {ps(1), us(30), ps(77'777'777), us(299)}) {
      const json whole = run(busy(file, us(300), us(0)));
      const json first = run(busy(file, warm_up, us(0)));
      const json second = run(busy(file, us(300), warm_up));
      for (const char* count :
           {"sent_packets", "sent_bytes", "delivered_packets", "delivered_bytes", "xoff_entered",
            "pauses_sent", "pauses_received", "resumes_sent", "resumes_received", "lossless_drops",
            "lossy_drops", "pause_time_ps"})
        EXPECT_EQ(second["totals"][count].get<std::uint64_t>(),
                  whole["totals"][count].get<std::uint64_t>() -
                      first["totals"][count].get<std::uint64_t>())
            << count << " of " << file << ", warm-up " << warm_up.count() << " ps";
      EXPECT_EQ(second["totals"]["in_flight_packets"], whole["totals"]["in_flight_packets"]);
      EXPECT_EQ(second["totals"]["last_delivery_ps"], whole["totals"]["last_delivery_ps"]);
      EXPECT_EQ(second["warm_up_ps"], warm_up.count());
    }
  }
}

// The entry of a list in which `key` is `value`.
const json* entry_of(const json& list, const std::string& key, const json& value) {
  for (const json& entry : list)
    if (entry[key] == value) return &entry;
  return nullptr;
}

TEST(Measurement, TheTablesOfGroupsAndClassesAreCountedLikeTheTotals) {
  const Picoseconds warm_up = us(100);
  const json whole = run(busy(lossy_mix, us(300), us(0)));
  const json first = run(busy(lossy_mix, warm_up, us(0)));
  const json second = run(busy(lossy_mix, us(300), warm_up));
  std::size_t groups = 0, statistics = 0;
  const json &a = whole["switches"][0]["ports"], &b = first["switches"][0]["ports"];
  const json& c = second["switches"][0]["ports"];
  for (std::size_t port = 0; port < a.size(); ++port)
    for (const json& pg : a[port]["priority_groups"]) {
      const json& counted = *entry_of(c[port]["priority_groups"], "pg", pg["pg"]);
      const json* const before = entry_of(b[port]["priority_groups"], "pg", pg["pg"]);
      const auto old = [&](const char* key) { return before ? (*before)[key].get<int>() : 0; };
      EXPECT_EQ(counted["packets"].get<int>(), pg["packets"].get<int>() - old("packets"));
      EXPECT_EQ(counted["drops"].get<int>(), pg["drops"].get<int>() - old("drops"));
      const char* const sai = "SAI_INGRESS_PRIORITY_GROUP_STAT_PACKETS";
      EXPECT_EQ(counted["sai"][sai], counted["packets"]);
      const char* const mark = "SAI_INGRESS_PRIORITY_GROUP_STAT_SHARED_WATERMARK_BYTES";
      EXPECT_EQ(counted["sai"][mark].get<int>(), counted["peak_shared_cells"].get<int>() * 208);
      ++groups;
      statistics += counted["packets"] != 0 ? 1 : 0;
    }
  EXPECT_GT(groups, 3U);
  EXPECT_GT(statistics, 3U);
}

// Two bursts into one port; the second is the smaller one. Alpha is 1/8 of 40000 cells.
Scenario two_bursts(Picoseconds warm_up) {
  Scenario scenario = star(small_chip(3, gbps(100)), ns(100), us(100));
  std::vector<ReplayPacket> packets;
  for (int i = 0; i < 40; ++i)
    for (const std::size_t from : {1U, 2U}) packets.push_back(packet(us(1), 1000, 3, from, 0));
  for (int i = 0; i < 10; ++i)
    for (const std::size_t from : {1U, 2U}) packets.push_back(packet(us(50), 1000, 3, from, 0));
  scenario.traffic = {replay(packets, 3)};
  scenario.warm_up = warm_up;
  return scenario;
}

TEST(Measurement, APeakIsThatOfTheSecondPart) {
  const json whole = run(two_bursts(us(0)));
  const json second = run(two_bursts(us(40)));
  Scenario small = two_bursts(us(0));
  auto& packets = small.traffic[0].replay;
  packets.erase(packets.begin(), packets.begin() + 80);
  const json alone = run(small);
  for (const char* mark : {"peak_shared_cells", "peak_occupancy_cells"}) {
    EXPECT_EQ(second["totals"][mark], alone["totals"][mark]) << mark;
    EXPECT_LT(second["totals"][mark].get<int>(), whole["totals"][mark].get<int>()) << mark;
  }
  for (const char* time : {"average_latency_ps", "longest_latency_ps", "latency_p99_ps"})
    EXPECT_EQ(second["totals"][time], alone["totals"][time]) << time;
  const auto limit = [](const json& summary) {
    return summary["switches"][0]["ports"][1]["priority_groups"][0]["limit_at_peak_cells"];
  };
  EXPECT_EQ(limit(second), limit(alone));
}

TEST(Measurement, APeakIsNotBelowWhatIsHeldWhenTheWarmUpEnds) {
  // At 3 us about half of the first burst waits; nothing comes in any more.
  Scenario scenario = two_bursts(us(0));
  scenario.traffic[0].replay.resize(80);
  scenario.until = us(5);
  const json first = run(scenario);
  const int held = first["switches"][0]["pools"][0]["held"]["shared_cells"].get<int>();
  ASSERT_GT(held, 20);
  scenario.until = us(100);
  scenario.warm_up = us(5);
  const json second = run(scenario);
  EXPECT_EQ(second["totals"]["peak_shared_cells"], held);
}

TEST(Measurement, TheLongestPauseIsOneThatWasOnOrBeganSince) {
  const json whole = run(busy(incast, us(300), us(0)));
  const auto longest = [](const json& summary) {
    std::uint64_t most = 0;
    for (const json& host : summary["hosts"])
      for (const json& entry : host["priorities"])
        most = std::max(most, entry["longest_pause_ps"].get<std::uint64_t>());
    return most;
  };
  ASSERT_GT(longest(whole), 0U);
  // After the incast no host is paused any more.
  Scenario quiet = busy(incast, us(3000), us(2900));
  quiet.traffic[0].stop = us(10);
  const json second = run(quiet);
  EXPECT_EQ(second["totals"]["pause_time_ps"], 0);
  EXPECT_EQ(longest(second), 0U);
  EXPECT_EQ(second["totals"]["pauses_sent"], 0);
}

TEST(Measurement, DoesNotDependOnTheOrderOfThingsOfOneMoment) {
  const Scenario scenario = busy(incast, us(200), us(100));
  EXPECT_EQ(run(scenario), run(scenario, 12345));
}

TEST(Measurement, ARunThatEndedBeforeItsWarmUpHasCountedNothing) {
  Scenario scenario = two_bursts(us(40));
  const json summary = json::parse(run_in_child([&] {
    Network network{scenario};
    const Measurement measurement{network};
    network.run_until(us(10));
    network.finish();
    return to_json(measurement.summary());
  }));
  EXPECT_EQ(summary["interrupted"], true);
  EXPECT_EQ(summary["totals"]["sent_packets"], 0);
  EXPECT_EQ(summary["totals"]["delivered_packets"], 0);
}

TEST(Measurement, SummarizingWithoutOneIsAnError) {
  const Scenario scenario = two_bursts(us(40));
  const std::string error = run_in_child([&]() -> std::string {
    Network network{scenario};
    network.run_until(scenario.until);
    try {
      static_cast<void>(summarize(network));
    } catch (const ModelError& what) {
      return what.what();
    }
    return "no error";
  });
  EXPECT_NE(error.find("warm_up"), std::string::npos) << error;
}

}  // namespace
}  // namespace weir::measurement_test
