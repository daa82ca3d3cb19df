// SPDX-License-Identifier: Apache-2.0
// The deadlock by flooding of docs/guide/incidents/flooding-deadlock.md, rows F1 to F5 of
// docs/design/published-rows.md: with each way out, and without.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "support/event_log.hpp"
#include "support/expectations.hpp"
#include "support/small_network.hpp"
#include "weir/config/scenario/scenario_file.hpp"
#include "weir/model/network/network.hpp"
#include "weir/trace/summary/conservation.hpp"
#include "weir/trace/summary/summary.hpp"

namespace weir::flooding_deadlock_test {
namespace {

using namespace test;

constexpr std::uint8_t lossless = 3;
constexpr Picoseconds incast_ends = us(4000), sources_end = us(6000);
const std::string folder = "vectors/scenarios/";
const std::string flooding = folder + "flooding_fig4_dt_trident2";
const std::string broadcast = folder + "broadcast_fig4_dt_trident2";

/// A port of a switch by their names.
using Place = std::pair<std::string, std::size_t>;

// The circle: egress queues that wait for each other.
const std::vector<Place> circle{{"T0", 2}, {"La", 1}, {"T1", 4}, {"Lb", 0}};

struct Incident {
  Scenario scenario;
  Network network;
  EventLog log;

