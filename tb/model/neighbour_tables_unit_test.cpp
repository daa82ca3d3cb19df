// SPDX-License-Identifier: Apache-2.0
#include "weir/model/switch/neighbour_tables_unit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "support/event_log.hpp"
#include "support/small_network.hpp"
#include "weir/model/network/network.hpp"
#include "weir/trace/summary/conservation.hpp"
#include "weir/trace/summary/summary.hpp"

namespace weir::neighbour_tables_unit_test {
namespace {

using namespace test;

constexpr std::size_t ports = 5;
constexpr std::uint8_t lossless = 3, lossy = 1;
constexpr Picoseconds mac_timeout = us(10), arp_timeout = us(40);

Chip chip_with_tables(IncompleteArp incomplete = IncompleteArp::flood) {
  Chip chip = small_chip(ports, gbps(100));
  chip.neighbours.emplace();
  chip.neighbours->mac_timeout = mac_timeout;
  chip.neighbours->arp_timeout = arp_timeout;
  chip.neighbours->incomplete = incomplete;
  return chip;
}

// A packet of 64 B whose last bit is at the switch at `last_bit`.
ReplayPacket arriving(Picoseconds last_bit, std::size_t from, std::size_t to,
                      std::uint8_t priority = lossless) {
  return packet(last_bit - frame_time(64, byte_time(gbps(100))), 64, priority, from, to);
}

struct Bench {
  Scenario scenario;
  EventLog log;
  std::optional<Network> network;

