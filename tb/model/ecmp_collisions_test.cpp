// SPDX-License-Identifier: Apache-2.0
// Rows T2 to T4 of docs/design/published-rows.md with all connections, but short messages: the
// share of the leaf-spine capacity that remains after hash collisions. Long messages:
// scripts/check/incidents --full T2.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "support/expectations.hpp"
#include "support/small_network.hpp"
#include "weir/config/scenario/scenario_file.hpp"
#include "weir/model/network/network.hpp"
#include "weir/trace/summary/conservation.hpp"
#include "weir/trace/summary/summary.hpp"

namespace weir::ecmp_collisions_test {
namespace {

using namespace test;

const std::string folder = "vectors/scenarios/";

TEST(EcmpCollisions, EqualMessagesTakeAsLongAsTheFullestLink) {
  const Scenario scenario = load_scenario(folder + "messages_clos384_dt_trident2.toml");
  Network network{scenario};
  network.run_until(scenario.until);
  check_conservation(network);
  const Summary summary = summarize(network);
  EXPECT_EQ(summary.expect.size(), 5U);
  expect_all_met(summary);
}

// Packets by link between leaves and spines, leaf to spine, when every connection sends `packets`.
std::vector<std::uint64_t> loads(std::uint32_t connections, std::uint32_t packets) {
  Scenario scenario =
      load_scenario(folder + "pairs_clos384_dt_trident2.toml", {"scenario.until=400 us"});
  const Picoseconds slot = ns(2212);  // a packet of 1086 B at 4 Gbps
  for (TrafficSpec& traffic : scenario.traffic) {
    traffic.connections = static_cast<std::uint16_t>(connections);
    traffic.rate = gbps(4);
    traffic.stop = slot * (connections * packets) - ns(1);
  }
  Network network{scenario};
  network.run_until(scenario.until);
  std::vector<std::uint64_t> loads;
  for (const LinkSpec& link : scenario.links) {
    if (link.a.is_host || link.b.is_host) continue;
    const Switch& leaf = network.switch_at(link.a.node);
    if (std::string{leaf.name()}.front() == 'L')
      loads.push_back(leaf.counters(link.a.port).priority[3].tx_packets);
  }
  return loads;
}

// Mean over maximum: the share of all links that equal connections use when one link is full.
double evenness(const std::vector<std::uint64_t>& loads) {
  std::uint64_t sum = 0;
  for (const std::uint64_t load : loads) sum += load;
  return static_cast<double>(sum) / static_cast<double>(loads.size()) /
         static_cast<double>(*std::max_element(loads.begin(), loads.end()));
}

TEST(EcmpCollisions, TheFullestLinkHasOneAndAHalfTimesTheMeanOrMore) {
  const std::vector<std::uint64_t> packets = loads(8, 1);
  EXPECT_EQ(packets.size(), 128U);
  EXPECT_GE(evenness(packets), 0.55);
  EXPECT_LE(evenness(packets), 0.66);
}

// The fix: more connections load the links more evenly.
TEST(EcmpCollisions, EightTimesTheConnectionsSpreadMoreEvenly) {
  EXPECT_GE(evenness(loads(64, 1)), 0.8);
}

}  // namespace
}  // namespace weir::ecmp_collisions_test
