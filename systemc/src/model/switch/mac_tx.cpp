// SPDX-License-Identifier: Apache-2.0
#include "weir/model/switch/mac_tx.hpp"

#include <algorithm>

#include "weir/core/bits.hpp"
#include "weir/model/mmu/arrival_arbiter_unit.hpp"
#include "weir/model/mmu/pfc_receiver_unit.hpp"
#include "weir/model/switch/drop_counters.hpp"

namespace weir {

// What few packets need is not inlined into what all pass (noinline), and is called last where it
// can be: what all pass then needs no registers saved.

MacTx::MacTx(const sc_core::sc_module_name& name, const SwitchContext& parent, PortId port)
    : sc_core::sc_module{name},
      sender_{parent.port(port), parent.model.agenda.enroll(*this), 0},
      port_{port},
      scheduler_{parent.chip.scheduler == SchedulerKind::strict ? std::uint8_t{0xff}
                                                                : parent.chip.strict_queues,
                 parent.chip.dwrr_weight},
      agenda_{parent.model.agenda},
      counters_{parent.counters[port.count()]},
      observers_{parent.model.observers},
      switch_name_{parent.name},
      through_interfaces_{parent.through_interfaces} {
  wire.bind(*this);
  egress.bind(*this);
  transmitter.bind(*this);
}

void MacTx::end_of_elaboration() {
  mmu_ = KnownPeer<MmuRequestIf, ArrivalArbiterUnit>{mmu[0], through_interfaces_};
  pause_ = KnownPeer<PauseIf, PfcReceiverUnit>{pfc_receiver[0], through_interfaces_};
  if (ecn_marker.size() != 0) marking_ = ecn_marker[0];
  sender_.connect(peer_of(wire), pfc_generator[0]);
}

void MacTx::enqueue(Frame& frame) {
  if ((discarded_ >> frame.priority.count() & 1U) != 0) return discard(frame, frame.visible);
  const unsigned queue = frame.queue;
  const Picoseconds visible = frame.visible;
  queues_[queue].push(&frame);
  occupied_ = static_cast<std::uint8_t>(occupied_ | 1U << queue);
  sender_.wake_at_boundary(visible);
}

ReleaseTicket MacTx::ticket_of(const Frame& frame) const noexcept {
  const bool copy = frame.marked(copy_mark);  // the arbiter will know whether it was the last
  return {pg_of(frame), queue_index(port_, Priority{frame.queue}),
          copy ? frame.replica : std::uint32_t{frame.cells}, !copy};
}

void MacTx::enable(bool on, Picoseconds now) {
  enabled_ = on;
  if (on && occupied_ != 0) sender_.wake_at_boundary(now);
}

void MacTx::set_lossless_off(std::uint8_t classes, std::uint8_t discard, Picoseconds now) {
  unpausable_ = classes;
  discarded_ = discard;
  for (std::size_t queue = 0; queue < priorities && discarded_ != 0; ++queue) {
    FrameList kept;
    while (!queues_[queue].empty()) {
      Frame& frame = *queues_[queue].pop();
      if ((discarded_ >> frame.priority.count() & 1U) != 0)
        this->discard(frame, std::max(now, frame.visible));
      else
        kept.push(&frame);
    }
    queues_[queue] = kept;
    if (kept.empty()) occupied_ = static_cast<std::uint8_t>(occupied_ & ~(1U << queue));
  }
  if (occupied_ != 0) sender_.wake_at_boundary(now);
}

// The cells are asked for at `when`, as if the frame had left then.
[[gnu::noinline]] void MacTx::discard(Frame& frame, Picoseconds when) {
  if (frame.marked(wred_mark)) marking_->discards(frame, when);
  mmu_.call([&](auto& arbiter) { arbiter.release(ticket_of(frame), port_, when); });
  count_drop(counters_, MacDrop::watchdog_egress, frame.priority);
  observers_.notify(
      [&](Observer& o) { o.mac_drop(switch_name_, frame, port_, MacDrop::watchdog_egress, when); });
  frame.release();
}

std::optional<Picoseconds> MacTx::waiting_since(std::size_t queue,
                                                Priority priority) const noexcept {
  for (const Frame* frame = queues_[queue].front(); frame != nullptr; frame = frame->next)
    if (frame->priority == priority) return frame->visible;
  return std::nullopt;
}

void MacTx::act(Picoseconds now, std::uint32_t, std::uint64_t) {
  if (!sender_.wakes(now)) return;
  if (sender_.send_pfc(now)) return choose_next();
  if (occupied_ != 0 && enabled_) send_data(now);
}

std::uint8_t MacTx::paused(Picoseconds now) const {
  const unsigned by_peer = pause_.call([&](auto& timers) { return timers.paused(port_, now); });
  return static_cast<std::uint8_t>(by_peer & ~unsigned{unpausable_});
}

void MacTx::send_data(Picoseconds now) {
  const unsigned paused = this->paused(now);
  const bool only_one = (occupied_ & (occupied_ - 1U)) == 0;
  const int choice = only_one ? only_queue(paused, now) : choose_queue(paused, now);
  if (choice == QueueScheduler::none) return wait_for_change(now);
  send_from(static_cast<unsigned>(choice), now);
}

// choose_queue() where one queue holds frames, the usual case.
inline int MacTx::only_queue(unsigned paused, Picoseconds now) {
  const unsigned queue = lowest_bit(occupied_);
  const Frame& head = *queues_[queue].front();
  if (!may_start(head, paused, now)) return QueueScheduler::none;
  scheduler_.serve_only(queue, Bytes{head.length});
  return static_cast<int>(queue);
}

// Of the queues that hold frames, by their first ones; the scheduler counts it as served.
[[gnu::noinline]] int MacTx::choose_queue(unsigned paused, Picoseconds now) {
  QueueScheduler::Heads heads{};
  unsigned eligible = 0;
  for (unsigned left = occupied_; left != 0; left &= left - 1) {
    const unsigned queue = lowest_bit(left);
    const Frame& head = *queues_[queue].front();
    if (!may_start(head, paused, now)) continue;
    eligible |= 1U << queue;
    heads[queue] = Bytes{head.length};
  }
  const int choice = scheduler_.pick(static_cast<std::uint8_t>(eligible), heads);
  if (choice != QueueScheduler::none)
    scheduler_.served(choice, heads[static_cast<std::size_t>(choice)]);
  return choice;
}

inline void MacTx::send_from(unsigned queue, Picoseconds now) {
  Frame& frame = *queues_[queue].pop();
  if (queues_[queue].empty()) occupied_ = static_cast<std::uint8_t>(occupied_ & ~(1U << queue));
  mmu_.call([&](auto& arbiter) {
    arbiter.release(ticket_of(frame), port_, sender_.last_byte(frame, now));
  });
  if (frame.marked(stray_mark | wred_mark)) return send_special(frame, now);
  start(frame, now);
}

inline void MacTx::start(Frame& frame, Picoseconds now) {
  frame.unmark(copy_mark);
  sender_.send(frame, now);
  choose_next();
}

// A stray copy, or a frame that may be marked: few frames, or none, so one test for both.
[[gnu::noinline]] void MacTx::send_special(Frame& frame, Picoseconds now) {
  const bool stray = frame.marked(stray_mark);
  if (frame.marked(wred_mark))
    stray ? marking_->discards(frame, now) : marking_->leaves(frame, now);
  stray ? drop_stray(frame, now) : start(frame, now);
}

[[gnu::noinline]] void MacTx::drop_stray(Frame& frame, Picoseconds now) {
  sender_.occupy(frame, now);
  choose_next();
  count_drop(counters_, MacDrop::stray_copy, frame.priority);
  observers_.notify(
      [&](Observer& o) { o.mac_drop(switch_name_, frame, port_, MacDrop::stray_copy, now); });
  frame.release();
}

// The next choice comes when the wire is free and there is one to make; who asks for a PFC frame
// wakes the port.
void MacTx::choose_next() {
  if (occupied_ != 0) sender_.wake_at(sender_.free_at());
}

// Nothing may start now although frames wait: look again when a frame becomes visible or a pause
// ends.
[[gnu::noinline]] void MacTx::wait_for_change(Picoseconds now) {
  Picoseconds next = Transmitter::never;
  for (unsigned left = occupied_; left != 0; left &= left - 1) {
    const Frame& head = *queues_[lowest_bit(left)].front();
    if (now < head.visible) next = std::min(next, head.visible);
  }
  const std::optional<Picoseconds> change =
      pause_.call([&](auto& timers) { return timers.next_change(port_, now); });
  if (change) next = std::min(next, *change);
  if (next != Transmitter::never) sender_.wake_at(next);
}

}  // namespace weir
