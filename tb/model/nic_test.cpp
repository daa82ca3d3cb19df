// SPDX-License-Identifier: Apache-2.0
#include "weir/model/host/nic.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>

#include "support/small_network.hpp"
#include "support/wire_probe.hpp"

namespace weir::nic_test {
namespace {

using namespace test;

/// A host at 100G, wired to a probe without a switch; it is paused `response` after a PAUSE.
struct Bench {
  FramePool frames;
  Observers observers;
  Agenda agenda{"agenda"};
  std::deque<TrafficSpec> traffic;  // sources borrow it
  Nic nic;
  WireProbe probe{"probe", frames, gbps(100)};

  explicit Bench(bool obeys = true, Picoseconds response = ps(0))
      : nic{"nic", {agenda, frames, observers, 1}, spec(obeys, response), 0} {
    nic.tx.bind(probe.rx);
    probe.tx.bind(nic.rx);
  }
  static HostSpec spec(bool obeys, Picoseconds response) {
    HostSpec host;
    host.rate = gbps(100);
    host.obeys_pfc = obeys;
    host.response = response;
    return host;
  }
  void add(const TrafficSpec& added, std::uint32_t flow = 0) {
    nic.add_source(make_source(traffic.emplace_back(added), {0, 0, gbps(100), 1}), flow);
  }
  std::vector<Picoseconds> run(Picoseconds until) {
    agenda.stop_at(until);
    sc_core::sc_start(sc_core::sc_time::from_value(until.count()));
    return probe.data_starts();
  }
};

Picoseconds first_after(const std::vector<Picoseconds>& starts, Picoseconds time) {
  const auto found =
      std::find_if(starts.begin(), starts.end(), [&](Picoseconds s) { return s >= time; });
  return found == starts.end() ? ps(0) : *found;
}

constexpr Picoseconds slot_of_500{520 * 80};  // 41.6 ns

TEST(Nic, SendsBackToBackFromTheStart) {
  Bench bench;
  bench.add(flood("x", 0, 1, 3, 500));
  const auto starts = bench.run(us(10));
  ASSERT_EQ(starts.size(), us(10).count() / slot_of_500.count() + 1);
  for (std::size_t i = 0; i < starts.size(); ++i)
    ASSERT_EQ(starts[i].count(), slot_of_500.count() * i) << "frame " << i;
}

TEST(Nic, APauseStopsItAtTheFrameBoundaryExactlyAfterItsResponseTime) {
  Bench bench{true, ns(1000)};
  bench.add(flood("x", 0, 1, 3, 500));
  bench.probe.pause(slot_of_500 * 100 - ns(1000), Quanta{65535});
  EXPECT_EQ(bench.run(us(20)).size(), 100U) << "frame 100 would start exactly then";
}

TEST(Nic, APauseOnePicosecondLaterLetsOneMoreFrameStart) {
  Bench bench{true, ns(1000)};
  bench.add(flood("x", 0, 1, 3, 500));
  bench.probe.pause(slot_of_500 * 100 - ns(1000) + ps(1), Quanta{65535});
  EXPECT_EQ(bench.run(us(20)).size(), 101U);
}

TEST(Nic, ExpiryReleasesInExactPicosecondsWithoutAFrame) {
  Bench bench;
  bench.add(flood("x", 0, 1, 3, 500));
  bench.probe.pause(us(5) + ps(1), Quanta{1001});
  EXPECT_EQ(first_after(bench.run(us(20)), us(6)), us(5) + ps(1) + ps(1001 * 5120));
}

TEST(Nic, XonReleasesAtOnce) {
  Bench bench;
  bench.add(flood("x", 0, 1, 3, 500));
  bench.probe.pause(us(5), Quanta{65535});
  bench.probe.pause(us(7) + ps(1), Quanta{0});
  EXPECT_EQ(first_after(bench.run(us(20)), us(6)), us(7) + ps(1));
}

TEST(Nic, IgnoresPfcWhenConfiguredSo) {
  Bench bench{false};
  bench.add(flood("x", 0, 1, 3, 500));
  bench.probe.pause(us(5), Quanta{65535});
  EXPECT_EQ(bench.run(us(10)).size(), us(10).count() / slot_of_500.count() + 1);
  EXPECT_EQ(bench.nic.counters().priority[3].pauses_received, 1U) << "heard, not obeyed";
  EXPECT_EQ(bench.nic.paused_time(Priority{3}, us(10)), ps(0));
}

TEST(Nic, ThePauseOfOnePriorityLeavesTheOthersTheWholeWire) {
  Bench bench;
  bench.add(flood("paused", 0, 1, 3, 500), 0);
  bench.add(flood("free", 0, 1, 5, 500), 1);
  bench.probe.pause(us(5), Quanta{65535});
  const auto starts = bench.run(us(20));
  ASSERT_EQ(starts.size(), us(20).count() / slot_of_500.count() + 1) << "no slot stays empty";
  const std::uint64_t paused = bench.nic.counters().priority[3].tx_packets;
  const std::uint64_t free = bench.nic.counters().priority[5].tx_packets;
  EXPECT_NEAR(static_cast<double>(paused), 60.0, 1.0) << "turns of 5 us, frame by frame";
  EXPECT_EQ(paused + free, starts.size());
  EXPECT_EQ(bench.nic.paused_time(Priority{3}, us(20)), us(15));
}

TEST(Nic, CountsWhatItReceivesAndMeasuresItsDelay) {
  Bench bench;
  bench.probe.data(ns(10), 64, 0);
  bench.probe.data(ns(100), 1500, 0);
  bench.run(us(1));
  const auto& counters = bench.nic.counters().priority[0];
  EXPECT_EQ(counters.rx_packets, 2U);
  EXPECT_EQ(counters.rx_bytes, Bytes{1564});
  EXPECT_EQ(bench.nic.latency(Priority{0}).longest, ps(1508 * 80));
  EXPECT_EQ(bench.nic.latency(Priority{0}).sum, ps((1508 + 72) * 80));
  EXPECT_EQ(bench.frames.in_use(), 0U);
}

TEST(Nic, AFrameWhoseLastBitComesWhenTheRunEndsIsStillInFlight) {
  Bench bench;
  bench.probe.data(us(1) - ps(72 * 80), 64, 0);
  bench.run(us(1));
  EXPECT_EQ(bench.nic.counters().priority[0].rx_packets, 0U);
  EXPECT_EQ(bench.frames.in_use(), 1U);
}

TEST(Nic, AFrameWhoseLastBitComesOnePicosecondBeforeTheEndIsReceived) {
  Bench bench;
  bench.probe.data(us(1) - ps(72 * 80 + 1), 64, 0);
  bench.run(us(1));
  EXPECT_EQ(bench.nic.counters().priority[0].rx_packets, 1U);
  EXPECT_EQ(bench.frames.in_use(), 0U);
}

}  // namespace
}  // namespace weir::nic_test
