// SPDX-License-Identifier: Apache-2.0
// Exact picoseconds of the wire: slots and gaps, PFC frames among data, when cells are released.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/event_log.hpp"
#include "support/small_network.hpp"
#include "weir/core/pipeline_latency.hpp"
#include "weir/model/network/network.hpp"

namespace weir::mac_timing_test {
namespace {

using namespace test;

// Priorities 3 and 4 go XOFF with their first cell and XON when it has left.
Chip hair_trigger_chip(std::size_t ports, BitRate rate) {
  Chip chip = small_chip(ports, rate);
  Profile& lossless = chip.profiles.front();
  lossless.private_cells = Cells{0};
  lossless.threshold = {Policy::fixed, Alpha{}, Cells{1}, {}};
  lossless.xon_offset = Cells{1};
  for (std::size_t port = 0; port < ports; ++port)
    chip.profile_of_pg[PgIndex{port * priorities + 4}] = ProfileIndex{0};
  return chip;
}

class AtEverySpeed : public ::testing::TestWithParam<std::uint64_t> {
 protected:
  [[nodiscard]] static BitRate rate() { return gbps(GetParam()); }
  [[nodiscard]] static Picoseconds byte() { return byte_time(rate()); }
};

const auto speeds = ::testing::Values(1, 10, 25, 40, 50, 100, 200, 400, 800);
std::string speed_name(const ::testing::TestParamInfo<std::uint64_t>& info) {
  return std::to_string(info.param) + "G";
}
INSTANTIATE_TEST_SUITE_P(Mac, AtEverySpeed, speeds, speed_name);

TEST_P(AtEverySpeed, DataFramesFollowEachOtherWithExactlyPreambleFrameAndGap) {
  const std::uint64_t length = 65;  // no multiple of anything
  Scenario scenario = star(small_chip(3, rate()), ns(10), byte() * (200 * 85));
  scenario.traffic = {flood("x", 1, 0, 0, length), flood("y", 2, 0, 0, length)};
  Network network{scenario};
  EventLog log;
  network.watch(log);
  network.run_until(scenario.until);
  ASSERT_GT(log.deliveries.size(), 100U);
  for (std::size_t i = 4; i < log.deliveries.size(); ++i)  // the later ones wait
    ASSERT_EQ(log.deliveries[i].last_bit - log.deliveries[i - 1].last_bit, byte() * (8 + 65 + 12))
        << "between frames " << i - 1 << " and " << i;
}

TEST_P(AtEverySpeed, AFrameTakesItsBytesTwiceAndTheLatencyOfTheSwitch) {
  Scenario scenario = star(small_chip(2, rate()), ps(123), us(100));
  scenario.traffic = {replay({packet(ps(777), 1500, 0, 0, 1)}, 2)};
  Network network{scenario};
  EventLog log;
  network.watch(log);
  network.run_until(scenario.until);
  ASSERT_EQ(log.deliveries.size(), 1U);
  const Picoseconds in = ps(777) + byte() * 1508 + ps(123);
  const Picoseconds edge{(in.count() + 999) / 1000 * 1000};
  EXPECT_EQ(log.deliveries[0].last_bit, edge + ns(pipeline::admit.usual) + byte() * 1508 + ps(123));
}

// A frame of 64 B of priority 3 cannot leave: its group stays XOFF, and a quantum of 1 makes PFC
// frames follow back to back, 672 bit times apart. (The clock is fast enough to request them at
// 800G.)
TEST_P(AtEverySpeed, PfcFramesFollowEachOtherExactly672BitTimesApart) {
  Chip chip = hair_trigger_chip(2, rate());
  chip.clock = ps(200);
  chip.quanta = Quanta{1};
  chip.lanes = 1;
  Scenario scenario = star(chip, ns(0), byte() * (100 * 84));
  scenario.traffic = {replay({packet(ps(0), 64, 3, 0, 1)}, 2)};
  Network network{scenario};
  EventLog log;
  network.watch(log);
  network.switch_at(0).port(PortId{1}).tx.enable(false, ps(0));
  network.run_until(scenario.until);
  ASSERT_GT(log.sent.size(), 90U);
  for (std::size_t i = 1; i < log.sent.size(); ++i)
    ASSERT_EQ(log.sent[i].time - log.sent[i - 1].time, byte() * 84) << "PFC frame " << i;
}

TEST_P(AtEverySpeed, APfcFrameWaitsForTheFrameOnTheWireAndThenGoesFirst) {
  Scenario scenario = star(hair_trigger_chip(4, rate()), ns(0), byte() * 40'000);
  // Host 1 receives long frames without a pause; its own frame to the closed port 0 stays.
  scenario.traffic = {flood("long", 2, 1, 0, 2000), flood("longer", 3, 1, 0, 2000),
                      replay({packet(byte() * 12'345, 64, 3, 1, 0)}, 4)};
  Network network{scenario};
  EventLog log;
  network.watch(log);
  network.switch_at(0).port(PortId{0}).tx.enable(false, ps(0));
  network.run_until(scenario.until);
  ASSERT_EQ(log.levels.size(), 1U);
  const auto pfc = std::find_if(log.sent.begin(), log.sent.end(),
                                [](const EventLog::Pfc& p) { return p.port == PortId{1}; });
  ASSERT_NE(pfc, log.sent.end());
  EXPECT_LE(log.levels[0].time + ns(2), pfc->time) << "before its request";
  EXPECT_LT(pfc->time, log.levels[0].time + ns(2) + byte() * 2020) << "more than one frame late";
  std::size_t gaps_with_pfc = 0;
  for (std::size_t i = 2; i < log.deliveries.size(); ++i) {
    const Picoseconds end_of_slot = log.deliveries[i - 1].last_bit + byte() * 12;
    const Picoseconds start = log.deliveries[i].last_bit - byte() * 2008;
    if (pfc->time == end_of_slot) {
      ++gaps_with_pfc;
      EXPECT_EQ(start - end_of_slot, byte() * 84) << "data goes on right after the PFC frame";
    } else {
      EXPECT_EQ(start, end_of_slot) << "a hole of its own at frame " << i;
    }
  }
  EXPECT_EQ(gaps_with_pfc, 1U) << "the PFC frame starts where a data frame's slot ends";
}

TEST(MacTiming, APfcFrameIsBuiltWhenItStartsAndHasAllClasses) {
  const BitRate rate = gbps(10);
  Scenario scenario = star(hair_trigger_chip(4, rate), ns(0), us(40));
  TrafficSpec long_frame = replay(
      {packet(us(1), 9000, 0, 2, 1), packet(us(10), 64, 3, 1, 0), packet(us(11), 64, 4, 1, 0)}, 4);
  scenario.traffic = {long_frame};
  Network network{scenario};
  EventLog log;
  network.watch(log);
  network.switch_at(0).port(PortId{0}).tx.enable(false, ps(0));
  network.run_until(scenario.until);
  ASSERT_EQ(log.levels.size(), 2U) << "both went XOFF while the long frame was on the wire";
  ASSERT_EQ(log.sent.size(), 1U) << "one frame for both";
  EXPECT_EQ(log.sent[0].frame.class_enable, 0x18);
  EXPECT_EQ(log.sent[0].frame.time[3], Quanta{65535});
  EXPECT_EQ(log.sent[0].frame.time[4], Quanta{65535});
}

TEST(MacTiming, XoffAndXonDuringAFrameOnTheWireCostNoPfcFrame) {
  const BitRate rate = gbps(10);
  Scenario scenario = star(hair_trigger_chip(3, rate), ns(0), us(40));
  // Port 1 is busy with 9000 B for 7.2 us; the short frame comes and goes meanwhile.
  scenario.traffic = {replay({packet(us(1), 9000, 0, 2, 1), packet(us(10), 64, 3, 1, 0)}, 3)};
  Network network{scenario};
  EventLog log;
  network.watch(log);
  network.run_until(scenario.until);
  ASSERT_EQ(log.levels.size(), 2U) << "XOFF, then XON";
  EXPECT_TRUE(log.levels[0].xoff);
  EXPECT_FALSE(log.levels[1].xoff);
  EXPECT_EQ(log.deliveries.size(), 2U);
  EXPECT_TRUE(log.sent.empty()) << "nothing was left to say";
}

struct Latencies {
  std::uint32_t admit, pfc;
  std::uint64_t after_edge;  // ps from the edge at 100 ns to the last bit
};

class RequestLatency : public ::testing::TestWithParam<Latencies> {};
INSTANTIATE_TEST_SUITE_P(MacTiming, RequestLatency,
                         ::testing::Values(Latencies{1, 0, 0}, Latencies{3, 2, 0},
                                           Latencies{3, 2, 1}, Latencies{3, 2, 999},
                                           Latencies{7, 5, 1000}),
                         [](const auto& test) {
                           return "admit" + std::to_string(test.param.admit) + "_pfc" +
                                  std::to_string(test.param.pfc) + "_after" +
                                  std::to_string(test.param.after_edge);
                         });

TEST_P(RequestLatency, ThePfcFrameStartsAdmitAndPfcCyclesAfterTheEdgeOfTheRequest) {
  Chip chip = hair_trigger_chip(2, gbps(100));
  chip.admit_latency = GetParam().admit;
  chip.pfc_latency = GetParam().pfc;
  Scenario scenario = star(chip, ns(0), us(1));
  const Picoseconds last_bit = ns(100) + ps(GetParam().after_edge);
  scenario.traffic = {replay({packet(last_bit - ps(5'760), 64, 3, 0, 1)}, 2)};
  Network network{scenario};
  EventLog log;
  network.watch(log);
  network.switch_at(0).port(PortId{1}).tx.enable(false, ps(0));
  network.run_until(scenario.until);
  const Picoseconds edge = GetParam().after_edge == 0 ? ns(100) : ns(101);
  ASSERT_EQ(log.levels.size(), 1U);
  ASSERT_EQ(log.sent.size(), 1U);
  EXPECT_EQ(log.levels[0].time, edge + ns(chip.admit_latency));
  EXPECT_EQ(log.sent[0].time, edge + ns(chip.admit_latency + chip.pfc_latency));
}

class CellsFreed : public ::testing::TestWithParam<std::uint64_t> {};
INSTANTIATE_TEST_SUITE_P(MacTiming, CellsFreed, ::testing::Values(64, 89, 90, 1500));

TEST_P(CellsFreed, AtTheFirstEdgeAtOrAfterTheLastByte) {
  const std::uint64_t length = GetParam();
  Scenario scenario = star(small_chip(2, gbps(100)), ns(0), us(10));
  const Picoseconds wire = ps(80 * (8 + length));
  scenario.traffic = {replay({packet(us(1) - wire, length, 0, 0, 1)}, 2)};
  Network network{scenario};
  network.agenda().limit_lookahead(ps(0));
  const auto held_at = [&](Picoseconds time) {
    network.run_until(time);
    network.agenda().catch_up();
    return network.switch_at(0).mmu.core().ingress().pg(PgIndex{0}).total();
  };
  const Picoseconds last_byte = us(1) + ns(pipeline::admit.usual) + wire;
  const Picoseconds edge{(last_byte.count() + 999) / 1000 * 1000};
  EXPECT_EQ(held_at(us(1) - ps(1)), Cells{0});
  EXPECT_EQ(held_at(us(1)), small_chip(2, gbps(100)).cells(Bytes{length}));
  EXPECT_EQ(held_at(edge - ps(1)), small_chip(2, gbps(100)).cells(Bytes{length}));
  EXPECT_EQ(held_at(edge), Cells{0}) << "last byte at " << last_byte;
}

}  // namespace
}  // namespace weir::mac_timing_test
