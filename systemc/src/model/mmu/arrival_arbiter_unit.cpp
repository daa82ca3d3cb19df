// SPDX-License-Identifier: Apache-2.0
#include "weir/model/mmu/arrival_arbiter_unit.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "weir/model/mmu/admission_unit.hpp"
#include "weir/model/switch/drop_counters.hpp"

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

// Requests of one edge that all get a slot, each of a port of its own: in the order of their turns.
template <class Request>
class Few {
 public:
  // False: more than `most`, or a second one of a port.
  [[nodiscard]] bool add(std::size_t turns, Request request, std::uint32_t most) noexcept {
    if (count_ == std::min<std::size_t>(most, places_.size())) return false;
    std::size_t place = count_++;
    for (; place != 0 && turns < places_[place - 1].turns; --place)
      places_[place] = places_[place - 1];
    places_[place] = {turns, request};
    return place == 0 || places_[place - 1].turns != turns;
  }
  template <class F>
  void for_each(F&& f) const {
    for (std::size_t i = 0; i < count_; ++i) f(places_[i].request);
  }

 private:
  struct Place {
    std::size_t turns;
    Request request;
  };
  std::size_t count_{0};
  std::array<Place, 8> places_;
};

}  // namespace

ArrivalArbiterUnit::ArrivalArbiterUnit(const sc_core::sc_module_name& name,
                                       const SwitchContext& parent, ReplicaTable& replicas)
    : sc_core::sc_module{name},
      lanes_{parent.chip.lanes},
      port_fifo_{parent.chip.port_fifo},
      edges_{parent.chip.clock},
      agenda_{parent.model.agenda},
      actor_{parent.model.agenda.enroll(*this)},
      replicas_{replicas},
      counters_{parent.counters},
      observers_{parent.model.observers},
      switch_name_{parent.name},
      ring_(min_edges),
      inbound_(parent.chip.ports.size()),
      waiting_frames_(parent.chip.ports.size()),
      through_interfaces_{parent.through_interfaces} {
  for (std::uint32_t i = 0; i < parent.chip.domains; ++i)
    domains_.push_back({ArrivalArbiter{parent.chip.ports.size()},
                        ArrivalArbiter{parent.chip.ports.size()},
                        std::vector<Fifo<ReleaseTicket>>(parent.chip.ports.size())});
  for (std::size_t port = 0; port < inbound_.size(); ++port)
    inbound_[port].domain = &domains_[parent.chip.ports[port].domain.count()];
  request.bind(*this);
}

void ArrivalArbiterUnit::end_of_elaboration() {
  step_ = KnownPeer<MmuStepIf, AdmissionUnit>{admission[0], through_interfaces_};
  reports_waiting_ = admission->wants_waiting();
}

// One task an edge, however many ask.
inline void ArrivalArbiterUnit::arm(Cycle cycle) {
  Edge& edge = edge_at(cycle);
  if (edge.armed) return;
  edge.armed = true;
  agenda_.post(edges_.time(cycle), Rank::edge, actor_, edge_task, cycle.count());
}

inline void ArrivalArbiterUnit::add_arrival(Edge& edge, Frame& frame) noexcept {
  Frame* const last = std::exchange(edge.last_arrival, &frame);
  frame.next = last == nullptr ? &frame : last->next;
  if (last != nullptr) last->next = &frame;
}

void ArrivalArbiterUnit::add_ticket() {
  tickets_.push_back({{}, free_ticket_});
  free_ticket_ = static_cast<std::uint32_t>(tickets_.size() - 1);
}

// Range: a ticket is free.
inline void ArrivalArbiterUnit::add_release(Edge& edge, const ReleaseTicket& ticket) {
  const std::uint32_t node = free_ticket_;
  free_ticket_ = tickets_[node].next;
  const std::uint32_t last = std::exchange(edge.last_release, node);
  tickets_[node] = {ticket, last == none ? node : tickets_[last].next};
  if (last != none) tickets_[last].next = node;
}

