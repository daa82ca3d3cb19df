// SPDX-License-Identifier: Apache-2.0
#include "weir/model/switch/pfc_watchdog_unit.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/event_log.hpp"
#include "support/small_network.hpp"
#include "weir/model/network/network.hpp"
#include "weir/trace/summary/conservation.hpp"
#include "weir/trace/summary/summary.hpp"

namespace weir::pfc_watchdog_unit_test {
namespace {

using namespace test;

constexpr std::uint8_t class_3 = 1U << 3;
constexpr Picoseconds storm_at = us(100);

// h0 sends 30G to h3, which storms from 100 us on, and 5G to h2; h1 sends 10G to h3. Without a
// watchdog the switch pauses h0 and h1.
Scenario storm(Picoseconds until) {
  Scenario scenario = star(small_chip(4, gbps(40)), ns(50), until);
  scenario.traffic = {flood("victim", 0, 2, 3, 1000), flood("x", 0, 3, 3, 1000),
                      flood("y", 1, 3, 3, 1000)};
  scenario.traffic[0].rate = gbps(5);
  scenario.traffic[1].rate = gbps(30);
  scenario.traffic[2].rate = gbps(9);
  NicSpec nic;
  nic.classes = class_3;
  scenario.hosts[3].nic = nic;
  scenario.host_faults = {{3, HostFaultKind::storm, storm_at, {}}};
  return scenario;
}

PfcWatchdogSpec watchdog(WatchdogAction action) {
  PfcWatchdogSpec spec;
  spec.ports = {PortId{3}};
  spec.classes = class_3;
  spec.setting = {us(1000), us(1500)};
  spec.action = action;
  return spec;
}

struct Outcome {
  explicit Outcome(const Scenario& scenario) : network{scenario} {
    network.watch(log);
    network.run_until(scenario.until);
    check_conservation(network);
    totals = summarize(network).totals;
  }
  [[nodiscard]] std::uint64_t delivered(const std::string& host, Picoseconds from,
                                        Picoseconds until) const {
    return static_cast<std::uint64_t>(std::count_if(
        log.deliveries.begin(), log.deliveries.end(),
        [&](const auto& d) { return d.host == host && from <= d.last_bit && d.last_bit < until; }));
  }
  Network network;
  EventLog log;
  Totals totals;
};

constexpr std::uint64_t victim_rate = 612;  // packets of 1020 B on the wire at 5G in 1 ms

TEST(PfcWatchdogUnit, WithoutOneAStormStopsTheInnocentFlowToo) {
  const Outcome run{storm(us(4000))};
  EXPECT_EQ(run.delivered("h2", us(1000), us(4000)), 0U);
  EXPECT_EQ(run.totals.storms, 0U);
}

TEST(PfcWatchdogUnit, FindsTheStormAfterExactlyItsDetectionTimeAndDropsToAndFromTheNic) {
  Scenario scenario = storm(us(4000));
  scenario.watchdogs = {watchdog(WatchdogAction::drop)};
  scenario.traffic.push_back(flood("from the nic", 3, 1, 3, 1000));
  scenario.traffic.back().rate = gbps(1);
  const Outcome run{scenario};
  ASSERT_EQ(run.log.watchdogs.size(), 1U);
  EXPECT_EQ(run.log.watchdogs[0].node, "sw");
  EXPECT_EQ(run.log.watchdogs[0].port, PortId{3});
  EXPECT_EQ(run.log.watchdogs[0].classes, class_3);
  EXPECT_EQ(run.log.watchdogs[0].event, WatchdogEvent::drop);
  const auto first = std::find_if(run.log.received.begin(), run.log.received.end(),
                                  [](const auto& pfc) { return pfc.node == "sw"; });
  const Picoseconds paused = first->time + run.network.switch_at(0).chip().ports[3].response;
  // The queue was not empty when the port was paused: 39G arrived for 40G, in two flows.
  EXPECT_GE(run.log.watchdogs[0].time, paused + us(1000));
  EXPECT_LE(run.log.watchdogs[0].time, paused + us(1000) + ns(500));
  EXPECT_NEAR(static_cast<double>(run.delivered("h2", us(2000), us(4000))), 2.0 * victim_rate, 5.0)
      << "the rest recovers";
  EXPECT_EQ(run.delivered("h3", us(200), us(4000)), 0U);
  EXPECT_EQ(run.delivered("h1", us(1200), us(4000)), 0U) << "from the NIC: dropped before the MMU";
  EXPECT_GT(run.delivered("h1", us(200), us(1000)), 80U) << "not so before";
  EXPECT_GT(run.totals.classes.mac_drops, 300U);
  EXPECT_GT(run.totals.classes.watchdog_egress_drops, 10'000U);
  EXPECT_EQ(run.totals.ports.watchdog_drops,
            run.totals.classes.mac_drops + run.totals.classes.watchdog_egress_drops);
}

TEST(PfcWatchdogUnit, ForwardSendsInSpiteOfThePauses) {
  Scenario scenario = storm(us(4000));
  scenario.watchdogs = {watchdog(WatchdogAction::forward)};
  const Outcome run{scenario};
  ASSERT_EQ(run.log.watchdogs.size(), 1U);
  EXPECT_EQ(run.log.watchdogs[0].event, WatchdogEvent::forward);
  EXPECT_EQ(run.totals.ports.watchdog_drops, 0U);
  EXPECT_GT(run.totals.nic_drops, 10'000U) << "they die at the NIC";
  EXPECT_NEAR(static_cast<double>(run.delivered("h2", us(2000), us(4000))), 2.0 * victim_rate, 5.0);
}

TEST(PfcWatchdogUnit, AlertOnlyReports) {
  Scenario scenario = storm(us(4000));
  scenario.watchdogs = {watchdog(WatchdogAction::alert)};
  const Outcome run{scenario};
  ASSERT_EQ(run.log.watchdogs.size(), 1U) << "once";
  EXPECT_EQ(run.log.watchdogs[0].event, WatchdogEvent::alert);
  EXPECT_EQ(run.delivered("h2", us(1000), us(4000)), 0U);
}

TEST(PfcWatchdogUnit, RestoresExactlyItsTimeAfterTheLastPause) {
  Scenario scenario = storm(us(6000));
  scenario.watchdogs = {watchdog(WatchdogAction::drop)};
  scenario.host_faults.push_back({3, HostFaultKind::reboot, us(3000), {}});
  const Outcome run{scenario};
  ASSERT_EQ(run.log.watchdogs.size(), 2U);
  EXPECT_EQ(run.log.watchdogs[1].event, WatchdogEvent::restored);
  Picoseconds last_pause;
  for (const auto& pfc : run.log.received)
    if (pfc.node == "sw" && pfc.frame.time[3] != Quanta{0}) last_pause = pfc.time;
  EXPECT_LT(last_pause, us(3000));
  EXPECT_EQ(run.log.watchdogs[1].time, last_pause + us(1500))
      << "the XON of the reboot is no PAUSE";
  EXPECT_GT(run.delivered("h3", us(4600), us(6000)), 1000U) << "lossless again";
  EXPECT_EQ(run.totals.storms, 1U);
  EXPECT_EQ(run.totals.storms_over, 1U);
}

// A receiver that is slow, not dead: it pauses most of the time, but the queue drains.
TEST(PfcWatchdogUnit, ASlowReceiverIsNoStorm) {
  Scenario scenario = storm(us(6000));
  scenario.host_faults.clear();
  scenario.hosts[3].nic->pipeline = gbps(2);  // paused for half of the detection time
  scenario.watchdogs = {watchdog(WatchdogAction::drop)};
  const Outcome run{scenario};
  EXPECT_GT(run.totals.nic_pauses_sent, 8U);
  EXPECT_TRUE(run.log.watchdogs.empty());
}

TEST(PfcWatchdogUnit, AStormWithNothingToSendIsNoneForTheSwitch) {
  Scenario scenario = storm(us(4000));
  scenario.traffic.resize(1);
  scenario.watchdogs = {watchdog(WatchdogAction::drop)};
  EXPECT_TRUE(Outcome{scenario}.log.watchdogs.empty());
}

// Row P4 of docs/design/published-rows.md: the NIC falls silent after 1 ms, before the switch has
// seen 1.5 ms of storm. The switch sees no storm, and packets are dropped at the NIC.
TEST(PfcWatchdogUnit, TheNicWatchdogMayBeFasterThenPacketsDieAtTheNic) {
  Scenario scenario = storm(us(5000));
  scenario.hosts[3].nic->watchdog = us(1000);
  scenario.watchdogs = {watchdog(WatchdogAction::drop)};
  scenario.watchdogs[0].setting.detect = us(2500);
  const Outcome run{scenario};
  ASSERT_EQ(run.log.watchdogs.size(), 1U);
  EXPECT_EQ(run.log.watchdogs[0].event, WatchdogEvent::pauses_off);
  EXPECT_EQ(run.totals.ports.watchdog_drops, 0U);
  EXPECT_GT(run.totals.nic_drops, 1000U);
  EXPECT_GT(run.delivered("h2", us(3000), us(5000)), victim_rate);
}

// P4, the other order: first the switch acts, then the NIC falls silent, then the class is lossless
// again and packets are dropped at the NIC.
TEST(PfcWatchdogUnit, TheSwitchRestoresAfterTheNicWatchdogAndPacketsDieAtTheNicFromThenOn) {
  Scenario scenario = storm(us(6000));
  scenario.hosts[3].nic->watchdog = us(2000);
  scenario.watchdogs = {watchdog(WatchdogAction::drop)};
  const Outcome run{scenario};
  ASSERT_EQ(run.log.watchdogs.size(), 3U);
  EXPECT_EQ(run.log.watchdogs[0].event, WatchdogEvent::drop);
  EXPECT_EQ(run.log.watchdogs[1].event, WatchdogEvent::pauses_off);
  EXPECT_EQ(run.log.watchdogs[2].event, WatchdogEvent::restored);
  EXPECT_GT(run.totals.ports.watchdog_drops, 1000U);
  EXPECT_GT(run.totals.nic_drops, 1000U);
  EXPECT_NEAR(static_cast<double>(run.delivered("h2", us(2000), us(6000))), 4.0 * victim_rate, 5.0);
}

}  // namespace
}  // namespace weir::pfc_watchdog_unit_test
