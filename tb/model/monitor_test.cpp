// SPDX-License-Identifier: Apache-2.0
#include "weir/model/network/monitor.hpp"

#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "support/small_network.hpp"
#include "weir/model/network/network.hpp"
#include "weir/model/probe/run_in_child.hpp"
#include "weir/model/registers/register_map.hpp"
#include "weir/trace/summary/summary.hpp"
#include "weir/trace/summary/summary_json.hpp"

namespace weir::monitor_test {
namespace {

using namespace test;

// Two hosts send to a third at 100G in class 3: the switch pauses them.
Scenario incast(Picoseconds until) {
  Scenario scenario = star(small_chip(3, gbps(100)), ns(100), until);
  scenario.traffic = {flood("a", 1, 0, 3, 1000), flood("b", 2, 0, 3, 1000)};
  return scenario;
}

struct Row {
  Picoseconds time;
  PortCounters::ByPriority counts;
  PauseTimes pause;
  std::uint64_t queue_frames{0};
  std::optional<Cells> held;
};

// Keeps the records of a monitor, by node, port and class, and the departures from the switch.
class Collector final : public Observer {
 public:
  using Place = std::tuple<std::string, std::size_t, std::size_t>;
  std::map<Place, std::vector<Row>> rows;
  std::vector<std::pair<Picoseconds, PoolUse>> pools;
  std::vector<DriftReport> drifts;
  std::vector<Picoseconds> departures;  // of data frames from port 0 of the switch

  void port_sample(const PortSample& sample, Picoseconds time) override {
    rows[{sample.node, sample.port.count(), sample.priority.count()}].push_back(
        {time, sample.counts, sample.pause, sample.queue_frames, sample.held});
  }
  void pool_sample(const PoolSample& sample, Picoseconds time) override {
    pools.emplace_back(time, sample.use);
  }
  void drift(const DriftReport& report) override { drifts.push_back(report); }
  [[nodiscard]] bool wants_details() const override { return true; }
  void frame_started(const std::string& node, PortId port, const Frame& frame,
                     Picoseconds start) override {
    if (node == "sw" && port == PortId{0} && frame.kind == FrameKind::data)
      departures.push_back(start);
  }
};

TEST(Monitor, ReportsEveryPeriodWhatHasCountedSinceTheLast) {
  Scenario scenario = incast(us(95));
  scenario.monitor.period = us(10);
  Network network{scenario};
  Collector seen;
  network.watch(seen);
  network.run_until(scenario.until);
  network.finish();
  const std::vector<Row>& rows = seen.rows[{"sw", 0, 3}];
  ASSERT_EQ(rows.size(), 10U) << "nine periods and the end";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i].time, i < 9 ? us(10 * (i + 1)) : us(95));
    const auto left = std::count_if(seen.departures.begin(), seen.departures.end(),
                                    [&](Picoseconds start) { return start <= rows[i].time; });
    EXPECT_EQ(rows[i].counts.tx_packets, static_cast<std::uint64_t>(left)) << "row " << i;
    EXPECT_GT(rows[i].queue_frames, 0U);
  }
  EXPECT_EQ(seen.rows.count({"sw", 0, 5}), 0U)
      << "a class in which nothing happens is not reported";
  EXPECT_EQ(seen.rows.count({"sw", 2, 4}), 0U);
}

TEST(Monitor, TheLastRowsAreTheTotals) {
  Scenario scenario = incast(us(400));
  scenario.monitor.period = us(7);
  Network network{scenario};
  Collector seen;
  network.watch(seen);
  network.run_until(scenario.until);
  network.finish();
  std::uint64_t pauses_at_hosts = 0;
  for (std::uint16_t port = 0; port < 3; ++port) {
    const PortCounters::ByPriority& counts =
        network.switch_at(0).counters(PortId{port}).priority[3];
    const Row& last = seen.rows.at({"sw", port, 3}).back();
    EXPECT_EQ(last.counts.rx_packets, counts.rx_packets) << "port " << port;
    EXPECT_EQ(last.counts.pauses_sent, counts.pauses_sent);
    const PgIndex pg = pg_index(PortId{port}, Priority{3});
    EXPECT_EQ(last.held, network.switch_at(0).mmu.core().ingress().pg(pg).total());
    const Row& host = seen.rows.at({"h" + std::to_string(port), 0, 3}).back();
    EXPECT_EQ(host.counts.pauses_received, counts.pauses_sent);
    EXPECT_EQ(host.pause.total, network.host(port).pause_times(Priority{3}, us(400)).total);
    EXPECT_EQ(host.held, std::nullopt);
    pauses_at_hosts += host.pause.pauses;
  }
  EXPECT_GT(pauses_at_hosts, 0U);
  ASSERT_FALSE(seen.pools.empty());
  EXPECT_EQ(seen.pools.back().second.shared,
            network.switch_at(0).mmu.core().ingress().pool(PoolIndex{0}).shared);
}

TEST(Monitor, OnlyLooks) {
  const auto json = [](bool watched, std::uint64_t permutation) {
    return run_in_child([=] {
      Scenario scenario = incast(us(200));
      if (watched) scenario.monitor.period = us(3);
      Network network{scenario, permutation};
      network.run_until(scenario.until);
      network.finish();
      return to_json(summarize(network));
    });
  };
  const std::string alone = json(false, 0);
  EXPECT_EQ(json(true, 0), alone);
  EXPECT_EQ(json(true, 77), alone);
}

