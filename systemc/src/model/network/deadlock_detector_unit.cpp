// SPDX-License-Identifier: Apache-2.0
#include "weir/model/network/deadlock_detector_unit.hpp"

#include <algorithm>
#include <tuple>

#include "weir/config/format/names.hpp"
#include "weir/config/format/port_name.hpp"
#include "weir/model/network/network.hpp"
#include "weir/model/ranks/network_rank.hpp"
#include "weir/model/ranks/rank_message.hpp"

namespace weir {
namespace {

// Until the last frame of a paused queue has taken its step at the other end: its wire, the cable,
// and all frames that may wait before it at the arbiter.
Picoseconds time_on_the_way(const Chip& sender, PortId port, Picoseconds delay, const Chip& peer) {
  const std::uint64_t cycles =
      peer.admit_latency + std::uint64_t{peer.port_fifo} * peer.ports.size();
  return frame_time(sender.mtu.count(), byte_time(sender.ports[port.count()].rate)) + delay +
         peer.clock.max_time(Cycle{cycles});
}

}  // namespace

/// The graph of one look, and which place each of its queues is.
class DeadlockDetectorUnit::Graph {
 public:
  Graph(const Network& network, const DeadlockDetectorUnit& unit)
      : network_{network}, unit_{unit} {}

  void add(std::size_t id, const Place& place, const Held& held, Picoseconds now) {
    const Chip& peer = chip(place.peer);
    const Priority pg{peer.pg_of_priority[held.priority.count()]};
    WaitGraph::Queue queue;
    queue.id = id;
    queue.since = *held.since;
    queue.paused_by = group(place.peer, pg_index(place.peer_port, pg));
    if (now < *held.since + place.on_the_way) graph_.groups[*queue.paused_by].frames_come = true;
    for (const auto& [of, cells] : held.content)
      queue.content.push_back({group(place.node, of), cells});
    for (const Copy& copy : held.copies) add(copy, place.node, graph_.queues.end_index());
    graph_.queues.push_back(std::move(queue));
    places_.push_back(id);
  }
  [[nodiscard]] const WaitGraph& graph() const noexcept { return graph_; }
  [[nodiscard]] std::size_t place(WaitGraph::QueueNumber queue) const { return places_[queue]; }

 private:
  [[nodiscard]] const Chip& chip(std::size_t node) const { return network_.switch_at(node).chip(); }
  WaitGraph::GroupNumber group(std::size_t node, PgIndex pg) {
    const auto [entry, fresh] = groups_.try_emplace({node, pg}, graph_.groups.end_index());
    if (!fresh) return entry->second;
    const Mmu& mmu = network_.switch_at(node).mmu.core();
    const PgSettings& settings = mmu.settings_of(pg);
    const auto [pool, new_pool] =
        pools_.try_emplace({node, settings.pool_domain}, WaitGraph::SharedPool{pools_.size()});
    graph_.groups.push_back({settings, unit_.group_at(node, pg).held, pool->second, false});
    return entry->second;
  }

  void add(const Copy& copy, std::size_t node, WaitGraph::QueueNumber queue) {
    const auto [entry, fresh] = replicas_.try_emplace({node, copy.replica}, graph_.replicas.size());
    if (fresh) graph_.replicas.push_back({{group(node, copy.pg), copy.cells}, {}});
    graph_.replicas[entry->second].queues.push_back(queue);
  }

