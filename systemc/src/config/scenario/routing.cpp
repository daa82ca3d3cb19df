// SPDX-License-Identifier: Apache-2.0
#include "weir/config/scenario/routing.hpp"

#include <algorithm>
#include <limits>

namespace weir {
namespace {

constexpr std::uint8_t host_length = 32;

struct Neighbour {
  PortId port;
  std::size_t node;
};

/// The neighbours at the ports of the switches.
struct Graph {
  std::vector<std::vector<Neighbour>> switches, hosts;  // by switch, ports ascending
};

Graph graph_of(const Scenario& scenario) {
  Graph graph;
  graph.switches.resize(scenario.switches.size());
  graph.hosts.resize(scenario.switches.size());
  for (const LinkSpec& link : scenario.links) {
    const std::pair<const LinkEnd&, const LinkEnd&> ways[] = {{link.a, link.b}, {link.b, link.a}};
    for (const auto& [from, to] : ways) {
      if (from.is_host) continue;
      (to.is_host ? graph.hosts : graph.switches)[from.node].push_back({from.port, to.node});
    }
  }
  for (auto* side : {&graph.switches, &graph.hosts})
    for (std::vector<Neighbour>& list : *side)
      std::sort(list.begin(), list.end(),
                [](const Neighbour& a, const Neighbour& b) { return a.port < b.port; });
  return graph;
}

constexpr std::size_t unreachable = std::numeric_limits<std::size_t>::max();

// Links from every switch to `target`.
std::vector<std::size_t> distances_to(std::size_t target, const Graph& graph) {
  std::vector<std::size_t> distance(graph.switches.size(), unreachable);
  std::vector<std::size_t> order{target};
  distance[target] = 0;
  for (std::size_t next = 0; next < order.size(); ++next) {
    for (const Neighbour& peer : graph.switches[order[next]]) {
      if (distance[peer.node] != unreachable) continue;
      distance[peer.node] = distance[order[next]] + 1;
      order.push_back(peer.node);
    }
  }
  return distance;
}

// Routes to the subnet of `target`, and to those of its hosts that are not in it.
void add_routes_to(std::size_t target, const Graph& graph, const AddressPlan& plan,
                   std::vector<RouteTable>& tables) {
  const Ipv4Prefix subnet = *plan.subnets[target];
  const std::vector<std::size_t> distance = distances_to(target, graph);
  for (std::size_t node = 0; node < tables.size(); ++node) {
    if (node == target || distance[node] == unreachable) continue;
    Route route;
    for (const Neighbour& peer : graph.switches[node])
      if (distance[peer.node] + 1 == distance[node]) route.ports.push_back(peer.port);
    route.to = subnet;
    tables[node].add(route);
    for (const Neighbour& host : graph.hosts[target]) {
      if (subnet.contains(plan.hosts[host.node])) continue;
      route.to = {plan.hosts[host.node], host_length};
      tables[node].add(route);
    }
  }
  for (const Neighbour& host : graph.hosts[target])
    tables[target].add({{plan.hosts[host.node], host_length}, {host.port}, true, {}});
}

}  // namespace

std::vector<RouteTable> make_routes(const Scenario& scenario, const AddressPlan& plan) {
  const Graph graph = graph_of(scenario);
  std::vector<RouteTable> tables(scenario.switches.size());
  for (std::size_t node = 0; node < tables.size(); ++node)
    if (plan.subnets[node]) add_routes_to(node, graph, plan, tables);
  for (const RouteSpec& spec : scenario.routes)
    tables[spec.node].add(
        {spec.to, spec.ports, false, spec.from, spec.until.value_or(Route::always)});
  return tables;
}

}  // namespace weir
