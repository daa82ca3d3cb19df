// SPDX-License-Identifier: Apache-2.0
#include "weir/model/arrival_arbiter_unit.hpp"

#include <algorithm>

namespace weir {
namespace {

// A ticket and its egress port as the argument of a task. Ports have 13 bits, PGs and queues 16.
constexpr std::uint64_t pack(const ReleaseTicket& ticket) {
  return std::uint64_t{ticket.pg} << 48 | std::uint64_t{ticket.queue} << 32 |
         std::uint64_t{ticket.cells} << 1 | (ticket.last ? 1U : 0U);
}

constexpr ReleaseTicket unpack(std::uint64_t packed) {
  return {static_cast<std::uint32_t>(packed >> 48),
          static_cast<std::uint32_t>(packed >> 32 & 0xffffU),
          static_cast<std::uint32_t>(packed >> 1 & 0x7fff'ffffU), (packed & 1U) != 0};
}

}  // namespace

ArrivalArbiterUnit::ArrivalArbiterUnit(const sc_core::sc_module_name& name, const Chip& chip,
                                       Agenda& agenda, std::vector<PortCounters>& counters,
                                       const Observers& observers, const std::string& switch_name)
    : sc_core::sc_module{name},
      lanes_{chip.lanes},
      port_fifo_{chip.port_fifo},
      edges_{chip.clock},
      agenda_{agenda},
      actor_{agenda.enroll(*this)},
      counters_{counters},
      observers_{observers},
      switch_name_{switch_name},
      waiting_frames_(chip.ports.size()) {
  for (const PortSetting& port : chip.ports) domain_of_port_.push_back(port.domain);
  for (std::uint32_t i = 0; i < chip.domains; ++i)
    domains_.push_back({ArrivalArbiter{chip.ports.size()}, ArrivalArbiter{chip.ports.size()},
                        std::vector<Fifo<ReleaseTicket>>(chip.ports.size())});
  request.bind(*this);
}

void ArrivalArbiterUnit::arrival(Frame& frame, Picoseconds last_bit) {
  agenda_.post(edges_.time_at_or_after(last_bit), Rank::edge, actor_, arrival_task,
               reinterpret_cast<std::uintptr_t>(&frame));
}

void ArrivalArbiterUnit::release(const ReleaseTicket& ticket, PortId, Picoseconds last_byte) {
  releasing_ += ticket.cells;
  agenda_.post(edges_.time_at_or_after(last_byte), Rank::edge, actor_, release_task, pack(ticket));
}

void ArrivalArbiterUnit::act(Picoseconds now, std::uint32_t what, std::uint64_t argument) {
  if (what == arrival_task)
    queue_arrival(*reinterpret_cast<Frame*>(static_cast<std::uintptr_t>(argument)), now);
  else if (what == release_task)
    queue_release(argument);
  if (!agenda_.more_of_this()) run_cycle(now);
}

void ArrivalArbiterUnit::queue_arrival(Frame& frame, Picoseconds now) {
  const PortId port = frame.ingress_port;
  FrameList& waiting = waiting_frames_[port.count()];
  if (waiting.size() == port_fifo_) {
    ++counters_[port.count()].fifo_overrun;
    ++counters_[port.count()].priority[frame.priority.count()].mac_drops;
    observers_.tell(
        [&](Observer& o) { o.mac_drop(switch_name_, frame, port, MacDrop::port_fifo, now); });
    frame.release();
    return;
  }
  frame.visible = now;  // here: since when it waits for its slot
  waiting.push(&frame);
  waiting_.deepest = std::max(waiting_.deepest, waiting.size());
  domains_[domain_of_port_[port.count()].count()].arrivals.add(port);
}

void ArrivalArbiterUnit::queue_release(std::uint64_t packed) {
  const ReleaseTicket ticket = unpack(packed);
  const PortId egress{static_cast<std::uint16_t>(ticket.queue / priorities)};
  Domain& domain = domains_[domain_of_port_[ticket.pg / priorities].count()];
  domain.tickets[egress.count()].push(ticket);
  domain.releases.add(egress);
}

void ArrivalArbiterUnit::run_cycle(Picoseconds now) {
  bool left_over = false;
  for (Domain& domain : domains_) {
    domain.releases.grant(lanes_, [&](PortId port) {
      const ReleaseTicket ticket = domain.tickets[port.count()].pop();
      releasing_ -= ticket.cells;
      step_->release(ticket, now);
    });
    domain.arrivals.grant(lanes_, [&](PortId port) {
      Frame& frame = *waiting_frames_[port.count()].pop();
      if (frame.visible != now) {
        ++waiting_.waited;
        waiting_.longest = std::max(waiting_.longest, now - frame.visible);
      }
      step_->arrive(frame, now);
    });
    left_over = left_over || !domain.releases.empty() || !domain.arrivals.empty();
  }
  if (left_over) agenda_.post(now + edges_.period(), Rank::edge, actor_, cycle_task);
}

}  // namespace weir
