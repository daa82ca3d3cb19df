// SPDX-License-Identifier: Apache-2.0
#include "weir/model/network/link_fault.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "support/event_log.hpp"
#include "support/expectations.hpp"
#include "support/small_network.hpp"
#include "weir/config/scenario/scenario_file.hpp"
#include "weir/model/network/network.hpp"
#include "weir/model/probe/run_in_child.hpp"
#include "weir/trace/summary/conservation.hpp"
#include "weir/trace/summary/summary.hpp"

namespace weir::link_fault_test {
namespace {

using namespace test;

FaultSpec fault(FaultFrames frames, FaultAction action, std::vector<std::uint32_t> nth) {
  FaultSpec spec;
  spec.frames = frames;
  spec.action = action;
  spec.nth = std::move(nth);
  return spec;
}

// What happens to `count` frames, one letter each: l lost, c corrupted, d delayed, - nothing.
std::string fates(LinkFaults& faults, FrameKind kind, unsigned count) {
  std::string text;
  for (unsigned i = 0; i < count; ++i) {
    Frame frame;
    frame.kind = kind;
    const LinkFaults::Fate fate = faults.strike(frame, Picoseconds{100 * (i + 1)});
    text += fate.lost ? 'l' : frame.corrupted ? 'c' : fate.delay != Picoseconds{} ? 'd' : '-';
  }
  return text;
}

TEST(LinkFault, StrikesExactlyTheNumberedFramesOfItsKind) {
  LinkFaults faults;
  faults.add(fault(FaultFrames::pfc, FaultAction::lose, {2, 5}), 1, 0, false);
  EXPECT_EQ(fates(faults, FrameKind::data, 3), "---") << "data frames do not count";
  EXPECT_EQ(fates(faults, FrameKind::pfc, 6), "-l--l-");
  EXPECT_EQ(faults.counters().lost_pfc, 2U);
  EXPECT_EQ(faults.counters().first, Picoseconds{200}) << "of those that were struck";
  EXPECT_EQ(faults.counters().last, Picoseconds{500});
  EXPECT_EQ(faults.counters().lost_data, 0U);
}

TEST(LinkFault, AllFramesMeansBothKinds) {
  LinkFaults faults;
  faults.add(fault(FaultFrames::all, FaultAction::corrupt, {1, 3}), 1, 0, false);
  EXPECT_EQ(fates(faults, FrameKind::data, 2), "c-");
  EXPECT_EQ(fates(faults, FrameKind::pfc, 2), "c-");
  EXPECT_EQ(faults.counters().corrupted, 2U);
}

TEST(LinkFault, DelaysAddUpAndALostFrameIsLostWhateverElse) {
  LinkFaults faults;
  FaultSpec late = fault(FaultFrames::data, FaultAction::delay, {1, 2});
  late.by = Picoseconds{7};
  faults.add(late, 1, 0, false);
  late.by = Picoseconds{5};
  faults.add(late, 1, 1, false);
  faults.add(fault(FaultFrames::data, FaultAction::lose, {2}), 1, 2, false);
  Frame first, second;
  EXPECT_EQ(faults.strike(first, Picoseconds{5}).delay, Picoseconds{12});
  EXPECT_TRUE(faults.strike(second, Picoseconds{7}).lost);
  EXPECT_EQ(faults.counters().delayed, 1U);
}

TEST(LinkFault, AShareIsDrawnUnderTheSeedAndComesOutAsAsked) {
  const auto lost = [](std::uint64_t seed, std::size_t number, bool backwards) {
    LinkFaults faults;
    FaultSpec spec = fault(FaultFrames::data, FaultAction::lose, {});
    spec.share = 1;
    spec.share_of = 10;
    faults.add(spec, seed, number, backwards);
    return fates(faults, FrameKind::data, 10'000);
  };
  const std::string text = lost(1, 0, false);
  const auto count = std::count(text.begin(), text.end(), 'l');
  EXPECT_GT(count, 900) << "a tenth of 10,000, sigma 30";
  EXPECT_LT(count, 1100) << "a tenth of 10,000, sigma 30";
  EXPECT_EQ(text, lost(1, 0, false)) << "same seed, same frames";
  EXPECT_NE(text, lost(2, 0, false)) << "another seed";
  EXPECT_NE(text, lost(1, 1, false)) << "another fault";
  EXPECT_NE(text, lost(1, 0, true)) << "the other direction";
}

TEST(LinkFault, AWholeShareStrikesEveryFrame) {
  LinkFaults faults;
  faults.add(fault(FaultFrames::all, FaultAction::lose, {}), 1, 0, false);
  EXPECT_EQ(fates(faults, FrameKind::data, 4), "llll");
}

Scenario two_hosts(const FaultSpec& spec) {
  Scenario scenario = star(small_chip(2, gbps(100)), ns(100), us(20));
  std::vector<ReplayPacket> packets;
  for (unsigned i = 0; i < 5; ++i) packets.push_back(packet(us(i), 1000, 3, 0, 1));
  scenario.traffic.push_back(replay(packets, 2));
  scenario.faults.push_back(spec);
  return scenario;
}

std::vector<std::uint64_t> sequences(const EventLog& log) {
  std::vector<std::uint64_t> list;
  for (const EventLog::Delivery& delivery : log.deliveries) list.push_back(delivery.sequence);
  return list;
}

TEST(LinkFault, ALostDataFrameIsMissingAndAccountedFor) {
  FaultSpec spec = fault(FaultFrames::data, FaultAction::lose, {2});
  spec.link = 0;
  Network network{two_hosts(spec)};
  EventLog log;
  network.watch(log);
  network.run_until(us(20));
  EXPECT_EQ(sequences(log), (std::vector<std::uint64_t>{0, 2, 3, 4}));
  check_conservation(network);
  const Totals totals = summarize(network).totals;
  EXPECT_EQ(totals.frames_lost, 1U);
  EXPECT_EQ(totals.spoiled_packets, 1U);
  EXPECT_EQ(totals.in_flight_packets, 0U);
}

TEST(LinkFault, ACorruptedDataFrameIsIgnoredAndCountedByTheSwitch) {
  FaultSpec spec = fault(FaultFrames::data, FaultAction::corrupt, {1});
  spec.link = 0;
  Network network{two_hosts(spec)};
  network.run_until(us(20));
  const PortCounters& port = network.switch_at(0).counters(PortId{0});
  EXPECT_EQ(port.fcs_errors, 1U);
  EXPECT_EQ(port.priority[3].rx_packets, 4U) << "not even its class is believed";
  check_conservation(network);
}

TEST(LinkFault, ACorruptedDataFrameIsIgnoredAndCountedByTheHost) {
  FaultSpec spec = fault(FaultFrames::data, FaultAction::corrupt, {1, 5});
  spec.link = 1;
  Network network{two_hosts(spec)};
  network.run_until(us(20));
  EXPECT_EQ(network.host(1).counters().fcs_errors, 2U);
  EXPECT_EQ(network.host(1).counters().priority[3].rx_packets, 3U);
  check_conservation(network);
}

TEST(LinkFault, ADirectionIsSparedWhenTheFaultIsOfTheOther) {
  FaultSpec spec = fault(FaultFrames::data, FaultAction::lose, {});
  spec.link = 0;
  spec.direction = FaultDirection::b_to_a;
  Network network{two_hosts(spec)};
  network.run_until(us(20));
  EXPECT_EQ(network.host(1).counters().priority[3].rx_packets, 5U);
}

TEST(LinkFault, ALateDataFrameArrivesThatMuchLaterToThePicosecond) {
  FaultSpec spec = fault(FaultFrames::data, FaultAction::delay, {1});
  spec.link = 1;
  spec.by = Picoseconds{123'457};
  Network network{two_hosts(spec)};
  EventLog log;
  network.watch(log);
  network.run_until(us(20));
  ASSERT_EQ(log.deliveries.size(), 5U);
  const Picoseconds usual = log.deliveries[1].last_bit - log.deliveries[1].created;
  EXPECT_EQ(log.deliveries[0].last_bit - log.deliveries[0].created, usual + spec.by);
}

// Frames of 64 B at line rate over a long cable, so that many are on their way at once; some are
// late by less than a cycle, by some frames, or by more than all that follow.
TEST(LinkFault, LateFramesComeToTheMmuInTheOrderOfTheirClockEdges) {
  constexpr unsigned count = 60;
  const std::vector<std::pair<std::vector<std::uint32_t>, std::uint64_t>> late{
      {{1, 5, 30}, 700},
      {{2, 6, 7, 31}, 20'160},
      {{8, 9}, 20'200},
      {{12, 40}, 3'000'000},
      {{50}, 6'000}};
  Scenario scenario = star(small_chip(2, gbps(100)), us(2), us(20));
  std::vector<ReplayPacket> packets;
  for (unsigned i = 0; i < count; ++i) packets.push_back(packet(ps(6'720 * i), 64, 3, 0, 1));
  scenario.traffic.push_back(replay(packets, 2));
  std::vector<std::uint64_t> last_bits(count);
  for (unsigned i = 0; i < count; ++i) last_bits[i] = 6'720 * i + 72 * 80 + 2'000'000;
  for (const auto& [frames, by] : late) {
    scenario.faults.push_back(fault(FaultFrames::data, FaultAction::delay, frames));
    scenario.faults.back().link = 0;
    scenario.faults.back().by = ps(by);
    for (const std::uint32_t nth : frames) last_bits[nth - 1] += by;
  }
  std::vector<std::uint64_t> expected(count);
  std::iota(expected.begin(), expected.end(), 0U);
  const auto edge = [&](std::uint64_t frame) { return (last_bits[frame] + 999) / 1000; };
  std::stable_sort(expected.begin(), expected.end(),
                   [&](std::uint64_t a, std::uint64_t b) { return edge(a) < edge(b); });
  Network network{scenario};
  EventLog log;
  network.watch(log);
  network.run_until(us(20));
  EXPECT_EQ(sequences(log), expected);
  EXPECT_FALSE(std::is_sorted(expected.begin(), expected.end())) << "some overtake";
  check_conservation(network);
}

// Two senders at line rate into one port: h0 is paused, again and again.
Scenario congested(const FaultSpec& spec) {
  Chip chip = small_chip(3, gbps(100));
  chip.ingress_pools.front().shared = Cells{4000};
  chip.profiles[ProfileIndex{1}].threshold.static_limit = Cells{4000};
  Scenario scenario = star(chip, ns(500), us(400));
  for (const std::size_t host : {0, 1}) {
    scenario.traffic.push_back(flood("f" + std::to_string(host), host, 2, 3, 1000));
    scenario.traffic.back().stop = us(60);
  }
  scenario.faults.push_back(spec);
  return scenario;
}

TEST(LinkFault, AHostDoesNotObeyACorruptedPauseAndCountsIt) {
  FaultSpec spec = fault(FaultFrames::pfc, FaultAction::corrupt, {});
  spec.direction = FaultDirection::b_to_a;
  Network network{congested(spec)};
  EventLog log;
  network.watch(log);
  network.run_until(us(60));
  const PortCounters& host = network.host(0).counters();
  EXPECT_GT(host.pfc_fcs_errors, 0U);
  EXPECT_EQ(host.pfc_frames_received, 0U);
  EXPECT_EQ(network.host(0).paused_time(Priority{3}, us(60)), Picoseconds{0});
  EXPECT_EQ(host.fcs_errors, 0U) << "those of data frames are counted apart";
  EXPECT_GT(network.host(1).paused_time(Priority{3}, us(60)), Picoseconds{0}) << "as usual";
  check_conservation(network);
}

TEST(LinkFault, ALatePauseTakesHoldThatMuchLater) {
  const auto first_pause = [](std::uint64_t by) {
    return run_in_child([by] {
      FaultSpec spec = fault(FaultFrames::pfc, FaultAction::delay, {1});
      spec.direction = FaultDirection::b_to_a;
      spec.by = Picoseconds{by};
      Network network{congested(spec)};
      EventLog log;
      network.watch(log);
      network.run_until(us(60));
      for (const EventLog::Pfc& pfc : log.received)
        if (pfc.node == "h0") return std::to_string(pfc.time.count());
      return std::string{"0"};
    });
  };
  const std::uint64_t usual = std::stoull(first_pause(0));
  ASSERT_NE(usual, 0U) << "h0 was never paused";
  EXPECT_EQ(std::stoull(first_pause(1'000'001)), usual + 1'000'001);
}

TEST(LinkFault, ALostResumeEndsWithTheTimerToThePicosecond) {
  const Scenario scenario = load_scenario("vectors/scenarios/incast_star4_dt_lost_xon.toml");
  Network network{scenario};
  network.run_until(scenario.until);
  const BitRate rate = scenario.hosts[0].rate;
  // One pause in all: from the response time after its arrival until its quanta have elapsed.
  EXPECT_EQ(network.host(0).paused_time(Priority{3}, scenario.until),
            quanta_time(Quanta{65535}, rate) - scenario.hosts[0].response);
  EXPECT_EQ(network.host(0).counters().priority[3].resumes_received, 0U);
  EXPECT_EQ(network.host(0).counters().priority[3].tx_packets, 400U) << "all is sent in the end";
}

TEST(LinkFault, TheHeadroomOfThePaperIsEnoughForPeersAsFastAsItAssumes) {
  const Scenario scenario = load_scenario("vectors/scenarios/incast_star8_dt_paper_headroom.toml",
                                          {"hosts.response=307200 ps"});  // 3840 B at 100G
  Network network{scenario};
  network.run_until(scenario.until);
  const Totals totals = summarize(network).totals;
  EXPECT_EQ(totals.lossless_drops, 0U) << "with slow but legal peers it drops, see the scenario";
  EXPECT_GT(totals.classes.pauses_sent, 0U);
}

// One file of vectors/scenarios: its checks hold.
class FaultScenario : public testing::TestWithParam<const char*> {};

TEST_P(FaultScenario, MeetsItsExpectations) {
  const Scenario scenario = load_scenario(std::string{"vectors/scenarios/"} + GetParam() + ".toml");
  Network network{scenario};
  network.run_until(scenario.until);
  check_conservation(network);
  const Summary summary = summarize(network);
  expect_all_met(summary);
}

INSTANTIATE_TEST_SUITE_P(
    Vectors, FaultScenario,
    testing::Values("incast_star4_dt_lost_xoff", "incast_star4_dt_lost_xoff_refreshed",
                    "incast_star4_dt_late_xoff", "incast_star4_dt_corrupt_xoff",
                    "incast_star4_dt_lost_xon", "incast_star8_dt_paper_headroom",
                    "incast_star8_dt_worst_case_headroom", "incast64_star8_dt_standard_headroom",
                    "incast64_star8_dt_worst_case_headroom"),
    [](const auto& scenario) { return std::string{scenario.param}; });

}  // namespace
}  // namespace weir::link_fault_test