  explicit Incident(const std::string& file, const std::vector<std::string>& overrides = {})
      : scenario{load_scenario(file + ".toml", overrides)}, network{scenario} {
    network.watch(log);
  }
  const Switch& node(const std::string& name) const {
    for (std::size_t i = 0; i < network.switch_count(); ++i)
      if (network.switch_at(i).name() == name) return network.switch_at(i);
    ADD_FAILURE() << "no switch " << name;
    return network.switch_at(0);
  }
  HostId host(const std::string& name) const {
    for (std::size_t i = 0; i < scenario.hosts.size(); ++i)
      if (scenario.hosts[i].name == name) return static_cast<HostId>(i);
    ADD_FAILURE() << "no host " << name;
    return 0;
  }
  NeighbourState state_of_s3() const {
    constexpr Ipv4 s3{0x0a00'0101};  // port 0 of the second switch with hosts
    return node("T1").neighbour_tables->tables().find(s3, scenario.until).state;
  }
  // Frames of the lossless class that have left the queue of `place`, sent or dropped as stray.
  std::uint64_t left(const Place& place) const {
    const auto& counts = node(place.first)
                             .counters(PortId{static_cast<std::uint16_t>(place.second)})
                             .priority[lossless];
    return counts.tx_packets + counts.stray_copies;
  }
  std::vector<std::uint64_t> left_the_circle() const {
    std::vector<std::uint64_t> counts;
    for (const Place& place : circle) counts.push_back(left(place));
    return counts;
  }
  std::size_t depth(const Place& place) const {
    return node(place.first)
        .port(PortId{static_cast<std::uint16_t>(place.second)})
        .tx.depth(lossless);
  }
  // When `place` sent its first PAUSE of the lossless class; the end of the run if it never did.
  Picoseconds first_pause(const Place& place) const {
    for (const EventLog::Pfc& sent : log.sent)
      if (sent.node == place.first && sent.port.count() == place.second &&
          (sent.frame.class_enable >> lossless & 1U) != 0 && sent.frame.time[lossless] != Quanta{0})
        return sent.time;
    return scenario.until;
  }
  void expect_order(const std::vector<Place>& chain) const {
    for (std::size_t i = 0; i < chain.size(); ++i) {
      EXPECT_LT(first_pause(chain[i]), scenario.until)
          << chain[i].first << ".p" << chain[i].second << " never paused its peer";
      if (i == 0) continue;
      EXPECT_LT(first_pause(chain[i - 1]), first_pause(chain[i]))
          << chain[i].first << ".p" << chain[i].second << " paused too early";
    }
  }
  // Runs to the end and checks that the four queues of the circle hold frames, and none has left
  // since `since`.
  void expect_frozen(Picoseconds since) {
    network.run_until(since);
    const std::vector<std::uint64_t> before = left_the_circle();
    network.run_until(scenario.until);
    EXPECT_EQ(left_the_circle(), before) << "something still moves";
    for (const Place& place : circle)
      EXPECT_GT(depth(place), 0U) << place.first << ".p" << place.second << " is empty";
    check_conservation(network);
  }
  // Runs to the end and checks that all sources have ended, and no lossless frame is left.
  Totals expect_drained() {
    network.run_until(scenario.until);
    check_conservation(network);
    for (std::size_t i = 0; i < network.switch_count(); ++i)
      for (std::size_t port = 0; port < network.switch_at(i).port_count(); ++port)
        EXPECT_EQ(network.switch_at(i)
                      .mmu.core()
                      .ingress()
                      .pg(pg_index(PortId{static_cast<std::uint16_t>(port)}, Priority{lossless}))
                      .total(),
                  Cells{0})
            << network.switch_at(i).name() << ".p" << port;
    return summarize(network).totals;
  }
  void expect_checks_met() const {
    const Summary summary = summarize(network);
    expect_all_met(summary);
  }
};

TEST(FloodingDeadlock, F1EachChainPausesInTheOrderOfTheStory) {
  Incident incident{flooding};
  incident.network.run_until(incident.scenario.until);
  incident.expect_order({{"T1", 3}, {"La", 0}, {"T0", 0}});
  incident.expect_order({{"T0", 3}, {"Lb", 1}, {"T1", 1}});
  EXPECT_LT(incident.first_pause({"T0", 0}), incident.first_pause({"T0", 3}))
      << "the second chain begins when the first one is complete";
  incident.expect_checks_met();
}

TEST(FloodingDeadlock, F2ItLastsAfterTheIncastAndAfterAllServersWereRestarted) {
  Incident incident{flooding};
  incident.expect_frozen(sources_end);
  EXPECT_EQ(incident.state_of_s3(), NeighbourState::reachable) << "S3 is back, and known";
  EXPECT_EQ(incident.depth({"T1", 2}), 0U) << "the congestion that began it is long gone";
}

TEST(FloodingDeadlock, F2TheAgeingOfTwoEntriesIsEnough) {
  Incident incident{flooding + "_ageing"};
  incident.expect_frozen(sources_end);
  incident.expect_order({{"T1", 3}, {"La", 0}, {"T0", 0}});
  incident.expect_order({{"T0", 3}, {"Lb", 1}, {"T1", 1}});
  EXPECT_GT(incident.first_pause({"T1", 3}), us(300)) << "nothing is flooded before an entry ages";
  incident.expect_checks_met();
}

TEST(FloodingDeadlock, F3DroppingLosslessPacketsWithoutAMacEntryPreventsIt) {
  Incident incident{flooding + "_drop_lossless"};
  const Totals totals = incident.expect_drained();
  incident.expect_checks_met();
  EXPECT_EQ(totals.drops(), totals.ports.incomplete_arp) << "nothing else is dropped";
  for (const EventLog::Drop& drop : incident.log.drops)
    if (drop.reason == MacDrop::incomplete_arp) {
      const bool purple = drop.node == "T1" && drop.port == PortId{3};
      const bool blue = drop.node == "T0" && drop.port == PortId{3};
      EXPECT_TRUE(purple || blue) << drop.node << ".p" << drop.port;
      EXPECT_TRUE(drop.destination == incident.host("S3") ||
                  drop.destination == incident.host("S2"))
          << "a packet to a living server was dropped";
    }
}

TEST(FloodingDeadlock, F4TheProcessorPreventsIt) {
  Incident incident{flooding + "_to_cpu"};
  const Totals totals = incident.expect_drained();
  incident.expect_checks_met();
  EXPECT_EQ(totals.drops(), totals.ports.no_neighbour + totals.ports.cpu_queue);
}

TEST(FloodingDeadlock, F4AMacTimeoutLongerThanThatOfArpPreventsIt) {
  Incident incident{flooding + "_long_mac"};
  const Totals totals = incident.expect_drained();
  incident.expect_checks_met();
  EXPECT_EQ(totals.drops(), totals.ports.no_neighbour);
  EXPECT_GT(totals.arp_requests, 100U) << "which the short ARP timeout costs";
}

TEST(FloodingDeadlock, F4AShorterMacTimeoutDoesNot) {
  Incident incident{
      flooding + "_long_mac",
      {"switch.T0.neighbours.mac_timeout=300 us", "switch.T1.neighbours.mac_timeout=300 us",
       "switch.T0.neighbours.arp_timeout=14.4 ms", "switch.T1.neighbours.arp_timeout=14.4 ms"}};
  incident.expect_frozen(sources_end);
}

TEST(FloodingDeadlock, F5BroadcastInTheLosslessClassDoesTheSame) {
  Incident incident{broadcast};
  incident.expect_frozen(sources_end);
  incident.expect_order({{"T1", 3}, {"La", 0}, {"T0", 0}});
  incident.expect_order({{"T0", 3}, {"Lb", 1}, {"T1", 1}});
  incident.expect_checks_met();
}

TEST(FloodingDeadlock, F5SoDoesMulticast) {
  Incident incident{broadcast, {"traffic.purple.cast=multicast", "traffic.blue.cast=multicast"}};
  incident.expect_frozen(sources_end);
}

TEST(FloodingDeadlock, F5BroadcastOutsideTheLosslessClassDoesNot) {
  Incident incident{broadcast + "_lossy_group"};
  const Totals totals = incident.expect_drained();
  incident.expect_checks_met();
  EXPECT_EQ(totals.lossless_drops, 0U);
}

// A circle of dependencies alone is no deadlock: with one sender on T0 the queues drain as fast as
// they fill.
TEST(FloodingDeadlock, ACircleThatStillDrainsIsNoDeadlock) {
  Incident incident{flooding,
                    {"traffic.purple.from=S1", "traffic.black.from=S1", "traffic.purple.rate=75 %",
                     "traffic.black.rate=25 %"}};
  incident.network.run_until(incast_ends);
  incident.expect_order({{"T1", 3}, {"La", 0}, {"T0", 0}});
  incident.expect_order({{"T0", 3}, {"Lb", 1}, {"T1", 1}});
  incident.expect_drained();
}

}  // namespace
}  // namespace weir::flooding_deadlock_test
