// SPDX-License-Identifier: Apache-2.0
// When a switch port obeys PAUSE and when it refreshes its own, exactly on both sides of every
// limit.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "support/event_log.hpp"
#include "support/small_network.hpp"
#include "support/wire_probe.hpp"
#include "weir/model/network/network.hpp"

namespace weir::pfc_timing_test {
namespace {

using namespace test;

/// A switch with two hosts at ports 0 and 2 and a probe at port 1, to which both send frames of
/// priority 3, so that they leave back to back. (A host 1 exists only as an address.)
struct Bench {
  Scenario scenario;
  Network network;
  WireProbe probe;

  Bench(const Chip& chip, Picoseconds until, std::uint64_t length)
      : scenario{without_host_1(chip, until, length)},
        network{scenario},
        probe{"probe", network.frames(), chip.ports[1].rate} {
    Switch& node = network.switch_at(0);
    node.add_route(1, PortId{1});
    probe.tx.bind(node.port(PortId{1}).rx.wire);
    node.port(PortId{1}).tx.wire.bind(probe.rx);
  }

  static Scenario without_host_1(const Chip& chip, Picoseconds until, std::uint64_t length) {
    Scenario scenario = star(chip, ns(0), until);
    scenario.links.erase(scenario.links.begin() + 1);
    scenario.traffic = {flood("x", 0, 1, 3, length), flood("y", 2, 1, 3, length)};
    return scenario;
  }
};

struct Case {
  std::uint64_t rate;
  std::uint64_t quanta;  // the limit of this speed
};

class ResponseTime : public ::testing::TestWithParam<Case> {
 protected:
  // The pause starts `offset` after a time at which a frame would start; returns how many frames
  // start at or after that time.
  static std::uint64_t frames_started(std::uint64_t offset) {
    const BitRate rate = gbps(GetParam().rate);
    const Picoseconds byte = byte_time(rate), slot = byte * 520;
    const Picoseconds response = byte * (64 * GetParam().quanta);
    Bench bench{small_chip(3, rate), byte * 200'000, 500};
    Picoseconds boundary;
    bench.probe.on_frame = [&](const WireProbe::Seen& frame) {
      if (bench.probe.seen.size() != 20) return;
      // Enough slots ahead for the PAUSE and the response to fit.
      boundary = frame.start + slot * (response.count() / slot.count() + 4);
      bench.probe.pause(boundary + ps(offset) - response, Quanta{65535});
    };
    bench.network.run_until(bench.scenario.until);
    const auto starts = bench.probe.data_starts();
    EXPECT_TRUE(std::count(starts.begin(), starts.end(), boundary - slot) == 1)
        << "frames do not start where this test thinks";
    return static_cast<std::uint64_t>(
        std::count_if(starts.begin(), starts.end(), [&](Picoseconds s) { return s >= boundary; }));
  }
};

INSTANTIATE_TEST_SUITE_P(PfcTiming, ResponseTime,
                         ::testing::Values(Case{1, 60}, Case{10, 60}, Case{25, 80}, Case{40, 118},
                                           Case{50, 147}, Case{100, 394}, Case{200, 453},
                                           Case{400, 905}, Case{800, 905}),
                         [](const auto& test) { return std::to_string(test.param.rate) + "G"; });

TEST_P(ResponseTime, NoFrameStartsExactlyAtItsEnd) { EXPECT_EQ(frames_started(0), 0U); }

TEST_P(ResponseTime, AFrameStartsOnePicosecondBeforeItsEnd) { EXPECT_EQ(frames_started(1), 1U); }

/// Pauses port 1 at 100G with `quanta`, then resumes it at `resume` (0: not). Returns when data
/// starts again.
Picoseconds start_after_pause(std::uint16_t quanta, Picoseconds last_bit, Picoseconds resume) {
  Chip chip = small_chip(3, gbps(100));
  chip.ports[1].response = ps(0);
  Bench bench{chip, us(30), 500};
  bench.probe.pause(last_bit, Quanta{quanta});
  if (resume != ps(0)) bench.probe.pause(resume, Quanta{0});
  bench.network.run_until(bench.scenario.until);
  for (const Picoseconds start : bench.probe.data_starts())
    if (start > last_bit + ns(50)) return start;
  return ps(0);
}

TEST(PfcTiming, ExpiryReleasesAfterExactlyTheQuantaWithoutAFrame) {
  EXPECT_EQ(start_after_pause(1000, us(5), ps(0)), us(5) + ns(5120));
}

TEST(PfcTiming, APauseSeenBetweenEdgesCountsFromTheNextEdge) {
  EXPECT_EQ(start_after_pause(1000, us(5) + ps(1), ps(0)), us(5) + ns(1) + ns(5120));
}

TEST(PfcTiming, XonReleasesAtOnce) {
  EXPECT_EQ(start_after_pause(4000, us(5), us(7)), us(7)) << "on an edge: in the same moment";
}

TEST(PfcTiming, XonBetweenEdgesReleasesAtTheNextEdge) {
  EXPECT_EQ(start_after_pause(4000, us(5), us(7) + ps(1)), us(7) + ns(1));
}

TEST(PfcTiming, ANewValueReplacesTheRunningTimer) {
  Chip chip = small_chip(3, gbps(100));
  chip.ports[1].response = ps(0);
  Bench bench{chip, us(30), 500};
  bench.probe.pause(us(5), Quanta{1000});
  bench.probe.pause(us(7), Quanta{2000});
  bench.network.run_until(bench.scenario.until);
  const auto starts = bench.probe.data_starts();
  const auto next =
      std::find_if(starts.begin(), starts.end(), [](Picoseconds s) { return s > us(6); });
  ASSERT_NE(next, starts.end());
  EXPECT_EQ(*next, us(7) + ns(10'240));
}

TEST(PfcTiming, ATimerShorterThanTheResponseTimePausesNothing) {
  Bench bench{small_chip(3, gbps(100)), us(20), 500};
  bench.probe.pause(us(5), Quanta{394});  // ends exactly when the pause would start
  bench.network.run_until(bench.scenario.until);
  const auto starts = bench.probe.data_starts();
  ASSERT_GT(starts.size(), 100U);
  for (std::size_t i = 4; i < starts.size(); ++i)  // the later ones wait
    ASSERT_EQ(starts[i] - starts[i - 1], ps(520 * 80)) << "a hole at frame " << i;
}

/// A switch whose group 3 at port 1 stays XOFF: its egress port 0 is closed. Host 1 fills it.
struct Refresh {
  Scenario scenario;
  std::unique_ptr<Network> network;
  EventLog log;

  Refresh(std::uint64_t rate, Quanta quanta, Picoseconds until) {
    Chip chip = small_chip(2, gbps(rate));
    chip.quanta = quanta;
    scenario = star(chip, ns(100), until);
    scenario.traffic = {flood("x", 1, 0, 3, 1000)};
    network = std::make_unique<Network>(scenario);
    network->watch(log);
    network->switch_at(0).port(PortId{0}).tx.enable(false, ps(0));
  }
};

TEST(PfcTiming, RefreshComesHalfWayThroughTheQuantaCountedFromTheStartOfTheLastFrame) {
  Refresh run{100, Quanta{1001}, us(200)};  // half of 1001 quanta: 2562.56 ns
  run.network->run_until(run.scenario.until);
  ASSERT_GT(run.log.sent.size(), 20U);
  for (std::size_t i = 1; i < run.log.sent.size(); ++i) {
    const Picoseconds due = run.log.sent[i - 1].time + ps(2'562'560);
    ASSERT_EQ(run.log.sent[i].time, ps((due.count() + 999) / 1000 * 1000))
        << "the first edge at or after half of the quanta, frame " << i;
    ASSERT_EQ(run.log.sent[i].frame.time[3], Quanta{1001});
  }
}

TEST(PfcTiming, RefreshKeepsAHostShutForTenMillisecondsWithoutAGap) {
  Refresh run{100, Quanta{65535}, us(10'000)};
  run.network->run_until(us(300));
  const std::uint64_t sent = run.network->host(1).counters().priority[3].tx_packets;
  EXPECT_GT(sent, 0U);
  run.network->run_until(us(10'000));
  EXPECT_EQ(run.network->host(1).counters().priority[3].tx_packets, sent)
      << "a frame slipped through between two PFC frames";
  EXPECT_EQ(run.log.sent.size(), 60U) << "one each 167.7 us";
  EXPECT_EQ(
      run.network->switch_at(0).mmu.core().stats().pg(pg_index(PortId{1}, Priority{3})).dropped(),
      0U);
  const Picoseconds shut = run.network->host(1).paused_time(Priority{3}, us(10'000));
  EXPECT_GT(shut, us(9'900));
}

TEST(PfcTiming, AHostThatIgnoresPfcOverrunsTheHeadroom) {
  Chip chip = small_chip(2, gbps(100));
  Scenario scenario = star(chip, ns(100), us(5'000));
  scenario.hosts[1].obeys_pfc = false;
  scenario.traffic = {flood("x", 1, 0, 3, 1000)};
  Network network{scenario};
  EventLog log;
  network.watch(log);
  network.switch_at(0).port(PortId{0}).tx.enable(false, ps(0));
  network.run_until(scenario.until);
  const PgCounters& counters =
      network.switch_at(0).mmu.core().stats().pg(pg_index(PortId{1}, Priority{3}));
  EXPECT_GT(counters.refused[static_cast<std::size_t>(Reason::headroom_limit)], 0U);
  EXPECT_EQ(log.refusals.size(), counters.dropped());
  EXPECT_EQ(network.host(1).paused_time(Priority{3}, us(5'000)), ps(0));
  ASSERT_FALSE(log.sent.empty());
  ASSERT_FALSE(log.refusals.empty());
  EXPECT_LT(log.levels[0].time, log.refusals[0].time) << "XOFF is never later than a drop";
}

}  // namespace
}  // namespace weir::pfc_timing_test
