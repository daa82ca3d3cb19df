// SPDX-License-Identifier: Apache-2.0
#include "weir/model/host/source.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <fstream>
#include <memory>
#include <vector>

#include "support/small_network.hpp"

namespace weir::source_test {
namespace {

using namespace test;

constexpr std::uint64_t wire_overhead = 20;

TrafficSpec traffic_of(TrafficKind kind) {
  TrafficSpec traffic = flood("source", 0, 1, 3, 1000);
  traffic.kind = kind;
  return traffic;
}

// All packets that are ready before `until`, taken as soon as they are ready.
std::vector<SourcePacket> packets_of(const TrafficSpec& traffic, Picoseconds until,
                                     std::uint64_t seed = 1, std::size_t sender = 0) {
  const auto source = make_source(traffic, {0, sender, gbps(100), seed});
  std::vector<SourcePacket> packets;
  while (source->ready_at() < until) {
    EXPECT_EQ(source->priority(),
              traffic.kind == TrafficKind::replay ? source->priority() : traffic.priority);
    packets.push_back(source->take(source->ready_at()));
  }
  return packets;
}

TEST(Source, ConstantRateIsExactOverAMillisecondWithoutDrift) {
  TrafficSpec traffic = traffic_of(TrafficKind::constant);
  traffic.rate = gbps(7);  // 1020 B take 1165714.2857.. ps
  const auto packets = packets_of(traffic, us(1'000));
  ASSERT_EQ(packets.size(), 858U) << "ceil of 1 ms / 1165.714 ns";
  for (std::uint64_t k = 0; k < packets.size(); ++k)
    ASSERT_EQ(packets[k].created.count(), k * 1020 * 8 * 1000 / 7) << "packet " << k;
}

std::uint64_t resident_bytes() {
  std::ifstream statm{"/proc/self/statm"};
  std::uint64_t size = 0, resident = 0;
  statm >> size >> resident;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

// With a copy of the lists in each it would be 3.2 GB for each kind.
TEST(Source, SendersShareTheirTraffic) {
  constexpr std::size_t hosts = 20'000;
  for (const TrafficKind kind : {TrafficKind::constant, TrafficKind::messages, TrafficKind::rdma}) {
    TrafficSpec traffic = traffic_of(kind);
    traffic.to.clear();
    for (std::size_t i = 0; i < hosts; ++i) traffic.to.push_back(i + 1);
    traffic.sizes = {{Bytes{1000}, 1'000'000}};
    traffic.rate = gbps(1);
    if (kind != TrafficKind::rdma) traffic.destination = DestinationRule::uniform;
    const std::uint64_t before = resident_bytes();
    std::vector<std::unique_ptr<Source>> sources;
    for (std::size_t i = 0; i < hosts; ++i)
      sources.push_back(make_source(traffic, {0, i, gbps(100), 1}));
    EXPECT_LT(resident_bytes() - before, 100'000'000U) << static_cast<int>(kind);
  }
}

TEST(Source, StartStopAndStaggerAreExact) {
  TrafficSpec traffic = traffic_of(TrafficKind::constant);
  traffic.rate = gbps(100);  // 81.6 ns
  traffic.start = us(1);
  traffic.stagger = ns(5);
  traffic.stop = us(1) + ns(10) + ps(81'600 * 3);
  auto packets = packets_of(traffic, us(10), 1, 2);
  ASSERT_EQ(packets.size(), 3U) << "the fourth would be made exactly at the stop";
  EXPECT_EQ(packets[0].created, us(1) + ns(10));
  traffic.stop = *traffic.stop + ps(1);
  EXPECT_EQ(packets_of(traffic, us(10), 1, 2).size(), 4U);
}

TEST(Source, ConstantWithoutARateIsAlwaysReady) {
  const TrafficSpec traffic = traffic_of(TrafficKind::constant);
  const auto source = make_source(traffic, {0, 0, gbps(100), 1});
  EXPECT_EQ(source->take(ns(77)).created, ns(77));
  EXPECT_EQ(source->ready_at(), ns(77)) << "the port paces it";
}

TEST(Source, PoissonHasItsMeanRateAndExponentialGaps) {
  TrafficSpec traffic = traffic_of(TrafficKind::poisson);
  traffic.rate = gbps(50);  // mean gap 163.2 ns
  const auto packets = packets_of(traffic, us(20'000));
  const double expected = 20e6 / 163.2, deviation = std::sqrt(expected);
  EXPECT_NEAR(static_cast<double>(packets.size()), expected, 4 * deviation);
  std::uint64_t above_mean = 0;
  for (std::size_t i = 1; i < packets.size(); ++i)
    if (ps(163'200) < packets[i].created - packets[i - 1].created) ++above_mean;
  const double share = static_cast<double>(above_mean) / static_cast<double>(packets.size() - 1);
  EXPECT_NEAR(share, std::exp(-1.0), 0.006) << "e^-1 of exponential gaps exceed their mean";
  EXPECT_EQ(packets_of(traffic, us(10)).front().created, packets.front().created)
      << "the same seed gives the same packets";
  EXPECT_NE(packets_of(traffic, us(10), 2).front().created, packets.front().created);
}

TEST(Source, OnOffSendsAtItsRateWhileOnAndNothingWhileOff) {
  TrafficSpec traffic = traffic_of(TrafficKind::on_off);
  traffic.rate = gbps(100);
  traffic.on_time = ps(81'600 * 10);
  traffic.off_time = us(3);
  const Picoseconds cycle = traffic.on_time + traffic.off_time;
  const auto packets = packets_of(traffic, cycle * 50);
  ASSERT_EQ(packets.size(), 500U) << "ten a period: the eleventh would start when it ends";
  for (std::size_t k = 0; k < packets.size(); ++k)
    ASSERT_EQ(packets[k].created, cycle * (k / 10) + ps(81'600) * (k % 10)) << "packet " << k;
}

TEST(Source, RandomOnOffPeriodsKeepTheirMeanDuty) {
  TrafficSpec traffic = traffic_of(TrafficKind::on_off);
  traffic.rate = gbps(100);
  traffic.on_time = us(8);
  traffic.off_time = us(24);
  traffic.random_periods = true;
  const auto packets = packets_of(traffic, us(200'000));
  const double duty = static_cast<double>(packets.size()) * 81.6e3 / 200e9;
  EXPECT_NEAR(duty, 0.25, 0.015);
}

TEST(Source, IncastSendsBurstsOfExactlyTheirBytesEveryPeriod) {
  TrafficSpec traffic = traffic_of(TrafficKind::incast);
  traffic.burst = Bytes{2500};
  traffic.period = us(10);
  const auto packets = packets_of(traffic, us(50));
  ASSERT_EQ(packets.size(), 15U);
  for (std::size_t k = 0; k < packets.size(); ++k) {
    EXPECT_EQ(packets[k].length, Bytes{k % 3 == 2 ? 500U : 1000U}) << "packet " << k;
    EXPECT_EQ(packets[k].created, us(10) * (k / 3)) << "packet " << k;
  }
}

TEST(Source, IncastWithARateSendsItsBurstsAtThatRate) {
  TrafficSpec traffic = traffic_of(TrafficKind::incast);
  traffic.rate = gbps(10);  // 1020 B take 816 ns
  traffic.burst = Bytes{2500};
  traffic.period = us(10);
  const auto packets = packets_of(traffic, us(50));
  ASSERT_EQ(packets.size(), 15U);
  for (std::size_t k = 0; k < packets.size(); ++k)
    EXPECT_EQ(packets[k].created, us(10) * (k / 3) + ns(816) * (k % 3)) << "packet " << k;
  traffic.period = us(2);  // three packets take longer
  const auto late = packets_of(traffic, us(50));
  for (std::size_t k = 0; k < late.size(); ++k)
    EXPECT_EQ(late[k].created, ns(816) * k) << "packet " << k;
}

TEST(Source, IncastWithoutEndHasItsRate) {
  TrafficSpec traffic = traffic_of(TrafficKind::incast);
  traffic.rate = gbps(10);
  const auto packets = packets_of(traffic, us(1'000));
  EXPECT_EQ(packets.size(), 1226U) << "ceil of 1 ms / 816 ns";
}

// The last frame of a message has at least 64 B.
TEST(Source, ShortMessagesHaveTheirMeanRateOnTheWire) {
  for (const std::uint64_t size : {1U, 10U, 64U, 1001U}) {
    TrafficSpec traffic = traffic_of(TrafficKind::messages);
    traffic.rate = gbps(10);
    traffic.sizes = {{Bytes{size}, 1'000'000}};
    std::uint64_t wire_bytes = 0;
    for (const SourcePacket& packet : packets_of(traffic, us(20'000)))
      wire_bytes += packet.length.count() + wire_overhead;
    EXPECT_NEAR(static_cast<double>(wire_bytes) * 8 / 20e6, 10.0, 0.3)
        << "Gbps, of " << size << " B";
  }
}

TEST(Source, ASingleBurstEndsAndItsLastPacketIsNoRunt) {
  TrafficSpec traffic = traffic_of(TrafficKind::incast);
  traffic.burst = Bytes{1010};
  const auto packets = packets_of(traffic, us(1'000'000));
  ASSERT_EQ(packets.size(), 2U);
  EXPECT_EQ(packets[1].length, Bytes{64}) << "10 B left, padded to the shortest frame";
}

TEST(Source, MessageSizesFollowTheDistributionAtItsPoints) {
  TrafficSpec traffic = traffic_of(TrafficKind::messages);
  traffic.rate = gbps(10);
  traffic.packet = Bytes{9000};  // one packet a message: its length is the size
  traffic.sizes = {
      {Bytes{100}, 0}, {Bytes{1000}, 300'000}, {Bytes{5000}, 900'000}, {Bytes{9000}, 1'000'000}};
  const auto packets = packets_of(traffic, us(200'000));
  const auto count = static_cast<double>(packets.size());
  ASSERT_GT(count, 20'000);
  for (const SizePoint& point : traffic.sizes) {
    std::uint64_t not_above = 0;
    for (const SourcePacket& packet : packets)
      if (packet.length <= point.size) ++not_above;
    const double share = point.share_ppm / 1e6;
    EXPECT_NEAR(static_cast<double>(not_above) / count, share, 4 * 0.5 / std::sqrt(count) + 1e-3)
        << "up to " << point.size;
  }
}

TEST(Source, MessagesHaveTheirMeanRateOnTheWire) {
  TrafficSpec traffic = traffic_of(TrafficKind::messages);
  traffic.rate = gbps(10);
  traffic.packet = Bytes{1000};
  traffic.sizes = {{Bytes{500}, 0}, {Bytes{100'000}, 1'000'000}};
  std::uint64_t wire_bytes = 0;
  for (const SourcePacket& packet : packets_of(traffic, us(500'000)))
    wire_bytes += packet.length.count() + wire_overhead;
  EXPECT_NEAR(static_cast<double>(wire_bytes) * 8 / 500e6, 10.0, 0.25) << "Gbps";
}

TEST(Source, ReplaySendsExactlyItsOwnPacketsInOrderOfTime) {
  const TrafficSpec traffic = replay({packet(us(2), 200, 5, 0, 1), packet(us(1), 100, 3, 0, 2),
                                      packet(us(1), 64, 1, 1, 0), packet(us(2), 300, 6, 0, 2)},
                                     3);
  const auto packets = packets_of(traffic, us(10));
  ASSERT_EQ(packets.size(), 3U) << "that of host 1 is not ours";
  EXPECT_EQ(packets[0].created, us(1));
  EXPECT_EQ(packets[0].destination, 2U);
  EXPECT_EQ(packets[1].length, Bytes{200}) << "equal times keep the order of the list";
  EXPECT_EQ(packets[2].length, Bytes{300});
  EXPECT_EQ(packets[2].priority, Priority{6});
}

TEST(Source, UniformDestinationsReachAllHostsButTheSender) {
  TrafficSpec traffic = traffic_of(TrafficKind::constant);
  traffic.rate = gbps(100);
  traffic.to = {0, 1, 2, 3};
  traffic.destination = DestinationRule::uniform;
  std::vector<std::size_t> hits(4);
  for (const SourcePacket& packet : packets_of(traffic, us(1'000))) ++hits[packet.destination];
  EXPECT_EQ(hits[0], 0U) << "the sender is host 0";
  for (std::size_t host = 1; host < 4; ++host)
    EXPECT_NEAR(static_cast<double>(hits[host]), 12255.0 / 3, 250.0) << "host " << host;
}

TEST(Source, StopHoldsForEveryKind) {
  for (const TrafficKind kind : {TrafficKind::constant, TrafficKind::poisson, TrafficKind::on_off,
                                 TrafficKind::incast, TrafficKind::messages}) {
    TrafficSpec traffic = traffic_of(kind);
    traffic.rate = gbps(10);
    traffic.on_time = us(1);
    traffic.off_time = us(1);
    traffic.burst = Bytes{3000};
    traffic.period = us(2);
    traffic.sizes = {{Bytes{64}, 0}, {Bytes{2000}, 1'000'000}};
    traffic.stop = us(100);
    const auto packets = packets_of(traffic, us(1'000));
    ASSERT_FALSE(packets.empty()) << "kind " << static_cast<int>(kind);
    EXPECT_LT(packets.back().created, us(100)) << "kind " << static_cast<int>(kind);
  }
}

TEST(Source, PacketsBearTheEcnBitsOfTheirTrafficAndNotEctByDefault) {
  for (const TrafficKind kind : {TrafficKind::constant, TrafficKind::rdma}) {
    TrafficSpec traffic = traffic_of(kind);
    traffic.message = Bytes{1000};
    const auto plain = make_source(traffic, {0, 0, gbps(100), 1});
    EXPECT_EQ(plain->take(us(1)).marks, 0U) << "as before there were ECN bits";
    traffic.ecn = Ecn::ect0;
    traffic.tagged = false;
    const auto ect = make_source(traffic, {0, 0, gbps(100), 1});
    Frame frame;
    frame.marks = ect->take(us(1)).marks;
    EXPECT_EQ(frame.ecn(), Ecn::ect0);
    EXPECT_TRUE(frame.marked(untagged_mark)) << "the other marks stay";
    frame.set_ecn(Ecn::ce);
    EXPECT_EQ(frame.ecn(), Ecn::ce);
    EXPECT_EQ(frame.marks & ~unsigned{ecn_marks}, unsigned{untagged_mark});
  }
}

TEST(Source, AReplayBearsTheEcnBitsOfEachPacket) {
  ReplayPacket first = packet(us(1), 1000, 3, 0, 1), second = packet(us(2), 1000, 3, 0, 1);
  second.ecn = Ecn::ect1;
  const auto packets = packets_of(replay({first, second}, 2), us(10));
  ASSERT_EQ(packets.size(), 2U);
  EXPECT_EQ(packets[0].marks, mark_of(Ecn::not_ect));
  EXPECT_EQ(packets[1].marks, mark_of(Ecn::ect1));
}

}  // namespace
}  // namespace weir::source_test
