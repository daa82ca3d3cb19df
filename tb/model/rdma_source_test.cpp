// SPDX-License-Identifier: Apache-2.0
#include "weir/model/host/rdma_source.hpp"

#include <gtest/gtest.h>

#include <map>

#include "support/event_log.hpp"
#include "support/small_network.hpp"
#include "weir/model/network/network.hpp"
#include "weir/trace/summary/conservation.hpp"
#include "weir/trace/summary/summary.hpp"

namespace weir::rdma_source_test {
namespace {

using namespace test;

TrafficSpec rdma(std::vector<std::size_t> from, std::vector<std::size_t> to) {
  TrafficSpec traffic = flood("rdma", 0, 0, 3, 1000);
  traffic.kind = TrafficKind::rdma;
  traffic.from = std::move(from);
  traffic.to = std::move(to);
  traffic.message = Bytes{10'000};
  traffic.window = Bytes{16'000};
  return traffic;
}

// The transport must deliver each number once, in order, per connection.
struct Streams final : Observer {
  std::map<std::tuple<HostId, HostId, int>, std::vector<std::uint64_t>> numbers;
  std::uint64_t answers{0};
  void delivered(const std::string&, const Frame& frame, Picoseconds) override {
    if (frame.kind == FrameKind::acknowledge || frame.kind == FrameKind::refuse)
      ++answers;
    else
      numbers[{frame.source, frame.destination, frame.source_port}].push_back(frame.sequence);
  }
};

TEST(RdmaSource, TheWindowAndTheRoundTripSetTheRate) {
  Scenario scenario = star(small_chip(2, gbps(100)), us(5), us(500));
  scenario.traffic = {rdma({0}, {1})};
  Network network{scenario};
  network.run_until(scenario.until);
  check_conservation(network);
  // A window of 16 packets a round trip of 20.4 us or so; 100G would carry 6,000 in this time.
  const std::uint64_t packets = network.host(1).counters().priority[3].rx_packets;
  EXPECT_NEAR(static_cast<double>(packets), 16 * 500 / 20.6, 20.0);
}

TEST(RdmaSource, AWideWindowFillsThePort) {
  Scenario scenario = star(small_chip(2, gbps(100)), us(5), us(500));
  scenario.traffic = {rdma({0}, {1})};
  scenario.traffic[0].window = Bytes{500'000};
  Network network{scenario};
  network.run_until(scenario.until);
  const double slots = 490e6 / (1020 * 80);
  EXPECT_GT(static_cast<double>(network.host(1).counters().priority[3].rx_packets), 0.99 * slots);
}

TEST(RdmaSource, ConnectionsShareThePortPacketByPacket) {
  Scenario scenario = star(small_chip(4, gbps(100)), ns(100), us(100));
  scenario.traffic = {rdma({0}, {1, 2, 3})};
  scenario.traffic[0].destination = DestinationRule::each;
  scenario.traffic[0].connections = 2;
  Network network{scenario};
  Streams streams;
  network.watch(streams);
  network.run_until(scenario.until);
  ASSERT_EQ(streams.numbers.size(), 6U) << "two to each of three";
  for (const auto& [connection, numbers] : streams.numbers)
    EXPECT_NEAR(static_cast<double>(numbers.size()), 98e6 / (1020 * 80) / 6, 6.0);
}

TEST(RdmaSource, ALostPacketIsSentAgainWithAllAfterItAndNothingIsMissing) {
  Scenario scenario = star(small_chip(2, gbps(100)), us(1), us(400));
  scenario.traffic = {rdma({0}, {1})};
  FaultSpec loss;
  loss.direction = FaultDirection::a_to_b;
  loss.frames = FaultFrames::data;
  loss.nth = {7, 100, 101};
  scenario.faults = {loss};
  Network network{scenario};
  Streams streams;
  network.watch(streams);
  network.run_until(scenario.until);
  const auto& numbers = streams.numbers.begin()->second;
  std::uint64_t expected = 0, out_of_order = 0;
  for (const std::uint64_t number : numbers) {
    if (number == expected)
      ++expected;
    else
      ++out_of_order;
  }
  EXPECT_GT(expected, 500U);
  EXPECT_GT(out_of_order, 10U) << "what came after the gap";
  EXPECT_LT(out_of_order, 3U * 16U + 1U) << "no more than a window each";
}

TEST(RdmaSource, SilenceMakesItSendAllAgain) {
  Scenario scenario = star(small_chip(2, gbps(100)), us(1), us(400));
  scenario.traffic = {rdma({0}, {1})};
  scenario.traffic[0].timeout = us(50);
  FaultSpec loss;
  loss.direction = FaultDirection::a_to_b;
  loss.frames = FaultFrames::data;
  for (std::uint32_t nth = 1; nth <= 16; ++nth) loss.nth.push_back(nth);
  scenario.faults = {loss};
  Network network{scenario};
  EventLog log;
  network.watch(log);
  network.run_until(scenario.until);
  check_conservation(network);
  ASSERT_FALSE(log.deliveries.empty()) << "the first window was lost whole";
  EXPECT_EQ(log.deliveries.front().sequence, 0U);
  // Sent at 50 us: slightly more than 1.1 us to the switch, 1.1 us to the host.
  EXPECT_GT(log.deliveries.front().last_bit, us(52));
  EXPECT_LT(log.deliveries.front().last_bit, us(53));
  EXPECT_GT(log.deliveries.size(), 500U);
}

TEST(RdmaSource, MessagesBeginAtTheirRateAndLatencyCountsFromThen) {
  Scenario scenario = star(small_chip(2, gbps(100)), ns(100), us(4000));
  scenario.traffic = {rdma({0}, {1})};
  scenario.traffic[0].rate = gbps(10);
  Network network{scenario};
  network.run_until(scenario.until);
  const double packets = static_cast<double>(network.host(1).counters().priority[3].rx_packets);
  // 10G of wire: messages of 10 packets of 1020 B; 490 messages, drawn: 5 sigma are 110.
  EXPECT_NEAR(packets, 4e9 / (1020 * 800), 1100.0);
}

TEST(RdmaSource, StopEndsTheMessagesNotThePacketsUnderWay) {
  Scenario scenario = star(small_chip(2, gbps(100)), us(1), us(400));
  scenario.traffic = {rdma({0}, {1})};
  scenario.traffic[0].start = us(20);
  scenario.traffic[0].stop = us(100);
  Network network{scenario};
  EventLog log;
  network.watch(log);
  network.run_until(scenario.until);
  ASSERT_FALSE(log.deliveries.empty());
  std::uint64_t packets = 0;
  for (const auto& delivery : log.deliveries)
    if (delivery.host == "h1") {
      ++packets;
      EXPECT_GE(delivery.created, us(20));
      EXPECT_LT(delivery.created, us(100));
    }
  EXPECT_EQ(packets % 10, 0U) << "whole messages";
  EXPECT_EQ(network.frames_in_flight(), 0U);
}

TEST(RdmaSource, AnswersGoThroughTheClassOfTheirConnection) {
  Scenario scenario = star(small_chip(2, gbps(100)), us(1), us(100));
  scenario.traffic = {rdma({0}, {1})};
  Network network{scenario};
  Streams streams;
  network.watch(streams);
  network.run_until(scenario.until);
  const std::uint64_t answers = network.host(0).counters().priority[3].rx_packets;
  EXPECT_EQ(answers, streams.answers);
  EXPECT_GT(answers, 80U);
}

}  // namespace
}  // namespace weir::rdma_source_test
