// SPDX-License-Identifier: Apache-2.0
#include "weir/trace/summary/measurement.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "summary/counted_so_far.hpp"
#include "weir/core/errors.hpp"
#include "weir/core/units.hpp"
#include "weir/model/ranks/network_rank.hpp"
#include "weir/model/rtl/rtl_mmu_unit.hpp"

namespace weir {
namespace {

// Entries of the same number in another list; none: nothing had happened there yet.
template <class Entry, class Number>
const Entry* find(const std::vector<Entry>& entries, Number Entry::*number, const Entry& like) {
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const Entry& entry) {
    return entry.*number == like.*number;
  });
  return found == entries.end() ? nullptr : &*found;
}

// A row of several parts may name a member twice: it is assigned, not decreased.
void subtract(Totals& totals, const Totals& before) {
  const Totals whole = totals;
  for_each_figure([&](auto member, auto combine, auto) {
    if constexpr (std::is_same_v<decltype(combine), Sum>) {
      using Value = std::decay_t<decltype(totals.*member)>;
      totals.*member = Value{whole.*member - before.*member};
    }
  });
  totals.ports -= before.ports;
  totals.classes -= before.classes;
  // What monitors found is not a count: a deadlock lasts, whenever it formed.
  totals.deadlocks = whole.deadlocks;
  totals.deadlock_time = whole.deadlock_time;
  totals.config_drifts = whole.config_drifts;
}

// The watermarks of one part.
template <class Part>
void add_marks(const Part& part, Totals& totals) {
  for_each_figure([&](auto member, auto combine, auto getter) {
    if constexpr (std::is_same_v<decltype(combine), Largest> &&
                  std::is_invocable_v<decltype(getter), const Part&>)
      combine(totals.*member, getter(part));
  });
}
template <class Part>
void forget_marks(Totals& totals) {
  for_each_figure([&](auto member, auto combine, auto getter) {
    if constexpr (std::is_same_v<decltype(combine), Largest> &&
                  std::is_invocable_v<decltype(getter), const Part&>)
      totals.*member = {};
  });
}

// The longest of them was begun again at the time of `before`.
void subtract(PauseTimes& pause, const PauseTimes& before) {
  pause.pauses -= before.pauses;
  pause.total = pause.total - before.total;
}

// Statistics that count; marks are put right by show_sai_marks().
void subtract(SaiValues& values, const SaiValues& before, SaiObject object) {
  for (auto& [name, value] : values)
    for (const SaiCounter& counter : sai_counters()) {
      if (counter.object != object || counter.name != name || counter.kind != SaiKind::count)
        continue;
      for (const auto& [old_name, old] : before)
        if (old_name == name) value -= old;
    }
}

template <class Rows, class Counters>
void show_sai_marks(SaiValues& values, const Rows& rows, const Counters& counters, Bytes cell) {
  for (auto& [name, value] : values)
    for (const auto& row : rows)
      if (row.is_watermark() && row.sai.name == name) value = row.read(counters) * cell.count();
}

void subtract(PortClassSummary& entry, const PortClassSummary& before) {
  entry.counts -= before.counts;
  subtract(entry.pause, before.pause);
  subtract(entry.upstream_pause, before.upstream_pause);
}

void subtract(PgSummary& pg, const PgSummary& before) {
  pg.counters = counted_between(pg_counter_table, before.counters, pg.counters, pg.counters);
  subtract(pg.sai, before.sai, SaiObject::ingress_priority_group);
}

void subtract(QueueSummary& queue, const QueueSummary& before) {
  queue.counters =
      counted_between(queue_counter_table, before.counters, queue.counters, queue.counters);
  subtract(queue.sai, before.sai, SaiObject::queue);
  if (queue.wred && before.wred)
    queue.wred->counters =
        counted_between(wred_counter_table, before.wred->counters, queue.wred->counters, {});
}

void subtract(HostClassSummary& entry, const HostClassSummary& before) {
  entry.counts -= before.counts;
  subtract(entry.pause, before.pause);
}

template <class Entry, class Number>
void subtract(std::vector<Entry>& entries, const std::vector<Entry>& before,
              Number Entry::*number) {
  for (Entry& entry : entries)
    if (const Entry* const old = find(before, number, entry)) subtract(entry, *old);
}

void subtract(PortSummary& port, const PortSummary& before) {
  port.counters -= before.counters;
  subtract(port.classes, before.classes, &PortClassSummary::priority);
  subtract(port.pgs, before.pgs, &PgSummary::pg);
  subtract(port.queues, before.queues, &QueueSummary::queue);
  subtract(port.sai, before.sai, SaiObject::port);
}

