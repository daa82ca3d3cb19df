// SPDX-License-Identifier: Apache-2.0
// Rows P1 to P4 of docs/design/published-rows.md, scaled down: a Clos of 4 ToRs, times divided by
// fifty. At full size and with real times: scripts/check/incidents --full.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "support/event_log.hpp"
#include "support/expectations.hpp"
#include "support/small_network.hpp"
#include "weir/config/scenario/scenario_file.hpp"
#include "weir/model/network/network.hpp"
#include "weir/trace/summary/conservation.hpp"
#include "weir/trace/summary/summary.hpp"

namespace weir::pause_storm_test {
namespace {

using namespace test;

constexpr Picoseconds storm_at = us(1000);

// Goodput of each host; the storming NIC itself does not count.
struct Goodput final : Observer {
  static constexpr Picoseconds bucket = us(100);
  std::map<std::uint64_t, std::uint64_t> bytes;    // by bucket, of all hosts but T0h0
  std::map<std::string, Picoseconds> first_pause;  // sent by a switch after the storm began
  std::vector<std::pair<WatchdogEvent, Picoseconds>> watchdogs;

  void delivered(const std::string& host, const Frame& frame, Picoseconds last_bit) override {
    if (host != "T0h0") bytes[last_bit.count() / bucket.count()] += frame.length;
  }
  void pfc_sent(const std::string& node, PortId, const PfcFrame& frame, Picoseconds time) override {
    if (storm_at <= time && frame.time[3] != Quanta{0}) first_pause.emplace(node, time);
  }
  void watchdog(const std::string&, PortId, std::uint8_t, WatchdogEvent event,
                Picoseconds time) override {
    watchdogs.emplace_back(event, time);
  }
  [[nodiscard]] std::uint64_t between(Picoseconds from, Picoseconds until) const {
    std::uint64_t sum = 0;
    for (std::uint64_t i = from.count() / bucket.count(); i < until.count() / bucket.count(); ++i) {
      const auto found = bytes.find(i);
      sum += found == bytes.end() ? 0 : found->second;
    }
    return sum;
  }
  // In Gbps.
  [[nodiscard]] double rate(Picoseconds from, Picoseconds until) const {
    return static_cast<double>(between(from, until)) * 8000 /
           static_cast<double>((until - from).count());
  }
  // The first bucket after the storm began in which more than half of `usual` is delivered again.
  [[nodiscard]] Picoseconds recovered(double usual) const {
    std::uint64_t i = (storm_at + us(500)).count() / bucket.count();
    while (i < 1000 && rate(bucket * i, bucket * (i + 5)) < usual / 2) ++i;
    return bucket * i;
  }
};

struct Outcome {
  explicit Outcome(const std::string& what)
      : scenario{load_scenario("vectors/scenarios/storm_clos4_dt_" + what + ".toml")},
        network{scenario} {
    network.watch(goodput);
    network.run_until(scenario.until);
    check_conservation(network);
    summary = summarize(network);
    expect_all_met(summary);
    usual = goodput.rate(us(300), storm_at);
  }
  Scenario scenario;
  Network network;
  Goodput goodput;
  Summary summary;
  double usual{0};
};

TEST(PauseStorm, PausesSpreadTierByTierFromTheToRToTheServersOfTheOtherPodset) {
  const Outcome run{"no_watchdog"};
  const auto first = [&](std::initializer_list<const char*> nodes) {
    Picoseconds earliest{~std::uint64_t{0}};
    for (const char* const node : nodes) {
      const auto found = run.goodput.first_pause.find(node);
      if (found != run.goodput.first_pause.end()) earliest = std::min(earliest, found->second);
    }
    return earliest;
  };
  // T0 and T1 with leaf L0 are podset 0; T2 and T3 with L1 are podset 1.
  const Picoseconds nic = first({"T0h0"}), tor = first({"T0"}), leaf = first({"L0"}),
                    spine = first({"S0"}), other_leaf = first({"L1"}),
                    other_tors = first({"T2", "T3"});
  EXPECT_GE(nic, storm_at);
  EXPECT_LT(nic, tor);
  EXPECT_LT(tor, leaf);
  EXPECT_LT(leaf, spine);
  EXPECT_LT(spine, other_leaf);
  EXPECT_LT(other_leaf, other_tors) << "whose ports are to the servers";
  EXPECT_LT(other_tors, us(4000));
}

TEST(PauseStorm, WithoutAWatchdogOneNicStopsEverything) {
  Outcome run{"no_watchdog"};
  EXPECT_GT(run.usual, 50.0) << "of 70 Gbps offered to the others";
  EXPECT_EQ(run.goodput.between(us(4000), run.scenario.until), 0U);
  const Picoseconds end = run.scenario.until;
  for (std::size_t i = 0; i < run.network.host_count(); ++i) {
    if (run.scenario.hosts[i].name == "T0h0") continue;  // it has nothing to send
    EXPECT_GT(run.network.host(i).paused_time(Priority{3}, end), us(12'000))
        << run.network.host(i).name() << " is paused";
  }
}

TEST(PauseStorm, WithTheNicWatchdogAloneTheRestRecovers) {
  const Outcome run{"nic_watchdog"};
  ASSERT_EQ(run.goodput.watchdogs.size(), 1U);
  EXPECT_EQ(run.goodput.watchdogs[0].first, WatchdogEvent::pauses_off);
  EXPECT_EQ(run.goodput.watchdogs[0].second, storm_at + us(2000));
  EXPECT_LT(run.goodput.recovered(run.usual), storm_at + us(2000) + us(1500))
      << "the last PAUSE holds 839 us";
  EXPECT_GT(run.goodput.rate(us(14'000), us(16'000)), 0.8 * run.usual);
}

TEST(PauseStorm, WithTheSwitchWatchdogAloneTheRestRecovers) {
  const Outcome run{"switch_watchdog"};
  ASSERT_EQ(run.goodput.watchdogs.size(), 1U);
  EXPECT_EQ(run.goodput.watchdogs[0].first, WatchdogEvent::drop);
  EXPECT_LT(run.goodput.watchdogs[0].second, storm_at + us(1100));
  EXPECT_LT(run.goodput.recovered(run.usual), storm_at + us(1100) + us(1000));
  EXPECT_GT(run.goodput.rate(us(14'000), us(16'000)), 0.8 * run.usual);
}

TEST(PauseStorm, WithBothTheSwitchIsFirstThenTheNicThenTheClassIsLosslessAgain) {
  const Outcome run{"both_watchdogs"};
  ASSERT_EQ(run.goodput.watchdogs.size(), 3U);
  EXPECT_EQ(run.goodput.watchdogs[0].first, WatchdogEvent::drop);
  EXPECT_EQ(run.goodput.watchdogs[1].first, WatchdogEvent::pauses_off);
  EXPECT_EQ(run.goodput.watchdogs[1].second, storm_at + us(2000));
  EXPECT_EQ(run.goodput.watchdogs[2].first, WatchdogEvent::restored);
  // 4 ms after the last PAUSE, which the NIC sent in the 419 us before it fell silent.
  EXPECT_GT(run.goodput.watchdogs[2].second, storm_at + us(2000 + 4000 - 420));
  EXPECT_LE(run.goodput.watchdogs[2].second, storm_at + us(2000 + 4000 + 1));
  EXPECT_GT(run.summary.totals.nic_drops, 0U) << "then packets die at the NIC";
  EXPECT_GT(run.goodput.rate(us(14'000), us(16'000)), 0.8 * run.usual);
}

TEST(PauseStorm, ARebootRepairsTheServer) {
  Scenario scenario = load_scenario("vectors/scenarios/storm_clos4_dt_both_watchdogs.toml");
  scenario.host_faults.push_back({0, HostFaultKind::reboot, us(9000), {}});
  ASSERT_EQ(scenario.hosts[0].name, "T0h0");
  Network network{scenario};
  EventLog log;
  network.watch(log);
  network.run_until(scenario.until);
  std::uint64_t after = 0;
  for (const auto& delivery : log.deliveries)
    if (delivery.host == "T0h0" && us(12'000) < delivery.last_bit) ++after;
  EXPECT_GT(after, 1000U) << "its connections went on where they were";
}

}  // namespace
}  // namespace weir::pause_storm_test
