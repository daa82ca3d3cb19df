// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "weir/core/units.hpp"
#include "weir/model/agenda.hpp"
#include "weir/model/interfaces.hpp"
#include "weir/model/network/frame_socket.hpp"
#include "weir/model/network/port_context.hpp"
#include "weir/model/observer.hpp"
#include "weir/model/switch/port_counters.hpp"

namespace weir {

/// The transmitter of a port, the same in a switch (MacTx) and in a host (HostMac): from when on
/// the wire is free, which wake-up counts, and what all frames that start have in common. Its owner
/// chooses the frames.
///
/// A PFC frame waits for the frame on the wire, then goes first; it is built when it starts, from
/// the state of that moment. A pause takes effect at a frame boundary: the owner asks what is
/// paused when it chooses a frame, and no frame is cut short.
///
/// Timing:  exact picoseconds: a frame occupies the wire for preamble, frame and gap. One task for
///          each wake-up, none while nothing waits.
/// Source:  docs/design/contract.md, 3.
class Transmitter {
 public:
  static constexpr Picoseconds never{~std::uint64_t{0}};

  /// `task` of `actor` wakes the owner, which then asks wakes().
  Transmitter(const PortContext& port, Agenda::ActorId actor, std::uint32_t task);

  /// When elaboration ends: where frames go and who writes PFC frames; nullptr: none.
  void connect(FrameForwardIf* out, PfcTransmitIf* pfc) noexcept {
    out_ = out;
    pfc_ = pfc;
  }

  /// When the simulation starts: which way frames go.
  void find_route() { route_ = route_from(out_); }

  /// Last byte of a frame that starts at `now`.
  [[nodiscard]] Picoseconds last_byte(const Frame& frame, Picoseconds now) const noexcept {
    return now + frame_time(frame.length, byte_);
  }
  /// The next frame may start then.
  [[nodiscard]] Picoseconds free_at() const noexcept { return free_at_; }
  /// Wakes the owner at `when`; only the earliest of all calls counts.
  void wake_at(Picoseconds when) {
    if (woken_at_ <= when) return;
    woken_at_ = when;
    agenda_.post(when, Rank::output, actor_, task_);
  }
  /// The same for the first frame boundary from `now` on.
  void wake_at_boundary(Picoseconds now) { wake_at(now < free_at_ ? free_at_ : now); }
  /// Of the task at `now`; false: an earlier wake-up has overtaken it, and nothing is to be done.
  [[nodiscard]] bool wakes(Picoseconds now) noexcept {
    if (now != woken_at_) return false;
    woken_at_ = never;
    return true;
  }

  /// A PFC frame waits for the wire from now on.
  void request_pfc(Picoseconds now) {
    pfc_waits_ = true;
    wake_at_boundary(now);
  }
  /// Starts the PFC frame that waits; false: none waits, or no frame is due any more. Range:
  /// the wire is free.
  [[nodiscard]] bool send_pfc(Picoseconds now) { return pfc_waits_ && start_pfc(now); }

  /// Counts a frame of data and starts it. Range: the wire is free at `now`, which may lie ahead of
  /// the agenda by what nothing can change any more.
  void send(Frame& frame, Picoseconds now) {
    PortCounters::ByPriority& counters = counters_.priority[frame.priority.count()];
    ++counters.tx_packets;
    counters.tx_bytes += Bytes{frame.length};
    start(frame, now);
  }
  /// The wire stays silent for the time of a frame.
  void occupy(const Frame& frame, Picoseconds now) noexcept {
    free_at_ = now + slot_time(frame.length, byte_);
  }

 private:
  [[nodiscard]] bool start_pfc(Picoseconds now);
  void start(Frame& frame, Picoseconds now) {
    occupy(frame, now);
    observers_.notify_detail_readers(
        [&](Observer& o) { o.frame_started(node_, port_, frame, now); });
    if (route_.port != nullptr) return route_.port->take_at(frame, now + route_.delay);
    send_frame(out_, frame, agenda_.ahead_of_kernel(now));
  }

  Picoseconds woken_at_{never};  // the one task that counts
  Picoseconds free_at_;
  const Picoseconds byte_;
  Agenda& agenda_;
  const Agenda::ActorId actor_;
  const std::uint32_t task_;
  const PortId port_;
  bool pfc_waits_{false};
  FrameRoute route_;
  FrameForwardIf* out_{nullptr};
  PfcTransmitIf* pfc_{nullptr};
  PortCounters& counters_;
  const Observers& observers_;
  FramePool& frames_;
  const std::string& node_;
};

}  // namespace weir