// What a PFC watchdog does to a port when it finds a storm: class 3 is dropped from its queue.
class Watchdog final : private Actor {
 public:
  Watchdog(Agenda& agenda, MacTx& tx, Picoseconds when) : tx_{tx} {
    agenda.post(when, Rank::edge, agenda.enroll(*this), 0);
  }

 private:
  void act(Picoseconds now, std::uint32_t, std::uint64_t) override {
    tx_.set_lossless_off(1U << 3, 1U << 3, now);
  }
  MacTx& tx_;
};

TEST(Monitor, AQueueThatOnlyAWatchdogEmptiesHasASample) {
  Scenario scenario = star(small_chip(3, gbps(100)), ns(100), us(60));
  scenario.traffic = {replay({packet(ns(0), 1000, 3, 1, 0), packet(ns(0), 1000, 3, 2, 0)}, 3)};
  scenario.monitor.period = us(10);
  Network network{scenario};
  Collector seen;
  network.watch(seen);
  MacTx& tx = network.switch_at(0).port(PortId{0}).tx;
  tx.enable(false, ps(0));
  const Watchdog watchdog{network.agenda(), tx, us(25)};
  network.run_until(scenario.until);
  network.finish();
  const std::vector<Row>& rows = seen.rows[{"sw", 0, 3}];
  ASSERT_EQ(rows.size(), 1U) << "nothing else has left the port or was dropped";
  EXPECT_EQ(rows[0].time, us(30));
  EXPECT_EQ(rows[0].counts.watchdog_egress_drops, 2U);
  EXPECT_EQ(rows[0].counts.tx_packets, 0U);
  EXPECT_EQ(rows[0].queue_frames, 0U);
}

TEST(Monitor, WithoutAPeriodNothingIsReported) {
  Scenario scenario = incast(us(50));
  scenario.monitor.desired = {{0, scenario.switches[0].chip}};
  Network network{scenario};
  Collector seen;
  network.watch(seen);
  network.run_until(scenario.until);
  network.finish();
  EXPECT_TRUE(seen.rows.empty());
  EXPECT_TRUE(seen.drifts.empty()) << "the chip is as desired";
}

/// Software that uses the registers of a switch between two slices of the run.
struct Software : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<Software> socket{"socket"};
  explicit Software(const sc_core::sc_module_name& name) : sc_core::sc_module{name} {}
  tlm::tlm_response_status write(const char* name, std::uint32_t value) {
    tlm::tlm_generic_payload transaction;
    transaction.set_command(tlm::TLM_WRITE_COMMAND);
    transaction.set_address(register_address(name).value());
    transaction.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
    transaction.set_data_length(4);
    transaction.set_streaming_width(4);
    sc_core::sc_time local;
    socket->b_transport(transaction, local);
    return transaction.get_response_status();
  }
};

TEST(Monitor, ASettingThatDriftsWhileTheSwitchRunsIsFoundAndNamed) {
  Scenario scenario = incast(us(100));
  scenario.monitor.period = us(10);
  scenario.monitor.desired = {{0, scenario.switches[0].chip}};
  Network network{scenario};
  Collector seen;
  network.watch(seen);
  Software software{"software"};
  software.socket.bind(network.switch_at(0).mmu.csr.socket);
  network.run_until(us(25));
  ASSERT_EQ(software.write("profile.alpha", 1U | 6U << 16), tlm::TLM_OK_RESPONSE);
  network.run_until(us(55));
  ASSERT_EQ(software.write("profile.alpha", 1U | 3U << 16), tlm::TLM_OK_RESPONSE);
  network.run_until(us(100));
  network.finish();
  ASSERT_EQ(seen.drifts.size(), 1U);
  EXPECT_EQ(seen.drifts[0].node, "sw");
  EXPECT_EQ(seen.drifts[0].drift, (Drift{"profile.lossless.alpha", "1/8", "1/64"}));
  EXPECT_EQ(seen.drifts[0].found, us(30)) << "the first look after it";
  EXPECT_EQ(seen.drifts[0].repaired, us(60));
  EXPECT_EQ(summarize(network).totals.config_drifts, 1U);
}

TEST(Monitor, ADriftFromTheStartIsFoundAtTheStart) {
  Scenario scenario = incast(us(20));
  scenario.monitor.desired = {{0, scenario.switches[0].chip}};
  scenario.switches[0].chip.profiles.front().threshold.alpha = Alpha{1, 6};
  scenario.switches[0].chip.quanta = Quanta{1000};
  Network network{scenario};
  network.run_until(scenario.until);
  network.finish();
  const std::vector<DriftReport> drifts = network.drifts();
  ASSERT_EQ(drifts.size(), 2U);
  EXPECT_EQ(drifts[0].drift, (Drift{"chip.quanta", "65535", "1000"}));
  EXPECT_EQ(drifts[1].drift, (Drift{"profile.lossless.alpha", "1/8", "1/64"}));
  EXPECT_EQ(drifts[1].found, ps(0));
  EXPECT_EQ(drifts[1].repaired, std::nullopt);
}

}  // namespace
}  // namespace weir::monitor_test
