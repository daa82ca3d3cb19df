// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <optional>
#include <string>
#include <systemc>

#include "weir/core/scheduling/queue_scheduler.hpp"
#include "weir/model/agenda.hpp"
#include "weir/model/interfaces.hpp"
#include "weir/model/known_peer.hpp"
#include "weir/model/network/frame_socket.hpp"
#include "weir/model/network/transmitter.hpp"
#include "weir/model/observer.hpp"
#include "weir/model/switch/port_counters.hpp"
#include "weir/model/switch/switch_context.hpp"

namespace weir {

class ArrivalArbiterUnit;
class PfcReceiverUnit;

/// Egress side of a switch port: eight queues, their scheduler, and the transmitter.
///
/// A stray copy is read out at the rate of the port like any other frame, and then dropped: the
/// wire stays silent for its time.
///
/// When the wire is free, what goes first and from when on a pause counts: Transmitter.
///
/// Timing:  the cells of a frame are freed at the first clock edge at or after its last byte. Works
///          only when a frame starts.
/// Source:  docs/design/contract.md, 3; the choice is core/scheduling/queue_scheduler.hpp.
class MacTx final : public sc_core::sc_module,
                    public EgressIf,
                    public TransmitterIf,
                    private FrameSender,
                    private Actor {
  // First, so that what every frame touches lies in one place, ahead of the sockets.
  Transmitter sender_;
  const PortId port_;
  std::uint8_t occupied_{0};  // bit q: queue q holds frames
  bool enabled_{true};
  std::uint8_t unpausable_{0}, discarded_{0};  // bit n: class n, as set_lossless_off() says
  KnownPeer<MmuRequestIf, ArrivalArbiterUnit> mmu_;
  KnownPeer<PauseIf, PfcReceiverUnit> pause_;
  QueueScheduler scheduler_;
  std::array<FrameList, priorities> queues_;
  Agenda& agenda_;
  PortCounters& counters_;
  const Observers& observers_;
  const std::string& switch_name_;
  MarkingIf* marking_{nullptr};
  const bool through_interfaces_;

 public:
  FrameInitiator wire{"wire"};
  sc_core::sc_export<EgressIf> egress{"egress"};
  sc_core::sc_export<TransmitterIf> transmitter{"transmitter"};
  sc_core::sc_port<MmuRequestIf> mmu{"mmu"};
  sc_core::sc_port<PfcTransmitIf> pfc_generator{"pfc_generator"};
  sc_core::sc_port<PauseIf> pfc_receiver{"pfc_receiver"};
  /// Where frames with wred_mark come from; on a switch without one there are none.
  sc_core::sc_port<MarkingIf, 1, sc_core::SC_ZERO_OR_MORE_BOUND> ecn_marker{"ecn_marker"};

  MacTx(const sc_core::sc_module_name& name, const SwitchContext& parent, PortId port);

  void enqueue(Frame& frame) override;
  void pfc_requested(Picoseconds now) override { sender_.request_pfc(now); }
  void pause_changed(Picoseconds now) override {
    if (occupied_ != 0) sender_.wake_at_boundary(now);
  }

  /// Switches the transmitter of data frames off (frames stay in their queues) or on again.
  void enable(bool on, Picoseconds now);

  /// Lossless mode is off for `classes` (bit n: class n) and no others: they do not obey the peer's
  /// pauses. With `discard`, what waits in their queues, and what comes, is dropped.
  void set_lossless_off(std::uint8_t classes, std::uint8_t discard, Picoseconds now);
  /// Since when the first frame of `priority` that waits in `queue` may go; none waits: none.
  [[nodiscard]] std::optional<Picoseconds> waiting_since(std::size_t queue,
                                                         Priority priority) const noexcept;

  /// Frames now in queue `queue`.
  [[nodiscard]] std::size_t depth(std::size_t queue) const noexcept {
    return queues_[queue].size();
  }
  /// The frame that leaves queue `queue` first, the others after it by Frame::next; or nullptr.
  [[nodiscard]] const Frame* first(std::size_t queue) const noexcept {
    return queues_[queue].front();
  }
  /// Classes of which no frame may start now: bit n = class n.
  [[nodiscard]] std::uint8_t paused(Picoseconds now) const;

 private:
  void end_of_elaboration() override;
  void start_of_simulation() override { sender_.find_route(); }
  [[nodiscard]] const Agenda* driven_by() override { return &agenda_; }
  void act(Picoseconds now, std::uint32_t what, std::uint64_t argument) override;
  void send_data(Picoseconds now);
  [[nodiscard]] int only_queue(unsigned paused, Picoseconds now);
  [[nodiscard]] int choose_queue(unsigned paused, Picoseconds now);
  void send_from(unsigned queue, Picoseconds now);
  [[nodiscard]] static bool may_start(const Frame& head, unsigned paused,
                                      Picoseconds now) noexcept {
    return head.visible <= now && (paused >> head.priority.count() & 1U) == 0;
  }
  void send_special(Frame& frame, Picoseconds now);
  void start(Frame& frame, Picoseconds now);
  void drop_stray(Frame& frame, Picoseconds now);
  void choose_next();
  void wait_for_change(Picoseconds now);
  void discard(Frame& frame, Picoseconds when);
  [[nodiscard]] ReleaseTicket ticket_of(const Frame& frame) const noexcept;
};

}  // namespace weir
