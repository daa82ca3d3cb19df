// SPDX-License-Identifier: Apache-2.0
#include "weir/model/switch/switch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>

#include "support/event_log.hpp"
#include "support/small_network.hpp"
#include "support/wire_probe.hpp"
#include "weir/model/network/network.hpp"

namespace weir::switch_test {
namespace {

using namespace test;

TEST(Switch, BlocksAreInTheHierarchyUnderTheirNames) {
  Network network{star(small_chip(2, gbps(100)), ns(0), us(1))};
  for (const char* name :
       {"sw.mmu.ingress_accounting", "sw.mmu.egress_accounting", "sw.mmu.dynamic_threshold",
        "sw.mmu.pfc_state", "sw.mmu.stats_counters", "sw.mmu.admission", "sw.mmu.arrival_arbiter",
        "sw.mmu.pfc_generator", "sw.mmu.pfc_receiver", "sw.mmu.csr", "sw.mmu.headroom_sizer",
        "sw.mmu.admission_rules", "sw.port[1].tx", "sw.port[1].rx"})
    EXPECT_NE(sc_core::sc_find_object(name), nullptr) << name;
}

TEST(Switch, TheHeadroomSizerAnswersForItsOwnChip) {
  Network network{star(small_chip(2, gbps(100)), ns(0), us(1))};
  const Switch& device = network.switch_at(0);
  const Millimetres cable{300'000};
  for (const HeadroomMethod& method : headroom_methods()) {
    const HeadroomResult need = device.mmu.headroom_sizer->need(method.name, PortId{1}, cable);
    const HeadroomResult sized =
        size_headroom(method.name, headroom_port(device.chip(), PortId{1}, cable));
    EXPECT_EQ(need.cells, sized.cells) << method.name;
    EXPECT_LT(Cells{0}, need.cells) << method.name;
  }
}

TEST(Switch, TheDynamicThresholdAnswersForThisMomentWhereTDependsOnTime) {
  Chip chip = small_chip(3, gbps(100));
  chip.threshold_lag = 8;
  Scenario scenario = star(chip, ns(0), us(20));
  scenario.traffic = {flood("a", 0, 2, 3, 1000), flood("b", 1, 2, 3, 1000)};
  Network network{scenario};
  network.run_until(scenario.until);
  const MmuModel& mmu = network.switch_at(0).mmu;
  const PgIndex pg{3};
  const Cells now = mmu.core().threshold(pg, Cycle{20'000});
  ASSERT_NE(now, mmu.core().threshold(pg, Cycle{0})) << "S has risen since the start";
  EXPECT_EQ(mmu.threshold(pg), now) << "20 us of a clock of 1 GHz";
}

TEST(Switch, DropsAndCountsUnknownDestinationsAndFramesAboveTheMtu) {
  Chip chip = small_chip(3, gbps(100));
  chip.mtu = Bytes{1518};
  Scenario scenario = star(chip, ns(0), us(100));
  scenario.links.pop_back();  // host 2 is not attached
  scenario.traffic = {replay({packet(us(1), 1518, 0, 0, 1), packet(us(2), 1519, 0, 0, 1),
                              packet(us(3), 64, 0, 0, 2), packet(us(4), 64, 0, 0, 1)},
                             2)};
  Network network{scenario};
  EventLog log;
  network.watch(log);
  network.run_until(scenario.until);
  const PortCounters& counters = network.switch_at(0).counters(PortId{0});
  EXPECT_EQ(counters.oversize, 1U) << "one byte above the MTU";
  EXPECT_EQ(counters.no_route, 1U);
  EXPECT_EQ(counters.priority[0].rx_packets, 4U) << "all of them came in";
  EXPECT_EQ(counters.priority[0].mac_drops, 2U);
  EXPECT_EQ(counters.priority[0].ingress_drops, 0U) << "the MMU never saw them";
  EXPECT_EQ(network.host(1).counters().priority[0].rx_packets, 2U);
  ASSERT_EQ(log.drops.size(), 2U);
  EXPECT_EQ(log.drops[0].reason, MacDrop::oversize);
  EXPECT_EQ(log.drops[0].time, us(2) + ps(1527 * 80)) << "at its last bit";
  EXPECT_EQ(log.drops[1].reason, MacDrop::no_route);
  EXPECT_EQ(network.frames_in_flight(), 0U);
}

// Eight frames whose last bits come in the same picosecond, for `lanes` slots a cycle.
SlotWaiting waiting_with(std::uint32_t lanes) {
  Chip chip = small_chip(9, gbps(100));
  chip.lanes = lanes;
  Scenario scenario = star(chip, ns(0), us(10));
  std::vector<ReplayPacket> packets;
  for (std::size_t host = 0; host < 8; ++host) packets.push_back(packet(us(1), 64, 0, host, 8));
  scenario.traffic = {replay(packets, 9)};
  Network network{scenario};
  network.run_until(scenario.until);
  EXPECT_EQ(network.host(8).counters().priority[0].rx_packets, 8U);
  return network.switch_at(0).mmu.arrival_arbiter.waiting();
}

TEST(Switch, WithALaneForEachPortNoFrameWaits) { EXPECT_EQ(waiting_with(8).waited, 0U); }

TEST(Switch, WithOneLaneTooFewOneFrameWaitsOneCycle) {
  const SlotWaiting waiting = waiting_with(7);
  EXPECT_EQ(waiting.waited, 1U);
  EXPECT_EQ(waiting.longest, ns(1));
}

TEST(Switch, WithOneLaneTheLastOfEightWaitsSevenCycles) {
  const SlotWaiting waiting = waiting_with(1);
  EXPECT_EQ(waiting.waited, 7U);
  EXPECT_EQ(waiting.longest, ns(7));
  EXPECT_EQ(waiting.deepest, 1U);
}

TEST(Switch, OverloadedLanesFillThePortFifoAndTheOverrunIsCounted) {
  Chip chip = small_chip(16, gbps(100));  // 2.4 frames of 64 B a cycle
  chip.lanes = 1;
  chip.port_fifo = 4;
  Scenario scenario = star(chip, ns(0), us(20));
  for (std::size_t host = 0; host < 16; ++host) {
    scenario.traffic.push_back(flood("x" + std::to_string(host), host, (host + 1) % 16, 0, 64));
    scenario.traffic.back().stop = us(15);
  }
  Network network{scenario};
  EventLog log;
  network.watch(log);
  network.run_until(scenario.until);
  std::uint64_t sent = 0, received = 0, overrun = 0;
  for (std::size_t i = 0; i < 16; ++i) {
    sent += network.host(i).counters().priority[0].tx_packets;
    received += network.host(i).counters().priority[0].rx_packets;
    overrun += network.switch_at(0).counters(PortId{static_cast<std::uint16_t>(i)}).port_fifo_drops;
  }
  EXPECT_GT(overrun, 0U);
  EXPECT_EQ(log.drops.size(), overrun);
  EXPECT_EQ(sent, received + overrun) << "everything else arrived";
  EXPECT_EQ(network.switch_at(0).mmu.arrival_arbiter.waiting().deepest, 4U) << "the FIFO";
  EXPECT_EQ(network.frames_in_flight(), 0U);
}

// Two floods to host 0 in priorities 1 and 2; returns the bytes delivered by priority while both
// were active.
std::map<int, std::uint64_t> shares(const Chip& chip) {
  Scenario scenario = star(chip, ns(0), us(200));
  scenario.traffic = {flood("one", 1, 0, 1, 1000), flood("two", 2, 0, 2, 1000)};
  Network network{scenario};
  EventLog log;
  network.watch(log);
  network.run_until(scenario.until);
  std::map<int, std::uint64_t> packets;
  for (const EventLog::Delivery& delivery : log.deliveries)
    if (us(20) < delivery.last_bit) ++packets[delivery.priority.count()];
  return packets;
}

TEST(Switch, StrictPrioritySendsTheHigherQueueAlone) {
  Chip chip = small_chip(3, gbps(100));
  chip.scheduler = SchedulerKind::strict;
  auto packets = shares(chip);
  EXPECT_EQ(packets[1], 0U);
  EXPECT_EQ(packets[2], us(180).count() / (1020 * 80)) << "the whole wire";
}

TEST(Switch, DwrrSharesTheWireByWeight) {
  Chip chip = small_chip(3, gbps(100));
  chip.scheduler = SchedulerKind::dwrr;
  chip.dwrr_weight[1] = 3;
  auto packets = shares(chip);
  const std::uint64_t all = packets[1] + packets[2];
  EXPECT_EQ(all, us(180).count() / (1020 * 80)) << "no slot stays empty";
  EXPECT_LE(packets[1], all * 3 / 4 + 4) << "within a round";
  EXPECT_GE(packets[1] + 4, all * 3 / 4);
}

TEST(Switch, EveryFrameSentIsDeliveredDroppedOrInFlight) {
  Chip chip = small_chip(6, gbps(100));
  chip.profiles[ProfileIndex{1}].threshold.static_limit = Cells{300};  // lossy traffic is dropped
  Scenario scenario = star(chip, ns(700), us(333));
  scenario.hosts[4].obeys_pfc = false;
  for (std::size_t host = 1; host < 6; ++host) {
    scenario.traffic.push_back(flood("a" + std::to_string(host), host, 0, 3, 900 + host));
    scenario.traffic.push_back(flood("b" + std::to_string(host), host, (host + 1) % 6, 1, 300));
  }
  Network network{scenario};
  network.run_until(scenario.until);
  std::uint64_t sent = 0, delivered = 0, dropped = 0;
  for (std::size_t i = 0; i < 6; ++i) {
    const PortCounters& port = network.switch_at(0).counters(PortId{static_cast<std::uint16_t>(i)});
    sent += port.pfc_frames_sent;
    delivered += network.host(i).counters().pfc_frames_received;
    dropped += port.port_fifo_drops + port.no_route + port.oversize;
    for (std::size_t p = 0; p < priorities; ++p) {
      sent += network.host(i).counters().priority[p].tx_packets;
      delivered += network.host(i).counters().priority[p].rx_packets;
      dropped += network.switch_at(0).mmu.core().stats().pg(PgIndex{i * priorities + p}).dropped();
    }
  }
  EXPECT_GT(dropped, 0U) << "this test needs drops";
  EXPECT_GT(network.frames_in_flight(), 0U) << "and frames in flight";
  EXPECT_EQ(sent, delivered + dropped + network.frames_in_flight());
}

/// A switch with a sender outside its agenda at port 0 and a host at port 1.
struct Outside {
  FramePool frames;
  Observers observers;
  Agenda agenda{"agenda"};
  Switch node{"sw", {agenda, frames, observers, 1}, small_chip(2, gbps(100))};
  WireProbe probe{"probe", frames, gbps(100)};

  Outside() {
    probe.tx.bind(node.port(PortId{0}).rx.wire);
    node.port(PortId{0}).tx.wire.bind(probe.rx);
    node.add_route(1, PortId{1});
  }
  // The kernel wraps an exception of a process into a report of its own.
  std::string error_of_run() {
    try {
      sc_core::sc_start(10, sc_core::SC_US);
    } catch (const std::exception& error) {
      return error.what();
    }
    return "";
  }
};

TEST(Switch, AnOutsideSenderIsNeverTooLate) {
  Outside bench;
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  // A switch that ran ahead could not accept the second frame.
  bench.probe.data(ns(10), 9000, 1);
  bench.probe.data(ns(10) + ps(9020 * 80), 64, 1);
  EXPECT_NO_THROW(sc_core::sc_start(10, sc_core::SC_US));
  EXPECT_EQ(bench.node.counters(PortId{1}).priority[0].tx_packets, 2U);
}

TEST(Switch, RefusesOverlappingFramesOfAnOutsideSender) {
  Outside bench;
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  bench.probe.data(ns(10), 64, 1);
  bench.probe.data(ns(10) + ps(84 * 80 - 1), 64, 1);  // one picosecond into the gap
  EXPECT_NE(bench.error_of_run().find("port[0]"), std::string::npos)
      << "no error that names the port";
}

TEST(Switch, RefusesAFrameShorterThan64BytesOfAnOutsideSender) {
  Outside bench;
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  bench.probe.data(ns(10), 63, 1);
  EXPECT_NE(bench.error_of_run().find("port[0]"), std::string::npos)
      << "no error that names the port";
}

}  // namespace
}  // namespace weir::switch_test
