// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "weir/config/scenario/scenario.hpp"
#include "weir/core/pfc/pause_timer.hpp"
#include "weir/model/agenda.hpp"
#include "weir/model/host/host_context.hpp"
#include "weir/model/host/host_life.hpp"
#include "weir/model/host/host_streams.hpp"
#include "weir/model/host/rdma_receiver.hpp"
#include "weir/model/interfaces.hpp"
#include "weir/model/network/transmitter.hpp"

namespace weir {

/// The MAC of a host: what goes onto the wire and when, and which priorities the PFC frames that
/// come in have paused, in exact picoseconds (or ignored, as a traffic generator does).
///
/// When the wire is free, PFC frames of the receive pipeline go first (Transmitter), then answers
/// to connections, then the sources in their turns.
///
/// While nothing that comes in can make the host send, and no PFC frame is on its way, it decides
/// ahead: several frames in one task.
///
/// Timing:  works only when a frame starts. Source: docs/design/contract.md, 5;
///          docs/design/decisions/0007-transmitters-of-switch-and-host.md.
class HostMac final : public TransmitterIf {
 public:
  HostMac(const HostContext& host, const HostSpec& spec, HostStreams& streams,
          RdmaReceiver& connections, const HostLife& life);

  /// When elaboration ends: where frames go, and who writes PFC frames; nullptr: none.
  void connect(FrameForwardIf* out, PfcTransmitIf* pfc) noexcept { sender_.connect(out, pfc); }
  /// When the simulation starts: which way frames go.
  void find_route() { sender_.find_route(); }
  /// No PFC frame that is not on its way yet can arrive sooner than `delay` and its own length.
  void decide_ahead(Picoseconds delay) noexcept {
    ahead_ = delay + frame_time(pfc_frame_bytes.count(), byte_);
  }
  /// Something that comes in may make the host send: it decides frame by frame.
  void decide_in_turn() noexcept { in_turn_ = true; }

  /// The task HostTask::send.
  void send(Picoseconds now);
  /// Something may have become ready: asks the sources, and wakes at the next frame boundary.
  void look_again(Picoseconds now);
  /// An answer to a connection may wait.
  void look_for_answers(Picoseconds now) {
    if (connections_.answer_waits()) sender_.wake_at_boundary(now);
  }
  void pfc_requested(Picoseconds now) override { sender_.request_pfc(now); }
  void pause_changed(Picoseconds now) override { look_again(now); }

  /// A PFC frame whose last bit comes in at `last_bit`; posts HostTask::pfc with it.
  void receive_pfc(Frame& frame, Picoseconds last_bit);
  /// The task HostTask::pfc: its last bit is in.
  void obey(Frame& frame, Picoseconds now);
  /// The host has just been switched on: it knows of no pause.
  void forget_pauses(Picoseconds now);

  [[nodiscard]] PauseTimes pause_times(Priority priority, Picoseconds now) const noexcept {
    return timers_.pause_times(priority, now);
  }
  /// The longest of pause_times() begins again.
  void restart_longest_pause(Picoseconds now) noexcept { timers_.restart_longest(now); }

 private:
  void send_in_turn(Picoseconds now);
  void send_answer(Picoseconds now, std::uint8_t paused);
  [[nodiscard]] Picoseconds send_one(Picoseconds now);
  [[nodiscard]] std::uint8_t paused(Picoseconds now) noexcept {
    return obeys_pfc_ ? timers_.paused_mask(now) : std::uint8_t{0};
  }

  Transmitter sender_;
  HostStreams& streams_;
  const HostLife& life_;
  RdmaReceiver& connections_;
  Agenda& agenda_;
  Picoseconds ahead_;               // how far it may decide ahead
  std::uint32_t pfc_under_way_{0};  // PFC frames on their way to this port
  bool in_turn_{false};
  const bool obeys_pfc_;
  const Agenda::ActorId actor_;
  const HostId id_;
  const Picoseconds byte_;
  HostPauseTimer timers_;
  FramePool& frames_;
  PortCounters& counters_;
  const Observers& observers_;
  const std::string& name_;
};

}  // namespace weir
