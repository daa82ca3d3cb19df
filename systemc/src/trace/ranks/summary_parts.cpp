// SPDX-License-Identifier: Apache-2.0
#include "weir/trace/ranks/summary_parts.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "ranks/summary_message.hpp"
#include "summary/counted_so_far.hpp"
#include "weir/trace/summary/conservation.hpp"

namespace weir {
namespace {

using summary_message::Reader;
using summary_message::Writer;

// The figures that parts of the network count; a member that several rows name comes once.
template <class Visit>
void for_each_count(Totals& totals, Visit&& visit) {
  std::set<const void*> seen;
  for_each_figure([&](auto member, auto combine, auto getter) {
    if constexpr (!std::is_invocable_v<decltype(getter), const FindingsPart&>)
      if (seen.insert(&(totals.*member)).second) visit(member, combine);
  });
}

void write_totals(Writer& writer, Totals& totals) {
  for_each_count(totals, [&](auto member, auto) { writer(totals.*member); });
  writer(totals.ports, totals.classes, totals.in_flight_packets, totals.has_wred);
}

void add_totals(Reader& reader, Totals& totals) {
  for_each_count(totals, [&](auto member, auto combine) {
    std::decay_t<decltype(totals.*member)> part{};
    reader(part);
    combine(totals.*member, part);
  });
  PortCounters ports;
  PortCounters::ByPriority classes;
  std::uint64_t in_flight = 0;
  bool has_wred = false;
  reader(ports, classes, in_flight, has_wred);
  totals.ports += ports;
  totals.classes += classes;
  totals.in_flight_packets += in_flight;
  totals.has_wred = totals.has_wred || has_wred;
}

// The directions of links that have faults, in the order of Summary::link_faults, with their
// entrances.
std::vector<LinkEnd> entrances(const Network& network) {
  std::vector<LinkEnd> ends;
  for (std::size_t i = 0; i < network.link_count(); ++i) {
    const LinkSpec& spec = network.scenario().links[i];
    if (!network.link(i).a_to_b.faults.empty()) ends.push_back(spec.a);
    if (!network.link(i).b_to_a.faults.empty()) ends.push_back(spec.b);
  }
  return ends;
}

// Calls visit() for what `rank` has of a summary.
template <class Way>
void walk_nodes(Way& way, Summary& summary, const Network& network, std::size_t rank) {
  const Partition& partition = network.rank()->partition();
  for (std::size_t i = 0; i < summary.switches.size(); ++i)
    if (partition.of_switch[i] == rank) walk(way, summary.switches[i]);
  for (std::size_t i = 0; i < summary.hosts.size(); ++i)
    if (partition.of_host[i] == rank) walk(way, summary.hosts[i]);
  const std::vector<LinkEnd> ends = entrances(network);
  for (std::size_t i = 0; i < ends.size(); ++i)
    if (partition.of(ends[i]) == rank) way(summary.link_faults[i].counters);
}

// Origins of the same moment come in the order of the nodes: hosts, then switches.
void sort_origins(const Network& network, std::vector<PauseOrigin>& origins) {
  std::map<std::string, std::size_t> turn;
  for (const HostSpec& host : network.scenario().hosts) turn.emplace(host.name, turn.size());
  for (const SwitchSpec& node : network.scenario().switches) turn.emplace(node.name, turn.size());
  std::stable_sort(origins.begin(), origins.end(), [&](const PauseOrigin& a, const PauseOrigin& b) {
    return std::pair{a.first, turn.at(a.node)} < std::pair{b.first, turn.at(b.node)};
  });
}

PortSummary& port_of(Summary& summary, const LinkEnd& end) {
  std::vector<PortSummary>& ports = summary.switches[end.node].linked_ports;
  return *std::find_if(ports.begin(), ports.end(),
                       [&](const PortSummary& port) { return port.port == end.port; });
}

// How long the other end of a cut cable was paused, only the rank of that end knows.
void join_pauses(Summary& summary, const LinkEnd& end, const LinkEnd& peer) {
  const std::vector<PortClassSummary>& there = port_of(summary, peer).classes;
  for (PortClassSummary& entry : port_of(summary, end).classes) {
    const auto other = std::find_if(
        there.begin(), there.end(),
        [&](const PortClassSummary& candidate) { return candidate.priority == entry.priority; });
    entry.upstream_pause = other == there.end() ? PauseTimes{} : other->pause;
  }
}

void join(const Network& network, Summary& summary) {
  for (const LinkSpec& link : network.scenario().links) {
    if (!network.rank()->partition().cuts(link)) continue;
    join_pauses(summary, link.a, link.b);
    join_pauses(summary, link.b, link.a);
  }
  sort_origins(network, summary.pause_origins);
  Totals& totals = summary.totals;
  totals.latency = {};
  for (const HostSummary& host : summary.hosts)
    for (const HostClassSummary& entry : host.classes) totals.latency.merge(entry.latency);
  totals.throughput = throughput_of(totals, summary.counted_time());
  judge(summary, network.scenario());
}

}  // namespace

Summary summary_of_all(const Network& network, Summary mine) {
  RankTransport& transport = network.rank()->transport();
  RankMessage message;
  if (transport.rank() != 0) {
    Writer writer{message};
    write_totals(writer, mine.totals);
    walk_nodes(writer, mine, network, transport.rank());
    writer(mine.pause_origins);
  }
  const std::vector<RankMessage> all = transport.gather(message);
  for (std::size_t rank = 1; rank < all.size(); ++rank) {
    Reader reader{all[rank]};
    add_totals(reader, mine.totals);
    walk_nodes(reader, mine, network, rank);
    std::vector<PauseOrigin> origins;
    reader(origins);
    mine.pause_origins.insert(mine.pause_origins.end(), origins.begin(), origins.end());
  }
  if (transport.rank() == 0) join(network, mine);
  return mine;
}

void check_conservation_of_all(const Network& network) {
  RankTransport& transport = network.rank()->transport();
  for (std::size_t i = 0; i < network.switch_count(); ++i)
    if (network.runs_switch(i)) check_cells(network.switch_at(i), time_reached(network));
  Totals totals = packet_totals(network);
  RankMessage message;
  Writer writer{message};
  write_totals(writer, totals);
  const std::vector<RankMessage> all = transport.gather_everywhere(message);
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    if (rank == transport.rank()) continue;
    Reader reader{all[rank]};
    add_totals(reader, totals);
  }
  check_packets(totals, time_reached(network));
}

}  // namespace weir