void subtract(NeighbourCounters& counters, const NeighbourCounters& before) {
  counters.arp_requests -= before.arp_requests;
  counters.arp_answers -= before.arp_answers;
  counters.incomplete -= before.incomplete;
  counters.flooded -= before.flooded;
  counters.to_cpu -= before.to_cpu;
  counters.from_cpu -= before.from_cpu;
}

void subtract(SwitchSummary& node, const SwitchSummary& before) {
  node.waiting.waited -= before.waiting.waited;
  if (node.neighbours && before.neighbours) subtract(*node.neighbours, *before.neighbours);
  for (std::size_t i = 0; i < node.pools.size(); ++i)
    subtract(node.pools[i].sai, before.pools[i].sai, SaiObject::buffer_pool);
  for (std::size_t i = 0; i < node.linked_ports.size(); ++i)
    subtract(node.linked_ports[i], before.linked_ports[i]);
}

void subtract(HostSummary& host, const HostSummary& before) {
  if (host.nic) {
    host.nic->dropped -= before.nic->dropped;
    host.nic->mtt_hits -= before.nic->mtt_hits;
    host.nic->mtt_misses -= before.nic->mtt_misses;
  }
  if (host.rate_control && before.rate_control) {
    host.rate_control->cnps_sent -= before.rate_control->cnps_sent;
    host.rate_control->cnps_received -= before.rate_control->cnps_received;
  }
  subtract(host.classes, before.classes, &HostClassSummary::priority);
}

void subtract(FaultCounters& counters, const FaultCounters& before) {
  counters.lost_pfc -= before.lost_pfc;
  counters.lost_data -= before.lost_data;
  counters.corrupted -= before.corrupted;
  counters.delayed -= before.delayed;
}

void subtract(Summary& summary, const Summary& before) {
  subtract(summary.totals, before.totals);
  for (std::size_t i = 0; i < summary.switches.size(); ++i)
    subtract(summary.switches[i], before.switches[i]);
  for (std::size_t i = 0; i < summary.hosts.size(); ++i)
    subtract(summary.hosts[i], before.hosts[i]);
  for (std::size_t i = 0; i < summary.link_faults.size(); ++i)
    subtract(summary.link_faults[i].counters, before.link_faults[i].counters);
}

// The marks of a switch in the place of those of the whole run.
void show_marks(const StatsCounters& marks, const Mmu& mmu, SwitchSummary& node) {
  for (std::size_t row = 0; row < node.pools.size(); ++row) {
    node.pools[row].peak = marks.pool(PoolIndex{row});
    show_sai_marks(node.pools[row].sai, pool_mark_table, node.pools[row].peak, node.cell);
  }
  for (PortSummary& port : node.linked_ports) {
    for (PgSummary& pg : port.pgs) {
      const PgCounters& mark = marks.pg(pg_index(port.port, Priority{pg.pg}));
      pg.counters = counted_between(pg_counter_table, {}, pg.counters, mark);
      show_sai_marks(pg.sai, pg_counter_table, mark, mmu.chip().cell);
    }
    for (QueueSummary& queue : port.queues) {
      const QueueCounters& mark = marks.queue(queue_index(port.port, Priority{queue.queue}));
      queue.counters = counted_between(queue_counter_table, {}, queue.counters, mark);
      show_sai_marks(queue.sai, queue_counter_table, mark, mmu.chip().cell);
    }
  }
}

}  // namespace

Measurement::Measurement(Network& network)
    : network_{network}, warm_up_{network.scenario().warm_up} {
  if (warm_up_ == Picoseconds{}) return;
  for (std::size_t i = 0; i < network.switch_count(); ++i) {
    if (network.switch_at(i).mmu.rtl)
      throw ConfigError("--backend", "rtl or lockstep",
                        "must not be given with scenario.warm_up: RTL counts from the start");
    marks_.emplace_back(network.switch_at(i).chip());
    nodes_.add(network.switch_at(i).name());
  }
  for (std::size_t i = 0; i < network.host_count(); ++i) hosts_.add(network.host(i).name());
  received_.resize(network.host_count());
  network.watch_here(*this);
  Agenda& agenda = network.agenda();
  agenda.post(warm_up_, Rank::before, agenda.enroll(*this), 0);
  agenda.decide_up_to(warm_up_);
}

void Measurement::act(Picoseconds now, std::uint32_t, std::uint64_t) {
  if (network_.rank() != nullptr) network_.rank()->meet();
  before_ = counted_so_far(network_);
  for (std::size_t i = 0; i < network_.switch_count(); ++i) {
    begin_marks(i, now);
    network_.switch_at(i).restart_marks(now);
  }
  for (std::size_t i = 0; i < network_.host_count(); ++i) network_.host(i).restart_marks(now);
  network_.agenda().decide_up_to(network_.agenda().end());
}

