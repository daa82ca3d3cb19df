// SPDX-License-Identifier: Apache-2.0
#include "weir/model/ranks/partition.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/small_network.hpp"
#include "weir/core/errors.hpp"
#include "weir/model/ranks/call_order.hpp"

namespace weir::partition_test {
namespace {

using namespace test;

// Switches "s0", "s1" ... in a row, a host at each; cables between them take `delay`.
Scenario row(std::size_t switches, Picoseconds delay) {
  Scenario scenario;
  scenario.until = us(10);
  for (std::size_t i = 0; i < switches; ++i) {
    scenario.switches.push_back({"s" + std::to_string(i), small_chip(3, gbps(100))});
    HostSpec host;
    host.name = "h" + std::to_string(i);
    host.rate = gbps(100);
    scenario.hosts.push_back(host);
    scenario.links.push_back({{true, i, PortId{0}}, {false, i, PortId{0}}, ns(5)});
    if (i != 0) scenario.links.push_back({{false, i - 1, PortId{2}}, {false, i, PortId{1}}, delay});
  }
  return scenario;
}

// Libraries that split as tests want it.
RankLibraryTable halves() {
  return {nullptr,
          [](const RankGraph& graph) {
            const std::size_t nodes = graph.node_weights.size(), parts = graph.shares.size();
            std::vector<std::int32_t> part;
            for (std::size_t i = 0; i < nodes; ++i)
              part.push_back(static_cast<std::int32_t>(i * parts / nodes));
            return part;
          },
          nullptr};
}
RankLibraryTable all_in_one() {
  return {nullptr,
          [](const RankGraph& graph) {
            return std::vector<std::int32_t>(graph.node_weights.size(), 0);
          },
          nullptr};
}

std::string error_of(const Scenario& scenario, std::size_t ranks) {
  try {
    static_cast<void>(split_network(scenario, ranks, false, halves()));
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST(Partition, AHostIsWhereItsSwitchIsSoThatOnlyCablesBetweenSwitchesAreCut) {
  const Scenario scenario = row(4, ns(100));
  const Partition partition = split_network(scenario, 2, false, halves());
  EXPECT_EQ(partition.of_switch, (std::vector<std::size_t>{0, 0, 1, 1}));
  EXPECT_EQ(partition.of_host, partition.of_switch);
  std::vector<bool> cut;
  for (const LinkSpec& link : scenario.links) cut.push_back(partition.cuts(link));
  EXPECT_EQ(std::count(cut.begin(), cut.end(), true), 1) << "between s1 and s2";
  EXPECT_TRUE(cut[4]);
}

TEST(Partition, NoPartIsEmptyWhateverTheLibrarySays) {
  const Partition partition = split_network(row(3, ns(100)), 3, false, all_in_one());
  for (std::size_t rank = 0; rank < 3; ++rank)
    EXPECT_EQ(std::count(partition.of_switch.begin(), partition.of_switch.end(), rank), 1) << rank;
}

TEST(Partition, AsManyRanksAsSwitchesAreTakenAndOneMoreIsRefused) {
  EXPECT_EQ(error_of(row(3, ns(100)), 3), "");
  EXPECT_EQ(error_of(row(3, ns(100)), 4),
            "--ranks = 4: must be from 1 to the number of switches, here 3");
  EXPECT_EQ(error_of(row(3, ns(100)), 0),
            "--ranks = 0: must be from 1 to the number of switches, here 3");
}

TEST(Partition, ACutCableMustHaveADelay) {
  EXPECT_EQ(error_of(row(2, ps(1)), 2), "");
  const std::string error = error_of(row(2, ps(0)), 2);
  EXPECT_NE(error.find("the cable from s0.port[2] to s1.port[1] has length 0"), std::string::npos)
      << error;
  EXPECT_EQ(error_of(row(2, ps(0)), 1), "") << "it is not cut";
}

TEST(Partition, TheWindowIsTheLeastDelayAndTheShortestFrameWithItsPreamble) {
  Scenario scenario = row(4, ns(100));
  const Partition partition = split_network(scenario, 4, false, halves());
  EXPECT_EQ(lookahead_of(scenario, partition), ns(100) + ps(72 * 80));
  scenario.links[4].delay = ns(7);  // from s1 to s2
  EXPECT_EQ(lookahead_of(scenario, partition), ns(7) + ps(72 * 80));
}

class IdleActor final : public Actor {
  void act(Picoseconds, std::uint32_t, std::uint64_t) override {}
};

TEST(CallOrder, CallsOfATaskCountOnAndThoseOfAFrameFromElsewhereFollowTheirSender) {
  Agenda agenda{"agenda"};
  IdleActor idle;
  const Agenda::ActorId actor = agenda.enroll(idle);
  CallOrder order{agenda};
  agenda.post(ps(10), Rank::output, actor, 0);
  agenda.run_before(ps(11));
  const CallPlace first = order.next(), second = order.next();
  EXPECT_EQ(first.time, 10U);
  EXPECT_TRUE(first < second);
  order.enter(first);
  const CallPlace brought = order.next();
  order.leave();
  EXPECT_TRUE(first < brought && brought < second);
  agenda.post(ps(12), Rank::input, actor, 0);
  agenda.run_before(ps(13));
  EXPECT_TRUE(second < order.next());
  order.begin_end_step(0);
  const CallPlace last = order.next();
  order.begin_end_step(1);
  EXPECT_TRUE(last < order.next());
}

}  // namespace
}  // namespace weir::partition_test
