// SPDX-License-Identifier: Apache-2.0
#include "weir/model/host/host_mac.hpp"

#include <algorithm>
#include <optional>

namespace weir {
namespace {

constexpr Picoseconds never = Transmitter::never;
constexpr unsigned max_ahead = 32;  // frames decided in one go: what they touch stays in the cache

}  // namespace

HostMac::HostMac(const HostContext& host, const HostSpec& spec, HostStreams& streams,
                 RdmaReceiver& connections, const HostLife& life)
    : sender_{host.port, host.actor, HostTask::send},
      streams_{streams},
      life_{life},
      connections_{connections},
      agenda_{host.port.model.agenda},
      obeys_pfc_{spec.obeys_pfc},
      actor_{host.actor},
      id_{host.id},
      byte_{byte_time(spec.rate)},
      timers_{WireTimeBase{spec.rate}, spec.response},
      frames_{host.port.model.frames},
      counters_{host.port.counters},
      observers_{host.port.model.observers},
      name_{host.port.node} {}

void HostMac::look_again(Picoseconds now) {
  streams_.look();
  const Picoseconds ready = streams_.earliest_ready();
  if (ready != never) sender_.wake_at_boundary(std::max(ready, now));
}

// Starts a frame at `now`, if one may start; returns when to look again.
inline Picoseconds HostMac::send_one(Picoseconds now) {
  if (life_.dead_at(now)) return never;
  const HostStreams::Turn turn = streams_.next_turn(now, paused(now));
  if (turn.stream != nullptr) {
    sender_.send(streams_.take(*turn.stream, now), now);
    return std::max(streams_.earliest_ready(), sender_.free_at());
  }
  Picoseconds next = turn.next_ready;
  if (turn.paused)
    if (const std::optional<Picoseconds> change = timers_.next_change(now))
      next = std::min(next, *change);
  return next;
}

// What may still change the choice is at least `ahead_` away, or already on its way.
void HostMac::send(Picoseconds now) {
  if (!sender_.wakes(now)) return;
  if (in_turn_) return send_in_turn(now);
  const Picoseconds limit =
      pfc_under_way_ == 0
          ? std::min(now + std::min(ahead_, agenda_.lookahead()), agenda_.decided_to())
          : now;
  Picoseconds next = now;
  unsigned frames = 0;
  do {
    next = send_one(next);
  } while (next < limit && ++frames < max_ahead);
  if (next != never) sender_.wake_at(next);
}

// The same for a host that does not decide ahead: PFC, answers, packets.
void HostMac::send_in_turn(Picoseconds now) {
  if (life_.dead_at(now)) {
    if (life_.dead_until() < agenda_.end()) sender_.wake_at_boundary(life_.dead_until());
    return;
  }
  if (sender_.send_pfc(now)) return sender_.wake_at(sender_.free_at());
  if (connections_.answer_waits()) {
    const std::uint8_t paused = this->paused(now);
    if (connections_.may_answer(paused)) return send_answer(now, paused);
    if (const std::optional<Picoseconds> change = timers_.next_change(now))
      sender_.wake_at(*change);
  }
  streams_.look();
  const Picoseconds next = send_one(now);
  if (next != never) sender_.wake_at(next);
}

void HostMac::send_answer(Picoseconds now, std::uint8_t paused) {
  Frame& frame = *frames_.take();
  connections_.write_answer(frame, paused);
  frame.source = id_;
  frame.created = now;
  sender_.send(frame, now);
  sender_.wake_at(sender_.free_at());
}

void HostMac::receive_pfc(Frame& frame, Picoseconds last_bit) {
  ++pfc_under_way_;
  agenda_.post(last_bit, Rank::input, actor_, HostTask::pfc,
               reinterpret_cast<std::uintptr_t>(&frame));
}

void HostMac::obey(Frame& frame, Picoseconds now) {
  --pfc_under_way_;
  counters_.count_received(frame.pfc, now);
  observers_.notify([&](Observer& o) { o.pfc_received(name_, PortId{0}, frame.pfc, now); });
  if (obeys_pfc_ && !life_.dead_at(now)) {
    for (std::size_t n = 0; n < priorities; ++n)
      if ((frame.pfc.class_enable >> n & 1U) != 0)
        timers_.load(Priority{static_cast<std::uint8_t>(n)}, frame.pfc.time[n], now);
    pause_changed(now);
  }
  frame.release();
}

void HostMac::forget_pauses(Picoseconds now) {
  for (std::size_t n = 0; n < priorities; ++n)
    timers_.load(Priority{static_cast<std::uint8_t>(n)}, Quanta{0}, now);
}

}  // namespace weir
