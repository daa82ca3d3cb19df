// SPDX-License-Identifier: Apache-2.0
#include "clocked_switch.hpp"

#include <algorithm>
#include <optional>

#include "weir/core/bits.hpp"
#include "weir/model/network/frame.hpp"

namespace weir::bench {
namespace {

PgIndex lossless_pg_of(std::size_t port) {
  return pg_index(PortId{static_cast<std::uint16_t>(port)}, lossless_class);
}
QueueIndex lossless_queue_of(std::size_t port) {
  return queue_index(PortId{static_cast<std::uint16_t>(port)}, lossless_class);
}

}  // namespace

ClockedSwitch::Port::Port(const Chip& chip, std::uint16_t number)
    : index{number},
      host_timer{WireTimeBase{chip.ports[number].rate}, chip.ports[number].response},
      scheduler{chip.strict_queues, chip.dwrr_weight},
      pause{CycleTimeBase{chip.ports[number].rate, chip.clock}, chip.ports[number].response},
      generator{chip.quanta, CycleTimeBase{chip.ports[number].rate, chip.clock}} {}

ClockedSwitch::ClockedSwitch(const sc_core::sc_module_name& name, const Traffic& traffic)
    : sc_core::sc_module{name},
      clock_{"clock", sc_core::sc_time{1, sc_core::SC_NS}},
      traffic_{traffic},
      mmu_{chip_for(traffic)},
      byte_{byte_time(mmu_.chip().ports[0].rate)},
      slot_{packet_slot(traffic)},
      wire_{frame_time(traffic.packet.count(), byte_)},
      one_cycle_{mmu_.chip().clock.min_time(Cycle{1})},
      admit_{mmu_.chip().clock.min_time(Cycle{mmu_.chip().admit_latency})},
      request_{mmu_.chip().clock.min_time(Cycle{mmu_.chip().pfc_latency})},
      arrivals_{traffic.ports},
      releases_{traffic.ports} {
  for (std::uint16_t i = 0; i < traffic.ports; ++i) {
    ports_.emplace_back(mmu_.chip(), i);
    ports_[i].host_free = Picoseconds{traffic.incast ? 0 : slot_.count() / traffic.ports * i};
  }
  if (traffic.incast) ports_[0].host_free = never;  // it only receives
  SC_HAS_PROCESS(ClockedSwitch);
  SC_METHOD(cycle);
  sensitive << clock_.posedge_event();
  dont_initialize();
}

void ClockedSwitch::cycle() {
  for (Port& port : ports_) {
    if (!port.to_host.empty() && port.to_host.front().last_bit <= now_) obey(port);
    if (port.host_free <= now_) send_from_host(port);
    if (!port.to_switch.empty() && port.to_switch.front()->visible <= now_) receive(port);
    if (port.leaves_at <= now_) finish(port);
    if (!port.levels.empty()) update_levels(port);
    if (port.refresh_at <= now_) port.requested = true;
  }
  const std::uint32_t lanes = mmu_.chip().lanes;
  releases_.grant(lanes, [&](PortId port) { release(port.count()); });
  arrivals_.grant(lanes, [&](PortId port) { arrive(port.count()); });
  for (Port& port : ports_)
    if (port.free_at <= now_ && (port.requested || port.occupied != 0)) transmit(port);
  now_ += one_cycle_;
  cycle_ += Cycle{1};
}

void ClockedSwitch::obey(Port& port) {
  const Control control = port.to_host.pop();
  for (unsigned left = control.frame.class_enable; left != 0; left &= left - 1) {
    const unsigned n = lowest_bit(left);
    port.host_timer.load(Priority{static_cast<std::uint8_t>(n)}, control.frame.time[n],
                         control.last_bit);
  }
}

void ClockedSwitch::send_from_host(Port& port) {
  if (port.host_timer.paused(lossless_class, port.host_free)) {
    port.host_free = now_ + one_cycle_;
    return;
  }
  Frame& frame = *frames_.take();
  frame.length = static_cast<std::uint32_t>(traffic_.packet.count());
  frame.priority = lossless_class;
  frame.source = port.index;
  frame.destination = destination(traffic_, port.index);
  frame.sequence = port.sequence++;
  frame.created = port.host_free;
  frame.visible = port.host_free + cable_delay + wire_;
  PortCounters::ByPriority& counters = port.host_counters.priority[lossless_class.count()];
  ++counters.tx_packets;
  counters.tx_bytes += traffic_.packet;
  port.to_switch.push(&frame);
  port.host_free += slot_;
}

void ClockedSwitch::receive(Port& port) {
  Frame& frame = *port.to_switch.pop();
  PortCounters::ByPriority& counters = port.counters.priority[frame.priority.count()];
  ++counters.rx_packets;
  counters.rx_bytes += Bytes{frame.length};
  frame.ingress_port = PortId{port.index};
  frame.egress_port = PortId{static_cast<std::uint16_t>(frame.destination)};
  frame.pg = mmu_.chip().pg_of_priority[frame.priority.count()];
  frame.queue = mmu_.chip().queue_of_priority[frame.priority.count()];
  port.waiting.push(&frame);
  arrivals_.add(PortId{port.index});
}

void ClockedSwitch::finish(Port& port) {
  port.tickets.push(port.leaving_from);
  port.leaves_at = never;
  releases_.add(PortId{port.index});
}

void ClockedSwitch::arrive(std::size_t ingress) {
  Frame& frame = *ports_[ingress].waiting.pop();
  const Cells cells = mmu_.chip().cells(Bytes{frame.length});
  frame.cells = static_cast<std::uint16_t>(cells.count());
  const PgIndex pg = pg_index(PortId{static_cast<std::uint16_t>(ingress)}, Priority{frame.pg});
  const Verdict verdict = mmu_.arrive(pg, cells, Bytes{frame.length}, queue_of(frame), cycle_);
  if (verdict.pfc.changed) change_level(ingress, verdict.pfc.xoff);
  if (!verdict.admitted()) return frame.release();
  frame.visible = now_ + admit_;
  Port& egress = ports_[frame.egress_port.count()];
  egress.queues[frame.queue].push(&frame);
  egress.occupied = static_cast<std::uint8_t>(egress.occupied | class_bit(frame.queue));
}

void ClockedSwitch::release(std::size_t egress) {
  const std::size_t ingress = ports_[egress].tickets.pop();
  const Cells cells = mmu_.chip().cells(traffic_.packet);
  const PfcLevel level =
      mmu_.release(lossless_pg_of(ingress), cells, lossless_queue_of(egress), true, cycle_);
  if (level.changed) change_level(ingress, level.xoff);
}

void ClockedSwitch::change_level(std::size_t ingress, bool xoff) {
  ports_[ingress].levels.push({now_ + admit_, false, xoff});
  ports_[ingress].levels.push({now_ + admit_ + request_, true, xoff});
}

void ClockedSwitch::update_levels(Port& port) {
  while (!port.levels.empty() && port.levels.front().time <= now_) {
    const Level level = port.levels.pop();
    if (level.request)
      port.requested = port.requested || port.generator.request_needed(port.xoff);
    else
      port.xoff = level.xoff ? class_bit(lossless_class.count()) : std::uint8_t{0};
  }
}

void ClockedSwitch::transmit(Port& port) {
  if (port.requested && send_pfc(port)) return;
  if (port.occupied != 0) send_data(port);
}

bool ClockedSwitch::send_pfc(Port& port) {
  port.requested = false;
  const std::optional<PfcFrame> frame = port.generator.build(now_, port.xoff);
  port.refresh_at = port.generator.refresh_at().value_or(never);
  if (!frame) return false;
  ++pfc_frames_;
  port.to_host.push({now_ + cable_delay + frame_time(pfc_frame_bytes.count(), byte_), *frame});
  port.free_at = now_ + slot_time(pfc_frame_bytes.count(), byte_);
  return true;
}

void ClockedSwitch::send_data(Port& port) {
  const std::uint8_t paused = port.pause.paused_mask(now_);
  QueueScheduler::Heads heads{};
  unsigned eligible = 0;
  for (unsigned left = port.occupied; left != 0; left &= left - 1) {
    const unsigned queue = lowest_bit(left);
    const Frame& head = *port.queues[queue].front();
    if ((paused >> head.priority.count() & 1U) != 0 || now_ < head.visible) continue;
    eligible |= 1U << queue;
    heads[queue] = Bytes{head.length};
  }
  const int choice = port.scheduler.pick(static_cast<std::uint8_t>(eligible), heads);
  if (choice == QueueScheduler::none) return;
  const auto queue = static_cast<std::size_t>(choice);
  port.scheduler.served(choice, heads[queue]);
  Frame& frame = *port.queues[queue].pop();
  if (port.queues[queue].empty())
    port.occupied = static_cast<std::uint8_t>(port.occupied & ~class_bit(queue));
  // The wire is not aligned to cycles: a frame that waited follows the last one without an extra
  // gap.
  const Picoseconds this_cycle = now_ - std::min(now_, one_cycle_);
  const Picoseconds start = std::max({port.free_at, frame.visible, this_cycle});
  port.leaves_at = start + frame_time(frame.length, byte_);
  port.leaving_from = frame.ingress_port.count();
  port.free_at = start + slot_time(frame.length, byte_);
  PortCounters::ByPriority& counters = port.counters.priority[frame.priority.count()];
  ++counters.tx_packets;
  counters.tx_bytes += Bytes{frame.length};
  deliver(frame, start);
  ++sent_;
}

// The host at the other end has the frame `cable_delay` later.
void ClockedSwitch::deliver(Frame& frame, Picoseconds start) {
  Port& host = ports_[frame.destination];
  PortCounters::ByPriority& counters = host.host_counters.priority[frame.priority.count()];
  ++counters.rx_packets;
  counters.rx_bytes += Bytes{frame.length};
  const Picoseconds taken = start + cable_delay + frame_time(frame.length, byte_) - frame.created;
  host.latency.add(taken);
  frame.release();
}

}  // namespace weir::bench
