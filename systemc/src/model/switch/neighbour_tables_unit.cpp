// SPDX-License-Identifier: Apache-2.0
#include "weir/model/switch/neighbour_tables_unit.hpp"

#include <algorithm>

#include "weir/model/switch/drop_counters.hpp"

namespace weir {
namespace {

constexpr std::uint64_t argument_of(PortId port) { return port.count(); }
constexpr PortId port_of(std::uint64_t argument) {
  return PortId{static_cast<std::uint16_t>(argument)};
}

}  // namespace

NeighbourTablesUnit::NeighbourTablesUnit(const sc_core::sc_module_name& name,
                                         const SwitchContext& parent)
    : sc_core::sc_module{name},
      settings_{*parent.chip.neighbours},
      chip_{parent.chip},
      tables_{settings_},
      links_(parent.chip.ports.size()),
      agenda_{parent.model.agenda},
      actor_{parent.model.agenda.enroll(*this)},
      counters_{parent.counters},
      observers_{parent.model.observers},
      switch_name_{parent.name} {
  request.bind(*this);
  flood.bind(*this);
}

void NeighbourTablesUnit::attach_host(PortId port, const AttachedHost& host) {
  links_[port.count()] = {true, host};
}

void NeighbourTablesUnit::add_member(std::uint32_t flow, HostId host) {
  if (members_.size() <= flow) members_.resize(flow + 1);
  members_[flow].push_back(host);
}

std::size_t NeighbourTablesUnit::linked_ports() const noexcept {
  return static_cast<std::size_t>(
      std::count_if(links_.begin(), links_.end(), [](const Link& link) { return link.linked; }));
}

// At time 0 the tables know every host, but that one that is dead then has been so for just longer
// than the MAC timeout.
void NeighbourTablesUnit::start_of_simulation() {
  for (std::size_t i = 0; i < links_.size(); ++i) {
    if (!links_[i].host) continue;
    const AttachedHost& host = *links_[i].host;
    const PortId port{static_cast<std::uint16_t>(i)};
    if (host.dead_at(Picoseconds{0}))
      tables_.forgotten(host.ip, host.mac);
    else
      tables_.answered(host.ip, host.mac, port, Picoseconds{0});
    watch_arp_end(port);
    if (host.dead_from != host.dead_until && host.dead_until < agenda_.end())
      agenda_.post(host.dead_until, Rank::input, actor_, restart_task, argument_of(port));
  }
}

void NeighbourTablesUnit::watch_arp_end(PortId port) {
  const std::optional<Picoseconds> end = tables_.arp().end_of(links_[port.count()].host->ip);
  if (end && *end < agenda_.end())
    agenda_.post(*end, Rank::input, actor_, arp_end_task, argument_of(port));
}

void NeighbourTablesUnit::act(Picoseconds now, std::uint32_t what, std::uint64_t argument) {
  switch (what) {
    case arp_end_task:
      return end_arp(port_of(argument), now);
    case restart_task: {  // it announces itself
      const AttachedHost& host = *links_[argument].host;
      tables_.answered(host.ip, host.mac, port_of(argument), now);
      return watch_arp_end(port_of(argument));
    }
    case cpu_task:
      return serve_cpu(now);
    default:
      return look_up(*reinterpret_cast<Frame*>(static_cast<std::uintptr_t>(argument)), now);
  }
}

// The processor asks before it lets an entry go.
void NeighbourTablesUnit::end_arp(PortId port, Picoseconds now) {
  const AttachedHost& host = *links_[port.count()].host;
  if (tables_.arp().end_of(host.ip) != now) return;  // refreshed since this was posted
  ++counts_.arp_requests;
  if (host.dead_at(now)) return tables_.no_answer(host.ip);
  ++counts_.arp_answers;
  tables_.answered(host.ip, host.mac, port, now);
  watch_arp_end(port);
}

// What the tables say may change until the last bit is in.
void NeighbourTablesUnit::arrival(Frame& frame, Picoseconds last_bit) {
  agenda_.post(last_bit, Rank::input, actor_, frame_task + frame.ingress_port.count(),
               reinterpret_cast<std::uintptr_t>(&frame));
}

bool NeighbourTablesUnit::is_local(const Frame& frame) const noexcept {
  const Link& link = links_[frame.egress_port.count()];
  return link.host && link.host->id == frame.destination;
}

bool NeighbourTablesUnit::matches(const Frame& frame, const Link& link) const noexcept {
  if (!link.host) return false;
  if (frame.marked(broadcast_mark)) return true;
  if (!frame.marked(multicast_mark)) return link.host->id == frame.destination;
  if (members_.size() <= frame.flow) return false;
  const std::vector<HostId>& members = members_[frame.flow];
  return std::find(members.begin(), members.end(), link.host->id) != members.end();
}

void NeighbourTablesUnit::look_up(Frame& frame, Picoseconds now) {
  const Link& from = links_[frame.ingress_port.count()];
  // A frame from another switch bears that switch's own address.
  if (from.host && from.host->id == frame.source)
    tables_.heard(from.host->mac, frame.ingress_port, now);
  if (!is_local(frame)) return mmu_->arrival(frame, now);
  if (frame.marked(group_marks)) return flood_frame(frame, now);
  const Neighbour neighbour = tables_.find(links_[frame.egress_port.count()].host->ip, now);
  switch (neighbour.state) {
    case NeighbourState::reachable:
      frame.egress_port = neighbour.port;
      return mmu_->arrival(frame, now);
    case NeighbourState::incomplete:
      return handle_incomplete(frame, now);
    case NeighbourState::unknown:
      return drop(frame, MacDrop::no_neighbour, now);
  }
}

void NeighbourTablesUnit::handle_incomplete(Frame& frame, Picoseconds now) {
  ++counts_.incomplete;
  const auto& profile = chip_.profile_of_pg[pg_of(frame)];
  const bool lossless = profile && chip_.profiles[*profile].lossless;
  switch (settings_.incomplete) {
    case IncompleteArp::to_cpu:
      return to_cpu(frame, now);
    case IncompleteArp::drop_lossless:
      if (lossless) return drop(frame, MacDrop::incomplete_arp, now);
      return flood_frame(frame, now);
    case IncompleteArp::flood:
      return flood_frame(frame, now);
  }
}

void NeighbourTablesUnit::flood_frame(Frame& frame, Picoseconds now) {
  const bool alone = linked_ports() <= 1;  // the ingress port is linked
  if (alone) return drop(frame, MacDrop::no_route, now);
  ++counts_.flooded;
  frame.mark(copy_mark);
  mmu_->arrival(frame, now);
}

void NeighbourTablesUnit::copies_of(const Frame& frame, std::vector<FrameCopy>& copies) const {
  copies.clear();
  for (std::size_t i = 0; i < links_.size(); ++i)
    if (links_[i].linked && i != frame.ingress_port.count())
      copies.push_back({PortId{static_cast<std::uint16_t>(i)}, !matches(frame, links_[i])});
}

// The processor's queue holds frames of its own memory: the MMU charges nothing for them.
void NeighbourTablesUnit::to_cpu(Frame& frame, Picoseconds now) {
  if (cpu_queue_.size() == settings_.cpu_queue) return drop(frame, MacDrop::cpu_queue, now);
  ++counts_.to_cpu;
  if (cpu_queue_.empty())
    agenda_.post(now + settings_.cpu_packet_time, Rank::input, actor_, cpu_task);
  cpu_queue_.push(&frame);
  counts_.cpu_deepest = std::max(counts_.cpu_deepest, cpu_queue_.size());
}

// It asks the host: a frame whose host answers goes on, the others end here.
void NeighbourTablesUnit::serve_cpu(Picoseconds now) {
  Frame& frame = *cpu_queue_.pop();
  if (!cpu_queue_.empty())
    agenda_.post(now + settings_.cpu_packet_time, Rank::input, actor_, cpu_task);
  const PortId port = frame.egress_port;
  const AttachedHost& host = *links_[port.count()].host;
  ++counts_.arp_requests;
  if (host.dead_at(now)) {
    tables_.no_answer(host.ip);
    return drop(frame, MacDrop::no_neighbour, now);
  }
  ++counts_.arp_answers;
  tables_.answered(host.ip, host.mac, port, now);
  watch_arp_end(port);
  ++counts_.from_cpu;
  mmu_->arrival(frame, now);
}

void NeighbourTablesUnit::drop(Frame& frame, MacDrop reason, Picoseconds now) {
  const PortId port = frame.ingress_port;
  count_drop(counters_[port.count()], reason, frame.priority);
  observers_.notify([&](Observer& o) { o.mac_drop(switch_name_, frame, port, reason, now); });
  frame.release();
}

}  // namespace weir