  const Network& network_;
  const DeadlockDetectorUnit& unit_;
  WaitGraph graph_;
  IndexedVector<WaitGraph::QueueNumber, std::size_t> places_;
  // Each by switch.
  std::map<std::pair<std::size_t, PgIndex>, WaitGraph::GroupNumber> groups_;
  std::map<std::pair<std::size_t, PoolIndex>, WaitGraph::SharedPool> pools_;
  std::map<std::pair<std::size_t, std::uint32_t>, std::size_t> replicas_;
};

DeadlockDetectorUnit::DeadlockDetectorUnit(const ModelContext& context, Network& network, bool stop)
    : network_{network},
      agenda_{context.agenda},
      observers_{context.observers},
      stop_{stop},
      actor_{context.agenda.enroll(*this)} {
  add_places();
  held_.resize(places_.size());
  agenda_.post(period, Rank::look, actor_, 0);
}

bool DeadlockDetectorUnit::has_work(const Scenario& scenario) {
  return std::any_of(scenario.links.begin(), scenario.links.end(),
                     [](const LinkSpec& link) { return !link.a.is_host && !link.b.is_host; });
}

void DeadlockDetectorUnit::add_places() {
  const Scenario& scenario = network_.scenario();
  const auto add = [&](const LinkEnd& end, const LinkEnd& peer, Picoseconds delay) {
    const Chip& chip = scenario.switches[end.node].chip;
    const Picoseconds on_the_way =
        time_on_the_way(chip, end.port, delay, scenario.switches[peer.node].chip);
    for (std::uint8_t queue = 0; queue < priorities; ++queue)
      places_.push_back({end.node, peer.node, end.port, peer.port, queue, on_the_way});
  };
  for (const LinkSpec& link : scenario.links) {
    if (link.a.is_host || link.b.is_host) continue;
    add(link.a, link.b, link.delay);
    add(link.b, link.a, link.delay);
  }
  std::sort(places_.begin(), places_.end(), [&](const Place& a, const Place& b) {
    if (a.node != b.node)
      return natural_less(scenario.switches[a.node].name, scenario.switches[b.node].name);
    return std::tie(a.port, a.queue) < std::tie(b.port, b.queue);
  });
}

void DeadlockDetectorUnit::act(Picoseconds now, std::uint32_t, std::uint64_t) {
  agenda_.post(now + period, Rank::look, actor_, 0);
  look(now, now - period);
}

void DeadlockDetectorUnit::look(Picoseconds now, Picoseconds youngest) {
  Graph graph{network_, *this};
  for (const std::size_t id : paused_places(now, youngest))
    if (pauses_it(places_[id], held_[id])) graph.add(id, places_[id], held_[id], now);
  const std::vector<Deadlock> found = detector_.look(graph.graph());
  for (const Deadlock& deadlock : found) {
    reports_.push_back(report(graph, deadlock, now));
    observers_.notify([&](Observer& o) { o.deadlock(reports_.back(), now); });
  }
  if (stop_ && !found.empty()) network_.stop(now);
}

std::vector<std::size_t> DeadlockDetectorUnit::paused_places(Picoseconds now,
                                                             Picoseconds youngest) {
  NetworkRank* const rank = network_.rank();
  if (rank != nullptr) rank->meet();
  std::vector<std::size_t> places;
  for (std::size_t id = 0; id < places_.size(); ++id)
    if (network_.runs_switch(places_[id].node) && is_paused(id, now, youngest))
      places.push_back(id);
  if (rank == nullptr) return places;
  share_places(places);
  if (!places.empty()) share_groups();
  return places;
}

bool DeadlockDetectorUnit::is_paused(std::size_t id, Picoseconds now, Picoseconds youngest) {
  const Place& place = places_[id];
  Switch& node = network_.switch_at(place.node);
  const std::size_t depth = node.port(place.port).tx.depth(place.queue);
  if (depth == 0) return false;
  const std::uint8_t paused = node.port(place.port).tx.paused(now);
  if (paused == 0) return false;
  Held& held = held_[id];
  const std::uint64_t entered =
      node.mmu.core().stats().queue(queue_index(place.port, Priority{place.queue})).packets;
  const auto since = [&] {
    return node.mmu.pfc_receiver->paused_since(place.port, held.priority, now);
  };
  if (!held.since || held.depth != depth || held.entered != entered || held.since != since()) {
    walk(id, paused);
    held.depth = depth;
    held.entered = entered;
    held.since = held.frames == 0 ? std::nullopt : since();
  }
  return held.since && *held.since <= youngest;
}

// Whether the priority group at the other end is XOFF.
bool DeadlockDetectorUnit::pauses_it(const Place& place, const Held& held) const {
  const Chip& chip = network_.switch_at(place.peer).chip();
  const Priority pg{chip.pg_of_priority[held.priority.count()]};
  return group_at(place.peer, pg_index(place.peer_port, pg)).xoff;
}

DeadlockDetectorUnit::GroupState DeadlockDetectorUnit::group_at(std::size_t node,
                                                                PgIndex pg) const {
  if (network_.runs_switch(node)) {
    const Mmu& mmu = network_.switch_at(node).mmu.core();
    return {mmu.ingress().pg(pg), mmu.pfc().xoff(pg)};
  }
  const auto known = elsewhere_.find({node, pg});
  return known == elsewhere_.end() ? GroupState{} : known->second;
}

// Every rank receives the findings of all ranks, so that all compute the same result.
void DeadlockDetectorUnit::share_places(std::vector<std::size_t>& places) {
  RankMessage mine;
  RankWriter writer{mine};
  for (const std::size_t id : places) {
    const Held& held = held_[id];
    writer.raw(id);
    writer.raw(*held.since);
    writer.raw(held.priority);
    writer.raw(held.frames);
    writer.raw(held.bytes);
    writer.raw(held.content.size());
    for (const auto& [pg, cells] : held.content) {
      writer.raw(pg);
      writer.raw(cells);
    }
    writer.raw(held.copies.size());
    for (const Copy& copy : held.copies) writer.raw(copy);
  }
  places.clear();
  for (const RankMessage& message : network_.rank()->gather_everywhere(mine)) {
    for (RankReader reader{message}; !reader.done();) {
      const auto id = reader.raw<std::size_t>();
      places.push_back(id);
      Held held;
      held.since = reader.raw<Picoseconds>();
      held.priority = reader.raw<Priority>();
      held.frames = reader.raw<std::uint64_t>();
      held.bytes = reader.raw<Bytes>();
      for (auto left = reader.raw<std::size_t>(); left != 0; --left) {
        const auto pg = reader.raw<PgIndex>();
        held.content[pg] = reader.raw<Cells>();
      }
      for (auto left = reader.raw<std::size_t>(); left != 0; --left)
        held.copies.push_back(reader.raw<Copy>());
      if (!network_.runs_switch(places_[id].node)) held_[id] = std::move(held);
    }
  }
  std::sort(places.begin(), places.end());
}

// The groups that hold something, or are XOFF.
void DeadlockDetectorUnit::share_groups() {
  RankMessage mine;
  RankWriter writer{mine};
  for (std::size_t node = 0; node < network_.switch_count(); ++node) {
    if (!network_.runs_switch(node)) continue;
    const std::size_t groups = network_.switch_at(node).port_count() * priorities;
    for (PgIndex pg; pg < PgIndex{groups}; ++pg) {
      const GroupState state = group_at(node, pg);
      if (!state.xoff && state.held.total() == Cells{0}) continue;
      writer.raw(node);
      writer.raw(pg);
      writer.raw(state);
    }
  }
  elsewhere_.clear();
  for (const RankMessage& message : network_.rank()->gather_everywhere(mine)) {
    for (RankReader reader{message}; !reader.done();) {
      const auto node = reader.raw<std::size_t>();
      const auto pg = reader.raw<PgIndex>();
      elsewhere_[{node, pg}] = reader.raw<GroupState>();
    }
  }
}

// Counts the frames of a queue, starting at the first one whose class is paused.
void DeadlockDetectorUnit::walk(std::size_t id, std::uint8_t paused) {
  const Place& place = places_[id];
  Held& held = held_[id];
  held = {};
  for (const Frame* frame = network_.switch_at(place.node).port(place.port).tx.first(place.queue);
       frame != nullptr; frame = frame->next) {
    if (held.frames == 0) {
      if ((paused >> frame->priority.count() & 1U) == 0) continue;
      held.priority = frame->priority;
    }
    ++held.frames;
    held.bytes += Bytes{frame->length};
    const PgIndex pg = pg_of(*frame);
    if (frame->marked(copy_mark))
      held.copies.push_back({frame->replica, pg, Cells{frame->cells}});
    else
      held.content[pg] += Cells{frame->cells};
  }
}

DeadlockReport DeadlockDetectorUnit::report(const Graph& graph, const Deadlock& deadlock,
                                            Picoseconds now) const {
  const auto name = [&](std::size_t node) { return network_.scenario().switches[node].name; };
  DeadlockReport report;
  report.formed = deadlock.formed;
  report.found = now;
  for (const WaitGraph::QueueNumber queue : deadlock.members) {
    const Place& place = places_[graph.place(queue)];
    const Held& held = held_[graph.place(queue)];
    report.members.push_back({name(place.node), place.port, held.priority, *held.since, held.frames,
                              held.bytes, port_name(name(place.peer), place.peer_port)});
  }
  for (const WaitGraph::QueueNumber queue : deadlock.caught) {
    ++report.queues;
    report.frames += held_[graph.place(queue)].frames;
    report.bytes += held_[graph.place(queue)].bytes;
  }
  return report;
}

}  // namespace weir
