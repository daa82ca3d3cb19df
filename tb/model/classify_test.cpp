// SPDX-License-Identifier: Apache-2.0
// The class of a frame on its way through a switch: PCP, DSCP, no tag at all.
#include <gtest/gtest.h>

#include <string>

#include "support/small_network.hpp"
#include "weir/model/network/network.hpp"

namespace weir::classify_test {
namespace {

using namespace test;

constexpr std::uint8_t lossless = 3;

// The PG that took the packets of a lossless source on a chip with these settings.
std::size_t pg_used(const ClassifierSettings& classifier, bool tagged,
                    std::optional<std::uint8_t> dscp = {}) {
  Chip chip = small_chip(2, gbps(100));
  chip.classifier = classifier;
  Scenario scenario = star(chip, ns(0), us(10));
  scenario.traffic.push_back(flood("x", 0, 1, lossless, 1000));
  scenario.traffic.back().tagged = tagged;
  scenario.traffic.back().dscp = dscp;
  Network network{scenario};
  network.run_until(scenario.until);
  const StatsCounters& stats = network.switch_at(0).mmu.core().stats();
  std::size_t found = priorities;
  for (std::size_t pg = 0; pg < priorities; ++pg) {
    if (stats.pg(PgIndex{pg}).packets == 0) continue;
    EXPECT_EQ(found, priorities) << "packets in more than one PG";
    found = pg;
    EXPECT_GT(network.host(1).counters().priority[pg].rx_packets, 10U)
        << "it leaves as class " << pg;
  }
  return found;
}

ClassifierSettings by_dscp() {
  ClassifierSettings settings;
  settings.trust = ClassTrust::dscp;
  return settings;
}

TEST(Classify, ATaggedFrameKeepsItsPriority) { EXPECT_EQ(pg_used({}, true), 3U); }

TEST(Classify, AFrameWithoutATagFallsOutOfItsClassWhereTheTagIsTrusted) {
  EXPECT_EQ(pg_used({}, false), 0U);
}

TEST(Classify, AFrameWithoutATagStaysInItsClassWhereDscpIsTrusted) {
  EXPECT_EQ(pg_used(by_dscp(), false), 3U) << "the class selector of its priority";
}

// DSCP 26 maps to class 3, all others to class 0: the class selectors do not serve.
ClassifierSettings by_one_dscp() {
  ClassifierSettings settings = by_dscp();
  settings.priority_of_dscp.fill(Priority{0});
  settings.priority_of_dscp[26] = Priority{lossless};
  return settings;
}

TEST(Classify, ProbesAndTheirAnswersAreInTheirClassWhereDscpIsTrusted) {
  Chip chip = small_chip(2, gbps(100));
  chip.classifier = by_one_dscp();
  Scenario scenario = star(chip, ns(0), us(100));
  PingmeshSpec spec;
  spec.pairs = {{0, 1}};
  spec.classes = {Priority{lossless}};
  spec.interval = us(5);
  spec.timeout = us(50);
  scenario.pingmesh = spec;
  Network network{scenario};
  network.run_until(scenario.until);
  const StatsCounters& stats = network.switch_at(0).mmu.core().stats();
  for (const PortId port : {PortId{0}, PortId{1}}) {
    EXPECT_GE(stats.pg(pg_index(port, Priority{lossless})).packets, 19U) << port.count();
    EXPECT_EQ(stats.pg(pg_index(port, Priority{0})).packets, 0U) << port.count();
  }
}

TEST(Classify, CnpsAreInTheirClassWhereDscpIsTrusted) {
  Chip chip = small_chip(2, gbps(100));
  chip.classifier = by_one_dscp();
  chip.classifier.priority_of_dscp[10] = Priority{6};
  chip.classifier.priority_of_dscp[11] = Priority{6};
  Scenario scenario = star(chip, ns(0), us(200));
  TrafficSpec traffic = flood("rdma", 0, 1, lossless, 980);
  traffic.kind = TrafficKind::rdma;
  traffic.message = Bytes{1'000'000'000};
  traffic.window = no_window;
  traffic.ecn = Ecn::ce;  // no switch marks here
  traffic.dcqcn = DcqcnSettings{};
  traffic.dscp = 26;
  scenario.traffic = {traffic};
  Network network{scenario};
  network.run_until(scenario.until);
  const StatsCounters& stats = network.switch_at(0).mmu.core().stats();
  EXPECT_GE(network.host(1).cnps_sent(), 2U);
  EXPECT_EQ(stats.pg(pg_index(PortId{1}, Priority{6})).packets, network.host(1).cnps_sent());
}

TEST(Classify, APortWithADscpTableOfItsOwnGoesByIt) {
  Chip chip = small_chip(3, gbps(100));
  chip.classifier = by_one_dscp();
  DscpMap uplink{"uplink", {}};
  uplink.priority_of_dscp[26] = Priority{4};
  chip.dscp_maps = {uplink};
  chip.dscp_map_of_port = {std::nullopt, 0, std::nullopt};
  Scenario scenario = star(chip, ns(0), us(10));
  for (const std::size_t from : {0U, 1U}) {
    scenario.traffic.push_back(flood("h" + std::to_string(from), from, 2, lossless, 1000));
    scenario.traffic.back().dscp = 26;
  }
  Network network{scenario};
  network.run_until(scenario.until);
  const StatsCounters& stats = network.switch_at(0).mmu.core().stats();
  const auto packets = [&](std::uint16_t port, std::uint8_t pg) {
    return stats.pg(pg_index(PortId{port}, Priority{pg})).packets;
  };
  EXPECT_GT(packets(0, 3), 10U);
  EXPECT_EQ(packets(0, 4), 0U);
  EXPECT_GT(packets(1, 4), 10U) << "the table of its port";
  EXPECT_EQ(packets(1, 3), 0U);
}

TEST(Classify, DscpDecidesAgainstTheTag) { EXPECT_EQ(pg_used(by_dscp(), true, 46), 5U); }

}  // namespace
}  // namespace weir::classify_test
