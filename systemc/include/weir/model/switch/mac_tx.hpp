// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <optional>
#include <string>
#include <systemc>

#include "weir/core/chip.hpp"
#include "weir/core/scheduling/queue_scheduler.hpp"
#include "weir/model/agenda.hpp"
#include "weir/model/interfaces.hpp"
#include "weir/model/network/frame_socket.hpp"
#include "weir/model/observer.hpp"
#include "weir/model/switch/port_counters.hpp"

namespace weir {

/// Egress side of a switch port: eight queues, their scheduler, and the transmitter.
///
/// A stray copy is read out at the rate of the port like any other frame, and then dropped: the
/// wire stays silent for its time.
///
/// A PFC frame waits for the frame on the wire, then goes first; it is built when it starts. A
/// class that the peer has paused starts no frame; nothing is ever cut short.
///
/// Timing:  exact picoseconds: a frame occupies the wire for preamble, frame and gap; its cells are
///          freed at the first clock edge at or after its last byte. Works only when a frame
///          starts.
/// Source:  docs/design/contract.md, 3; the choice is core/queue_scheduler.hpp.
class MacTx final : public sc_core::sc_module,
                    public EgressIf,
                    public TransmitterIf,
                    private FrameSender,
                    private Actor {
  static constexpr Picoseconds never{~std::uint64_t{0}};

  // First, so that what every frame touches lies in one place, ahead of the sockets.
  Picoseconds woken_at_{never};  // the one task that counts
  Picoseconds free_at_;          // the wire is free from then on
  const Picoseconds byte_;
  const PortId port_;
  std::uint8_t occupied_{0};  // bit q: queue q holds frames
  bool enabled_{true};
  bool pfc_waits_{false};                      // a PFC frame goes before data
  std::uint8_t unpausable_{0}, discarded_{0};  // bit n: class n, as set_lossless_off() says
  Agenda::ActorId actor_;
  Agenda& agenda_;
  FrameForwardIf* out_{nullptr};
  MmuRequestIf* mmu_{nullptr};
  PauseIf* pause_{nullptr};
  PfcTransmitIf* generator_{nullptr};
  PortCounters& counters_;
  Picoseconds busy_time_;
  QueueScheduler scheduler_;
  std::array<FrameList, priorities> queues_;
  FramePool& frames_;
  const Observers& observers_;
  const std::string& switch_name_;

 public:
  FrameInitiator wire{"wire"};
  sc_core::sc_export<EgressIf> egress{"egress"};
  sc_core::sc_export<TransmitterIf> transmitter{"transmitter"};
  sc_core::sc_port<MmuRequestIf> mmu{"mmu"};
  sc_core::sc_port<PfcTransmitIf> pfc_generator{"pfc_generator"};
  sc_core::sc_port<PauseIf> pfc_receiver{"pfc_receiver"};

  MacTx(const sc_core::sc_module_name& name, const Chip& chip, PortId port, Agenda& agenda,
        FramePool& frames, PortCounters& counters, const Observers& observers,
        const std::string& switch_name);

  void enqueue(Frame& frame) override;
  void pfc_requested(Picoseconds now) override {
    pfc_waits_ = true;
    wake_at(now < free_at_ ? free_at_ : now);
  }
  void pause_changed(Picoseconds now) override {
    if (occupied_ != 0) wake_at(now < free_at_ ? free_at_ : now);
  }

  /// Switches the transmitter of data frames off (frames stay in their queues) or on again.
  void enable(bool on, Picoseconds now);

  /// Lossless mode is off for `classes` (bit n: class n) and no others: the peer's pauses do not
  /// hold them. With `discard`, what waits in their queues, and what comes, is dropped.
  void set_lossless_off(std::uint8_t classes, std::uint8_t discard, Picoseconds now);
  /// Since when the first frame of `priority` that waits in `queue` may go; none waits: none.
  [[nodiscard]] std::optional<Picoseconds> waiting_since(std::size_t queue,
                                                         Priority priority) const noexcept;

  /// Frames now in queue `queue`.
  [[nodiscard]] std::size_t depth(std::size_t queue) const noexcept {
    return queues_[queue].size();
  }
  /// The frame that leaves queue `queue` first, the others behind it by Frame::next; or nullptr.
  [[nodiscard]] const Frame* first(std::size_t queue) const noexcept {
    return queues_[queue].front();
  }
  /// Classes of which no frame may start now: bit n = class n.
  [[nodiscard]] std::uint8_t blocked(Picoseconds now) const {
    return static_cast<std::uint8_t>(pause_->blocked(port_, now) & ~unsigned{unpausable_});
  }
  /// Cells of the frames in all queues, counted frame by frame, without those of copies.
  [[nodiscard]] std::uint64_t queued_cells() const noexcept;
  [[nodiscard]] Picoseconds busy_time() const noexcept { return busy_time_; }

 private:
  void end_of_elaboration() override;
  [[nodiscard]] const Agenda* driven_by() override { return &agenda_; }
  void act(Picoseconds now, std::uint32_t what, std::uint64_t argument) override;
  void wake_at(Picoseconds when);
  bool send_pfc(Picoseconds now);
  void send_data(Picoseconds now);
  void send_copy(Frame& frame, Picoseconds now);
  void start(Frame& frame, Picoseconds now);
  void occupy_wire(const Frame& frame, Picoseconds now);
  void wait_for_change(Picoseconds now);
  void discard(Frame& frame, Picoseconds when);
  [[nodiscard]] ReleaseTicket ticket_of(const Frame& frame) const noexcept;
};

}  // namespace weir