void ArrivalArbiterUnit::arrival(Frame& frame, Picoseconds last_bit) {
  Inbound& inbound = inbound_[frame.ingress_port.count()];
  frame.visible = last_bit;  // here: until it asks
  if (last_bit < inbound.latest_bit) return overtake(inbound, frame);
  inbound.latest_bit = last_bit;
  if (inbound.asking != 0) return inbound.later.push(&frame);
  ask(inbound, frame);
}

// A frame of which the edge is known, and that no other of its port has to ask before.
inline void ArrivalArbiterUnit::ask(Inbound& inbound, Frame& frame) {
  const Cycle cycle = edges_.cycle_at_or_after(frame.visible);
  ++inbound.asking;
  inbound.latest_edge = std::max(inbound.latest_edge, cycle);
  if (beyond_ring(cycle)) return ask_from_afar(frame, cycle);
  add_arrival(edge_at(cycle), frame);
  arm(cycle);
}

// The same where the ring did not reach to its edge when it was last looked at. Not inlined, and
// called last, like release_with_care(): the usual way then needs no registers saved.
[[gnu::noinline]] void ArrivalArbiterUnit::ask_from_afar(Frame& frame, Cycle cycle) {
  if (!on_ring(cycle))
    return post_far(cycle, far_arrival_task, reinterpret_cast<std::uintptr_t>(&frame));
  add_arrival(edge_at(cycle), frame);
  arm(cycle);
}

// A frame that was sent later and comes in earlier, as a fault of a cable may have it: between
// those that ask, or before the first of the others that has a later edge.
[[gnu::noinline]] void ArrivalArbiterUnit::overtake(Inbound& inbound, Frame& frame) {
  const Cycle cycle = edges_.cycle_at_or_after(frame.visible);
  if (inbound.asking == 0 || cycle < inbound.latest_edge) return ask(inbound, frame);
  FrameList after;
  Frame* own = &frame;
  while (!inbound.later.empty()) {
    Frame* const other = inbound.later.pop();
    if (own != nullptr && cycle < edges_.cycle_at_or_after(other->visible))
      after.push(std::exchange(own, nullptr));
    after.push(other);
  }
  if (own != nullptr) after.push(own);
  inbound.later = after;
}

// A frame of `port` has come to its edge: the one after it asks.
void ArrivalArbiterUnit::call_next(PortId port) {
  Inbound& inbound = inbound_[port.count()];
  if (--inbound.asking == 0 && !inbound.later.empty()) ask(inbound, *inbound.later.pop());
}

// Takes what arrives at the edge that runs, as a circle, with those that call_next() adds. The edge
// stays armed: what is added now needs no task.
inline Frame* ArrivalArbiterUnit::arrivals_of(Edge& edge) {
  Frame* all = nullptr;
  while (Frame* const last = std::exchange(edge.last_arrival, nullptr)) {
    Frame* const first = last->next;
    for (Frame* frame = first;; frame = frame->next) {
      call_next(frame->ingress_port);
      if (frame == last) break;
    }
    if (all != nullptr) std::swap(all->next, last->next);
    all = last;
  }
  return all;
}

void ArrivalArbiterUnit::release(const ReleaseTicket& ticket, PortId, Picoseconds last_byte) {
  if (ticket.last) releasing_ += ticket.cells;
  const Cycle cycle = edges_.cycle_at_or_after(last_byte);
  if (beyond_ring(cycle) || free_ticket_ == none) {
    const ReleaseTicket copy = ticket;  // so that the usual way has it in registers
    return release_with_care(copy, cycle);
  }
  add_release(edge_at(cycle), ticket);
  arm(cycle);
}

// Where the ring has to reach further, or there is no free ticket.
[[gnu::noinline]] void ArrivalArbiterUnit::release_with_care(const ReleaseTicket& ticket,
                                                             Cycle cycle) {
  if (!on_ring(cycle) && !reach(cycle)) return post_far(cycle, far_release_task, pack(ticket));
  if (free_ticket_ == none) add_ticket();
  add_release(edge_at(cycle), ticket);
  arm(cycle);
}