// As if all that is held had come just now.
void Measurement::begin_marks(std::size_t node, Picoseconds now) {
  const Mmu& mmu = network_.switch_at(node).mmu.core();
  const Cycle cycle = edge_at_or_before(now, mmu.chip().clock);
  for (PgIndex pg; pg < PgIndex{mmu.chip().ports.size() * priorities}; ++pg) {
    if (!mmu.has_profile(pg)) continue;
    const PoolIndex pool = mmu.settings_of(pg).pool_domain;
    marks_[node].admitted(pg, Bytes{}, mmu.ingress().pg(pg), pool, mmu.ingress().pool(pool),
                          mmu.threshold(pg, cycle));
  }
  for (QueueIndex queue; queue < QueueIndex{mmu.chip().ports.size() * priorities}; ++queue)
    if (mmu.egress().limited(queue))
      for (std::uint32_t domain = 0; domain < mmu.chip().domains; ++domain)
        marks_[node].queue_filled(
            queue, mmu.egress().queue(queue, DomainId{static_cast<std::uint8_t>(domain)}));
}

// The MMU is as the step of this verdict left it.
void Measurement::verdict(const std::string& switch_name, const Frame& frame,
                          const Verdict& verdict, Picoseconds) {
  if (!before_ || !verdict.admitted()) return;
  const std::size_t node = nodes_.of(switch_name);
  const Mmu& mmu = network_.switch_at(node).mmu.core();
  const PgIndex pg = pg_index(frame.ingress_port, Priority{frame.pg});
  const PoolIndex pool = mmu.settings_of(pg).pool_domain;
  marks_[node].admitted(pg, Bytes{frame.length}, mmu.ingress().pg(pg), pool,
                        mmu.ingress().pool(pool), verdict.threshold);
  fill_queue(node, frame);
}

void Measurement::copy_queued(const std::string& switch_name, const Frame& copy, Picoseconds) {
  if (before_) fill_queue(nodes_.of(switch_name), copy);
}

void Measurement::fill_queue(std::size_t node, const Frame& frame) {
  const Mmu& mmu = network_.switch_at(node).mmu.core();
  const QueueIndex queue = queue_index(frame.egress_port, Priority{frame.queue});
  if (!mmu.egress().limited(queue)) return;
  const DomainId domain = mmu.domain_of_pg(pg_index(frame.ingress_port, Priority{frame.pg}));
  marks_[node].queue_filled(queue, mmu.egress().queue(queue, domain));
}

void Measurement::delivered(const std::string& host, const Frame& frame, Picoseconds last_bit) {
  if (last_bit < warm_up_) return;
  Received& received = received_[hosts_.of(host)][frame.priority.count()];
  ++received.packets;
  received.bytes += Bytes{frame.length};
  received.latency.add(last_bit - frame.created);
}

// By last bit. A counter of a host, too, counts a packet when its last bit is known to come.
void Measurement::count_deliveries(Summary& summary) const {
  Totals& totals = summary.totals;
  totals.delivered_packets = 0;
  totals.delivered_bytes = Bytes{};
  totals.latency = {};
  for (std::size_t i = 0; i < received_.size(); ++i)
    for (HostClassSummary& entry : summary.hosts[i].classes) {
      const Received& received = received_[i][entry.priority.count()];
      entry.counts.rx_packets = received.packets;
      entry.counts.rx_bytes = received.bytes;
      entry.latency = received.latency;
      totals.delivered_packets += received.packets;
      totals.delivered_bytes += received.bytes;
      totals.latency.merge(received.latency);
    }
  totals.throughput = throughput_of(totals, saturating_subtract(summary.time, warm_up_));
}

void Measurement::show_marks(Summary& summary) const {
  Totals& totals = summary.totals;
  forget_marks<GroupPart>(totals);
  forget_marks<PoolWatermark>(totals);
  for (std::size_t i = 0; i < marks_.size(); ++i) {
    const Mmu& mmu = network_.switch_at(i).mmu.core();
    weir::show_marks(marks_[i], mmu, summary.switches[i]);
    for (PgIndex pg; pg < PgIndex{mmu.chip().ports.size() * priorities}; ++pg)
      if (mmu.has_profile(pg))
        add_marks(GroupPart{marks_[i].pg(pg), mmu.settings_of(pg).lossless}, totals);
    for (const PoolSummary& pool : summary.switches[i].pools) add_marks(pool.peak, totals);
  }
}

Summary Measurement::summary() const {
  if (warm_up_ == Picoseconds{}) return summarize(network_);
  Summary summary = counted_so_far(network_);
  summary.warm_up = warm_up_;
  if (before_)
    subtract(summary, *before_);
  else
    subtract(summary, Summary{summary});
  count_deliveries(summary);
  show_marks(summary);
  judge(summary, network_.scenario());
  return summary;
}

}  // namespace weir
