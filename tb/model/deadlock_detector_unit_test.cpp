// SPDX-License-Identifier: Apache-2.0
#include "weir/model/network/deadlock_detector_unit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/small_network.hpp"
#include "weir/core/random.hpp"
#include "weir/model/network/network.hpp"
#include "weir/model/probe/run_in_child.hpp"
#include "weir/trace/summary/conservation.hpp"
#include "weir/trace/summary/summary.hpp"
#include "weir/trace/summary/summary_json.hpp"

namespace weir::deadlock_detector_unit_test {
namespace {

using namespace test;

// Switches T0 ... in a ring at 40G, a host at port 0 of each, port 1 to the next. With `small`
// pools the deadlock takes microseconds.
Scenario ring(std::size_t switches, Picoseconds until) {
  Scenario scenario;
  scenario.name = "ring";
  scenario.until = until;
  Chip chip = small_chip(3, gbps(40));
  chip.ingress_pools.front().shared = Cells{1000};
  for (std::size_t i = 0; i < switches; ++i) {
    scenario.switches.push_back({"T" + std::to_string(i), chip});
    HostSpec host;
    host.name = "h" + std::to_string(i);
    host.rate = gbps(40);
    host.response = chip.ports[0].response;
    host.address = Ipv4{static_cast<std::uint32_t>(0x0a00'0001 + (i << 8))};
    scenario.hosts.push_back(host);
    scenario.links.push_back({{true, i, PortId{0}}, {false, i, PortId{0}}, ns(100)});
  }
  for (std::size_t i = 0; i < switches; ++i) {
    if (switches == 2 && i == 1) break;
    const LinkEnd here{false, i, PortId{1}};
    const LinkEnd there{false, (i + 1) % switches,
                        PortId{static_cast<std::uint16_t>(switches == 2 ? 1 : 2)}};
    scenario.links.push_back({here, there, us(1)});
  }
  return scenario;
}

// Makes everything for `host` circle: every switch sends it to the next one.
void misroute(Scenario& scenario, std::size_t host) {
  for (std::size_t i = 0; i < scenario.switches.size(); ++i) {
    RouteSpec route;
    route.node = i;
    route.to = {scenario.hosts[host].address, 32};
    route.ports = {PortId{1}};
    scenario.routes.push_back(route);
  }
}

Scenario loop(std::size_t switches, std::uint64_t rate, Picoseconds until) {
  Scenario scenario = ring(switches, until);
  misroute(scenario, 1);
  scenario.traffic = {flood("lost", 0, 1, 3, 1000)};
  scenario.traffic[0].rate = gbps(rate);
  scenario.traffic[0].ttl = 16;
  return scenario;
}

class Reports final : public Observer {
 public:
  std::vector<DeadlockReport> reports;
  std::vector<Picoseconds> found;
  void deadlock(const DeadlockReport& report, Picoseconds when) override {
    reports.push_back(report);
    found.push_back(when);
  }
};

TEST(DeadlockDetectorUnit, ALoopOfTwoSwitchesIsReportedOnceWithItsMembersInOrder) {
  Network network{loop(2, 20, us(3000))};
  Reports seen;
  network.watch(seen);
  network.run_until(us(3000));
  network.finish();
  check_conservation(network);
  ASSERT_EQ(seen.reports.size(), 1U);
  const DeadlockReport& report = seen.reports[0];
  ASSERT_EQ(report.members.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    const DeadlockMember& member = report.members[i];
    EXPECT_EQ(member.port, PortId{1});
    EXPECT_EQ(member.priority, Priority{3});
    EXPECT_EQ(member.waits_for, report.members[1 - i].node + ".port[1]");
    EXPECT_GT(member.frames, 0U);
    EXPECT_EQ(member.bytes, Bytes{member.frames * 1000});
  }
  EXPECT_LE(report.members[0].since, report.members[1].since)
      << "begins with the first that was paused";
  EXPECT_EQ(report.formed, report.members[1].since);
  EXPECT_LT(report.formed, report.found);
  EXPECT_LE(report.found, report.formed + DeadlockDetectorUnit::period * 2);
  EXPECT_EQ(report.queues, 2U);
  EXPECT_EQ(report.frames, report.members[0].frames + report.members[1].frames);
}

TEST(DeadlockDetectorUnit, NothingHasLeftAMemberSinceItFormed) {
  // The same run, ended where the deadlock formed: its members send nothing afterwards, so the
  // frames sent are the same.
  const auto sent_until = [](Picoseconds until) {
    return run_in_child([=] {
      Network network{loop(2, 20, us(3000))};
      network.run_until(until);
      network.finish();
      std::string text;
      for (std::size_t i = 0; i < 2; ++i)
        text +=
            std::to_string(network.switch_at(i).counters(PortId{1}).priority[3].tx_packets) + " ";
      const std::vector<DeadlockReport> found = network.deadlocks();
      return text + "|" + (found.empty() ? "" : std::to_string(found[0].formed.count()));
    });
  };
  const std::string end = sent_until(us(3000));
  const Picoseconds formed{std::stoull(end.substr(end.find('|') + 1))};
  EXPECT_EQ(sent_until(formed).substr(0, end.find('|')), end.substr(0, end.find('|')));
  // The agenda runs up to 10 us ahead of the kernel.
  EXPECT_NE(sent_until(formed - us(15)).substr(0, end.find('|')), end.substr(0, end.find('|')));
}

TEST(DeadlockDetectorUnit, LargerRingsHaveAllTheirSwitchesAsMembers) {
  for (const std::size_t switches : {3U, 4U}) {
    const std::string text = run_in_child([=] {
      Network network{loop(switches, 30, us(3000))};
      network.run_until(us(3000));
      network.finish();
      std::string members;
      for (const DeadlockReport& report : network.deadlocks())
        for (const DeadlockMember& member : report.members) members += member.node;
      return members;
    });
    std::string expected;
    const std::size_t first = text.empty() ? 0 : static_cast<std::size_t>(text[1] - '0');
    for (std::size_t i = 0; i < switches; ++i)
      expected += "T" + std::to_string((first + i) % switches);
    EXPECT_EQ(text, expected) << "each waits for the next";
  }
}

TEST(DeadlockDetectorUnit, ItIsFoundAtTheEndOfAShortRunToo) {
  Scenario scenario = loop(2, 20, us(3000));
  const Picoseconds formed = [&] {
    const std::string text = run_in_child([&] {
      Network network{scenario};
      network.run_until(scenario.until);
      network.finish();
      return std::to_string(network.deadlocks().at(0).formed.count());
    });
    return Picoseconds{std::stoull(text)};
  }();
  scenario.until = formed + us(8);  // between two looks, after the last frame has left the wire
  Network network{scenario};
  network.run_until(scenario.until);
  EXPECT_TRUE(network.deadlocks().empty());
  network.finish();
  ASSERT_EQ(network.deadlocks().size(), 1U);
  EXPECT_EQ(network.deadlocks()[0].formed, formed);
}

TEST(DeadlockDetectorUnit, BelowTheRateOfTheLoopThereIsNone) {
  // r_d = n B / TTL = 2 x 40 / 15 links: 5.3 Gb/s.
  Network network{loop(2, 4, us(5000))};
  network.run_until(us(5000));
  network.finish();
  EXPECT_TRUE(network.deadlocks().empty());
  EXPECT_GT(network.switch_at(0).counters(PortId{1}).ttl_expired +
                network.switch_at(1).counters(PortId{1}).ttl_expired,
            0U);
}

// Every host sends two hops clockwise: on each link half of the frames have another hop to go, so
// each paused queue waits for the next, all around the ring. But the other half leaves the ring, so
// it drains.
Scenario circling(std::uint64_t seed) {
  Scenario scenario = ring(4, us(2000));
  for (std::size_t i = 0; i < 4; ++i) {
    RouteSpec route;  // clockwise, where both ways are as long
    route.node = i;
    route.to = {scenario.hosts[(i + 2) % 4].address, 32};
    route.ports = {PortId{1}};
    scenario.routes.push_back(route);
    scenario.traffic.push_back(flood("far" + std::to_string(i), i, (i + 2) % 4, 3, 1000));
    scenario.traffic.push_back(flood("near" + std::to_string(i), i, (i + 1) % 4, 3, 1000));
    scenario.traffic[2 * i].rate = gbps(10 + seed % 8);
    scenario.traffic[2 * i + 1].rate = gbps(12);
  }
  scenario.seed = seed;
  return scenario;
}

TEST(DeadlockDetectorUnit, WhatItCallsADeadlockNeverMovesAgainAndWhatNeverMovesItCallsOne) {
  unsigned locked = 0, flowing = 0;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const std::string text = run_in_child([=] {
      Network network{circling(seed)};
      network.run_until(us(1000));
      const std::size_t early = network.deadlocks().size();
      std::vector<std::uint64_t> sent;
      const auto count = [&](std::size_t i) {
        return network.switch_at(i).counters(PortId{1}).priority[3].tx_packets;
      };
      for (std::size_t i = 0; i < 4; ++i) sent.push_back(count(i));
      network.run_until(us(2000));
      network.finish();
      unsigned frozen = 0;
      for (std::size_t i = 0; i < 4; ++i) frozen += count(i) == sent[i] ? 1 : 0;
      return std::to_string(early) + " " + std::to_string(frozen) + " " +
             std::to_string(network.deadlocks().size());
    });
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + text);
    const bool early = text[0] != '0', frozen = text[2] == '4', late = text[4] != '0';
    EXPECT_TRUE(!early || frozen);
    EXPECT_EQ(late, frozen);
    ++(late ? locked : flowing);
  }
  EXPECT_GT(flowing, 0U) << "a circle that is no deadlock";
}

TEST(DeadlockDetectorUnit, StopOnDeadlockEndsTheRunWhereItWasFound) {
  const auto json = [](Picoseconds slice, std::uint64_t permutation) {
    return run_in_child([=] {
      Scenario scenario = loop(2, 20, us(3000));
      scenario.stop_on_deadlock = true;
      Network network{scenario, permutation};
      for (Picoseconds at = slice; !network.stopped() && network.now() < scenario.until;
           at += slice)
        network.run_until(at);
      network.finish();
      check_conservation(network);
      return to_json(summarize(network));
    });
  };
  const std::string whole = json(us(3000), 0);
  EXPECT_NE(whole.find("\"stopped\": true"), std::string::npos);
  EXPECT_NE(whole.find("\"interrupted\": false"), std::string::npos);
  EXPECT_EQ(json(us(17), 0), whole) << "where a slice of the run ends does not matter";
  EXPECT_EQ(json(us(3000), 4711), whole) << "nor the order of things of one moment";
  const std::size_t found = whole.find("\"found_ps\": ");
  const std::size_t time = whole.find("\"time_ps\": ");
  EXPECT_EQ(std::stoull(whole.substr(found + 12)), std::stoull(whole.substr(time + 11)));
}

TEST(DeadlockDetectorUnit, AStormIsNoDeadlock) {
  // Host 1 pauses its switch for good: all senders to it stay paused, but there is no circle.
  Scenario scenario = ring(2, us(2000));
  scenario.traffic = {flood("victim", 0, 1, 3, 1000)};
  FaultSpec fault;  // drops PFC frames on the link between the switch and host 1
  fault.link = 1;
  fault.frames = FaultFrames::pfc;
  scenario.faults = {fault};
  Network network{scenario};
  network.switch_at(1).port(PortId{0}).tx.enable(false, ps(0));
  network.run_until(scenario.until);
  network.finish();
  EXPECT_GT(
      network.switch_at(0).mmu.pfc_receiver->pause_times(PortId{1}, Priority{3}, us(2000)).total,
      us(1000))
      << "the queue between the switches is paused";
  EXPECT_TRUE(network.deadlocks().empty());
}

TEST(DeadlockDetectorUnit, ASingleSwitchHasNothingToLookAt) {
  EXPECT_FALSE(DeadlockDetectorUnit::has_work(star(small_chip(2, gbps(40)), ns(100), us(1))));
  EXPECT_TRUE(DeadlockDetectorUnit::has_work(ring(2, us(1))));
}

}  // namespace
}  // namespace weir::deadlock_detector_unit_test
