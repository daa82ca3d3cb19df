// SPDX-License-Identifier: Apache-2.0
// Rate control in a network: CNPs of receivers, paced packets of senders.
#include "weir/core/host/dcqcn.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "support/small_network.hpp"
#include "weir/model/host/rdma_receiver.hpp"
#include "weir/model/network/network.hpp"
#include "weir/model/network/network_events.hpp"
#include "weir/trace/summary/conservation.hpp"
#include "weir/trace/summary/metric_values.hpp"
#include "weir/trace/summary/summary.hpp"
#include "weir/trace/summary/summary_json.hpp"

namespace weir::dcqcn_test {
namespace {

using namespace test;

constexpr Bytes packet_bytes{980};  // 1000 B on the wire
constexpr Bytes wire_bytes{1000};

// Connections whose packets all leave their host marked, so that no switch decides.
TrafficSpec marked(std::size_t from, std::size_t to, std::optional<DcqcnSettings> control) {
  TrafficSpec traffic = flood("rdma", from, to, 3, packet_bytes.count());
  traffic.kind = TrafficKind::rdma;
  traffic.message = Bytes{1'000'000'000};
  traffic.window = no_window;
  traffic.ecn = Ecn::ce;
  traffic.dcqcn = control;
  return traffic;
}

// When packets start at h0 and CNPs are there, by connection.
struct Watch final : Observer {
  struct Cnp {
    Picoseconds at;
    std::uint16_t port{0};
    std::uint32_t length{0};
    Priority priority;
    Ecn ecn{Ecn::ce};
  };
  struct Start {
    Picoseconds at;
    std::uint16_t port{0};
    std::uint64_t number{0};
  };
  std::vector<Cnp> cnps;
  std::vector<Start> starts;
  Picoseconds first_arrival;

  [[nodiscard]] bool wants_details() const override { return true; }
  void frame_started(const std::string& node, PortId, const Frame& frame,
                     Picoseconds start) override {
    if (node == "h0" && frame.kind != FrameKind::cnp)
      starts.push_back({start, frame.source_port, frame.sequence});
  }
  void delivered(const std::string& host, const Frame& frame, Picoseconds last_bit) override {
    if (host == "h0" && frame.kind == FrameKind::cnp)
      cnps.push_back({last_bit, frame.source_port, frame.length, frame.priority, frame.ecn()});
    if (host == "h1" && first_arrival == Picoseconds{}) first_arrival = last_bit;
  }
};

TEST(Dcqcn, AReceiverMakesACnpOfTheFirstMarkAtOnceAndThenNoneWithinTheInterval) {
  Scenario scenario = star(small_chip(2, gbps(100)), us(2), us(400));
  scenario.traffic = {marked(0, 1, DcqcnSettings{})};
  Network network{scenario};
  Watch watch;
  network.watch(watch);
  network.run_until(scenario.until);
  check_conservation(network);
  ASSERT_GE(watch.cnps.size(), 5U);
  const Watch::Cnp& first = watch.cnps.front();
  EXPECT_EQ(first.length, 82U) << "with a tag";
  EXPECT_EQ(first.priority, Priority{6});
  EXPECT_EQ(first.ecn, Ecn::not_ect);
  EXPECT_LT(first.at, watch.first_arrival + us(4) + ns(100)) << "two cables, two times 90 B";
  for (std::size_t i = 1; i < watch.cnps.size(); ++i)
    EXPECT_GE(watch.cnps[i].at, watch.cnps[i - 1].at + us(50)) << "CNP " << i;
  EXPECT_GE(network.host(1).cnps_sent(), watch.cnps.size());
  EXPECT_LE(network.host(1).cnps_sent(), watch.cnps.size() + 1) << "one may be on its way";
}

// The rate of each moment is that of the same rules fed with what happened at the host, and each
// packet starts exactly when the one before and its gap allow.
void expect_paced(const Watch& watch, std::uint16_t port, const DcqcnSettings& settings) {
  DcqcnRate rate{settings, gbps(100)};
  std::size_t cnp = 0, compared = 0;
  Picoseconds allowed;
  for (const Watch::Start& start : watch.starts) {
    if (start.port != port) continue;
    // A CNP of the moment of a packet comes first: inputs precede outputs.
    for (; cnp < watch.cnps.size() && watch.cnps[cnp].at <= start.at; ++cnp)
      if (watch.cnps[cnp].port == port) rate.notified(watch.cnps[cnp].at);
    EXPECT_EQ(start.at, allowed) << "packet " << start.number;
    allowed = rate.sent(wire_bytes, start.at);
    ++compared;
  }
  EXPECT_GT(compared, 300U);
}

TEST(Dcqcn, PacketsStartAtThePaceOfTheirRateToThePicosecond) {
  Scenario scenario = star(small_chip(2, gbps(100)), us(2), us(3000));
  DcqcnSettings settings;
  settings.min_rate = BitRate{500'000'000};
  scenario.traffic = {marked(0, 1, settings)};
  Network network{scenario};
  Watch watch;
  network.watch(watch);
  network.run_until(scenario.until);
  expect_paced(watch, first_source_port, settings);
  EXPECT_GT(watch.cnps.size(), 40U);
}

TEST(Dcqcn, AConnectionWithoutMarksKeepsTheLineRateAndMakesNoCnp) {
  Scenario scenario = star(small_chip(2, gbps(100)), us(2), us(400));
  scenario.traffic = {marked(0, 1, DcqcnSettings{})};
  scenario.traffic[0].ecn = Ecn::ect0;
  Network network{scenario};
  Watch watch;
  network.watch(watch);
  network.run_until(scenario.until);
  EXPECT_TRUE(watch.cnps.empty());
  ASSERT_EQ(watch.starts.size(), 5000U) << "80 ns each";
  EXPECT_EQ(watch.starts.back().at, ns(80 * 4999));
}

TEST(Dcqcn, WithoutControlMarksChangeNothing) {
  Scenario scenario = star(small_chip(2, gbps(100)), us(2), us(400));
  scenario.traffic = {marked(0, 1, std::nullopt)};
  Network network{scenario};
  Watch watch;
  network.watch(watch);
  network.run_until(scenario.until);
  EXPECT_TRUE(watch.cnps.empty());
  EXPECT_EQ(watch.starts.size(), 5000U);
  EXPECT_TRUE(network.host(0).rates(us(400)).empty());
}

TEST(Dcqcn, TheWindowStaysAHardCapInFlight) {
  Scenario scenario = star(small_chip(2, gbps(100)), us(5), us(100));
  scenario.traffic = {marked(0, 1, DcqcnSettings{})};
  scenario.traffic[0].ecn = Ecn::ect0;
  scenario.traffic[0].window = packet_bytes * 16;
  Network network{scenario};
  Watch watch;
  network.watch(watch);
  network.run_until(us(15));
  EXPECT_EQ(watch.starts.size(), 16U) << "no answer has come: a round trip takes 20 us";
  network.run_until(scenario.until);
  EXPECT_GT(watch.starts.size(), 16U);
}

TEST(Dcqcn, EachConnectionHasItsOwnRate) {
  Scenario scenario = star(small_chip(3, gbps(100)), us(2), us(3000));
  DcqcnSettings settings;
  TrafficSpec unmarked = marked(0, 2, settings);
  unmarked.name = "unmarked";
  unmarked.ecn = Ecn::ect0;
  scenario.traffic = {marked(0, 1, settings), unmarked};
  Network network{scenario};
  network.run_until(scenario.until);
  const std::vector<ConnectionRate> rates = network.host(0).rates(scenario.until);
  ASSERT_EQ(rates.size(), 2U);
  EXPECT_EQ(rates[0].peer, 1U);
  EXPECT_LT(rates[0].rate, gbps(10));
  EXPECT_GT(rates[0].cnps, 10U);
  EXPECT_EQ(rates[1].peer, 2U);
  EXPECT_EQ(rates[1].rate, gbps(100));
  EXPECT_EQ(rates[1].cnps, 0U);
}

TEST(Dcqcn, WhatIsSentAgainIsPacedAsWell) {
  Scenario scenario = star(small_chip(2, gbps(100)), us(2), us(2000));
  const DcqcnSettings settings;
  scenario.traffic = {marked(0, 1, settings)};
  FaultSpec loss;
  loss.direction = FaultDirection::a_to_b;
  loss.frames = FaultFrames::data;
  loss.nth = {7, 100};
  scenario.faults = {loss};
  Network network{scenario};
  Watch watch;
  network.watch(watch);
  network.run_until(scenario.until);
  const bool again = std::adjacent_find(watch.starts.begin(), watch.starts.end(),
                                        [](const Watch::Start& a, const Watch::Start& b) {
                                          return b.number <= a.number;
                                        }) != watch.starts.end();
  EXPECT_TRUE(again) << "packets were sent again";
  expect_paced(watch, first_source_port, settings);
}

TEST(Dcqcn, ADeadHostWithoutAWindowGoesOnWhenItRestarts) {
  Scenario scenario = star(small_chip(2, gbps(100)), us(2), us(600));
  scenario.traffic = {marked(0, 1, std::nullopt)};
  scenario.traffic[0].timeout = us(50);
  scenario.hosts[0].dead_from = us(100);
  scenario.hosts[0].dead_until = us(200);
  Network network{scenario};
  network.run_until(scenario.until);
  check_conservation(network);
  EXPECT_GT(network.host(1).counters().priority[3].rx_packets, 4000U);
}

struct Samples final : Observer {
  struct Sample {
    Picoseconds time;
    std::string host, peer;
    ConnectionRate rate;
  };
  std::vector<Sample> samples;
  void rate_sample(const RateSample& sample, Picoseconds time) override {
    samples.push_back({time, sample.host, sample.peer, sample.rate});
  }
};

TEST(Dcqcn, AMonitorSamplesARateWhereItHasChanged) {
  Scenario scenario = star(small_chip(3, gbps(100)), us(2), us(300));
  TrafficSpec unmarked = marked(2, 1, DcqcnSettings{});
  unmarked.name = "unmarked";
  unmarked.ecn = Ecn::ect0;
  scenario.traffic = {marked(0, 1, DcqcnSettings{}), unmarked};
  scenario.monitor.period = us(10);
  Network network{scenario};
  Samples seen;
  network.watch(seen);
  network.run_until(scenario.until);
  std::size_t of_unmarked = 0, of_marked = 0;
  for (const Samples::Sample& sample : seen.samples) {
    EXPECT_EQ(sample.peer, "h1");
    EXPECT_EQ(sample.time.count() % us(10).count(), 0U);
    if (sample.host == "h2") {
      ++of_unmarked;
      EXPECT_EQ(sample.rate.rate, gbps(100));
      EXPECT_EQ(sample.rate.flow, 1U);
    } else {
      ++of_marked;
      EXPECT_EQ(sample.rate.cnps == 0, sample.rate.rate == gbps(100));
    }
  }
  EXPECT_EQ(of_unmarked, 1U) << "it never changes";
  EXPECT_GE(of_marked, 4U) << "a CNP every 50 us";
  EXPECT_LE(of_marked, 30U) << "at most one a period";
}

TEST(Dcqcn, TheSummaryHasRatesAndCnpsWhereConnectionsHaveAControlAndElseNothing) {
  Scenario scenario = star(small_chip(2, gbps(100)), us(2), us(300));
  scenario.traffic = {marked(0, 1, DcqcnSettings{})};
  Network network{scenario};
  network.run_until(scenario.until);
  Summary summary = summarize(network);
  EXPECT_EQ(metric_value(summary.totals, "controlled_connections"), 1U);
  EXPECT_EQ(metric_value(summary.totals, "cnps_sent"), network.host(1).cnps_sent());
  EXPECT_GE(metric_value(summary.totals, "cnps_received").value(), 4U);
  ASSERT_TRUE(summary.hosts[0].rate_control);
  EXPECT_EQ(summary.hosts[0].rate_control->connections, 1U);
  EXPECT_EQ(summary.hosts[0].rate_control->least, network.host(0).rates(us(300))[0].rate);
  EXPECT_EQ(summary.hosts[0].rate_control->cnps_sent, 0U);
  EXPECT_EQ(summary.hosts[1].rate_control->cnps_sent, network.host(1).cnps_sent());
  EXPECT_NE(to_json(summary).find("\"cnps_sent\""), std::string::npos);
  for (HostSummary& host : summary.hosts) host.rate_control.reset();
  summary.totals.controlled_connections = 0;
  EXPECT_EQ(to_json(summary).find("cnps"), std::string::npos) << "as without rate control";
}

Frame marked_packet(std::uint32_t flow, HostId source, std::uint64_t number) {
  Frame frame;
  frame.kind = FrameKind::segment;
  frame.flow = flow;
  frame.source = source;
  frame.priority = Priority{3};
  frame.sequence = number;
  frame.set_ecn(Ecn::ce);
  return frame;
}

TEST(RdmaReceiver, ACnpGoesBeforeAnswersUnlessItsClassIsPaused) {
  TrafficSpec traffic;
  traffic.ack_every = 1;
  traffic.dcqcn = DcqcnSettings{};
  RdmaReceiver receiver;
  receiver.expect(0, traffic, 48);
  receiver.receive(marked_packet(0, 4, 0), us(1));
  Frame answer;
  receiver.write_answer(answer, 1U << 6);
  EXPECT_EQ(answer.kind, FrameKind::acknowledge) << "class 6 is paused";
  EXPECT_TRUE(receiver.answer_waits());
  EXPECT_FALSE(receiver.may_answer(1U << 6));
  receiver.receive(marked_packet(0, 4, 1), us(2));
  EXPECT_TRUE(receiver.may_answer(1U << 3));
  Frame cnp;
  receiver.write_answer(cnp, 0);
  EXPECT_EQ(cnp.kind, FrameKind::cnp);
  EXPECT_EQ(cnp.destination, 4U);
  EXPECT_EQ(cnp.dscp, 48U);
  EXPECT_EQ(receiver.cnps_sent(), 1U);
  Frame last;
  receiver.write_answer(last, 0);
  EXPECT_EQ(last.kind, FrameKind::acknowledge);
  EXPECT_FALSE(receiver.answer_waits());
}

TEST(RdmaReceiver, OfAConnectionAtMostOneCnpWaits) {
  TrafficSpec traffic;
  traffic.ack_every = 100;
  traffic.tagged = false;
  traffic.dcqcn = DcqcnSettings{};
  RdmaReceiver receiver;
  receiver.expect(0, traffic, 48);
  for (std::uint64_t n = 0; n < 10; ++n) receiver.receive(marked_packet(0, 4, n), us(60 * n));
  receiver.receive(marked_packet(0, 5, 0), us(600));
  Frame first, second;
  receiver.write_answer(first, 0);
  receiver.write_answer(second, 0);
  EXPECT_EQ(first.destination, 4U);
  EXPECT_EQ(second.destination, 5U) << "another connection";
  EXPECT_FALSE(receiver.answer_waits());
}

}  // namespace
}  // namespace weir::dcqcn_test