// What the ring does not reach waits on the agenda.
void ArrivalArbiterUnit::post_far(Cycle cycle, Task task, std::uint64_t argument) {
  agenda_.post(edges_.time(cycle), Rank::edge, actor_, task, argument);
}

// After a time without edges.
bool ArrivalArbiterUnit::on_ring_from_now(Cycle cycle) noexcept {
  ring_from_ = edges_.cycle_at_or_after(agenda_.now()).count();
  return cycle.count() - ring_from_ <= ring_mask_;
}

// Makes the ring as long as `cycle` needs, if it may be as long.
bool ArrivalArbiterUnit::reach(Cycle cycle) {
  while (!on_ring(cycle)) {
    if (ring_.size() == max_edges) return false;
    lengthen();
  }
  return true;
}

// All that is on the ring lies from now on, less than a ring ahead.
void ArrivalArbiterUnit::lengthen() {
  std::vector<Edge> longer(2 * ring_.size());
  for (std::uint64_t i = 0; i < ring_.size(); ++i) {
    const Cycle cycle{ring_from_ + i};
    longer[cycle.count() & (longer.size() - 1)] = edge_at(cycle);
  }
  ring_ = std::move(longer);
  ring_mask_ = ring_.size() - 1;
}

void ArrivalArbiterUnit::act(Picoseconds now, std::uint32_t what, std::uint64_t argument) {
  if (what == edge_task) return run_edge(Cycle{argument}, now);
  // A request that came before the ring reached its edge: the edge's own task is still to run.
  const Cycle cycle = edges_.cycle_at_or_after(now);
  if (what == far_arrival_task) {
    add_arrival(edge_at(cycle), *reinterpret_cast<Frame*>(static_cast<std::uintptr_t>(argument)));
  } else {
    if (free_ticket_ == none) add_ticket();
    add_release(edge_at(cycle), unpack(argument));
  }
  arm(cycle);
}

void ArrivalArbiterUnit::run_edge(Cycle cycle, Picoseconds now) {
  ring_from_ = cycle.count();
  Edge& edge = edge_at(cycle);
  Frame* const last_arrival = arrivals_of(edge);
  const std::uint32_t last_release = std::exchange(edge.last_release, none);
  edge.armed = false;
  // None to compete with, the usual case: straight through, and the pointers move as if granted.
  const bool alone = !left_over_ &&
                     (last_release == none || tickets_[last_release].next == last_release) &&
                     (last_arrival == nullptr || last_arrival->next == last_arrival);
  if (!alone) return share_edge(cycle, last_release, last_arrival, now);
  if (last_release != none) release_alone(last_release, now);
  if (last_arrival != nullptr) arrive_alone(*last_arrival, now);
}

// Several ask, or some still wait.
void ArrivalArbiterUnit::share_edge(Cycle cycle, std::uint32_t last_release, Frame* last_arrival,
                                    Picoseconds now) {
  if (grant_few(last_release, last_arrival, now)) return;
  if (last_release != none) queue_releases(last_release);
  if (last_arrival != nullptr) {
    Frame* frame = std::exchange(last_arrival->next, nullptr);
    while (frame != nullptr) queue_arrival(*std::exchange(frame, frame->next), now);
    if (!overruns_.empty()) drop_overruns(now);
  }
  grant_slots(now);
  if (left_over_) arm(cycle + Cycle{1});
}

// Without queues, where none has to wait: the same order as that of grant_slots().
bool ArrivalArbiterUnit::grant_few(std::uint32_t last_release, Frame* last_arrival,
                                   Picoseconds now) {
  if (left_over_ || reports_waiting_ || domains_.size() != 1) return false;
  Domain& domain = domains_.front();
  Few<std::uint32_t> releases;
  for (std::uint32_t node = last_release; node != none;) {
    node = tickets_[node].next;
    const PortId egress = port_of(tickets_[node].ticket.queue);
    if (!releases.add(domain.releases.turns_to(egress), node, lanes_)) return false;
    if (node == last_release) break;
  }
  Few<Frame*> arrivals;
  for (Frame* frame = last_arrival; frame != nullptr;) {
    frame = frame->next;
    if (!arrivals.add(domain.arrivals.turns_to(frame->ingress_port), frame, lanes_)) return false;
    if (frame == last_arrival) break;
  }
  releases.for_each([&](std::uint32_t node) { release_alone(node, now); });
  arrivals.for_each([&](Frame* frame) { arrive_alone(*frame, now); });
  return true;
}

