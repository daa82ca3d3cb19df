// SPDX-License-Identifier: Apache-2.0
#include "weir/model/switch/mac_tx.hpp"

#include <algorithm>

#include "weir/core/bits.hpp"

namespace weir {

MacTx::MacTx(const sc_core::sc_module_name& name, const Chip& chip, PortId port, Agenda& agenda,
             FramePool& frames, PortCounters& counters, const Observers& observers,
             const std::string& switch_name)
    : sc_core::sc_module{name},
      byte_{byte_time(chip.ports[port.count()].rate)},
      port_{port},
      actor_{agenda.enroll(*this)},
      agenda_{agenda},
      counters_{counters},
      scheduler_{chip.scheduler == SchedulerKind::strict ? std::uint8_t{0xff} : chip.strict_queues,
                 chip.dwrr_weight},
      frames_{frames},
      observers_{observers},
      switch_name_{switch_name} {
  wire.bind(*this);
  egress.bind(*this);
  transmitter.bind(*this);
}

void MacTx::end_of_elaboration() {
  mmu_ = mmu[0];
  generator_ = pfc_generator[0];
  pause_ = pfc_receiver[0];
  out_ = peer_of(wire);
}

void MacTx::enqueue(Frame& frame) {
  if ((discarded_ >> frame.priority.count() & 1U) != 0) return discard(frame, frame.visible);
  queues_[frame.queue].push(&frame);
  occupied_ = static_cast<std::uint8_t>(occupied_ | 1U << frame.queue);
  wake_at(std::max(frame.visible, free_at_));
}

ReleaseTicket MacTx::ticket_of(const Frame& frame) const noexcept {
  const bool copy = frame.marked(copy_mark);  // the arbiter will know whether it was the last
  return {static_cast<std::uint32_t>(frame.ingress_port.count() * priorities + frame.pg),
          static_cast<std::uint32_t>(port_.count() * priorities + frame.queue),
          copy ? frame.replica : std::uint32_t{frame.cells}, !copy};
}

void MacTx::enable(bool on, Picoseconds now) {
  enabled_ = on;
  if (on && occupied_ != 0) wake_at(std::max(now, free_at_));
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
  if (occupied_ != 0) wake_at(std::max(now, free_at_));
}

// The cells are asked for at `when`, as if the frame had left then.
void MacTx::discard(Frame& frame, Picoseconds when) {
  mmu_->release(ticket_of(frame), port_, when);
  ++counters_.watchdog_drops;
  ++counters_.priority[frame.priority.count()].queue_drops;
  observers_.tell(
      [&](Observer& o) { o.mac_drop(switch_name_, frame, port_, MacDrop::watchdog_egress, when); });
  frame.release();
}

std::optional<Picoseconds> MacTx::waiting_since(std::size_t queue,
                                                Priority priority) const noexcept {
  for (const Frame* frame = queues_[queue].front(); frame != nullptr; frame = frame->next)
    if (frame->priority == priority) return frame->visible;
  return std::nullopt;
}

std::uint64_t MacTx::queued_cells() const noexcept {
  std::uint64_t cells = 0;
  for (const FrameList& queue : queues_)
    for (const Frame* frame = queue.front(); frame != nullptr; frame = frame->next)
      if (!frame->marked(copy_mark)) cells += frame->cells;
  return cells;
}

// Only the earliest wake-up counts; a task that was overtaken finds that it is not the one.
void MacTx::wake_at(Picoseconds when) {
  if (woken_at_ <= when) return;
  woken_at_ = when;
  agenda_.post(when, Rank::output, actor_, 0);
}

void MacTx::act(Picoseconds now, std::uint32_t, std::uint64_t) {
  if (now != woken_at_) return;
  woken_at_ = never;
  if (pfc_waits_ && send_pfc(now)) return;
  if (occupied_ != 0 && enabled_) send_data(now);
}

bool MacTx::send_pfc(Picoseconds now) {
  pfc_waits_ = false;
  const std::optional<PfcFrame> contents = generator_->start_frame(port_, now);
  if (!contents) return false;
  Frame* frame = frames_.take();
  frame->kind = FrameKind::pfc;
  frame->length = static_cast<std::uint32_t>(pfc_frame_bytes.count());
  frame->pfc = *contents;
  frame->created = now;
  counters_.count_sent(*contents);
  observers_.tell([&](Observer& o) { o.pfc_sent(switch_name_, port_, *contents, now); });
  start(*frame, now);
  return true;
}

void MacTx::send_data(Picoseconds now) {
  const unsigned blocked = pause_->blocked(port_, now) & ~unsigned{unpausable_};
  QueueScheduler::Heads heads{};
  unsigned eligible = 0;
  for (unsigned left = occupied_; left != 0; left &= left - 1) {
    const unsigned queue = lowest_bit(left);
    const Frame& head = *queues_[queue].front();
    if (now < head.visible || (blocked >> head.priority.count() & 1U) != 0) continue;
    eligible |= 1U << queue;
    heads[queue] = Bytes{head.length};
  }
  const int choice = scheduler_.pick(static_cast<std::uint8_t>(eligible), heads);
  if (choice == QueueScheduler::none) return wait_for_change(now);
  const auto queue = static_cast<std::size_t>(choice);
  scheduler_.served(choice, heads[queue]);
  Frame& frame = *queues_[queue].pop();
  if (queues_[queue].empty()) occupied_ = static_cast<std::uint8_t>(occupied_ & ~(1U << queue));
  mmu_->release(ticket_of(frame), port_, now + frame_time(frame.length, byte_));
  if (frame.marked(copy_mark)) return send_copy(frame, now);
  PortCounters::ByPriority& counters = counters_.priority[frame.priority.count()];
  ++counters.tx_packets;
  counters.tx_bytes += Bytes{frame.length};
  start(frame, now);
}

// One of several copies.
void MacTx::send_copy(Frame& frame, Picoseconds now) {
  PortCounters::ByPriority& counters = counters_.priority[frame.priority.count()];
  if (frame.marked(stray_mark)) {
    occupy_wire(frame, now);
    ++counters.stray_copies;
    observers_.tell(
        [&](Observer& o) { o.mac_drop(switch_name_, frame, port_, MacDrop::stray_copy, now); });
    frame.release();
    return;
  }
  frame.unmark(copy_mark);
  ++counters.tx_packets;
  counters.tx_bytes += Bytes{frame.length};
  start(frame, now);
}

// The next choice comes when the wire is free and there is one to make.
void MacTx::occupy_wire(const Frame& frame, Picoseconds now) {
  free_at_ = now + slot_time(frame.length, byte_);
  if (occupied_ != 0 || pfc_waits_) wake_at(free_at_);
}

// Puts a frame on the wire.
void MacTx::start(Frame& frame, Picoseconds now) {
  occupy_wire(frame, now);
  busy_time_ += slot_time(frame.length, byte_);
  observers_.tell_detail_readers(
      [&](Observer& o) { o.frame_started(switch_name_, port_, frame, now); });
  send_frame(out_, frame, agenda_.ahead_of_kernel());
}

// Nothing may start now although frames wait: look again when a frame becomes visible or a pause
// ends.
void MacTx::wait_for_change(Picoseconds now) {
  Picoseconds next = never;
  for (unsigned left = occupied_; left != 0; left &= left - 1) {
    const Frame& head = *queues_[lowest_bit(left)].front();
    if (now < head.visible) next = std::min(next, head.visible);
  }
  if (const std::optional<Picoseconds> change = pause_->next_change(port_, now))
    next = std::min(next, *change);
  if (next != never) wake_at(next);
}

}  // namespace weir
