// SPDX-License-Identifier: Apache-2.0
#include "weir/model/network/message_meter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "support/small_network.hpp"
#include "weir/model/network/network.hpp"
#include "weir/model/probe/run_in_child.hpp"
#include "weir/trace/summary/conservation.hpp"

namespace weir::message_meter_test {
namespace {

using namespace test;

constexpr Picoseconds clock_period{1'000};

TrafficSpec burst(std::vector<std::size_t> from, std::size_t to, std::uint64_t bytes) {
  TrafficSpec traffic = flood("burst", from.front(), to, 3, 1000);
  traffic.kind = TrafficKind::incast;
  traffic.from = std::move(from);
  traffic.burst = Bytes{bytes};
  return traffic;
}

// Frame by frame: when each may start on each link.
Picoseconds frame_by_frame(const MessageFrames& message, const std::vector<Hop>& way) {
  std::vector<Picoseconds> there(message.count);  // at the beginning of the link at hand
  for (const Hop& hop : way) {
    Picoseconds free;
    for (std::uint64_t i = 0; i < message.count; ++i) {
      const std::uint64_t length = (i + 1 == message.count ? message.last : message.packet).count();
      const Picoseconds start = std::max(there[i], free);
      free = start + slot_time(length, hop.byte);
      there[i] = start + frame_time(length, hop.byte) + hop.delay;
    }
  }
  return there.back();
}

TEST(EmptyNetwork, TheSumOverTheSlowestLinkIsTheTimeFrameByFrame) {
  std::mt19937_64 draw{22};
  for (int i = 0; i < 5'000; ++i) {
    std::vector<Hop> way(1 + draw() % 6);
    for (Hop& hop : way) hop = {Picoseconds{1 + draw() % 40}, Picoseconds{draw() % 100'000}};
    const Bytes packet{64 + draw() % 1'500};
    const MessageFrames message = MessageFrames::of(Bytes{1 + draw() % 40'000}, packet);
    ASSERT_EQ(unloaded_time(message, way).count(), frame_by_frame(message, way).count())
        << message.count << " frames of " << packet << " over " << way.size() << " links";
  }
}

TEST(EmptyNetwork, AMessageIsCutAsSourcesCutIt) {
  for (const auto& [size, count, last] : {std::tuple{0U, 1U, 64U},
                                          {1U, 1U, 64U},
                                          {999U, 1U, 999U},
                                          {1000U, 1U, 1000U},
                                          {1001U, 2U, 64U},
                                          {1064U, 2U, 64U},
                                          {1065U, 2U, 65U},
                                          {2000U, 2U, 1000U}}) {
    const MessageFrames message = MessageFrames::of(Bytes{size}, Bytes{1000});
    EXPECT_EQ(message.count, count) << size;
    EXPECT_EQ(message.last.count(), last) << size;
    const std::uint64_t wire = (count - 1) * 1000 + last + count * 20;
    EXPECT_EQ(message.wire_bytes().count(), wire) << size;
    EXPECT_EQ(message.slots(Picoseconds{80}).count(), wire * 80) << size;
  }
}

// Two switches in a row, the second with slower ports: "h0" at "near", "h1" at "far".
Scenario two_switches() {
  Scenario scenario;
  scenario.until = us(200);
  Chip near = small_chip(2, gbps(100)), far = small_chip(2, gbps(100));
  for (Chip* const chip : {&near, &far}) {
    chip->ports[1].rate = gbps(40);
    chip->ports[1].response = quanta_time(response_limit(gbps(40)), gbps(40));
  }
  scenario.switches = {{"near", near}, {"far", far}};
  for (const std::size_t i : {0U, 1U}) {
    HostSpec host;
    host.name = "h" + std::to_string(i);
    host.rate = gbps(100);
    host.response = near.ports[0].response;
    scenario.hosts.push_back(host);
    scenario.links.push_back({{true, i, PortId{0}}, {false, i, PortId{0}}, ns(100 + 50 * i)});
  }
  scenario.links.push_back({{false, 0, PortId{1}}, {false, 1, PortId{1}}, ns(500)});
  return scenario;
}

TEST(MessageMeter, AMessageAloneTakesTheTimeOfTheEmptyNetworkButForClockEdges) {
  Scenario scenario = two_switches();
  scenario.traffic = {burst({0}, 1, 25'300)};
  scenario.traffic[0].start = ps(1'234'567);
  Network network{scenario};
  network.run_until(scenario.until);
  ASSERT_NE(network.message_meter(), nullptr);
  const Completions messages = network.message_meter()->messages(0, scenario.until);
  EXPECT_EQ(messages.unfinished, 0U);
  ASSERT_EQ(messages.done.times().packets, 1U);
  const Chip& chip = scenario.switches[0].chip;
  const Picoseconds admit = chip.clock.min_time(Cycle{chip.admit_latency});
  const Picoseconds fast = byte_time(gbps(100)), slow = byte_time(gbps(40));
  const std::vector<Hop> way{{fast, ns(100) + admit}, {slow, ns(500) + admit}, {fast, ns(150)}};
  const Picoseconds least = unloaded_time(MessageFrames::of(Bytes{25'300}, Bytes{1000}), way);
  EXPECT_GE(messages.done.times().longest, least);
  EXPECT_LT(messages.done.times().longest, least + clock_period * 2) << "an edge of each switch";
  EXPECT_GE(messages.done.slowdown(1000), Thousandths{1000});
  EXPECT_LE(messages.done.slowdown(1000), Thousandths{1001});
}

TEST(MessageMeter, AnIncastAloneTakesTheTimeOfTheReceiversLink) {
  Scenario scenario = star(small_chip(5, gbps(100)), ns(100), us(400));
  scenario.traffic = {burst({0, 1, 2, 3}, 4, 50'000)};
  scenario.traffic[0].stagger = ns(200);
  scenario.traffic[0].period = us(100);
  Network network{scenario};
  network.run_until(scenario.until);
  const Completions messages = network.message_meter()->messages(0, scenario.until);
  const Completions incasts = network.message_meter()->incasts(0, scenario.until);
  EXPECT_EQ(messages.done.times().packets, 16U) << "four bursts of four senders";
  EXPECT_EQ(messages.unfinished, 0U);
  ASSERT_EQ(incasts.done.times().packets, 4U);
  EXPECT_EQ(incasts.unfinished, 0U);
  EXPECT_GE(incasts.done.slowdown(1000), Thousandths{1000});
  EXPECT_LE(incasts.done.slowdown(1000), Thousandths{1010})
      << "the first sender's frames alone wait for nothing";
  // The last frame is of one of them: its message began up to 3 staggers after the incast.
  EXPECT_LE(messages.done.times().longest, incasts.done.times().longest);
  EXPECT_GE(messages.done.times().longest + scenario.traffic[0].stagger * 3,
            incasts.done.times().longest);
}

TEST(MessageMeter, WhatALinkHasLostLeavesItsMessageAndItsIncastUnfinished) {
  Scenario scenario = star(small_chip(3, gbps(100)), ns(100), us(300));
  scenario.traffic = {burst({0, 1}, 2, 20'000)};
  scenario.traffic[0].period = us(100);
  FaultSpec loss;
  loss.direction = FaultDirection::a_to_b;
  loss.frames = FaultFrames::data;
  loss.nth = {25};  // of 20 packets a burst
  scenario.faults = {loss};
  Network network{scenario};
  network.run_until(scenario.until);
  const Completions messages = network.message_meter()->messages(0, scenario.until);
  const Completions incasts = network.message_meter()->incasts(0, scenario.until);
  EXPECT_EQ(messages.done.times().packets, 5U);
  EXPECT_EQ(messages.unfinished, 1U);
  EXPECT_EQ(incasts.done.times().packets, 2U);
  EXPECT_EQ(incasts.unfinished, 1U);
}

TEST(MessageMeter, WhatASwitchDroppedLeavesItsMessageUnfinished) {
  Chip chip = small_chip(5, gbps(100));
  chip.profiles[ProfileIndex{1}].threshold.static_limit = Cells{60};
  Scenario scenario = star(chip, ns(100), us(300));
  scenario.traffic = {burst({0, 1, 2, 3}, 4, 100'000)};
  scenario.traffic[0].priority = Priority{0};
  Network network{scenario};
  network.run_until(scenario.until);
  check_conservation(network);
  const Completions messages = network.message_meter()->messages(0, scenario.until);
  EXPECT_EQ(messages.done.times().packets, 0U);
  EXPECT_EQ(messages.unfinished, 4U);
  EXPECT_EQ(network.message_meter()->incasts(0, scenario.until).unfinished, 1U);
}

TrafficSpec connection(std::uint64_t message) {
  TrafficSpec traffic = flood("rdma", 0, 1, 3, 1000);
  traffic.kind = TrafficKind::rdma;
  traffic.message = Bytes{message};
  traffic.window = Bytes{64'000};
  return traffic;
}

// One message of 50 packets; with `loss` the 30th is lost on its way.
Completions one_message(bool loss) {
  Scenario scenario = star(small_chip(2, gbps(100)), us(1), us(60));
  scenario.traffic = {connection(50'000)};
  scenario.traffic[0].stop = us(1);
  if (loss) {
    FaultSpec fault;
    fault.direction = FaultDirection::a_to_b;
    fault.frames = FaultFrames::data;
    fault.nth = {30};
    scenario.faults = {fault};
  }
  Network network{scenario};
  network.run_until(scenario.until);
  return network.message_meter()->messages(0, scenario.until);
}

TEST(MessageMeter, AMessageOfAConnectionTakesTheTimeOfTheEmptyNetwork) {
  const Completions messages = one_message(false);
  ASSERT_EQ(messages.done.times().packets, 1U);
  EXPECT_EQ(messages.unfinished, 0U);
  EXPECT_GE(messages.done.slowdown(1000), Thousandths{1000});
  EXPECT_LE(messages.done.slowdown(1000), Thousandths{1001});
}

TEST(MessageMeter, AMessageOfAConnectionEndsWhenAllItsPacketsAreThereInOrder) {
  const Completions messages = one_message(true);
  ASSERT_EQ(messages.done.times().packets, 1U);
  EXPECT_EQ(messages.unfinished, 0U);
  // The 31st packet shows that the 30th is missing; the answer goes back over two cables, and the
  // packets from the 30th on come again.
  const Picoseconds slot = slot_time(1000, byte_time(gbps(100)));
  const Picoseconds before = slot * 31 + us(2), again = us(2) + slot * 21 + us(2);
  EXPECT_GT(messages.done.times().longest, before + again);
  EXPECT_LT(messages.done.times().longest, before + again + us(1));
}

TEST(MessageMeter, ConnectionsBeginTheNextMessageAndTheLastOneIsUnderWayAtTheEnd) {
  Scenario scenario = star(small_chip(2, gbps(100)), us(1), us(60));
  scenario.traffic = {connection(50'000)};
  scenario.traffic[0].window = no_window;
  Network network{scenario};
  network.run_until(scenario.until);
  const Completions messages = network.message_meter()->messages(0, scenario.until);
  // 57.8 us of packets at the receiver, 4.08 us a message.
  EXPECT_EQ(messages.done.times().packets, 14U);
  EXPECT_EQ(messages.unfinished, 1U);
}

TEST(MessageMeter, WhatBeginsBeforeTheWarmUpDoesNotCount) {
  Scenario scenario = star(small_chip(3, gbps(100)), ns(100), us(350));
  scenario.traffic = {burst({0, 1}, 2, 20'000)};
  scenario.traffic[0].period = us(100);
  for (const auto& [warm_up, counted] :
       {std::pair{us(0), 4U}, {us(100), 3U}, {ps(100'000'001), 2U}}) {
    scenario.warm_up = warm_up;
    const auto counts = run_in_child([&] {
      Network network{scenario};
      network.run_until(scenario.until);
      const MessageMeter& meter = *network.message_meter();
      return std::to_string(meter.messages(0, scenario.until).done.times().packets) + " " +
             std::to_string(meter.incasts(0, scenario.until).done.times().packets) + " " +
             std::to_string(meter.messages(0, scenario.until).unfinished);
    });
    EXPECT_EQ(counts, std::to_string(2 * counted) + " " + std::to_string(counted) + " 0")
        << warm_up;
  }
}

TEST(MessageMeter, ABurstThatHasNotBegunAtTheEndIsNotUnfinished) {
  Scenario scenario = star(small_chip(3, gbps(100)), ns(100), us(100));
  scenario.traffic = {burst({0, 1}, 2, 20'000)};
  scenario.traffic[0].period = us(100);
  Network network{scenario};
  network.run_until(scenario.until);
  EXPECT_EQ(network.message_meter()->messages(0, scenario.until).unfinished, 0U);
  EXPECT_EQ(network.message_meter()->incasts(0, scenario.until).unfinished, 0U);
}

TEST(MessageMeter, AHostThatSendsTheSameBurstTwiceSendsOneMessageAndTheIncastEnds) {
  Scenario scenario = star(small_chip(3, gbps(100)), ns(100), us(100));
  scenario.traffic = {burst({0, 0, 1}, 2, 20'000)};
  Network network{scenario};
  network.run_until(scenario.until);
  EXPECT_EQ(network.message_meter()->messages(0, scenario.until).done.times().packets, 2U);
  EXPECT_EQ(network.message_meter()->incasts(0, scenario.until).done.times().packets, 1U);
}

TEST(MessageMeter, AScenarioWithoutMessagesHasNoMeter) {
  Scenario scenario = star(small_chip(2, gbps(100)), ns(100), us(10));
  scenario.traffic = {flood("flood", 0, 1, 3, 1000)};
  const Network network{scenario};
  EXPECT_EQ(network.message_meter(), nullptr);
}

}  // namespace
}  // namespace weir::message_meter_test
