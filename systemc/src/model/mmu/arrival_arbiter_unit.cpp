// SPDX-License-Identifier: Apache-2.0
#include "weir/model/mmu/arrival_arbiter_unit.hpp"

#include <algorithm>
#include <utility>

namespace weir {
namespace {

// A ticket and its egress port as the argument of a task. Ports have 13 bits, PGs and queues 16.
constexpr std::uint64_t pack(const ReleaseTicket& ticket) {
  return std::uint64_t{ticket.pg.value()} << 48 | std::uint64_t{ticket.queue.value()} << 32 |
         std::uint64_t{ticket.cells} << 1 | (ticket.last ? 1U : 0U);
}

constexpr ReleaseTicket unpack(std::uint64_t packed) {
  return {PgIndex{packed >> 48}, QueueIndex{packed >> 32 & 0xffffU},
          static_cast<std::uint32_t>(packed >> 1 & 0x7fff'ffffU), (packed & 1U) != 0};
}

}  // namespace

ArrivalArbiterUnit::ArrivalArbiterUnit(const sc_core::sc_module_name& name,
                                       const SwitchContext& parent, ReplicaTable& replicas)
    : sc_core::sc_module{name},
      lanes_{parent.chip.lanes},
      port_fifo_{parent.chip.port_fifo},
      edges_{parent.chip.clock},
      clock_{parent.chip.clock},
      ring_time_{clock_.least(Cycle{least_edges - 1})},
      agenda_{parent.model.agenda},
      actor_{parent.model.agenda.enroll(*this)},
      replicas_{replicas},
      counters_{parent.counters},
      observers_{parent.model.observers},
      switch_name_{parent.name},
      ring_(least_edges),
      waiting_frames_(parent.chip.ports.size()) {
  for (const PortSetting& port : parent.chip.ports) domain_of_port_.push_back(port.domain);
  for (std::uint32_t i = 0; i < parent.chip.domains; ++i)
    domains_.push_back({ArrivalArbiter{parent.chip.ports.size()},
                        ArrivalArbiter{parent.chip.ports.size()},
                        std::vector<Fifo<ReleaseTicket>>(parent.chip.ports.size())});
  request.bind(*this);
}

void ArrivalArbiterUnit::arrival(Frame& frame, Picoseconds last_bit) {
  const Cycle cycle = edges_.cycle_at_or_after(last_bit);
  const Picoseconds edge = edges_.time(cycle);
  if (!on_ring(edge) && !reach(edge))
    return agenda_.post(edge, Rank::edge, actor_, far_arrival_task,
                        reinterpret_cast<std::uintptr_t>(&frame));
  add_arrival(edge_at(cycle), frame);
  arm(cycle, edge);
}

void ArrivalArbiterUnit::release(const ReleaseTicket& ticket, PortId, Picoseconds last_byte) {
  if (ticket.last) releasing_ += ticket.cells;
  const Cycle cycle = edges_.cycle_at_or_after(last_byte);
  const Picoseconds edge = edges_.time(cycle);
  if (!on_ring(edge) && !reach(edge))
    return agenda_.post(edge, Rank::edge, actor_, far_release_task, pack(ticket));
  add_release(edge_at(cycle), ticket);
  arm(cycle, edge);
}

// One task an edge, however many ask.
void ArrivalArbiterUnit::arm(Cycle cycle, Picoseconds time) {
  Edge& edge = edge_at(cycle);
  if (edge.armed) return;
  edge.armed = true;
  agenda_.post(time, Rank::edge, actor_, edge_task, cycle.count());
}

// Makes the ring as long as `edge` needs, if it may be as long.
bool ArrivalArbiterUnit::reach(Picoseconds edge) {
  while (!on_ring(edge)) {
    if (ring_.size() == max_edges) return false;
    lengthen();
  }
  return true;
}

// All that is on the ring lies from now on, less than a ring ahead.
void ArrivalArbiterUnit::lengthen() {
  std::vector<Edge> longer(2 * ring_.size());
  const Cycle first = edges_.cycle_at_or_after(agenda_.now());
  for (std::uint64_t i = 0; i < ring_.size(); ++i) {
    const Cycle cycle = first + Cycle{i};
    longer[cycle.count() & (longer.size() - 1)] = edge_at(cycle);
  }
  ring_ = std::move(longer);
  ring_time_ = clock_.least(Cycle{ring_.size() - 1});
}

void ArrivalArbiterUnit::add_arrival(Edge& edge, Frame& frame) noexcept {
  Frame* const last = std::exchange(edge.last_arrival, &frame);
  frame.next = last == nullptr ? &frame : last->next;
  if (last != nullptr) last->next = &frame;
}

void ArrivalArbiterUnit::add_release(Edge& edge, const ReleaseTicket& ticket) {
  std::uint32_t node = free_ticket_;
  if (node == none) {
    node = static_cast<std::uint32_t>(tickets_.size());
    tickets_.emplace_back();
  } else {
    free_ticket_ = tickets_[node].next;
  }
  const std::uint32_t last = std::exchange(edge.last_release, node);
  tickets_[node] = {ticket, last == none ? node : tickets_[last].next};
  if (last != none) tickets_[last].next = node;
}

void ArrivalArbiterUnit::act(Picoseconds now, std::uint32_t what, std::uint64_t argument) {
  if (what == edge_task) return run_edge(Cycle{argument}, now);
  // A request that came before the ring reached its edge: the edge's own task is still to run.
  const Cycle cycle = edges_.cycle_at_or_after(now);
  if (what == far_arrival_task)
    add_arrival(edge_at(cycle), *reinterpret_cast<Frame*>(static_cast<std::uintptr_t>(argument)));
  else
    add_release(edge_at(cycle), unpack(argument));
  arm(cycle, now);
}

void ArrivalArbiterUnit::run_edge(Cycle cycle, Picoseconds now) {
  const Edge asked = std::exchange(edge_at(cycle), Edge{});
  Frame* const last_arrival = asked.last_arrival;
  const std::uint32_t last_release = asked.last_release;
  // None to compete with, the usual case: straight through, and the pointers move as if granted.
  const bool alone = !left_over_ &&
                     (last_release == none || tickets_[last_release].next == last_release) &&
                     (last_arrival == nullptr || last_arrival->next == last_arrival);
  if (alone) {
    if (last_release != none) release_alone(last_release, now);
    if (last_arrival != nullptr) arrive_alone(*last_arrival, now);
    return;
  }
  if (last_release != none) queue_releases(last_release);
  if (last_arrival != nullptr) {
    Frame* frame = std::exchange(last_arrival->next, nullptr);
    while (frame != nullptr) queue_arrival(*std::exchange(frame, frame->next), now);
    if (!overruns_.empty()) drop_overruns(now);
  }
  grant_slots(now);
  if (left_over_) arm(cycle + Cycle{1}, edges_.time(cycle + Cycle{1}));
}

// Who is the last reader of a replicated packet is settled by the order of the grants.
inline void ArrivalArbiterUnit::step_release(const ReleaseTicket& ticket, Picoseconds now) {
  if (!ticket.last) {
    const ReplicaTable::Left left = replicas_.leave(ticket.cells);
    return step_->release({ticket.pg, ticket.queue, left.cells.count(), left.last}, now);
  }
  releasing_ -= ticket.cells;
  step_->release(ticket, now);
}

void ArrivalArbiterUnit::release_alone(std::uint32_t node, Picoseconds now) {
  const ReleaseTicket ticket = tickets_[node].ticket;
  tickets_[node].next = std::exchange(free_ticket_, node);
  domain_of_pg(ticket.pg).releases.pass(port_of(ticket.queue));
  step_release(ticket, now);
}

void ArrivalArbiterUnit::arrive_alone(Frame& frame, Picoseconds now) {
  waiting_.deepest = std::max<std::size_t>(waiting_.deepest, 1);
  domains_[domain_of_port_[frame.ingress_port.count()].count()].arrivals.pass(frame.ingress_port);
  step_->arrive(frame, now);
}

void ArrivalArbiterUnit::queue_releases(std::uint32_t last) {
  const std::uint32_t first = tickets_[last].next;
  tickets_[last].next = none;
  for (std::uint32_t node = first; node != none; node = tickets_[node].next)
    queue_release(tickets_[node].ticket);
  tickets_[last].next = std::exchange(free_ticket_, first);
}

void ArrivalArbiterUnit::queue_arrival(Frame& frame, Picoseconds now) {
  const PortId port = frame.ingress_port;
  FrameList& waiting = waiting_frames_[port.count()];
  if (waiting.size() == port_fifo_) return overruns_.push_back(&frame);
  frame.visible = now;  // here: since when it waits for its slot
  waiting.push(&frame);
  waiting_.deepest = std::max(waiting_.deepest, waiting.size());
  domains_[domain_of_port_[port.count()].count()].arrivals.add(port);
}

// Port by port, whatever the order in which the frames were announced.
void ArrivalArbiterUnit::drop_overruns(Picoseconds now) {
  std::stable_sort(overruns_.begin(), overruns_.end(), [](const Frame* a, const Frame* b) {
    return a->ingress_port < b->ingress_port;
  });
  for (Frame* const frame : overruns_) {
    const PortId port = frame->ingress_port;
    ++counters_[port.count()].fifo_overrun;
    ++counters_[port.count()].priority[frame->priority.count()].mac_drops;
    observers_.notify(
        [&](Observer& o) { o.mac_drop(switch_name_, *frame, port, MacDrop::port_fifo, now); });
    frame->release();
  }
  overruns_.clear();
}

void ArrivalArbiterUnit::queue_release(const ReleaseTicket& ticket) {
  const PortId egress = port_of(ticket.queue);
  Domain& domain = domain_of_pg(ticket.pg);
  domain.tickets[egress.count()].push(ticket);
  domain.releases.add(egress);
}

void ArrivalArbiterUnit::grant_slots(Picoseconds now) {
  left_over_ = false;
  for (Domain& domain : domains_) {
    if (reports_waiting_)
      step_->requests_wait(DomainId{static_cast<std::uint8_t>(&domain - domains_.data())},
                           domain.releases, domain.arrivals, now);
    domain.releases.grant(
        lanes_, [&](PortId port) { step_release(domain.tickets[port.count()].pop(), now); });
    domain.arrivals.grant(lanes_, [&](PortId port) {
      Frame& frame = *waiting_frames_[port.count()].pop();
      if (frame.visible != now) {
        ++waiting_.waited;
        waiting_.longest = std::max(waiting_.longest, now - frame.visible);
      }
      step_->arrive(frame, now);
    });
    left_over_ = left_over_ || !domain.releases.empty() || !domain.arrivals.empty();
  }
}

}  // namespace weir
