// SPDX-License-Identifier: Apache-2.0
#include "clocked_switch.hpp"

#include <algorithm>
#include <optional>

#include "weir/core/bits.hpp"
#include "weir/model/frame.hpp"

namespace weir::bench {
namespace {

std::size_t pg_of(std::size_t port) { return port * priorities + lossless_class.count(); }

}  // namespace

ClockedSwitch::Port::Port(const Chip& chip, std::uint16_t number)
    : index{number},
      host_timer{WireTimeBase{chip.ports[number].rate}, chip.ports[number].response},
      scheduler{chip.strict_queues, chip.dwrr_weight},
      pause{CycleTimeBase{chip.ports[number].rate, chip.clock}, chip.ports[number].response},
      generator{chip.quanta, chip.ports[number].rate} {}

ClockedSwitch::ClockedSwitch(const sc_core::sc_module_name& name, const Traffic& traffic)
    : sc_core::sc_module{name},
      clock_{"clock", sc_core::sc_time{1, sc_core::SC_NS}},
      traffic_{traffic},
      mmu_{chip_for(traffic)},
      byte_{byte_time(mmu_.chip().ports[0].rate)},
      slot_{packet_slot(traffic)},
      wire_{frame_time(traffic.packet.count(), byte_)},
      admit_{mmu_.chip().clock * mmu_.chip().admit_latency},
      request_{mmu_.chip().clock * mmu_.chip().pfc_latency},
      cells_{mmu_.chip().cells(traffic.packet)},
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
    if (!port.to_switch.empty() && port.to_switch.front().time <= now_) receive(port);
    if (port.leaves_at <= now_) finish(port);
    if (!port.levels.empty()) update_levels(port);
    if (port.refresh_at <= now_) port.requested = true;
  }
  const std::uint32_t lanes = mmu_.chip().lanes;
  releases_.grant(lanes, [&](PortId port) { release(port.count()); });
  arrivals_.grant(lanes, [&](PortId port) { arrive(port.count()); });
  for (Port& port : ports_)
    if (port.free_at <= now_ && (port.requested || port.occupied != 0)) transmit(port);
  now_ += mmu_.chip().clock;
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
  if (port.host_timer.blocked(lossless_class, port.host_free)) {
    port.host_free = now_ + mmu_.chip().clock;
    return;
  }
  const Picoseconds last_bit = port.host_free + cable_delay + wire_;
  port.to_switch.push({last_bit, port.index, destination(traffic_, port.index)});
  port.host_free += slot_;
}

void ClockedSwitch::receive(Port& port) {
  port.waiting.push(port.to_switch.pop());
  arrivals_.add(PortId{port.index});
}

void ClockedSwitch::finish(Port& port) {
  port.tickets.push(port.leaving_from);
  port.leaves_at = never;
  releases_.add(PortId{port.index});
}

void ClockedSwitch::arrive(std::size_t ingress) {
  Packet packet = ports_[ingress].waiting.pop();
  const std::size_t queue = pg_of(packet.egress);
  const Verdict verdict = mmu_.arrive(pg_of(ingress), cells_, traffic_.packet, queue);
  if (verdict.pfc.changed) change_level(ingress, verdict.pfc.xoff);
  if (!verdict.admitted()) return;
  packet.time = now_ + admit_;
  Port& egress = ports_[packet.egress];
  egress.queues[queue % priorities].push(packet);
  egress.occupied = static_cast<std::uint8_t>(egress.occupied | class_bit(queue % priorities));
}

void ClockedSwitch::release(std::size_t egress) {
  const std::size_t ingress = ports_[egress].tickets.pop();
  const PfcLevel level = mmu_.release(pg_of(ingress), cells_, pg_of(egress), true);
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
  const std::uint8_t blocked = port.pause.blocked_mask(now_);
  QueueScheduler::Heads heads{};
  unsigned eligible = 0;
  for (unsigned left = port.occupied; left != 0; left &= left - 1) {
    const unsigned queue = lowest_bit(left);
    if ((blocked >> queue & 1U) != 0 || now_ < port.queues[queue].front().time) continue;
    eligible |= 1U << queue;
    heads[queue] = traffic_.packet;
  }
  const int choice = port.scheduler.pick(static_cast<std::uint8_t>(eligible), heads);
  if (choice == QueueScheduler::none) return;
  port.scheduler.served(choice, traffic_.packet);
  const auto queue = static_cast<std::size_t>(choice);
  const Packet packet = port.queues[queue].pop();
  if (port.queues[queue].empty())
    port.occupied = static_cast<std::uint8_t>(port.occupied & ~class_bit(queue));
  // The wire knows no cycles: a frame that waited follows the last one without a gap of its own.
  const Picoseconds this_cycle = now_ - std::min(now_, mmu_.chip().clock);
  const Picoseconds start = std::max({port.free_at, packet.time, this_cycle});
  port.leaves_at = start + wire_;
  port.leaving_from = packet.ingress;
  port.free_at = start + slot_;
  ++sent_;
}

}  // namespace weir::bench
