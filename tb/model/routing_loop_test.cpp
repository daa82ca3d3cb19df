// SPDX-License-Identifier: Apache-2.0
// The routing loop of docs/design/published-rows.md, 1, on the running model: rows L1 to L10 and
// L12, scaled down. Here a deadlock is defined by its effect: frames wait, and none leaves any
// switch.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <sstream>
#include <tuple>

#include "support/expectations.hpp"
#include "weir/config/scenario/scenario_file.hpp"
#include "weir/model/network/network.hpp"
#include "weir/model/probe/run_in_child.hpp"
#include "weir/trace/summary/conservation.hpp"
#include "weir/trace/summary/summary.hpp"

namespace weir::routing_loop_test {
namespace {

constexpr std::uint64_t line_bps = 40'000'000'000;
constexpr Priority lossless{3};

Scenario loop(std::size_t switches, const std::vector<std::string>& overrides) {
  return load_scenario(
      "vectors/scenarios/loop_ring" + std::to_string(switches) + "_dt_trident2.toml", overrides);
}

std::string rate_of(std::uint64_t bps) { return std::to_string(bps) + " bps"; }

/// r_d: a packet of TTL k crosses k - 1 links, so the busiest ceil((k - 1) / n) times.
std::uint64_t drain_rate(std::size_t switches, std::uint64_t ttl) {
  return line_bps / ((ttl - 1 + switches - 1) / switches);
}

/// When the last data frame left each switch.
class LastMove final : public Observer {
 public:
  [[nodiscard]] bool wants_details() const override { return true; }
  void frame_started(const std::string& node, PortId, const Frame& frame,
                     Picoseconds start) override {
    if (frame.kind == FrameKind::data && node.find('h') == std::string::npos) last = start;
  }
  Picoseconds last;
};

/// When the last frame left a switch; none: frames still leave at the end of the run. Packets
/// arrive all the time, so 100 us without a departure mean that every queue is paused.
std::optional<Picoseconds> last_departure_before_silence(Network& network, const LastMove& move) {
  constexpr Picoseconds slice{10'000'000}, quiet{100'000'000};
  for (Picoseconds now; now < network.scenario().until;) {
    now += slice;
    network.run_until(now);
    if (quiet + move.last < now) return move.last;
  }
  return std::nullopt;
}

/// In a process of its own: milliseconds until the deadlock, or "never".
ChildJob job(const Scenario& scenario) {
  return [scenario] {
    Network network{scenario};
    LastMove move;
    network.watch(move);
    const std::optional<Picoseconds> time = last_departure_before_silence(network, move);
    network.finish();
    check_conservation(network);
    const Totals totals = summarize(network).totals;
    if (totals.lossless_drops != 0) return std::string{"drops"};
    if (totals.deadlocks != (time ? 1U : 0U))  // the detector agrees with this definition
      return "reported " + std::to_string(totals.deadlocks) + " deadlocks";
    return time ? std::to_string(double(time->count()) * 1e-9) : std::string{"never"};
  };
}

std::vector<std::string> run_all(const std::vector<ChildJob>& jobs) {
  std::vector<std::string> texts;
  for (const ChildResult& result : run_in_children(jobs, 2)) {
    EXPECT_TRUE(result.ok) << result.error;
    texts.push_back(result.output);
  }
  return texts;
}

TEST(RoutingLoop, TheDrainRateIsThatOfTheTheory) {
  const std::map<std::uint64_t, std::uint64_t> rates{{8, 10'000'000'000}, {16, 5'000'000'000},
                                                     {24, 3'333'333'333}, {32, 2'500'000'000},
                                                     {48, 1'666'666'666}, {64, 1'250'000'000}};
  for (const auto& [ttl, rate] : rates) EXPECT_EQ(drain_rate(2, ttl), rate) << "TTL " << ttl;
  EXPECT_EQ(drain_rate(3, 24), 5'000'000'000U);
  EXPECT_EQ(drain_rate(4, 64), 2'500'000'000U);
}

// L2, L3, L4 with a tenth of the memory: r_min / r_d is from 1.000 to 1.03 at every TTL.
TEST(RoutingLoop, TheLeastRateThatLocksIsJustAboveTheDrainRate) {
  std::vector<ChildJob> jobs;
  std::vector<std::string> names;
  for (const std::uint64_t ttl : {8, 16, 24, 32, 48, 64}) {
    for (const std::uint64_t permille : {1000, 1030}) {
      const std::uint64_t rate = drain_rate(2, ttl) * permille / 1000;
      names.push_back("TTL " + std::to_string(ttl) + " at " + rate_of(rate));
      jobs.push_back(job(
          loop(2, {"switches.pool.lossless.size=1.2 MB", "scenario.until=40 ms",
                   "traffic.in.ttl=" + std::to_string(ttl), "traffic.in.rate=" + rate_of(rate)})));
    }
  }
  const std::vector<std::string> times = run_all(jobs);
  for (std::size_t i = 0; i < times.size(); i += 2) {
    EXPECT_EQ(times[i], "never") << names[i];
    EXPECT_NE(times[i + 1], "never") << names[i + 1];
    EXPECT_NE(times[i + 1], "drops") << names[i + 1];
  }
}

// L12, likewise.
TEST(RoutingLoop, RingsOfThreeAndFourSwitchesLockAboveTheirDrainRate) {
  std::vector<ChildJob> jobs;
  for (const std::size_t switches : {3U, 4U}) {
    for (const std::uint64_t ttl : {switches * 5, switches * 16}) {
      for (const std::uint64_t permille : {1000, 1030}) {
        jobs.push_back(
            job(loop(switches,
                     {"switches.pool.lossless.size=1.2 MB", "scenario.until=40 ms",
                      "traffic.in.ttl=" + std::to_string(ttl),
                      "traffic.in.rate=" + rate_of(drain_rate(switches, ttl) * permille / 1000)})));
      }
    }
  }
  const std::vector<std::string> times = run_all(jobs);
  for (std::size_t i = 0; i < times.size(); i += 2) {
    EXPECT_EQ(times[i], "never") << "case " << i;
    EXPECT_GT(std::atof(times[i + 1].c_str()), 0) << "case " << i << ": " << times[i + 1];
  }
}

// L9: locked at about 9.2 ms; the wrong route is removed at 10 ms; a second later no frame has
// left.
TEST(RoutingLoop, StaysLockedForASecondAfterTheLoopIsRepaired) {
  const Scenario scenario = loop(2, {"route[0].until=10 ms", "scenario.until=1010 ms"});
  Network network{scenario};
  LastMove move;
  network.watch(move);
  network.run_until(Picoseconds{10'000'000'000});
  const std::uint64_t trapped = network.frames_in_flight();
  EXPECT_LT(move.last, Picoseconds{9'500'000'000});
  for (const std::size_t node : {0U, 1U})
    EXPECT_GT(network.switch_at(node).port(PortId{1}).tx.depth(3), 500U) << "egress queue";
  const Picoseconds before = move.last;
  network.run_until(scenario.until);
  EXPECT_EQ(move.last, before) << "a byte left a switch";
  EXPECT_GE(network.frames_in_flight(), trapped);
  EXPECT_EQ(summarize(network).totals.delivered_packets, 0U);
}

// L9, the other case: repaired in time, everything that circles arrives.
TEST(RoutingLoop, RepairedBeforeItLocksItRecovers) {
  const Scenario scenario =
      loop(2, {"route[0].until=8 ms", "traffic.in.stop=11 ms", "scenario.until=13 ms"});
  Network network{scenario};
  network.run_until(scenario.until);
  const Totals totals = summarize(network).totals;
  EXPECT_EQ(totals.in_flight_packets, 0U);
  EXPECT_EQ(totals.lossless_drops, 0U);
  EXPECT_GT(totals.ports.ttl_expired, 0U);
  EXPECT_EQ(totals.delivered_packets + totals.ports.ttl_expired, totals.sent_packets);
}

// L9 with a remedy: a watchdog drops the content of one queue of the circle, and all others
// continue.
TEST(RoutingLoop, AWatchdogSetsALockedAndRepairedLoopFree) {
  const Scenario scenario = load_scenario("vectors/scenarios/loop_ring2_dt_watchdog.toml");
  Network network{scenario};
  network.run_until(scenario.until);
  network.finish();
  check_conservation(network);
  const Summary summary = summarize(network);
  EXPECT_GE(summary.expect.size(), 7U);
  test::expect_all_met(summary);
  EXPECT_LT(summary.totals.in_flight_packets, 3U) << "something is still caught";
}

// L10: a lossy class drops while the loop exists, and delivers everything afterwards.
TEST(RoutingLoop, ALossyNetworkRecovers) {
  const Scenario scenario = loop(2, {"traffic.in.priority=0", "traffic.in.rate=20 Gbps",
                                     "route[0].until=5 ms", "scenario.until=12 ms"});
  Network network{scenario};
  const auto totals_at = [&](std::uint64_t ms) {
    network.run_until(Picoseconds{ms * 1'000'000'000});
    return summarize(network).totals;
  };
  const Totals looping = totals_at(5), drained = totals_at(8), end = totals_at(12);
  EXPECT_GT(looping.lossy_drops, 1000U);
  EXPECT_EQ(end.lossy_drops, drained.lossy_drops) << "nothing is dropped any more";
  EXPECT_EQ(end.ports.ttl_expired, drained.ports.ttl_expired);
  const std::uint64_t sent = end.sent_packets - drained.sent_packets;
  EXPECT_NEAR(double(end.delivered_packets - drained.delivered_packets), double(sent), 20);
  EXPECT_NEAR(double(sent), 10'000, 20) << "4 ms of 20 Gbps";
  EXPECT_EQ(end.classes.pauses_sent, 0U);
}

struct Row {
  std::uint64_t ttl;
  std::string alpha, rate_gbps;
  double theory_ms;
};

std::vector<Row> published_rows() {
  std::ifstream file{"vectors/published/two_switch_loop.csv"};
  std::vector<Row> rows;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream cells{line};
    std::vector<std::string> values;
    for (std::string value; std::getline(cells, value, ',');) values.push_back(value);
    rows.push_back(
        {std::stoull(values.at(0)), values.at(1), values.at(2), std::stod(values.at(4))});
  }
  return rows;
}

// The bands in which the published simulation differs from the theory, in percent.
std::pair<double, double> band_of(double rate) {
  if (rate <= 2) return {-3, 3};
  if (rate <= 6) return {-6, 10};
  if (rate <= 10) return {3, 19};
  if (rate <= 20) return {15, 44};
  return {67, 100};
}

using Measured = std::map<std::tuple<std::string, std::uint64_t, double>, double>;

// L5: falls as the rate rises. L6: falls as alpha falls. L7: never rises with the TTL, and hardly
// depends on it from 20 Gbps on.
void expect_trends(const Measured& measured) {
  for (const auto& [a, slow] : measured) {
    for (const auto& [b, fast] : measured) {
      const auto& [alpha_a, ttl_a, rate_a] = a;
      const auto& [alpha_b, ttl_b, rate_b] = b;
      const bool same_alpha = alpha_a == alpha_b, same_rate = rate_a == rate_b;
      if (same_alpha && ttl_a == ttl_b && rate_a < rate_b) {
        EXPECT_GT(slow, fast) << "L5: " << ttl_a << ", " << rate_b;
      }
      if (same_rate && ttl_a == ttl_b && alpha_a == "1/4" && alpha_b == "1/16") {
        EXPECT_GT(slow, fast) << "L6: " << ttl_a << ", " << rate_a;
      }
      if (same_alpha && same_rate && ttl_a < ttl_b) {
        EXPECT_GE(slow, fast) << "L7: " << ttl_a << ", " << rate_a;
        if (rate_a >= 20) {
          EXPECT_LT(slow, fast * 1.06) << "L7: " << rate_a;
        }
      }
    }
  }
}

// L5 to L7 and the time to deadlock, for the rows that take less than 10 ms.
TEST(RoutingLoop, TheTimeToLockIsThatOfTheTheory) {
  std::vector<Row> rows;
  std::vector<ChildJob> jobs;
  for (const Row& row : published_rows()) {
    if (row.theory_ms > 10) continue;
    rows.push_back(row);
    jobs.push_back(job(loop(2, {"switches.profile.lossless.alpha=" + row.alpha,
                                "traffic.in.ttl=" + std::to_string(row.ttl),
                                "traffic.in.rate=" + row.rate_gbps + " Gbps"})));
  }
  ASSERT_GT(rows.size(), 25U);
  const std::vector<std::string> times = run_all(jobs);
  Measured measured;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& row = rows[i];
    const std::string name =
        "TTL " + std::to_string(row.ttl) + ", alpha " + row.alpha + ", " + row.rate_gbps + " Gbps";
    ASSERT_TRUE(times[i] != "never" && times[i] != "drops") << name << ": " << times[i];
    const double percent = (std::stod(times[i]) / row.theory_ms - 1) * 100;
    const auto [low, high] = band_of(std::stod(row.rate_gbps));
    std::printf("%-40s theory %8.3f ms, model %8s ms, %+6.1f %%\n", name.c_str(), row.theory_ms,
                times[i].c_str(), percent);
    EXPECT_GE(percent, low) << name;
    EXPECT_LE(percent, high) << name;
    measured[{row.alpha, row.ttl, std::stod(row.rate_gbps)}] = std::stod(times[i]);
  }
  expect_trends(measured);
}

}  // namespace
}  // namespace weir::routing_loop_test
