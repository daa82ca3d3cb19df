// SPDX-License-Identifier: Apache-2.0
// A flooded packet on a running switch is charged once and released with its last reader. After
// every step an independent list of packets and their readers gives the content of each PG.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "support/small_network.hpp"
#include "weir/core/random.hpp"
#include "weir/model/network/network.hpp"
#include "weir/trace/summary/conservation.hpp"

namespace weir::replica_charging_test {
namespace {

using namespace test;

constexpr std::size_t ports = 6;
constexpr std::uint8_t lossless = 3, lossy = 1;
constexpr QueueIndex lossy_queue = queue_index(PortId{3}, Priority{lossy});

// Knows packets and when each of their readers is done, but not the MMU's counters. Only correct
// where no packet waits for a slot.
class ReaderList final : public Observer {
 public:
  ReaderList(const Chip& chip, std::size_t readers) : chip_{chip}, readers_{readers} {}

  std::uint64_t compared{0}, packets{0}, differences{0}, overtaken{0};

  [[nodiscard]] bool wants_verdicts() const override { return true; }
  [[nodiscard]] bool wants_details() const override { return true; }

  // The first step of a new edge: all steps of the previous edge are done.
  void stepped(const std::string&, const Mmu& mmu, PgIndex pg, Picoseconds edge) override {
    if (last_edge_ < edge) check(last_edge_);
    last_edge_ = edge;
    last_pg_ = pg;
    in_mmu_[pg] = mmu.ingress().pg(pg).total().count();
  }
  void verdict(const std::string&, const Frame& frame, const Verdict& verdict,
               Picoseconds) override {
    if (!verdict.admitted()) return;
    ++packets;
    const std::uint64_t cells = (frame.length + chip_.cell.count() - 1) / chip_.cell.count();
    const bool copies = frame.marked(copy_mark);
    held_.push_back({frame.flow, frame.sequence, last_pg_, cells, copies ? readers_ : 1, {}});
  }
  void frame_started(const std::string& node, PortId port, const Frame& frame,
                     Picoseconds start) override {
    if (node == "sw" && frame.kind == FrameKind::data) leave(port, frame, start);
  }
  void mac_drop(const std::string& node, const Frame& frame, PortId port, MacDrop reason,
                Picoseconds time) override {
    if (node == "sw" && reason == MacDrop::stray_copy) leave(port, frame, time);
  }

 private:
  struct Packet {
    std::uint32_t flow;
    std::uint64_t sequence;
    PgIndex pg;
    std::uint64_t cells;
    std::size_t readers;
    std::vector<Picoseconds> done;  // readers that have started
  };

  void leave(PortId port, const Frame& frame, Picoseconds start) {
    const Picoseconds byte = byte_time(chip_.ports[port.count()].rate);
    const Picoseconds done = start + byte * (8 + frame.length);
    for (Packet& packet : held_) {
      if (packet.flow != frame.flow || packet.sequence != frame.sequence) continue;
      if (!packet.done.empty() && done < packet.done.back()) ++overtaken;
      packet.done.push_back(done);
      return;
    }
    ADD_FAILURE() << "a frame leaves that never came in";
  }
  // Expected content of each PG after the steps of `edge`: packets with a reader that is not done.
  void check(Picoseconds edge) {
    const auto is_done = [&](const Packet& packet) {
      return packet.done.size() == packet.readers &&
             std::all_of(packet.done.begin(), packet.done.end(),
                         [&](Picoseconds t) { return t <= edge; });
    };
    held_.erase(std::remove_if(held_.begin(), held_.end(), is_done), held_.end());
    IndexedVector<PgIndex, std::uint64_t> expected{ports * priorities};
    for (const Packet& packet : held_) expected[packet.pg] += packet.cells;
    ++compared;
    if (!std::equal(expected.begin(), expected.end(), in_mmu_.begin()) && ++differences < 5)
      ADD_FAILURE() << "after the steps of " << edge << " the MMU holds other cells than the list";
  }

