// SPDX-License-Identifier: Apache-2.0
#include "weir/trace/summary/summary.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "summary/counted_so_far.hpp"
#include "summary/mean_rate.hpp"
#include "weir/config/format/port_name.hpp"
#include "weir/core/bits.hpp"
#include "weir/core/chip_memory.hpp"
#include "weir/core/errors.hpp"
#include "weir/core/ethernet.hpp"
#include "weir/core/index.hpp"
#include "weir/trace/summary/metric_values.hpp"

namespace weir {
namespace {

using ByPriority = PortCounters::ByPriority;

bool anything(const ByPriority& counters) {
  bool found = false;
  for_each_class_counter([&](const auto& row) { found |= count_of(row, counters) != 0; });
  return found;
}

std::string name_of(const Network& network, const LinkEnd& end) {
  if (end.is_host) return network.host(end.node).name();
  return port_name(network.switch_at(end.node).name(), end.port);
}

PauseTimes pause_times(const Network& network, const LinkEnd& end, Priority priority,
                       Picoseconds now) {
  if (end.is_host) return network.host(end.node).pause_times(priority, now);
  return network.switch_at(end.node).mmu.pfc_receiver->pause_times(end.port, priority, now);
}

// What is connected to each host and to each port of a switch; null for a port without a link.
class Peers {
 public:
  explicit Peers(const Network& network)
      : of_hosts_(network.host_count()), of_ports_(network.switch_count()) {
    for (std::size_t i = 0; i < network.switch_count(); ++i)
      of_ports_[i].resize(network.switch_at(i).port_count());
    for (const LinkSpec& link : network.scenario().links) {
      at(link.a) = &link.b;
      at(link.b) = &link.a;
    }
  }
  [[nodiscard]] const LinkEnd* of_host(std::size_t host) const { return of_hosts_[host]; }
  [[nodiscard]] const LinkEnd* of_port(std::size_t node, PortId port) const {
    return of_ports_[node][port.count()];
  }
  [[nodiscard]] std::size_t linked_ports(std::size_t node) const {
    const std::vector<const LinkEnd*>& peers = of_ports_[node];
    return peers.size() - static_cast<std::size_t>(std::count(peers.begin(), peers.end(), nullptr));
  }

 private:
  const LinkEnd*& at(const LinkEnd& end) {
    return end.is_host ? of_hosts_[end.node] : of_ports_[end.node][end.port.count()];
  }

