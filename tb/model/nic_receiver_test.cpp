// SPDX-License-Identifier: Apache-2.0
#include "weir/model/host/nic_receiver.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/event_log.hpp"
#include "support/small_network.hpp"
#include "weir/model/network/network.hpp"
#include "weir/trace/summary/conservation.hpp"
#include "weir/trace/summary/summary.hpp"

namespace weir::nic_receiver_test {
namespace {

using namespace test;

constexpr std::uint8_t class_3 = 1U << 3;

NicSpec nic(BitRate pipeline = gbps(64)) {
  NicSpec spec;
  spec.pipeline = pipeline;
  spec.classes = class_3;
  return spec;
}

// h0 sends to h1 as fast as 40G allows, in packets of 1000 B of class 3; h1 has `spec`.
Scenario one_flow(const NicSpec& spec, Picoseconds until) {
  Scenario scenario = star(small_chip(2, gbps(40)), ns(50), until);
  scenario.hosts[1].nic = spec;
  scenario.traffic = {flood("x", 0, 1, 3, 1000)};
  return scenario;
}

HostFaultSpec fault(HostFaultKind kind, Picoseconds at, Picoseconds interval = {}) {
  return {1, kind, at, interval};
}

Totals run(const Scenario& scenario) {
  Network network{scenario};
  network.run_until(scenario.until);
  check_conservation(network);
  return summarize(network).totals;
}

TEST(NicReceiver, APipelineAsFastAsPcieKeepsUpWithTheWire) {
  const Totals totals = run(one_flow(nic(gbps(64)), us(1000)));
  EXPECT_EQ(totals.nic_pauses_sent, 0U) << "64G of PCIe Gen3 x8 is more than 40G (row W2)";
  EXPECT_GT(totals.delivered_packets, 4890U);
}

TEST(NicReceiver, ASlowPipelinePausesTheSwitchLosesNothingAndSetsTheRate) {
  const Totals totals = run(one_flow(nic(gbps(20)), us(2000)));
  EXPECT_GT(totals.nic_pauses_sent, 5U);
  EXPECT_EQ(totals.drops(), 0U);
  // 20G of frames for 2 ms, minus the first 256 kB, which are still in the buffer.
  EXPECT_NEAR(static_cast<double>(totals.delivered_packets), 5000.0, 5.0);
}

TEST(NicReceiver, PausesFromXoffHeldUntilXon) {
  NicSpec spec = nic(gbps(20));
  spec.xoff = Bytes{100'000};
  spec.xon = Bytes{50'000};
  const Scenario scenario = one_flow(spec, us(200));
  Network network{scenario};
  EventLog log;
  network.watch(log);
  network.run_until(scenario.until);
  ASSERT_GE(log.sent.size(), 2U);
  // Frames come every 204 ns and leave every 400 ns.
  const NicReceiver& receiver = *network.host(1).receiver;
  EXPECT_EQ(log.sent[0].node, "h1");
  EXPECT_EQ(log.sent[0].frame.class_enable, class_3);
  EXPECT_EQ(log.sent[0].frame.time[3], Quanta{65535});
  EXPECT_EQ(log.sent[1].frame.time[3], Quanta{0});
  EXPECT_GE(receiver.counters().max_held, Bytes{100'000});
  EXPECT_LE(receiver.counters().max_held, Bytes{120'000}) << "and what was under way";
  // After XOFF the content above XON drains at 20G: 50 kB and the frames in flight.
  const Picoseconds drained = log.sent[1].time - log.sent[0].time;
  EXPECT_GE(drained, us(20));
  EXPECT_LE(drained, us(28));
}

TEST(NicReceiver, ABufferWithoutRoomForWhatIsUnderWayLosesIt) {
  NicSpec spec = nic(gbps(20));
  spec.buffer = Bytes{101'000};
  spec.xoff = Bytes{100'000};
  const Totals totals = run(one_flow(spec, us(200)));
  EXPECT_GT(totals.nic_drops, 0U);
  EXPECT_EQ(totals.drops(), totals.nic_drops);
}

TEST(NicReceiver, MissesOfTheTranslationCacheSlowItDown) {
  NicSpec spec = nic();
  spec.memory = Bytes{64ULL << 20};
  const Totals totals = run(one_flow(spec, us(4000)));
  EXPECT_GT(totals.mtt_misses, 3000U) << "8 MB of 64 MB are cached";
  EXPECT_GT(totals.nic_pauses_sent, 4U) << "more than a thousand a second";
}

TEST(NicReceiver, LargePagesCureIt) {
  NicSpec spec = nic();
  spec.memory = Bytes{64ULL << 20};
  spec.page = Bytes{2ULL << 20};
  const Totals totals = run(one_flow(spec, us(4000)));
  EXPECT_LE(totals.mtt_misses, 32U) << "each page of 2 MB once";
  EXPECT_EQ(totals.nic_pauses_sent, 0U);
}

TEST(NicReceiver, AStuckPipelinePausesWhenItsBufferHasFilledAndForGood) {
  Scenario scenario = one_flow(nic(), us(3000));
  scenario.host_faults = {fault(HostFaultKind::stuck, us(100))};
  Network network{scenario};
  EventLog log;
  network.watch(log);
  network.run_until(scenario.until);
  check_conservation(network);
  const Summary summary = summarize(network);
  EXPECT_LE(summary.totals.last_delivery, us(100));
  ASSERT_FALSE(log.sent.empty());
  const auto first = std::find_if(log.sent.begin(), log.sent.end(),
                                  [](const auto& pfc) { return pfc.node == "h1"; });
  // 256 kB at 1000 B every 204 ns.
  EXPECT_NEAR(static_cast<double>(first->time.count()), 100e6 + 256 * 204e3, 1e6);
  EXPECT_EQ(summary.totals.nic_drops, 0U);
}

TEST(NicReceiver, AStormPausesAtOnceAndKeepsThePortShutByRefreshes) {
  Scenario scenario = one_flow(nic(), us(5000));
  scenario.host_faults = {fault(HostFaultKind::storm, us(100))};
  Network network{scenario};
  network.run_until(us(110));
  const std::uint64_t before = network.switch_at(0).counters(PortId{1}).priority[3].tx_packets;
  network.run_until(scenario.until);
  EXPECT_EQ(network.switch_at(0).counters(PortId{1}).priority[3].tx_packets, before);
  const Summary summary = summarize(network);
  EXPECT_EQ(summary.totals.nic_pauses_sent, 1U + 4900U / 420U) << "every 419 us";
}

// Row P6 of docs/design/published-rows.md: 65535 quanta are 838.848 us at 40G.
std::uint64_t leaked_with(std::uint64_t pauses_per_second) {
  Scenario scenario = one_flow(nic(), us(20'000));
  scenario.host_faults = {
      fault(HostFaultKind::storm, us(100), Picoseconds{1'000'000'000'000ULL / pauses_per_second})};
  Network network{scenario};
  network.run_until(us(110));
  const std::uint64_t before = network.switch_at(0).counters(PortId{1}).priority[3].tx_packets;
  network.run_until(scenario.until);
  return network.switch_at(0).counters(PortId{1}).priority[3].tx_packets - before;
}
TEST(NicReceiver, Holding40GShutTakes1193PausesASecond) { EXPECT_EQ(leaked_with(1193), 0U); }
TEST(NicReceiver, With1192PausesASecondFramesLeakOut) { EXPECT_GT(leaked_with(1192), 20U); }

TEST(NicReceiver, ItsWatchdogSwitchesThePausesOffExactlyAfterItsTimeAndForGood) {
  NicSpec spec = nic();
  spec.watchdog = us(2000);
  Scenario scenario = one_flow(spec, us(6000));
  scenario.host_faults = {fault(HostFaultKind::storm, us(100))};
  Network network{scenario};
  EventLog log;
  network.watch(log);
  network.run_until(scenario.until);
  check_conservation(network);
  ASSERT_EQ(log.watchdogs.size(), 1U);
  EXPECT_EQ(log.watchdogs[0].event, WatchdogEvent::pauses_off);
  EXPECT_EQ(log.watchdogs[0].node, "h1");
  EXPECT_EQ(log.watchdogs[0].time, us(2100));
  for (const auto& pfc : log.sent) EXPECT_TRUE(pfc.node != "h1" || pfc.time < us(2100)) << pfc.time;
  const Totals totals = summarize(network).totals;
  EXPECT_LE(totals.last_delivery, us(101)) << "the NIC is not rescued";
  // The last PAUSE lasts 839 us more; then frames fill the buffer and are dropped at the NIC.
  EXPECT_GT(totals.nic_drops, 10'000U);
  EXPECT_EQ(totals.nic_watchdog_trips, 1U);
}

// 8 us a packet.
TEST(NicReceiver, AWatchdogThatIsNotDueLeavesASlowReceiverAlone) {
  NicSpec spec = nic(gbps(1));
  spec.watchdog = us(8) + ps(1);
  const Totals totals = run(one_flow(spec, us(3000)));
  EXPECT_GT(totals.nic_pauses_sent, 0U);
  EXPECT_EQ(totals.nic_watchdog_trips, 0U);
}

TEST(NicReceiver, APacketThatTakesAsLongAsTheWatchdogAllowsTripsIt) {
  NicSpec spec = nic(gbps(1));
  spec.watchdog = us(8) - ps(1);
  EXPECT_EQ(run(one_flow(spec, us(3000))).nic_watchdog_trips, 1U);
}

TEST(NicReceiver, ARebootRepairsAStormAndTheWatchdog) {
  NicSpec spec = nic();
  spec.watchdog = us(500);
  Scenario scenario = one_flow(spec, us(4000));
  scenario.host_faults = {fault(HostFaultKind::storm, us(100)),
                          fault(HostFaultKind::reboot, us(2000))};
  Network network{scenario};
  network.run_until(us(2000));
  const std::uint64_t before = summarize(network).totals.delivered_packets;
  network.run_until(scenario.until);
  check_conservation(network);
  const Summary summary = summarize(network);
  EXPECT_NEAR(static_cast<double>(summary.totals.delivered_packets - before), 2000 / 0.204, 20.0);
  EXPECT_FALSE(network.host(1).receiver->broken());
  EXPECT_FALSE(network.host(1).receiver->watchdog().tripped());
  EXPECT_GE(summary.totals.nic_drops, 512U) << "what the buffer held is lost";
}

}  // namespace
}  // namespace weir::nic_receiver_test
