// SPDX-License-Identifier: Apache-2.0
#include "weir/model/ranks/partition.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "weir/config/scenario/scenario_file.hpp"
#include "weir/core/errors.hpp"
#include "weir/core/ethernet.hpp"
#include "weir/model/network/frame.hpp"

namespace weir {
namespace {

// A cable that must not be cut, and the heaviest of the others.
constexpr std::int32_t uncut_weight = 1 << 16, max_weight = 1 << 10;

// The shortest cut cable makes the window: the longer, the lighter.
std::int32_t weight_of(const LinkSpec& link) {
  constexpr std::uint64_t heavy_ps = 10'000'000;
  if (link.delay == Picoseconds{}) return uncut_weight;
  return static_cast<std::int32_t>(
      std::clamp<std::uint64_t>(heavy_ps / link.delay.count(), 1, max_weight));
}

bool between_switches(const LinkSpec& link) { return !link.a.is_host && !link.b.is_host; }

// Nodes weigh as many links as they have.
RankGraph graph_of(const Scenario& scenario) {
  const std::size_t nodes = scenario.switches.size();
  std::vector<std::map<std::size_t, std::int32_t>> peers(nodes);
  RankGraph graph;
  graph.node_weights.assign(nodes, 1);
  for (const LinkSpec& link : scenario.links) {
    for (const LinkEnd& end : {link.a, link.b})
      if (!end.is_host) ++graph.node_weights[end.node];
    if (!between_switches(link) || link.a.node == link.b.node) continue;
    const std::int32_t weight = weight_of(link);
    peers[link.a.node][link.b.node] += weight;
    peers[link.b.node][link.a.node] += weight;
  }
  for (const auto& of_node : peers) {
    for (const auto& [peer, weight] : of_node) {
      graph.edges.push_back(static_cast<std::int32_t>(peer));
      graph.edge_weights.push_back(weight);
    }
    graph.first.push_back(static_cast<std::int32_t>(graph.edges.size()));
  }
  return graph;
}

// To record a step of any rank costs rank 0 this part of what the hop costs the rank that runs it.
std::vector<float> shares_of(std::size_t ranks, bool first_records) {
  constexpr float recording = 0.4F, least = 0.05F;
  const auto number = static_cast<float>(ranks);
  const float first = first_records
                          ? std::max(least / number, (1 - (number - 1) * recording) / number)
                          : 1 / number;
  std::vector<float> shares(ranks, ranks == 1 ? 1 : (1 - first) / (number - 1));
  shares.front() = ranks == 1 ? 1 : first;
  return shares;
}

// Of small networks a part may come out empty: it gets a switch of the largest one.
void fill_empty_parts(std::vector<std::size_t>& part, std::size_t ranks) {
  std::vector<std::size_t> sizes(ranks, 0);
  for (const std::size_t of : part) ++sizes[of];
  for (std::size_t empty = 0; empty < ranks; ++empty) {
    if (sizes[empty] != 0) continue;
    const auto largest =
        static_cast<std::size_t>(std::max_element(sizes.begin(), sizes.end()) - sizes.begin());
    *std::find(part.begin(), part.end(), largest) = empty;
    --sizes[largest];
    ++sizes[empty];
  }
}

void check_cut_cables(const Scenario& scenario, const Partition& partition) {
  for (const LinkSpec& link : scenario.links)
    if (partition.cuts(link) && link.delay == Picoseconds{})
      throw ConfigError(
          "--ranks", std::to_string(partition.ranks),
          "the cable from " + port_name(scenario, link.a) + " to " + port_name(scenario, link.b) +
              " has length 0, and its ends are in different ranks: give it a length, or use fewer "
              "ranks");
}

}  // namespace

Partition split_network(const Scenario& scenario, std::size_t ranks, bool first_records,
                        const RankLibraryTable& library) {
  const std::size_t switches = scenario.switches.size();
  if (ranks == 0 || switches < ranks)
    throw ConfigError("--ranks", std::to_string(ranks),
                      "must be from 1 to the number of switches, here " + std::to_string(switches));
  Partition partition{ranks, {}, std::vector<std::size_t>(scenario.hosts.size(), 0)};
  RankGraph graph = graph_of(scenario);
  graph.shares = shares_of(ranks, first_records);
  for (const std::int32_t part : library.split(graph))
    partition.of_switch.push_back(static_cast<std::size_t>(part));
  fill_empty_parts(partition.of_switch, ranks);
  for (const LinkSpec& link : scenario.links) {
    if (link.a.is_host && !link.b.is_host)
      partition.of_host[link.a.node] = partition.of_switch[link.b.node];
    if (link.b.is_host && !link.a.is_host)
      partition.of_host[link.b.node] = partition.of_switch[link.a.node];
  }
  check_cut_cables(scenario, partition);
  return partition;
}

Picoseconds lookahead_of(const Scenario& scenario, const Partition& partition) {
  Picoseconds least{~std::uint64_t{0}};
  for (const LinkSpec& link : scenario.links) {
    if (!partition.cuts(link)) continue;
    for (const LinkEnd& end : {link.a, link.b}) {
      const BitRate rate = scenario.switches[end.node].chip.ports[end.port.count()].rate;
      least = std::min(least, link.delay + frame_time(min_frame_bytes.count(), byte_time(rate)));
    }
  }
  return least;
}

}  // namespace weir
