// SPDX-License-Identifier: Apache-2.0
// What makes a network of the modules: cables, routes, neighbours, sources.
#include "weir/config/scenario/routing.hpp"
#include "weir/core/errors.hpp"
#include "weir/core/random.hpp"
#include "weir/model/network/network.hpp"
#include "weir/model/rtl/rtl_mmu_unit.hpp"

namespace weir {
namespace {

// Locally administered; the same as in captures.
MacAddress mac_of(Ipv4 host) { return MacAddress{0x0201'0000'0000ULL | host.count()}; }

AttachedHost attached(const HostSpec& spec, HostId id, Ipv4 ip) {
  AttachedHost host{id, ip, mac_of(ip)};
  host.dead_from = spec.dead_from.value_or(host.dead_from);
  host.dead_until = spec.dead_until.value_or(host.dead_until);
  return host;
}

}  // namespace

void Network::connect(const LinkSpec& spec, std::size_t index) {
  links_.push_back(
      std::make_unique<Link>(("link[" + std::to_string(index) + "]").c_str(), spec.delay));
  Link& link = *links_.back();
  for (std::size_t i = 0; i < scenario_.faults.size(); ++i) {
    const FaultSpec& fault = scenario_.faults[i];
    if (fault.link != index) continue;
    if (fault.direction != FaultDirection::b_to_a)
      link.a_to_b.faults.add(fault, scenario_.seed, i, false);
    if (fault.direction != FaultDirection::a_to_b)
      link.b_to_a.faults.add(fault, scenario_.seed, i, true);
  }
  const auto attach = [&](const LinkEnd& end, Link::Direction& away, Link::Direction& towards) {
    if (end.is_host) {
      hosts_[end.node]->tx.bind(away.in);
      towards.out.bind(hosts_[end.node]->rx);
      hosts_[end.node]->decide_ahead(spec.delay);
      return;
    }
    SwitchPort& port = switches_[end.node]->port(end.port);
    port.tx.wire.bind(away.in);
    towards.out.bind(port.rx.wire);
  };
  attach(spec.a, link.a_to_b, link.b_to_a);
  attach(spec.b, link.b_to_a, link.a_to_b);
}

void Network::add_routes() {
  const AddressPlan plan = plan_addresses(scenario_);
  const std::vector<RouteTable> routes = make_routes(scenario_, plan);
  const FlowHash* const hash = find_flow_hash(scenario_.ecmp.hash);
  if (hash == nullptr) throw ConfigError("ecmp.hash", scenario_.ecmp.hash, "no such hash");
  const auto addresses = std::make_shared<const std::vector<Ipv4>>(plan.hosts);
  for (std::size_t i = 0; i < switches_.size(); ++i) {
    RandomStream own{scenario_.seed, "ecmp." + scenario_.switches[i].name};
    switches_[i]->forwarding.configure(
        routes[i], addresses, *hash,
        scenario_.ecmp.seed.value_or(static_cast<std::uint32_t>(own.next())));
  }
}

// Switches with tables learn what hangs on them, and whom multicast frames are for.
void Network::introduce_neighbours() {
  const AddressPlan plan = plan_addresses(scenario_);
  for (const LinkSpec& link : scenario_.links) {
    const auto introduce = [&](const LinkEnd& end, const LinkEnd& peer) {
      if (end.is_host || !switches_[end.node]->neighbour_tables) return;
      NeighbourTablesUnit& tables = *switches_[end.node]->neighbour_tables;
      if (peer.is_host)
        tables.attach_host(end.port,
                           attached(scenario_.hosts[peer.node], static_cast<HostId>(peer.node),
                                    plan.hosts[peer.node]));
      else
        tables.attach_switch(end.port);
    };
    introduce(link.a, link.b);
    introduce(link.b, link.a);
  }
  for (const auto& node : switches_) {
    if (!node->neighbour_tables) continue;
    for (std::size_t entry = 0; entry < scenario_.traffic.size(); ++entry)
      for (const std::size_t host : scenario_.traffic[entry].to)
        node->neighbour_tables->add_member(static_cast<std::uint32_t>(entry),
                                           static_cast<HostId>(host));
    const std::size_t ports = node->neighbour_tables->linked_ports();
    if (node->mmu.rtl && 1 < ports) node->mmu.rtl->require_copies(ports - 1);
  }
}

void Network::add_sources() {
  FlowHeader header;
  for (std::size_t entry = 0; entry < scenario_.traffic.size(); ++entry) {
    const TrafficSpec& traffic = scenario_.traffic[entry];
    header.ttl = traffic.ttl;
    for (std::size_t sender = 0; sender < traffic.from.size(); ++sender) {
      const std::size_t host = traffic.from[sender];
      const SourcePlace place{static_cast<HostId>(host), sender, scenario_.hosts[host].rate,
                              scenario_.seed};
      hosts_[host]->add_source(make_source(traffic, place), static_cast<std::uint32_t>(entry),
                               header);
    }
    header.source_port = static_cast<std::uint16_t>(header.source_port + traffic.connections);
    if (traffic.kind == TrafficKind::rdma)
      for (const std::size_t host : traffic.to)
        hosts_[host]->expect_connections(static_cast<std::uint32_t>(entry), traffic.ack_every);
  }
  if (!scenario_.pingmesh) return;
  header.ttl = default_ttl;
  pingmesh_ = std::make_unique<Pingmesh>(context_, scenario_, hosts_, header);
  observers_.add(*pingmesh_);
}

}  // namespace weir
