// SPDX-License-Identifier: Apache-2.0
// A network of many switches gives the same result for every order of its nodes and links in the
// scenario, and every order of simultaneous events.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>

#include "weir/config/scenario/scenario_file.hpp"
#include "weir/core/random.hpp"
#include "weir/model/network/network.hpp"
#include "weir/model/probe/run_in_child.hpp"
#include "weir/trace/summary/conservation.hpp"
#include "weir/trace/summary/summary.hpp"
#include "weir/trace/summary/summary_json.hpp"

namespace weir::network_order_test {
namespace {

// Incast over the spines and random traffic; small buffers, so that pauses spread.
Scenario leaf_spine(std::uint64_t seed) {
  return load_scenario(
      "vectors/scenarios/permutation_leafspine16_dt_tomahawk1.toml",
      {"scenario.until=60 us", "scenario.seed=" + std::to_string(seed),
       "topology.link_rate=40 Gbps", "traffic.shift.kind=poisson", "traffic.shift.rate=60 %",
       "traffic.shift.destination=uniform", "switches.profile.lossless.alpha=1/64"});
}

template <class T>
std::vector<std::size_t> shuffled(const std::vector<T>& list, std::uint64_t seed) {
  std::vector<std::size_t> places(list.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  RandomStream random{seed, "shuffle", list.size()};
  for (std::size_t i = places.size(); i > 1; --i)
    std::swap(places[i - 1], places[random.uniform(i)]);
  return places;
}

// Moves every switch, host and link to another place of its list, and updates all references.
Scenario reordered(const Scenario& scenario, std::uint64_t seed) {
  Scenario other = scenario;
  const std::vector<std::size_t> switches = shuffled(scenario.switches, seed);
  const std::vector<std::size_t> hosts = shuffled(scenario.hosts, seed + 1);
  const std::vector<std::size_t> links = shuffled(scenario.links, seed + 2);
  for (std::size_t i = 0; i < switches.size(); ++i)
    other.switches[switches[i]] = scenario.switches[i];
  for (std::size_t i = 0; i < hosts.size(); ++i) other.hosts[hosts[i]] = scenario.hosts[i];
  for (std::size_t i = 0; i < links.size(); ++i) {
    LinkSpec link = scenario.links[i];
    for (LinkEnd* end : {&link.a, &link.b})
      end->node = (end->is_host ? hosts : switches)[end->node];
    if (i % 2 == 1) std::swap(link.a, link.b);
    other.links[links[i]] = link;
  }
  for (RouteSpec& route : other.routes) route.node = switches[route.node];
  for (TrafficSpec& traffic : other.traffic)
    for (std::vector<std::size_t>* list : {&traffic.from, &traffic.to})
      for (std::size_t& host : *list) host = hosts[host];
  for (HostFaultSpec& fault : other.host_faults) fault.host = hosts[fault.host];
  for (PfcWatchdogSpec& watchdog : other.watchdogs) watchdog.node = switches[watchdog.node];
  for (DesiredChip& desired : other.monitor.desired) desired.node = switches[desired.node];
  if (other.pingmesh)
    for (auto& [from, to] : other.pingmesh->pairs) {
      from = hosts[from];
      to = hosts[to];
    }
  return other;
}

void write_counters(std::ostream& out, const std::string& name, const PortCounters& counters) {
  out << name << ' ' << counters.pfc_frames_sent << ' ' << counters.pfc_frames_received;
  for (const PortCounters::ByPriority& p : counters.priority)
    out << ' ' << p.tx_packets << '/' << p.rx_packets << '/' << p.tx_bytes << '/' << p.rx_bytes
        << '/' << p.stray_copies;
}

std::string outcome(const Scenario& scenario, std::uint64_t permutation) {
  Network network{scenario, permutation};
  network.run_until(scenario.until);
  network.finish();
  check_conservation(network);
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < network.host_count(); ++i) {
    std::ostringstream line;
    write_counters(line, network.host(i).name(), network.host(i).counters());
    line << ' ' << network.host(i).latency(Priority{3}).sum;
    lines.push_back(line.str());
  }
  for (std::size_t i = 0; i < network.switch_count(); ++i) {
    const Switch& node = network.switch_at(i);
    for (std::size_t p = 0; p < node.port_count(); ++p) {
      std::ostringstream line;
      const PortId port{static_cast<std::uint16_t>(p)};
      write_counters(line, std::string{node.name()} + "." + std::to_string(p), node.counters(port));
      const PgCounters& pg = node.mmu.core().stats().pg(pg_index(port, Priority{3}));
      line << ' ' << pg.shared_watermark << ' ' << pg.xoff_entered << ' ' << pg.dropped();
      lines.push_back(line.str());
    }
  }
  std::sort(lines.begin(), lines.end());
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

// The whole result of a run, in the order of names.
std::string whole_summary(const Scenario& scenario, std::uint64_t permutation) {
  Network network{scenario, permutation};
  network.run_until(scenario.until);
  network.finish();
  check_conservation(network);
  nlohmann::json summary = nlohmann::json::parse(to_json(summarize(network)));
  for (const char* list : {"switches", "hosts"})
    std::sort(summary[list].begin(), summary[list].end(),
              [](const auto& a, const auto& b) { return a.at("name") < b.at("name"); });
  return summary.dump(1);
}

// Compares `scenario` with reordered copies, and with `another`, whose result must differ.
void expect_no_order_shows(const Scenario& scenario, const Scenario& another,
                           std::string (*result_of)(const Scenario&, std::uint64_t) = outcome) {
  std::vector<ChildJob> jobs{[=] { return result_of(scenario, 0); }};
  for (std::uint64_t seed = 1; seed < 4; ++seed)
    jobs.push_back([other = reordered(scenario, seed * 10), seed, result_of] {
      return result_of(other, seed == 1 ? 0 : seed * 0x1234'5678'9abcULL);
    });
  jobs.push_back([=] { return result_of(another, 0); });
  std::vector<std::string> texts;
  for (const ChildResult& result : run_in_children(jobs, 2)) {
    ASSERT_TRUE(result.ok) << result.error;
    texts.push_back(result.output);
  }
  EXPECT_NE(texts[0].find(scenario.switches.back().name), std::string::npos);
  for (std::size_t i = 1; i < 4; ++i)
    EXPECT_TRUE(texts[i] == texts[0]) << "order " << i << " gives another result";
  EXPECT_FALSE(texts[4] == texts[0]) << "another scenario gives the same: the test sees nothing";
}

TEST(NetworkOrder, TheOrderOfNodesAndOfWakeUpsDoesNotShow) {
  expect_no_order_shows(leaf_spine(5), leaf_spine(6));
}

TEST(NetworkOrder, NorDoesItShowInADeadlockByFlooding) {
  const std::string file = "vectors/scenarios/flooding_fig4_dt_trident2_ageing.toml";
  expect_no_order_shows(
      load_scenario(file, {"scenario.until=6 ms"}),
      load_scenario(file, {"scenario.until=6 ms", "switch.T1.neighbours.mac_timeout=301 us"}));
}

// A storm, both watchdogs, probes, a drifted setting: none depends on places in a list.
Scenario watched_storm(const std::string& detect) {
  Scenario scenario = load_scenario(
      "vectors/scenarios/storm_clos4_dt_both_watchdogs.toml",
      {"scenario.until=3.3 ms", "watchdog.servers.detect=" + detect, "expect.last_delivery=> 0 s"});
  scenario.monitor.period = Picoseconds{500'000'000};
  scenario.monitor.desired.push_back({0, scenario.switches[0].chip});
  scenario.monitor.desired[0].chip.profiles.front().xon_offset = Cells{77};
  PingmeshSpec mesh;
  mesh.pairs = {{2, 5}, {7, 1}, {4, 3}};
  mesh.classes = {Priority{1}, Priority{3}};
  mesh.interval = Picoseconds{100'000'000};
  mesh.timeout = Picoseconds{10'000'000'000};
  scenario.pingmesh = mesh;
  return scenario;
}

TEST(NetworkOrder, NorDoesItShowInAStormWithWatchdogsAndMonitors) {
  const Scenario scenario = watched_storm("1 ms");
  ASSERT_GT(scenario.watchdogs.size(), 4U);
  expect_no_order_shows(scenario, watched_storm("1001 us"), whole_summary);
}

}  // namespace
}  // namespace weir::network_order_test
