// SPDX-License-Identifier: Apache-2.0
#include "weir/model/network/pingmesh.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/small_network.hpp"
#include "weir/model/network/network.hpp"
#include "weir/model/probe/run_in_child.hpp"
#include "weir/trace/summary/conservation.hpp"
#include "weir/trace/summary/summary.hpp"
#include "weir/trace/summary/summary_json.hpp"

namespace weir::pingmesh_test {
namespace {

using namespace test;

// Probes of 512 B every 5 us between hosts 0 and 1 of a star at 100G with cables of 100 ns.
Scenario probed(std::vector<std::uint8_t> classes, Picoseconds until, std::size_t hosts = 3) {
  Scenario scenario = star(small_chip(hosts, gbps(100)), ns(100), until);
  PingmeshSpec spec;
  spec.pairs = {{0, 1}, {1, 0}};
  for (const std::uint8_t priority : classes) spec.classes.emplace_back(priority);
  spec.interval = us(5);
  spec.timeout = us(50);
  scenario.pingmesh = spec;
  return scenario;
}

// A probe and its answer take two lines each: wire, cable, admission at a clock edge, wire, cable.
constexpr std::uint64_t wires_and_cables = 4 * (520 * 80 + 100'000) + 2 * 3'000;

class Probes final : public Observer {
 public:
  std::vector<PingResult> all;
  void probe(const PingResult& result) override { all.push_back(result); }
};

std::vector<PingStatistics> run(Network& network) {
  network.run_until(network.scenario().until);
  network.finish();
  check_conservation(network);
  return network.pingmesh()->account().statistics();
}

TEST(NearestRank, TakesTheElementThatSoManyDoNotExceed) {
  EXPECT_EQ(nearest_rank({}, 990), ps(0));
  std::vector<Picoseconds> times;
  for (std::uint64_t i = 1; i <= 100; ++i) times.push_back(ps(i));
  EXPECT_EQ(nearest_rank(times, 500), ps(50));
  EXPECT_EQ(nearest_rank(times, 501), ps(51));
  EXPECT_EQ(nearest_rank(times, 990), ps(99));
  EXPECT_EQ(nearest_rank(times, 991), ps(100));
  EXPECT_EQ(nearest_rank(times, 1000), ps(100));
  EXPECT_EQ(nearest_rank({ps(7)}, 1), ps(7));
}

TEST(Pingmesh, AnIdleNetworkTakesWiresCablesAndAdmission) {
  Network network{probed({3}, us(1000))};
  const std::vector<PingStatistics> rows = run(network);
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].level, PingLevel::tor);
  EXPECT_EQ(rows[0].priority, Priority{3});
  EXPECT_EQ(rows[0].probes(), 400U) << "two pairs, one every 5 us";
  EXPECT_GE(rows[0].count(PingCode::ok), 398U) << "but for those that the end overtakes";
  EXPECT_EQ(rows[0].errors(), 0U);
  EXPECT_GE(rows[0].rtt.least, ps(wires_and_cables));
  EXPECT_LE(rows[0].rtt.most, ps(wires_and_cables + 2'000 + 2 * 532 * 80))
      << "two clock edges, and at most one other frame ahead on each host's wire";
}

TEST(Pingmesh, TheServerTakesItsTurnaround) {
  Scenario scenario = probed({3}, us(1000));
  scenario.pingmesh->pairs = {{0, 1}};
  scenario.pingmesh->turnaround = us(2);
  Network network{scenario};
  const std::vector<PingStatistics> rows = run(network);
  EXPECT_GE(rows.at(0).rtt.least, ps(wires_and_cables) + us(2));
  EXPECT_LE(rows.at(0).rtt.most, ps(wires_and_cables + 2'000) + us(2));
}

TEST(Pingmesh, ProbesWaitInTheQueuesOfTheirClassAndInNoOther) {
  Scenario scenario = probed({1, 3}, us(2000));
  scenario.traffic = {flood("a", 1, 0, 3, 1000), flood("b", 2, 0, 3, 1000)};
  Network network{scenario};
  const std::vector<PingStatistics> rows = run(network);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].priority, Priority{1});
  EXPECT_LT(rows[0].rtt.p99, ps(2 * wires_and_cables));
  EXPECT_GT(rows[1].rtt.p50, ps(20 * wires_and_cables)) << "after the queue towards host 0";
  EXPECT_EQ(rows[0].errors(), 0U);
}

TEST(Pingmesh, AnAnswerThatNeverComesIsATimeout) {
  Scenario scenario = probed({3}, us(200));
  scenario.pingmesh->pairs = {{0, 1}};
  FaultSpec fault;
  fault.link = 1;
  fault.frames = FaultFrames::data;
  scenario.faults = {fault};
  Network network{scenario};
  Probes probes;
  network.watch(probes);
  const std::vector<PingStatistics> rows = run(network);
  EXPECT_EQ(rows.at(0).count(PingCode::ok), 0U);
  EXPECT_EQ(rows.at(0).probes(), 40U);
  for (const PingResult& probe : probes.all) {
    EXPECT_EQ(probe.code, probe.sent + us(50) <= us(200) ? PingCode::timeout : PingCode::pending)
        << "sent at " << probe.sent;
    EXPECT_EQ(probe.rtt, std::nullopt);
  }
  EXPECT_GE(rows.at(0).count(PingCode::timeout), 29U);
  EXPECT_GE(rows.at(0).count(PingCode::pending), 9U) << "their time was not over yet";
}

TEST(Pingmesh, ALateAnswerIsATimeoutThatIsStillMeasured) {
  Scenario scenario = probed({3}, us(200));
  scenario.pingmesh->turnaround = us(20);
  scenario.pingmesh->timeout = us(20);
  Network network{scenario};
  const std::vector<PingStatistics> rows = run(network);
  EXPECT_EQ(rows.at(0).count(PingCode::ok), 0U);
  EXPECT_GT(rows.at(0).rtt.answers, 50U);
  EXPECT_GT(rows.at(0).rtt.least, us(20));
}

TEST(Pingmesh, ADroppedProbeSaysWhere) {
  Scenario scenario = probed({3}, us(100), 3);
  scenario.pingmesh->pairs = {{0, 2}};
  scenario.links.pop_back();  // host 2 is not attached
  Network network{scenario};
  Probes probes;
  network.watch(probes);
  const std::vector<PingStatistics> rows = run(network);
  EXPECT_EQ(rows.at(0).count(PingCode::request_dropped), rows.at(0).probes());
  ASSERT_FALSE(probes.all.empty());
  EXPECT_EQ(probes.all[0].where, "sw.port[0] no_route");
}

TEST(Pingmesh, ProbesThatTheirHostCannotSendCountToo) {
  // Host 0 is stopped from 100 us on: counting only probes that were sent would show a healthy
  // network.
  Scenario scenario = probed({3}, us(400));
  scenario.pingmesh->pairs = {{0, 1}};
  scenario.traffic = {flood("a", 0, 1, 3, 1000), flood("b", 2, 1, 3, 1000)};
  FaultSpec fault;  // drops all PFC frames but the first, so no resume
  fault.link = 0;
  fault.direction = FaultDirection::b_to_a;
  fault.frames = FaultFrames::pfc;
  for (std::uint32_t n = 2; n < 200; ++n) fault.nth.push_back(n);
  scenario.faults = {fault};
  Network network{scenario};
  const std::vector<PingStatistics> rows = run(network);
  EXPECT_EQ(rows.at(0).probes(), 80U) << "one every 5 us";
  EXPECT_GT(rows.at(0).errors(), 10U);
}

TEST(Pingmesh, ProbesAreReportedInTheOrderInWhichTheyWereDue) {
  Network network{probed({1, 3}, us(300))};
  Probes probes;
  network.watch(probes);
  run(network);
  ASSERT_EQ(probes.all.size(), 240U);
  EXPECT_TRUE(
      std::is_sorted(probes.all.begin(), probes.all.end(),
                     [](const PingResult& a, const PingResult& b) { return a.sent < b.sent; }));
}

TEST(Pingmesh, ItsResultsDoNotDependOnTheOrderOfThingsOfOneMomentOrOnOtherPairs) {
  const auto json = [](std::uint64_t permutation) {
    return run_in_child([=] {
      Scenario scenario = probed({1, 3}, us(500));
      scenario.traffic = {flood("a", 1, 0, 3, 1000), flood("b", 2, 0, 3, 1000)};
      Network network{scenario, permutation};
      run(network);
      return to_json(summarize(network));
    });
  };
  EXPECT_EQ(json(0), json(12345));
  // The probe times of a pair do not depend on other pairs.
  const auto first = [](bool with_another) {
    return run_in_child([=] {
      Scenario scenario = probed({3}, us(100), 4);
      if (with_another) scenario.pingmesh->pairs.insert(scenario.pingmesh->pairs.begin(), {2, 3});
      Network network{scenario};
      Probes probes;
      network.watch(probes);
      run(network);
      std::string text;
      for (const PingResult& probe : probes.all)
        if (probe.source == "h0") text += std::to_string(probe.sent.count()) + " ";
      return text;
    });
  };
  EXPECT_EQ(first(false), first(true));
}

}  // namespace
}  // namespace weir::pingmesh_test
