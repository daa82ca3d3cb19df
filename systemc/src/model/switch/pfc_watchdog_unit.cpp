// SPDX-License-Identifier: Apache-2.0
#include "weir/model/switch/pfc_watchdog_unit.hpp"

#include "weir/model/switch/drop_counters.hpp"

namespace weir {
namespace {

WatchdogEvent event_of(WatchdogAction action) noexcept {
  switch (action) {
    case WatchdogAction::drop:
      return WatchdogEvent::drop;
    case WatchdogAction::forward:
      return WatchdogEvent::forward;
    case WatchdogAction::alert:
      break;
  }
  return WatchdogEvent::alert;
}

constexpr std::uint8_t bit_of(Priority priority) noexcept {
  return static_cast<std::uint8_t>(1U << priority.count());
}

void set(std::uint8_t& classes, std::uint8_t bit, bool on) noexcept {
  classes = static_cast<std::uint8_t>(on ? classes | bit : classes & ~unsigned{bit});
}

}  // namespace

PfcWatchdogUnit::PfcWatchdogUnit(const sc_core::sc_module_name& name, const SwitchContext& parent,
                                 const std::vector<PfcWatchdogSpec>& specs,
                                 PfcReceiverBlock& receiver)
    : sc_core::sc_module{name},
      queue_of_priority_{parent.chip.queue_of_priority},
      receiver_{receiver},
      counters_{parent.counters},
      observers_{parent.model.observers},
      switch_name_{parent.name},
      ports_(parent.counters.size()),
      watched_(parent.counters.size() * priorities) {
  pauses.bind(*this);
  request.bind(*this);
  for (const PfcWatchdogSpec& spec : specs)
    for (const PortId port : spec.ports)
      for (Priority::rep n = 0; n < priorities; ++n) {
        const Priority priority{n};
        if ((spec.classes & bit_of(priority)) == 0) continue;
        set(ports_[port.count()].classes, bit_of(priority), true);
        watched_[index_in_port<WatchedIndex>(port, priority)] = {
            PfcWatchdog{spec.setting}, spec.action, {}};
      }
}

void PfcWatchdogUnit::pfc_obeyed(PortId port, const PfcFrame& frame, Picoseconds now) {
  const unsigned meant = ports_[port.count()].classes & unsigned{frame.class_enable};
  for (Priority::rep n = 0; n < priorities; ++n) {
    const Priority priority{n};
    if ((meant & bit_of(priority)) == 0 || frame.time[n] == Quanta{0}) continue;
    watched_[index_in_port<WatchedIndex>(port, priority)]->watchdog.paused(now);
    look(port, priority, now);
  }
}

void PfcWatchdogUnit::watch(Picoseconds now, std::uint32_t what, std::uint64_t argument) {
  if (what < look_task)
    return pass(*reinterpret_cast<Frame*>(static_cast<std::uintptr_t>(argument)), now);
  Watched& watched = *watched_[WatchedIndex{argument}];
  if (watched.look_at != now) return;  // overtaken by an earlier look
  watched.look_at.reset();
  look(port_id(argument / priorities), priority_id(argument % priorities), now);
}

void PfcWatchdogUnit::look(PortId port, Priority priority, Picoseconds now) {
  const WatchedIndex index = index_in_port<WatchedIndex>(port, priority);
  Watched& watched = *watched_[index];
  const PfcWatchdog::Look seen = watched.watchdog.look(
      now,
      {receiver_.paused_since(port, priority, now),
       ports_[port.count()].mac->waiting_since(queue_of_priority_[priority.count()], priority)});
  if (seen.change != PfcWatchdog::Change::none)
    apply(port, priority, seen.change == PfcWatchdog::Change::storm, now);
  if (!seen.again || (watched.look_at && *watched.look_at <= *seen.again)) return;
  watched.look_at = *seen.again;
  receiver_.post_watch(*seen.again, look_task, index.value());
}

void PfcWatchdogUnit::apply(PortId id, Priority priority, bool storm, Picoseconds now) {
  Port& port = ports_[id.count()];
  const WatchdogAction action = watched_[index_in_port<WatchedIndex>(id, priority)]->action;
  ++(storm ? storms_ : restored_);
  if (action != WatchdogAction::alert) set(port.unpausable, bit_of(priority), storm);
  if (action == WatchdogAction::drop) set(port.dropped, bit_of(priority), storm);
  const WatchdogEvent event = storm ? event_of(action) : WatchdogEvent::restored;
  observers_.notify(
      [&](Observer& o) { o.watchdog(switch_name_, id, bit_of(priority), event, now); });
  port.mac->set_lossless_off(port.unpausable, port.dropped, now);
}

void PfcWatchdogUnit::arrival(Frame& frame, Picoseconds last_bit) {
  receiver_.post_watch(last_bit, arrival_task + frame.ingress_port.count(),
                       reinterpret_cast<std::uintptr_t>(&frame));
}

void PfcWatchdogUnit::pass(Frame& frame, Picoseconds now) {
  const PortId port = frame.ingress_port;
  if ((ports_[port.count()].dropped >> frame.priority.count() & 1U) == 0)
    return mmu_->arrival(frame, now);
  count_drop(counters_[port.count()], MacDrop::watchdog, frame.priority);
  observers_.notify(
      [&](Observer& o) { o.mac_drop(switch_name_, frame, port, MacDrop::watchdog, now); });
  frame.release();
}

}  // namespace weir
