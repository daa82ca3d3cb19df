// SPDX-License-Identifier: Apache-2.0
// Networks of many switches on the running model: TTL, equal-cost paths, routes that change.
#include "weir/model/switch/forwarding.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "support/event_log.hpp"
#include "support/small_network.hpp"
#include "weir/config/format/addresses.hpp"
#include "weir/model/network/network.hpp"
#include "weir/model/probe/run_in_child.hpp"
#include "weir/trace/summary/conservation.hpp"
#include "weir/trace/summary/measurement.hpp"

namespace weir::forwarding_test {
namespace {

using namespace test;

PortId port(std::uint16_t number) { return PortId{number}; }

// Switch S<i>, with host h<i> at port 0.
void add_switch(std::size_t i, std::size_t ports, Scenario& scenario) {
  scenario.switches.push_back({"S" + std::to_string(i), small_chip(ports, gbps(100))});
  HostSpec host;
  host.name = "h" + std::to_string(i);
  host.rate = gbps(100);
  host.response = ns(1000);
  scenario.hosts.push_back(host);
  scenario.links.push_back({{true, i, port(0)}, {false, i, port(0)}, ns(100)});
}

// Switches S0, S1 ... in a line, a host at port 0 of each; port 1 leads on, port 2 back.
Scenario line(std::size_t switches, Picoseconds until) {
  Scenario scenario;
  scenario.until = until;
  for (std::size_t i = 0; i < switches; ++i) {
    add_switch(i, 3, scenario);
    if (i != 0) scenario.links.push_back({{false, i - 1, port(1)}, {false, i, port(2)}, ns(100)});
  }
  return scenario;
}

TrafficSpec one_packet(std::size_t from, std::size_t to, std::uint8_t ttl) {
  TrafficSpec traffic = flood("ttl" + std::to_string(ttl), from, to, 3, 1000);
  traffic.kind = TrafficKind::incast;
  traffic.burst = Bytes{1000};
  traffic.ttl = ttl;
  return traffic;
}

// h0 to h2 crosses three switches: each decrements the TTL, and drops a packet whose TTL reaches 0.
TEST(Forwarding, APacketCrossesAsManySwitchesAsItsTtlLessOne) {
  Scenario scenario = line(3, us(20));
  for (const int ttl : {1, 2, 3, 4, 255})
    scenario.traffic.push_back(one_packet(0, 2, static_cast<std::uint8_t>(ttl)));
  Network network{scenario};
  EventLog log;
  network.watch(log);
  network.run_until(scenario.until);
  EXPECT_EQ(network.switch_at(0).counters(port(0)).ttl_expired, 1U) << "TTL 1";
  EXPECT_EQ(network.switch_at(1).counters(port(2)).ttl_expired, 1U) << "TTL 2";
  EXPECT_EQ(network.switch_at(2).counters(port(2)).ttl_expired, 1U) << "TTL 3";
  ASSERT_EQ(log.drops.size(), 3U);
  for (const EventLog::Drop& drop : log.drops) EXPECT_EQ(drop.reason, MacDrop::ttl);
  std::set<std::uint32_t> arrived;
  for (const EventLog::Delivery& delivery : log.deliveries) arrived.insert(delivery.flow);
  EXPECT_EQ(arrived, (std::set<std::uint32_t>{3, 4}));
  network.finish();
  check_conservation(network);
}

TEST(Forwarding, ADestinationWithoutARouteIsDropped) {
  Scenario scenario = line(2, us(10));
  scenario.links.pop_back();  // disconnects the two switches
  scenario.links.erase(scenario.links.begin() + 1);
  scenario.links.push_back({{true, 1, port(0)}, {false, 1, port(0)}, ns(100)});
  scenario.traffic.push_back(one_packet(0, 1, 64));
  Network network{scenario};
  network.run_until(scenario.until);
  EXPECT_EQ(network.switch_at(0).counters(port(0)).no_route, 1U);
}

// S0 has a route for h2 to its own host.
TEST(Forwarding, APacketThatARouteLeadsToAnotherHostIsNotDelivered) {
  Scenario scenario = line(3, us(20));
  scenario.traffic.push_back(one_packet(1, 2, 64));
  const AddressPlan plan = plan_addresses(scenario);
  scenario.routes.push_back({1, {plan.hosts[2], 32}, {port(0)}, Picoseconds{0}, std::nullopt});
  Network network{scenario};
  EventLog log;
  network.watch(log);
  network.run_until(scenario.until);
  EXPECT_TRUE(log.deliveries.empty());
  ASSERT_EQ(log.drops.size(), 1U);
  EXPECT_EQ(log.drops[0].reason, MacDrop::wrong_host);
  network.finish();
  check_conservation(network);
}

// Two switches with four links between them.
Scenario parallel(std::uint16_t connections) {
  Scenario scenario;
  scenario.until = us(50);
  for (std::size_t i = 0; i < 2; ++i) add_switch(i, 5, scenario);
  for (std::uint16_t i = 1; i < 5; ++i)
    scenario.links.push_back({{false, 0, port(i)}, {false, 1, port(i)}, ns(100)});
  TrafficSpec traffic = flood("flows", 0, 1, 3, 1000);
  traffic.rate = gbps(50);
  traffic.connections = connections;
  scenario.traffic = {traffic};
  return scenario;
}

std::vector<std::uint64_t> packets_by_port(const Scenario& scenario) {
  Network network{scenario};
  network.run_until(scenario.until);
  std::vector<std::uint64_t> packets;
  for (std::uint16_t i = 1; i < 5; ++i)
    packets.push_back(network.switch_at(0).counters(port(i)).priority[3].tx_packets);
  return packets;
}

TEST(Forwarding, AConnectionStaysOnOnePort) {
  const std::vector<std::uint64_t> packets = packets_by_port(parallel(1));
  EXPECT_EQ(std::count(packets.begin(), packets.end(), 0U), 3);
}

TEST(Forwarding, ConnectionsSpreadAsTheHashSays) {
  Scenario scenario = parallel(64);
  scenario.ecmp.seed = 99;
  const std::vector<std::uint64_t> packets = packets_by_port(scenario);
  const FlowHash& hash = *find_flow_hash("murmur3");
  std::vector<std::uint64_t> expected(4);
  for (std::uint16_t i = 0; i < 64; ++i)
    ++expected[hash.of({Ipv4{0x0a00'0001}, Ipv4{0x0a00'0101},
                        static_cast<std::uint16_t>(first_source_port + i), 9, 17},
                       99) %
               4];
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_GT(expected[i], 6U);
    // 306 packets in 50 us, so 4.8 of each connection.
    EXPECT_NEAR(static_cast<double>(packets[i]), 4.8 * static_cast<double>(expected[i]),
                static_cast<double>(expected[i]) + 1)
        << "port " << i + 1;
  }
}

TEST(Forwarding, WhatHoldsWhenTheLastBitIsInDecides) {
  Scenario scenario = line(2, us(100));
  TrafficSpec traffic = flood("steady", 0, 1, 3, 1000);
  traffic.rate = gbps(50);
  scenario.traffic = {traffic};
  const AddressPlan plan = plan_addresses(scenario);
  // A packet every 163.2 ns; the k-th has its last bit at S0 at k x 163.2 + 100 + 80.64 ns. The
  // route is gone from the last bit of packet 100 until that of packet 200.
  const auto last_bit = [](std::uint64_t k) { return Picoseconds{k * 163'200 + 180'640}; };
  scenario.routes.push_back({0, {plan.hosts[1], 32}, {}, last_bit(100), last_bit(200)});
  Network network{scenario};
  EventLog log;
  network.watch(log);
  network.run_until(scenario.until);
  EXPECT_EQ(log.drops.size(), 100U);
  ASSERT_GT(log.deliveries.size(), 101U);
  EXPECT_EQ(log.deliveries[99].sequence, 99U);
  EXPECT_EQ(log.deliveries[100].sequence, 200U);
}

// One host sends 50 of 100 Gbps for 50 us: all, half or none of it before the warm-up ends.
TEST(Throughput, CountsFromTheWarmUpOn) {
  Scenario scenario = line(2, us(100));
  TrafficSpec traffic = flood("steady", 0, 1, 3, 1000);
  traffic.rate = gbps(50);
  traffic.stop = us(50);
  scenario.traffic = {traffic};
  const auto throughput = [](Scenario run, Picoseconds warm_up) {
    run.warm_up = warm_up;
    return [run] {
      Network network{run};
      const Measurement measurement{network};
      network.run_until(run.until);
      return std::to_string(measurement.summary().totals.throughput.count());
    };
  };
  std::vector<ChildJob> jobs;
  for (const std::uint64_t warm_up : {0U, 1U, 40U, 60U})
    jobs.push_back(throughput(scenario, us(warm_up)));
  std::vector<std::uint64_t> rates;
  for (const ChildResult& result : run_in_children(jobs, 2)) {
    ASSERT_TRUE(result.ok) << result.error;
    rates.push_back(std::stoull(result.output));
  }
  // 307 packets of 1020 B on the wire: the last is made at 49.94 us, and is there at 51 us.
  EXPECT_EQ(rates[0], 307ULL * 8160 * 10'000);
  // The k-th has its last bit at its host at k x 163.2 ns + 549 ns: 3 by 1 us, 242 by 40 us.
  EXPECT_EQ(rates[1], 304ULL * 8160 * 1'000'000 / 99);
  EXPECT_EQ(rates[2], 65ULL * 8160 * 1'000'000 / 60);
  EXPECT_EQ(rates[3], 0U);
}

// T1 sends packets for its own host back: they go back and forth until their TTL is used up.
TEST(Forwarding, AWrongRouteMakesALoopThatTheTtlEnds) {
  Scenario scenario = line(2, us(100));
  scenario.traffic = {one_packet(0, 1, 16)};
  const AddressPlan plan = plan_addresses(scenario);
  scenario.routes.push_back({1, {plan.hosts[1], 32}, {port(2)}, Picoseconds{0}, std::nullopt});
  Network network{scenario};
  network.run_until(scenario.until);
  const std::uint64_t there = network.switch_at(0).counters(port(1)).priority[3].tx_packets;
  const std::uint64_t back = network.switch_at(1).counters(port(2)).priority[3].tx_packets;
  EXPECT_EQ(there + back, 15U) << "links crossed by a packet of TTL 16";
  EXPECT_EQ(network.switch_at(1).counters(port(2)).ttl_expired, 1U);
}

}  // namespace
}  // namespace weir::forwarding_test
