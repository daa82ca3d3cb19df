// SPDX-License-Identifier: Apache-2.0
#include "weir/model/network/network.hpp"

#include <algorithm>

#include "weir/config/scenario/routing.hpp"
#include "weir/core/errors.hpp"
#include "weir/core/random.hpp"
#include "weir/model/rtl/rtl_mmu_unit.hpp"

namespace weir {

Network::Network(const Scenario& scenario, std::uint64_t permutation, const MmuBackend& backend)
    : scenario_{scenario},
      agenda_{"agenda"},
      context_{agenda_, frames_, observers_, scenario_.seed} {
  agenda_.permute_ties(permutation);
  agenda_.stop_at(scenario_.until);
  if (scenario_.warm_up != Picoseconds{}) observers_.add(meter_.emplace(scenario_.warm_up));
  for (std::size_t i = 0; i < scenario_.switches.size(); ++i) {
    const SwitchSpec& spec = scenario_.switches[i];
    std::vector<PfcWatchdogSpec> watchdogs;
    for (const PfcWatchdogSpec& watchdog : scenario_.watchdogs)
      if (watchdog.node == i) watchdogs.push_back(watchdog);
    switches_.push_back(
        std::make_unique<Switch>(spec.name.c_str(), context_, spec.chip, backend, watchdogs));
  }
  for (std::size_t i = 0; i < scenario_.hosts.size(); ++i)
    hosts_.push_back(std::make_unique<Nic>(scenario_.hosts[i].name.c_str(), context_,
                                           scenario_.hosts[i], static_cast<HostId>(i)));
  for (const HostFaultSpec& fault : scenario_.host_faults) hosts_[fault.host]->add_fault(fault);
  for (std::size_t i = 0; i < scenario_.links.size(); ++i) connect(scenario_.links[i], i);
  add_routes();
  introduce_neighbours();
  add_sources();
  add_watchers(backend);
}

Network::~Network() = default;

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

// What an MMU holds cannot be read while RTL decides.
void Network::add_watchers(const MmuBackend& backend) {
  const bool mmu_is_live = backend.kind != BackendKind::rtl;
  if (scenario_.stop_on_deadlock && !mmu_is_live)
    throw ConfigError("--backend", "rtl", "cannot stop on a deadlock; model and lockstep can");
  if (mmu_is_live && DeadlockDetectorUnit::has_work(scenario_))
    deadlock_detector_ =
        std::make_unique<DeadlockDetectorUnit>(context_, *this, scenario_.stop_on_deadlock);
  if (scenario_.monitor.period || !scenario_.monitor.desired.empty())
    monitor_ = std::make_unique<Monitor>(context_, *this, mmu_is_live);
}

void Network::finish() {
  for (const auto& node : switches_) node->mmu.finish();
  const Picoseconds end = reached();
  if (deadlock_detector_) deadlock_detector_->finish(end);
  if (monitor_) monitor_->finish(end);
  if (pingmesh_) pingmesh_->finish(end);
}

Picoseconds Network::reached() const {
  // The agenda runs ahead of the kernel, but not past the end.
  return stopped_.value_or(std::max(now(), agenda_.now()));
}

void Network::stop(Picoseconds now) {
  stopped_ = now;
  agenda_.stop();
}

std::vector<DeadlockReport> Network::deadlocks() const {
  return deadlock_detector_ ? deadlock_detector_->reports() : std::vector<DeadlockReport>{};
}

std::vector<DriftReport> Network::drifts() const {
  return monitor_ ? monitor_->drifts() : std::vector<DriftReport>{};
}

Picoseconds Network::now() const { return Picoseconds{sc_core::sc_time_stamp().value()}; }

void Network::run_until(Picoseconds end) {
  const Picoseconds until = std::min(end, scenario_.until);
  try {
    if (!stopped() && now() < until)
      sc_core::sc_start(sc_core::sc_time::from_value((until - now()).count()));
  } catch (const sc_core::sc_report& report) {  // how the kernel wraps what a process threw
    for (const auto& node : switches_)
      if (node->mmu.rtl && node->mmu.rtl->difference()) throw *node->mmu.rtl->difference();
    throw ModelError(std::string{report.get_msg()} + " (at " + std::to_string(now().count()) +
                     " ps)");
  }
}

}  // namespace weir