  std::vector<const LinkEnd*> of_hosts_;
  std::vector<std::vector<const LinkEnd*>> of_ports_;
};

SaiValues sai_values(const Mmu& mmu, SaiObject object, std::size_t index) {
  SaiValues values;
  for (const SaiCounter& counter : sai_counters())
    if (counter.object == object && has_counter(mmu, counter, index))
      values.emplace_back(counter.name, counter.read(mmu, index));
  return values;
}

PgSummary summarize_pg(const Mmu& mmu, PgIndex index, Cycle now) {
  const PgSettings& settings = mmu.settings_of(index);
  PgSummary pg;
  pg.pg = number_in_port(index).count();
  pg.profile = mmu.chip().profiles[*mmu.chip().profile_of_pg[index]].name;
  pg.lossless = settings.lossless;
  pg.counters = mmu.stats().pg(index);
  pg.held = mmu.ingress().pg(index);
  pg.threshold = mmu.threshold(index, now);
  pg.xoff = mmu.pfc().xoff(index);
  pg.private_limit = settings.private_limit;
  pg.headroom_limit = settings.headroom_limit;
  pg.sai = sai_values(mmu, SaiObject::ingress_priority_group, index.value());
  return pg;
}

std::optional<WredSummary> summarize_wred(const Mmu& mmu, QueueIndex queue) {
  const EcnMarker* const marker = mmu.marker();
  if (marker == nullptr || !marker->has_profile(queue)) return std::nullopt;
  return WredSummary{mmu.chip().wred_profiles[marker->profile_of(queue)].name,
                     marker->counters(queue), marker->waiting(queue)};
}

void add_groups_and_queues(PortSummary& port, const Switch& node, Cycle now) {
  const Mmu& mmu = node.mmu.core();
  for (std::uint8_t number = 0; number < priorities; ++number) {
    const PgIndex pg_at = pg_index(port.port, Priority{number});
    const PgCounters& pg = mmu.stats().pg(pg_at);
    if (mmu.has_profile(pg_at) && pg.packets + pg.dropped() != 0)
      port.pgs.push_back(summarize_pg(mmu, pg_at, now));
    const QueueIndex queue_at = queue_index(port.port, Priority{number});
    const QueueCounters& queue = mmu.stats().queue(queue_at);
    const std::optional<WredSummary> wred = summarize_wred(mmu, queue_at);
    const std::uint64_t wred_drops = wred ? wred->counters.dropped : 0;
    if (queue.packets + queue.dropped + wred_drops != 0)
      port.queues.push_back({number, mmu.egress().limited(queue_at),
                             node.port(port.port).tx.depth(number), queue,
                             sai_values(mmu, SaiObject::queue, queue_at.value()), wred});
  }
}

PortSummary summarize_port(const Network& network, const Switch& node, PortId id,
                           const LinkEnd& peer) {
  const PortCounters& counters = node.counters(id);
  const Picoseconds now = time_reached(network);
  PortSummary port;
  port.port = id;
  port.rate = node.chip().ports[id.count()].rate;
  port.peer = name_of(network, peer);
  port.counters = counters;
  for (std::size_t n = 0; n < priorities; ++n) {
    if (!anything(counters.priority[n])) continue;
    const Priority priority = priority_id(n);
    port.classes.push_back({priority, node.chip().pg_of_priority[n],
                            node.chip().queue_of_priority[n], counters.priority[n],
                            node.mmu.pfc_receiver->pause_times(id, priority, now),
                            pause_times(network, peer, priority, now)});
  }
  add_groups_and_queues(port, node, edge_at_or_before(now, node.chip().clock));
  port.sai = sai_values(node.mmu.core(), SaiObject::port, id.count());
  return port;
}

SwitchSummary summarize_switch(const Network& network, const Peers& peers, std::size_t number) {
  const Switch& node = network.switch_at(number);
  const Chip& chip = node.chip();
  const Mmu& mmu = node.mmu.core();
  SwitchSummary summary{node.name(),
                        chip.name,
                        chip.source,
                        chip.cell,
                        chip.ports.size(),
                        chip.cell * cells_taken(chip),
                        {},
                        {},
                        node.mmu.arrival_arbiter.waiting(),
                        {}};
  if (node.neighbour_tables) summary.neighbours = node.neighbour_tables->counters();
  const PoolIndex end{chip.ingress_pools.size() * chip.domains};
  for (PoolIndex row; row < end; ++row) {
    const Pool& pool = chip.ingress_pools[pool_number(chip, row)];
    summary.pools.push_back({pool.name, domain_of(chip, row), pool.shared, pool.headroom,
                             pool.dedicated_headroom, mmu.ingress().pool(row),
                             mmu.stats().pool(row),
                             sai_values(mmu, SaiObject::buffer_pool, row.value())});
  }
  summary.linked_ports.reserve(peers.linked_ports(number));  // each is a kB and more
  for (std::size_t i = 0; i < chip.ports.size(); ++i) {
    const PortId id{static_cast<std::uint16_t>(i)};
    if (const LinkEnd* const peer = peers.of_port(number, id))
      summary.linked_ports.push_back(summarize_port(network, node, id, *peer));
  }
  return summary;
}

NicSummary summarize_nic(const NicReceiver& receiver) {
  return {receiver.counters().dropped,  receiver.held(),         receiver.counters().max_held,
          receiver.mtt().hits(),        receiver.mtt().misses(), receiver.broken(),
          receiver.watchdog().tripped()};
}

std::optional<RateControlSummary> summarize_rates(const Nic& nic, Picoseconds now) {
  const std::vector<ConnectionRate> rates = nic.rates(now);
  if (rates.empty() && nic.cnps_sent() == 0) return std::nullopt;
  RateControlSummary summary;
  summary.connections = rates.size();
  summary.cnps_sent = nic.cnps_sent();
  BitRate sum;
  for (const ConnectionRate& connection : rates) {
    const bool first = sum == BitRate{};
    summary.cnps_received += connection.cnps;
    summary.least = first ? connection.rate : std::min(summary.least, connection.rate);
    summary.largest = std::max(summary.largest, connection.rate);
    sum += connection.rate;
  }
  if (!rates.empty()) summary.mean = BitRate{sum.count() / rates.size()};
  return summary;
}

HostSummary summarize_host(const Network& network, const Peers& peers, std::size_t number) {
  const Nic& nic = network.host(number);
  HostSummary host;
  host.name = nic.name();
  host.rate = network.scenario().hosts[number].rate;
  if (nic.receiver) host.nic = summarize_nic(*nic.receiver);
  host.rate_control = summarize_rates(nic, time_reached(network));
  if (const LinkEnd* const peer = peers.of_host(number)) host.peer = name_of(network, *peer);
  for (std::size_t n = 0; n < priorities; ++n) {
    if (!anything(nic.counters().priority[n])) continue;
    const Priority priority = priority_id(n);
    host.classes.push_back({priority, nic.counters().priority[n],
                            nic.pause_times(priority, time_reached(network)),
                            nic.latency(priority)});
  }
  return host;
}

void add_host(const Nic& nic, Picoseconds now, Totals& totals) {
  HostPart host{nic, {}, {}, nic.rates(now)};
  for (std::size_t n = 0; n < priorities; ++n) {
    host.classes += nic.counters().priority[n];
    host.paused += nic.paused_time(priority_id(n), now);
  }
  add_part(host, totals);
}

void add_mmu(const Mmu& mmu, Totals& totals) {
  for (PgIndex pg; pg < PgIndex{mmu.chip().ports.size() * priorities}; ++pg)
    if (mmu.has_profile(pg))
      add_part(GroupPart{mmu.stats().pg(pg), mmu.settings_of(pg).lossless}, totals);
  const PoolIndex end{mmu.chip().ingress_pools.size() * mmu.chip().domains};
  for (PoolIndex row; row < end; ++row) add_part(mmu.stats().pool(row), totals);
}

// Injected faults.
void add_faults(const Network& network, Summary& summary) {
  const Scenario& scenario = network.scenario();
  for (std::size_t i = 0; i < network.link_count(); ++i) {
    const std::string a = name_of(network, scenario.links[i].a);
    const std::string b = name_of(network, scenario.links[i].b);
    const Link& link = network.link(i);
    if (!link.a_to_b.faults.empty())
      summary.link_faults.push_back({a, b, link.a_to_b.faults.counters()});
    if (!link.b_to_a.faults.empty())
      summary.link_faults.push_back({b, a, link.b_to_a.faults.counters()});
  }
  for (const HostFaultSpec& fault : scenario.host_faults)
    if (fault.at <= summary.time)
      summary.host_faults.push_back({network.host(fault.host).name(), fault.kind, fault.at});
  std::stable_sort(summary.host_faults.begin(), summary.host_faults.end(),
                   [](const auto& a, const auto& b) { return a.at < b.at; });
}

// The ports of one node that began to pause in `priority`.
void add_origins(const std::string& node, const std::vector<const PortCounters*>& ports,
                 Priority priority, std::vector<PauseOrigin>& origins) {
  const std::size_t n = priority.count();
  Picoseconds received = PortCounters::never;
  for (const PortCounters* port : ports)
    received = std::min(received, port->priority[n].first_pause_received);
  for (std::size_t i = 0; i < ports.size(); ++i) {
    const ByPriority& counts = ports[i]->priority[n];
    if (counts.first_pause_sent < received)
      origins.push_back({node, port_id(i), priority, counts.first_pause_sent, counts.pauses_sent});
  }
}

std::vector<PauseOrigin> pause_origins(const Network& network) {
  std::vector<PauseOrigin> origins;
  const auto add_node = [&](const std::string& name,
                            const std::vector<const PortCounters*>& ports) {
    for (std::size_t n = 0; n < priorities; ++n) add_origins(name, ports, priority_id(n), origins);
  };
  for (std::size_t i = 0; i < network.host_count(); ++i)
    add_node(network.host(i).name(), {&network.host(i).counters()});
  for (std::size_t i = 0; i < network.switch_count(); ++i) {
    const Switch& node = network.switch_at(i);
    std::vector<const PortCounters*> ports;
    for (std::size_t port = 0; port < node.port_count(); ++port)
      ports.push_back(&node.counters(port_id(port)));
    add_node(node.name(), ports);
  }
  std::stable_sort(origins.begin(), origins.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  return origins;
}

// Of each traffic entry, and of all.
void add_completions(const Network& network, Summary& summary) {
  const MessageMeter* const meter = network.message_meter();
  if (meter == nullptr) return;
  Totals& totals = summary.totals;
  const auto add = [&](const std::string& name, bool incasts, const Completions& counts) {
    summary.completions.push_back({name, incasts, counts});
    (incasts ? totals.has_incasts : totals.has_messages) = true;
    (incasts ? totals.incasts : totals.messages).merge(counts);
  };
  for (std::uint32_t i = 0; i < network.scenario().traffic.size(); ++i) {
    const TrafficSpec& traffic = network.scenario().traffic[i];
    if (MessageMeter::has_messages(traffic))
      add(traffic.name, false, meter->messages(i, summary.time));
    if (MessageMeter::has_incasts(traffic))
      add(traffic.name, true, meter->incasts(i, summary.time));
  }
}

// Results of monitors, watchdogs and detectors.
void add_findings(const Network& network, Summary& summary) {
  summary.deadlocks = network.deadlocks();
  summary.drifts = network.drifts();
  summary.pause_origins = pause_origins(network);
  add_part(FindingsPart{summary.deadlocks, summary.drifts}, summary.totals);
  add_faults(network, summary);
  if (network.pingmesh() == nullptr) return;
  summary.probes = network.pingmesh()->account().statistics();
  summary.totals.probes = network.pingmesh()->account().total();
}

}  // namespace

Picoseconds time_reached(const Network& network) { return network.reached(); }

BitRate throughput_of(const Totals& totals, Picoseconds time) {
  return mean_rate(totals.delivered_bytes + slot_overhead_bytes * totals.delivered_packets, time);
}

void judge(Summary& summary, const Scenario& scenario) {
  summary.expect.clear();
  for (const Expectation& expectation : scenario.expect) {
    const std::uint64_t measured = metric_value(summary.totals, expectation.metric).value();
    summary.expect.push_back({expectation, measured, is_met(expectation, measured)});
  }
}

Totals packet_totals(const Network& network) {
  Totals totals;
  // PFC frames come from the same pool of frames, but are not packets of a host. Those lost or
  // corrupted on a link count as received, because they are no longer in flight.
  std::uint64_t pfc_sent = 0, pfc_received = 0;
  const auto add_mac = [&](const PortCounters& counters) {
    add_part(counters, totals);
    pfc_sent += counters.pfc_frames_sent;
    pfc_received += counters.pfc_frames_received + counters.pfc_fcs_errors;
  };
  for (std::size_t i = 0; i < network.host_count(); ++i) {
    if (!network.runs_host(i)) continue;
    add_host(network.host(i), time_reached(network), totals);
    add_mac(network.host(i).counters());
  }
  for (std::size_t i = 0; i < network.switch_count(); ++i) {
    if (!network.runs_switch(i)) continue;
    const Switch& node = network.switch_at(i);
    add_part(node, totals);
    add_mmu(node.mmu.core(), totals);
    totals.has_wred = totals.has_wred || node.mmu.ecn_marker != nullptr;
    for (std::size_t port = 0; port < node.port_count(); ++port) {
      const PortCounters& counters = node.counters(PortId{static_cast<std::uint16_t>(port)});
      totals.ports += counters;
      add_mac(counters);
    }
  }
  for (const ByPriority& counters : totals.ports.priority) totals.classes += counters;
  for (std::size_t i = 0; i < network.link_count(); ++i) {
    for (const Link::Direction* way : {&network.link(i).a_to_b, &network.link(i).b_to_a}) {
      add_part(way->faults.counters(), totals);
      pfc_received += way->faults.counters().lost_pfc;
    }
  }
  totals.in_flight_packets = network.frames_in_flight() - (pfc_sent - pfc_received);
  totals.throughput = throughput_of(totals, time_reached(network));
  return totals;
}

Summary summarize(const Network& network) {
  if (network.scenario().warm_up != Picoseconds{})
    throw ModelError("the scenario has a warm_up: a Measurement that sees the run summarizes it");
  return counted_so_far(network);
}

Summary counted_so_far(const Network& network) {
  const Scenario& scenario = network.scenario();
  Summary summary;
  summary.scenario = scenario.name;
  summary.description = scenario.description;
  summary.seed = scenario.seed;
  summary.until = scenario.until;
  summary.time = time_reached(network);
  summary.stopped = network.stopped();
  summary.interrupted = network.unfinished();
  summary.totals = packet_totals(network);
  add_findings(network, summary);
  add_completions(network, summary);
  const Peers peers{network};
  summary.switches.reserve(network.switch_count());
  summary.hosts.reserve(network.host_count());
  for (std::size_t i = 0; i < network.switch_count(); ++i)
    summary.switches.push_back(summarize_switch(network, peers, i));
  for (std::size_t i = 0; i < network.host_count(); ++i)
    summary.hosts.push_back(summarize_host(network, peers, i));
  for (const HostSummary& host : summary.hosts)
    for (const HostClassSummary& entry : host.classes) summary.totals.latency.merge(entry.latency);
  judge(summary, scenario);
  return summary;
}

}  // namespace weir
