// SPDX-License-Identifier: Apache-2.0
#include "network/network_wiring.hpp"

#include <string>

#include "weir/config/scenario/host_dscp.hpp"
#include "weir/config/scenario/routing.hpp"
#include "weir/core/errors.hpp"
#include "weir/core/random.hpp"
#include "weir/model/rtl/rtl_mmu_unit.hpp"

namespace weir {
namespace {

AttachedHost attached(const HostSpec& spec, HostId id, Ipv4 ip) {
  AttachedHost host{id, ip, mac_of(ip)};
  host.dead_from = spec.dead_from.value_or(host.dead_from);
  host.dead_until = spec.dead_until.value_or(host.dead_until);
  return host;
}

// In the order of the scenario, at each link.
void add_faults(const NetworkModules& network) {
  const std::vector<FaultSpec>& faults = network.scenario.faults;
  for (std::size_t i = 0; i < faults.size(); ++i) {
    Link& link = *network.links[faults[i].link];
    if (faults[i].direction != FaultDirection::b_to_a)
      link.a_to_b.faults.add(faults[i], network.scenario.seed, i, false);
    if (faults[i].direction != FaultDirection::a_to_b)
      link.b_to_a.faults.add(faults[i], network.scenario.seed, i, true);
  }
}

void attach(const NetworkModules& network, const LinkEnd& end, Picoseconds delay,
            Link::Direction& away, Link::Direction& towards) {
  if (end.is_host) {
    Nic& host = *network.hosts[end.node];
    host.tx.bind(away.in);
    towards.out.bind(host.rx);
    host.decide_ahead(delay);
    return;
  }
  SwitchPort& port = network.switches[end.node]->port(end.port);
  port.tx.wire.bind(away.in);
  towards.out.bind(port.rx.wire);
}

// A switch with tables learns what is on its ports.
void introduce(const NetworkModules& network, const AddressPlan& plan, const LinkEnd& end,
               const LinkEnd& peer) {
  if (end.is_host || !network.switches[end.node]->neighbour_tables) return;
  NeighbourTablesUnit& tables = *network.switches[end.node]->neighbour_tables;
  if (peer.is_host)
    tables.attach_host(end.port, attached(network.scenario.hosts[peer.node],
                                          static_cast<HostId>(peer.node), plan.hosts[peer.node]));
  else
    tables.attach_switch(end.port);
}

}  // namespace

void add_links(const NetworkModules& network) {
  for (std::size_t i = 0; i < network.scenario.links.size(); ++i) {
    const LinkSpec& spec = network.scenario.links[i];
    network.links.push_back(
        std::make_unique<Link>(("link[" + std::to_string(i) + "]").c_str(), spec.delay));
    Link& link = *network.links.back();
    attach(network, spec.a, spec.delay, link.a_to_b, link.b_to_a);
    attach(network, spec.b, spec.delay, link.b_to_a, link.a_to_b);
  }
  add_faults(network);
}

void add_routes(const NetworkModules& network) {
  const AddressPlan plan = plan_addresses(network.scenario);
  const std::vector<RouteTable> routes = make_routes(network.scenario, plan);
  const FlowHash* const hash = find_flow_hash(network.scenario.ecmp.hash);
  if (hash == nullptr) throw ConfigError("ecmp.hash", network.scenario.ecmp.hash, "no such hash");
  const auto addresses = std::make_shared<const std::vector<Ipv4>>(plan.hosts);
  for (std::size_t i = 0; i < network.switches.size(); ++i) {
    RandomStream own{network.scenario.seed, "ecmp." + network.scenario.switches[i].name};
    network.switches[i]->forwarding.configure(
        routes[i], addresses, *hash,
        network.scenario.ecmp.seed.value_or(static_cast<std::uint32_t>(own.next())));
  }
}

// Switches with tables learn what is on their ports, and which hosts multicast frames are for.
void introduce_neighbours(const NetworkModules& network) {
  const AddressPlan plan = plan_addresses(network.scenario);
  for (const LinkSpec& link : network.scenario.links) {
    introduce(network, plan, link.a, link.b);
    introduce(network, plan, link.b, link.a);
  }
  for (const auto& node : network.switches) {
    if (!node->neighbour_tables) continue;
    for (std::size_t entry = 0; entry < network.scenario.traffic.size(); ++entry)
      for (const std::size_t host : network.scenario.traffic[entry].to)
        node->neighbour_tables->add_member(static_cast<std::uint32_t>(entry),
                                           static_cast<HostId>(host));
    const std::size_t ports = node->neighbour_tables->linked_ports();
    if (node->mmu.rtl && 1 < ports) node->mmu.rtl->require_copies(ports - 1);
  }
}

FlowHeader add_sources(const NetworkModules& network, MessageLog* messages) {
  FlowHeader header;
  const HostDscp dscps{network.scenario};
  if (messages != nullptr)
    for (const auto& host : network.hosts) host->report_messages_to(*messages);
  for (std::size_t entry = 0; entry < network.scenario.traffic.size(); ++entry) {
    const TrafficSpec& traffic = network.scenario.traffic[entry];
    header.ttl = traffic.ttl;
    for (std::size_t sender = 0; sender < traffic.from.size(); ++sender) {
      const std::size_t host = traffic.from[sender];
      const SourcePlace place{static_cast<HostId>(host),
                              sender,
                              network.scenario.hosts[host].rate,
                              network.scenario.seed,
                              static_cast<std::uint32_t>(entry),
                              header.source_port,
                              MessageMeter::has_messages(traffic) ? messages : nullptr};
      network.hosts[host]->add_source(make_source(traffic, place),
                                      static_cast<std::uint32_t>(entry), header);
    }
    header.source_port = static_cast<std::uint16_t>(header.source_port + traffic.connections);
    if (traffic.kind == TrafficKind::rdma)
      for (const std::size_t host : traffic.to)
        network.hosts[host]->expect_connections(
            static_cast<std::uint32_t>(entry), traffic,
            traffic.dcqcn ? dscps.of(host, traffic.dcqcn->cnp_priority) : std::uint8_t{0});
  }
  header.ttl = default_ttl;
  return header;
}

}  // namespace weir