// Who is the last reader of a replicated packet is settled by the order of the grants.
inline void ArrivalArbiterUnit::step_release(const ReleaseTicket& ticket, Picoseconds now) {
  if (!ticket.last) return step_copy_release(ticket, now);
  releasing_ -= ticket.cells;
  step_.call([&](auto& decision) { decision.release(ticket, now); });
}

[[gnu::noinline]] void ArrivalArbiterUnit::step_copy_release(ReleaseTicket ticket,
                                                             Picoseconds now) {
  const ReplicaTable::Left left = replicas_.leave(ticket.cells);
  const ReleaseTicket settled{ticket.pg, ticket.queue, left.cells.count(), left.last};
  step_.call([&](auto& decision) { decision.release(settled, now); });
}

void ArrivalArbiterUnit::release_alone(std::uint32_t node, Picoseconds now) {
  const ReleaseTicket ticket = tickets_[node].ticket;
  tickets_[node].next = std::exchange(free_ticket_, node);
  domain_of(port_of(ticket.pg)).releases.pass(port_of(ticket.queue));
  step_release(ticket, now);
}

inline void ArrivalArbiterUnit::step_arrival(Frame& frame, Picoseconds now) {
  step_.call([&](auto& decision) { decision.arrive(frame, now); });
}

void ArrivalArbiterUnit::arrive_alone(Frame& frame, Picoseconds now) {
  if (waiting_.deepest == 0) waiting_.deepest = 1;
  domain_of(frame.ingress_port).arrivals.pass(frame.ingress_port);
  step_arrival(frame, now);
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
  domain_of(port).arrivals.add(port);
}

// Port by port, whatever the order in which the frames were announced.
void ArrivalArbiterUnit::drop_overruns(Picoseconds now) {
  std::stable_sort(overruns_.begin(), overruns_.end(), [](const Frame* a, const Frame* b) {
    return a->ingress_port < b->ingress_port;
  });
  for (Frame* const frame : overruns_) {
    const PortId port = frame->ingress_port;
    count_drop(counters_[port.count()], MacDrop::port_fifo, frame->priority);
    observers_.notify(
        [&](Observer& o) { o.mac_drop(switch_name_, *frame, port, MacDrop::port_fifo, now); });
    frame->release();
  }
  overruns_.clear();
}

void ArrivalArbiterUnit::queue_release(const ReleaseTicket& ticket) {
  const PortId egress = port_of(ticket.queue);
  Domain& domain = domain_of(port_of(ticket.pg));
  domain.tickets[egress.count()].push(ticket);
  domain.releases.add(egress);
}

void ArrivalArbiterUnit::grant_slots(Picoseconds now) {
  left_over_ = false;
  for (Domain& domain : domains_) {
    if (reports_waiting_)
      admission->requests_wait(DomainId{static_cast<std::uint8_t>(&domain - domains_.data())},
                               domain.releases, domain.arrivals, now);
    domain.releases.grant(
        lanes_, [&](PortId port) { step_release(domain.tickets[port.count()].pop(), now); });
    domain.arrivals.grant(lanes_, [&](PortId port) {
      Frame& frame = *waiting_frames_[port.count()].pop();
      if (frame.visible != now) {
        ++waiting_.waited;
        waiting_.longest = std::max(waiting_.longest, now - frame.visible);
      }
      step_arrival(frame, now);
    });
    left_over_ = left_over_ || !domain.releases.empty() || !domain.arrivals.empty();
  }
}

}  // namespace weir