  const Chip chip_;
  const std::size_t readers_;
  std::vector<Packet> held_;
  IndexedVector<PgIndex, std::uint64_t> in_mmu_{ports * priorities};
  PgIndex last_pg_;
  Picoseconds last_edge_;
};

// Ports of 10G to 400G, so that late copies overtake early ones; lanes for all ports, so that none
// waits.
Chip chip_of_many_speeds() {
  Chip chip = small_chip(ports, gbps(100));
  const std::uint64_t rates[ports]{100, 10, 400, 25, 100, 40};
  for (std::size_t port = 0; port < ports; ++port) {
    chip.ports[port].rate = gbps(rates[port]);
    chip.ports[port].response = quanta_time(response_limit(gbps(rates[port])), gbps(rates[port]));
  }
  chip.lanes = 2 * ports;
  chip.neighbours.emplace();
  chip.neighbours->mac_timeout = us(3);
  chip.neighbours->arp_timeout = us(1000);
  return chip;
}

// Traffic between all ports; some hosts seldom send, so that packets to them are flooded, some
// packets are broadcast, and some copies are refused by a queue with a limit.
Scenario mixed(const Chip& chip, std::uint64_t seed) {
  Scenario scenario = star(chip, ns(50), us(400));
  scenario.seed = seed;
  RandomStream random{seed, "replicas", 0};
  for (std::size_t i = 0; i < 10; ++i) {
    const std::size_t from = random.uniform(ports);
    TrafficSpec traffic =
        flood("t" + std::to_string(i), from, (from + 1 + random.uniform(5)) % ports,
              random.uniform(2) == 0 ? lossless : lossy, 64 + random.uniform(1400));
    traffic.kind = TrafficKind::poisson;
    traffic.rate = gbps(1 + random.uniform(4));
    if (i % 5 == 0) traffic.cast = Cast::broadcast;
    scenario.traffic.push_back(traffic);
  }
  scenario.hosts[4].dead_from = us(100);
  return scenario;
}

class ReplicaCharging : public ::testing::TestWithParam<std::uint64_t> {};
INSTANTIATE_TEST_SUITE_P(Model, ReplicaCharging, ::testing::Range<std::uint64_t>(1, 5));

TEST_P(ReplicaCharging, EachPacketIsChargedOnceAndFreedWithItsLastReader) {
  const Chip chip = chip_of_many_speeds();
  const Scenario scenario = mixed(chip, GetParam());
  Network network{scenario};
  ReaderList list{chip, ports - 1};
  network.watch(list);
  network.run_until(scenario.until);
  check_conservation(network);
  const NeighbourCounters& tables = network.switch_at(0).neighbour_tables->counters();
  EXPECT_EQ(list.differences, 0U) << "of " << list.compared;
  EXPECT_GT(list.compared, 1000U) << "this test needs steps";
  EXPECT_GT(tables.flooded, 100U) << "and floods";
  EXPECT_LT(tables.flooded, list.packets) << "and packets that are not flooded";
  EXPECT_GT(list.overtaken, 0U) << "and readers that start later and are done earlier";
  EXPECT_EQ(network.switch_at(0).mmu.arrival_arbiter.waiting().waited, 0U)
      << "the list is only right where no packet waits";
}

// A queue with a limit refuses its copy; the others are sent, and the packet is released with the
// last.
TEST(ReplicaChargingAtLimits, AQueueThatRefusesGetsNoCopyAndHoldsNoCells) {
  Chip chip = small_chip(4, gbps(100));
  chip.neighbours.emplace();
  chip.egress_pools = {{"lossy", Cells{1000}, Cells{0}, true}};
  QueueProfile limited;
  limited.name = "limited";
  limited.threshold = {Policy::fixed, Alpha{}, Cells{10}, {}};
  chip.queue_profiles = {limited};
  chip.profile_of_queue[lossy_queue] = QueueProfileIndex{0};
  Scenario scenario = star(chip, ns(0), us(100));
  scenario.traffic.push_back(flood("all", 0, 1, lossy, 1000));
  scenario.traffic.back().cast = Cast::broadcast;
  scenario.traffic.back().stop = us(20);
  Network network{scenario};
  Switch& node = network.switch_at(0);
  node.port(PortId{3}).tx.enable(false, ps(0));
  network.run_until(us(50));
  const std::uint64_t sent = network.host(0).counters().priority[lossy].tx_packets;
  const Mmu& mmu = node.mmu.core();
  EXPECT_EQ(network.host(1).counters().priority[lossy].rx_packets, sent)
      << "others are not held up";
  EXPECT_EQ(node.port(PortId{3}).tx.depth(lossy), 2U) << "5 cells each, none at 10";
  EXPECT_EQ(mmu.stats().queue(lossy_queue).dropped, sent - 2);
  EXPECT_EQ(mmu.ingress().pg(PgIndex{lossy}).total(), Cells{10})
      << "of the two that still have a reader";
  check_conservation(network);
  node.port(PortId{3}).tx.enable(true, us(50));
  network.run_until(us(100));
  EXPECT_EQ(mmu.ingress().pg(PgIndex{lossy}).total(), Cells{0});
  EXPECT_EQ(mmu.egress().queue(lossy_queue, DomainId{0}).shared, Cells{0});
  check_conservation(network);
}

}  // namespace
}  // namespace weir::replica_charging_test