  explicit Bench(const Chip& chip, const std::vector<ReplayPacket>& packets = {},
                 Picoseconds until = us(200))
      : scenario{star(chip, ns(0), until)} {
    if (!packets.empty()) scenario.traffic.push_back(replay(packets, ports));
  }
  Totals run() {
    network.emplace(scenario);
    network->watch(log);
    network->run_until(scenario.until);
    check_conservation(*network);
    return summarize(*network).totals;
  }
  [[nodiscard]] std::uint64_t received(std::size_t host, std::uint8_t priority = lossless) const {
    return network->host(host).counters().priority[priority].rx_packets;
  }
  [[nodiscard]] const NeighbourCounters& tables() const {
    return network->switch_at(0).neighbour_tables->counters();
  }
};

TEST(NeighbourTablesUnit, IsInTheHierarchyOnlyWhereTheChipHasTables) {
  Bench bench{chip_with_tables()};
  bench.run();
  EXPECT_NE(sc_core::sc_find_object("sw.neighbour_tables"), nullptr);
}

TEST(NeighbourTablesUnit, AChipWithoutTablesHasNone) {
  Bench bench{small_chip(ports, gbps(100)), {packet(us(1), 64, lossless, 0, 1)}};
  EXPECT_EQ(bench.run().flooded_packets, 0U);
  EXPECT_EQ(sc_core::sc_find_object("sw.neighbour_tables"), nullptr);
  EXPECT_EQ(bench.received(1), 1U);
}

TEST(NeighbourTablesUnit, ASilentHostIsForgottenAtItsTimeoutAndNotBefore) {
  Bench bench{chip_with_tables(), {arriving(mac_timeout - ps(1), 0, 1), arriving(us(11), 0, 1)}};
  const Totals totals = bench.run();
  EXPECT_EQ(totals.flooded_packets, 1U) << "the second one only";
  EXPECT_EQ(totals.classes.stray_copies, ports - 2)
      << "neither where it came in nor where it belongs";
  EXPECT_EQ(totals.flood_copies, ports - 2);
  EXPECT_EQ(bench.received(1), 2U) << "a flooded packet arrives";
  EXPECT_EQ(totals.delivered_packets, 2U);
  EXPECT_EQ(totals.drops(), 0U) << "a stray copy is no packet that was lost";
}

TEST(NeighbourTablesUnit, TheLastBitDecidesExactlyAtTheTimeout) {
  Bench bench{chip_with_tables(), {arriving(mac_timeout, 0, 1)}};
  EXPECT_EQ(bench.run().flooded_packets, 1U);
}

TEST(NeighbourTablesUnit, AFrameOfTheHostRefreshesItsEntry) {
  Bench bench{chip_with_tables(),
              {arriving(us(5), 1, 2), arriving(us(15) - ps(1), 0, 1), arriving(us(15), 0, 1),
               arriving(us(16), 1, 2), arriving(us(17), 0, 1)}};
  const Totals totals = bench.run();
  EXPECT_EQ(totals.flooded_packets, 2U)
      << "at 15 us to host 1, at 16 us to host 2, which is silent, and not at 17 us";
  EXPECT_EQ(bench.received(1), 3U);
}

TEST(NeighbourTablesUnit, AnArpAnswerIsAFrameToo) {
  // Asked at 40 us, a silent host answers: its MAC table entry lasts until 50 us.
  Bench bench{chip_with_tables(), {arriving(us(49), 0, 1), arriving(us(50), 0, 1)}, us(60)};
  EXPECT_EQ(bench.run().flooded_packets, 1U);
  EXPECT_EQ(bench.tables().arp_requests, ports);
  EXPECT_EQ(bench.tables().arp_answers, ports);
}

TEST(NeighbourTablesUnit, ADeadHostIsUnknownAfterItsArpEntryHasEnded) {
  Bench bench{chip_with_tables(),
              {arriving(us(5), 0, 1), arriving(us(12), 0, 1), arriving(us(39), 0, 1),
               arriving(us(41), 0, 1)}};
  bench.scenario.hosts[1].dead_from = us(1);
  const Totals totals = bench.run();
  EXPECT_EQ(totals.flooded_packets, 2U) << "incomplete from 10 us to 40 us";
  EXPECT_EQ(totals.ports.no_neighbour, 1U);
  EXPECT_EQ(totals.dead_host_packets, 3U) << "one before, and a copy of each flooded one";
  EXPECT_EQ(totals.delivered_packets, 0U);
  ASSERT_FALSE(bench.log.drops.empty());
}

TEST(NeighbourTablesUnit, AHostThatIsDeadAtTheStartIsIncompleteFromTheStart) {
  Bench bench{chip_with_tables(), {arriving(ns(10), 0, 1), arriving(us(31), 0, 1)}};
  bench.scenario.hosts[1].dead_from = us(0);
  const Totals totals = bench.run();
  EXPECT_EQ(totals.flooded_packets, 1U);
  EXPECT_EQ(totals.ports.no_neighbour, 1U) << "its ARP entry ends 40 - 10 us after the start";
}

TEST(NeighbourTablesUnit, ARestartedHostIsKnownAgain) {
  Bench bench{chip_with_tables(), {arriving(us(60), 0, 1), arriving(us(71), 0, 1)}};
  bench.scenario.hosts[1].dead_from = us(1);
  bench.scenario.hosts[1].dead_until = us(70);
  const Totals totals = bench.run();
  EXPECT_EQ(totals.ports.no_neighbour, 1U);
  EXPECT_EQ(totals.flooded_packets, 0U);
  EXPECT_EQ(bench.received(1), 1U);
}

TEST(NeighbourTablesUnit, WithALongerMacTimeoutNothingIsEverFlooded) {
  Chip chip = chip_with_tables();
  chip.neighbours->mac_timeout = arp_timeout;  // option 2 exactly
  std::vector<ReplayPacket> packets;
  for (std::uint64_t t = 1; t < 190; t += 3) packets.push_back(arriving(us(t), 0, 1));
  Bench bench{chip, packets};
  bench.scenario.hosts[1].dead_from = us(1);
  const Totals totals = bench.run();
  EXPECT_EQ(totals.flooded_packets, 0U);
  EXPECT_EQ(totals.dead_host_packets, 13U) << "until 40 us";
  EXPECT_EQ(totals.ports.no_neighbour, 50U);
}

TEST(NeighbourTablesUnit, Option3DropsLosslessPacketsOfAnIncompleteEntryAndFloodsOthers) {
  Bench bench{chip_with_tables(IncompleteArp::drop_lossless),
              {arriving(us(12), 0, 1, lossless), arriving(us(13), 0, 1, lossy),
               arriving(us(14), 0, 2, lossy), arriving(us(15), 2, 3, lossless),
               arriving(us(16), 0, 2, lossless)}};
  const Totals totals = bench.run();
  EXPECT_EQ(totals.ports.incomplete_arp, 2U) << "the first, and the one to the silent host 3";
  EXPECT_EQ(totals.flooded_packets, 2U) << "the lossy ones";
  EXPECT_EQ(bench.received(2), 1U) << "host 2 was heard at 15 us";
  const auto& drop = bench.log.drops.front();
  EXPECT_EQ(drop.reason, MacDrop::incomplete_arp);
  EXPECT_EQ(drop.time, us(12));
  EXPECT_EQ(drop.port, PortId{0});
}

TEST(NeighbourTablesUnit, Option1SendsToTheProcessorWhichFindsASilentHost) {
  Chip chip = chip_with_tables(IncompleteArp::to_cpu);
  chip.neighbours->cpu_packet_time = us(2);
  Bench bench{chip, {arriving(us(12), 0, 1), arriving(us(13), 0, 1), arriving(us(15), 0, 1)}};
  const Totals totals = bench.run();
  EXPECT_EQ(totals.flooded_packets, 0U);
  EXPECT_EQ(totals.cpu_packets, 2U) << "at 14 us the host has answered";
  EXPECT_EQ(bench.tables().from_cpu, 2U);
  EXPECT_EQ(bench.received(1), 3U);
  EXPECT_EQ(bench.tables().cpu_deepest, 2U);
  ASSERT_EQ(bench.log.deliveries.size(), 3U);
  EXPECT_EQ(bench.log.deliveries[0].sequence, 0U);
  EXPECT_EQ(bench.log.deliveries[1].sequence, 2U) << "it overtakes the one that waits";
  EXPECT_GT(bench.log.deliveries[2].last_bit, us(16)) << "2 us of the processor for each";
}

TEST(NeighbourTablesUnit, TheProcessorDropsWhatIsForADeadHostAndWhatItsQueueDoesNotHold) {
  Chip chip = chip_with_tables(IncompleteArp::to_cpu);
  chip.neighbours->cpu_packet_time = us(2);
  chip.neighbours->cpu_queue = 3;
  Bench bench{chip,
              {arriving(us(12), 0, 1), arriving(us(13), 0, 1), arriving(us(13) + ns(10), 0, 1),
               arriving(us(13) + ns(20), 0, 1), arriving(us(15), 0, 1)}};
  bench.scenario.hosts[1].dead_from = us(1);
  const Totals totals = bench.run();
  EXPECT_EQ(totals.cpu_packets, 3U);
  EXPECT_EQ(totals.ports.cpu_queue, 1U) << "the fourth finds three waiting";
  EXPECT_EQ(totals.ports.no_neighbour, 4U) << "three by the processor, the last by ARP";
  EXPECT_EQ(bench.tables().arp_requests, 3U + 4 * (ports - 1))
      << "three frames, and four living hosts every 40 us";
  EXPECT_EQ(totals.dead_host_packets, 0U);
}

TEST(NeighbourTablesUnit, AStrayCopyWaitsInItsQueueUntilItsTurnAndKeepsTheCells) {
  Bench bench{chip_with_tables(), {arriving(us(12), 0, 1)}};
  bench.network.emplace(bench.scenario);
  Network& network = *bench.network;
  network.watch(bench.log);
  Switch& node = network.switch_at(0);
  node.port(PortId{4}).tx.enable(false, ps(0));
  network.run_until(us(100));
  const PgIndex pg = pg_index(PortId{0}, Priority{lossless});
  EXPECT_EQ(node.mmu.core().ingress().pg(pg).total(), Cells{1}) << "one copy of the cells";
  EXPECT_EQ(node.port(PortId{4}).tx.depth(lossless), 1U);
  EXPECT_EQ(node.counters(PortId{3}).priority[lossless].stray_copies, 1U);
  EXPECT_EQ(node.counters(PortId{4}).priority[lossless].stray_copies, 0U);
  check_conservation(network);
  node.port(PortId{4}).tx.enable(true, us(100));
  network.run_until(us(200));
  EXPECT_EQ(node.mmu.core().ingress().pg(pg).total(), Cells{0}) << "freed with the last reader";
  EXPECT_EQ(node.counters(PortId{4}).priority[lossless].stray_copies, 1U);
  EXPECT_EQ(node.counters(PortId{4}).priority[lossless].tx_packets, 0U) << "nothing on the wire";
  check_conservation(network);
}

TEST(NeighbourTablesUnit, ABroadcastReachesEveryHostOfTheSwitchButItsSender) {
  Bench bench{chip_with_tables()};
  bench.scenario.traffic.push_back(flood("all", 0, 2, lossless, 500));
  bench.scenario.traffic.back().cast = Cast::broadcast;
  bench.scenario.traffic.back().rate = gbps(1);
  bench.scenario.traffic.back().stop = us(10);
  const Totals totals = bench.run();
  const std::uint64_t sent = bench.network->host(0).counters().priority[lossless].tx_packets;
  ASSERT_GT(sent, 1U);
  for (std::size_t host = 1; host < ports; ++host) EXPECT_EQ(bench.received(host), sent) << host;
  EXPECT_EQ(bench.received(0), 0U);
  EXPECT_EQ(totals.classes.stray_copies, 0U);
}

TEST(NeighbourTablesUnit, AMulticastReachesItsMembersAlone) {
  Bench bench{chip_with_tables()};
  bench.scenario.traffic.push_back(flood("group", 0, 2, lossless, 500));
  bench.scenario.traffic.back().to = {2, 4};
  bench.scenario.traffic.back().cast = Cast::multicast;
  bench.scenario.traffic.back().rate = gbps(1);
  bench.scenario.traffic.back().stop = us(10);
  const Totals totals = bench.run();
  const std::uint64_t sent = bench.network->host(0).counters().priority[lossless].tx_packets;
  ASSERT_GT(sent, 1U);
  EXPECT_EQ(bench.received(2), sent);
  EXPECT_EQ(bench.received(4), sent);
  EXPECT_EQ(bench.received(1) + bench.received(3), 0U);
  EXPECT_EQ(totals.classes.stray_copies, 2 * sent) << "ports 1 and 3";
}

TEST(NeighbourTablesUnit, GroupFramesLeaveTheLosslessClassWhereTheChipSaysSo) {
  Chip chip = chip_with_tables();
  chip.classifier.group_priority = Priority{lossy};
  Bench bench{chip};
  bench.scenario.traffic.push_back(flood("all", 0, 2, lossless, 500));
  bench.scenario.traffic.back().cast = Cast::broadcast;
  bench.scenario.traffic.back().stop = us(10);
  bench.run();
  EXPECT_EQ(bench.received(1, lossless), 0U);
  EXPECT_GT(bench.received(1, lossy), 1U);
  const StatsCounters& stats = bench.network->switch_at(0).mmu.core().stats();
  EXPECT_EQ(stats.pg(PgIndex{lossless}).packets, 0U);
  EXPECT_GT(stats.pg(PgIndex{lossy}).packets, 1U);
}

TEST(NeighbourTablesUnit, ADeadHostSendsNothingAndGoesOnWithWhatIsDueWhenRestarted) {
  Bench bench{small_chip(ports, gbps(100))};
  bench.scenario.traffic.push_back(flood("x", 0, 1, lossless, 980));  // 1000 B on the wire
  bench.scenario.traffic.back().rate = gbps(8);                       // one each us
  bench.scenario.hosts[0].dead_from = us(10);
  bench.scenario.hosts[0].dead_until = us(50);
  bench.run();
  ASSERT_GT(bench.log.deliveries.size(), 11U);
  EXPECT_EQ(bench.log.deliveries[9].created, us(9));
  EXPECT_EQ(bench.log.deliveries[10].created, us(50)) << "nothing of the time between";
  EXPECT_EQ(bench.log.deliveries[11].created, us(51));
  EXPECT_EQ(bench.received(1), 10U + 150U);
}

TEST(NeighbourTablesUnit, AHostWithoutAnEndOfItsDeathStaysDead) {
  Bench bench{small_chip(ports, gbps(100))};
  bench.scenario.traffic.push_back(flood("x", 0, 1, lossless, 980));
  bench.scenario.hosts[0].dead_from = us(10);
  bench.run();
  EXPECT_EQ(bench.network->host(0).counters().priority[lossless].tx_packets, 125U)
      << "80 ns each at line rate";
}

}  // namespace
}  // namespace weir::neighbour_tables_unit_test
