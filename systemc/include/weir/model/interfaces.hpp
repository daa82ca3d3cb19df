// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <systemc>
#include <vector>

#include "weir/core/index.hpp"
#include "weir/core/mmu.hpp"
#include "weir/core/pfc/pause_timer.hpp"
#include "weir/core/pfc/pfc_frame.hpp"
#include "weir/core/scheduling/arrival_arbiter.hpp"
#include "weir/core/units.hpp"
#include "weir/model/network/frame.hpp"
#include "weir/model/switch/mac_drop.hpp"

namespace weir {

/// What the MMU must know to free a packet's cells, once the frame itself is gone.
struct ReleaseTicket {
  Packed<PgIndex> pg;
  Packed<QueueIndex> queue;
  /// Of the packet. In a request with `last` false: its number in the ReplicaTable instead.
  std::uint32_t cells{0};
  /// The last reader of the packet frees the ingress cells. In a request: it is the only one.
  bool last{true};
};

/// A copy of a frame that goes to several ports.
struct FrameCopy {
  PortId port;
  bool stray{false};  ///< The address does not match there: dropped at the head of the queue.
};

/// MACs to MMU: requests for a slot. Times are wire times; each is seen at the next clock edge.
struct MmuRequestIf : virtual sc_core::sc_interface {
  /// A frame whose last bit comes in at `last_bit`. The MMU owns the frame until its verdict.
  virtual void arrival(Frame& frame, Picoseconds last_bit) = 0;
  /// The last byte of a copy leaves through `egress` at `last_byte`.
  virtual void release(const ReleaseTicket& ticket, PortId egress, Picoseconds last_byte) = 0;
};

/// Arbiter to admission: granted requests, as so many sequential steps.
struct MmuStepIf : virtual sc_core::sc_interface {
  /// Whether requests_wait() is to be called.
  [[nodiscard]] virtual bool wants_waiting() const { return false; }
  /// Before the steps of an edge: what waits for a slot in `domain`, granted at this edge or not.
  virtual void requests_wait(DomainId /*domain*/, const ArrivalArbiter& /*releases*/,
                             const ArrivalArbiter& /*arrivals*/, Picoseconds /*edge*/) {}
  virtual void arrive(Frame& frame, Picoseconds edge) = 0;
  virtual void release(const ReleaseTicket& ticket, Picoseconds edge) = 0;
};

/// Admission to an egress port: an admitted frame, visible to the scheduler from frame.visible on.
struct EgressIf : virtual sc_core::sc_interface {
  virtual void enqueue(Frame& frame) = 0;
};

/// Admission to PFC generator: a level changed; the generator sees it at `visible`.
struct PfcLevelIf : virtual sc_core::sc_interface {
  virtual void level(PortId port, Priority pg, bool xoff, Picoseconds visible) = 0;
  /// All classes of a port are paused, or follow their PGs again.
  virtual void port_level(PortId port, bool off, Picoseconds visible) = 0;
};

/// Transmitting MAC to PFC generator.
struct PfcTransmitIf : virtual sc_core::sc_interface {
  /// The frame whose first bit leaves now, built from the state now; none: nothing to say any more.
  virtual std::optional<PfcFrame> start_frame(PortId port, Picoseconds now) = 0;
};

/// PFC generator and receiver to the transmitting MAC of a port: something changed, look again.
struct TransmitterIf : virtual sc_core::sc_interface {
  /// A PFC frame waits for the wire from now on.
  virtual void pfc_requested(Picoseconds now) = 0;
  /// The peer's PFC frame has changed what may be sent.
  virtual void pause_changed(Picoseconds now) = 0;
};

/// Transmitting MAC to the marker of its switch: frames with wred_mark, which it takes off.
struct MarkingIf : virtual sc_core::sc_interface {
  /// The frame begins to leave; it has CE then if its queue's profile says so.
  virtual void leaves(Frame& frame, Picoseconds now) = 0;
  /// The frame leaves its queue at `when` and is not sent. Range: now, or when it is visible.
  virtual void discards(Frame& frame, Picoseconds when) = 0;
};

/// Receiving MAC to PFC receiver.
struct PfcReceiveIf : virtual sc_core::sc_interface {
  /// A PFC frame whose last bit comes in at `last_bit`. The receiver owns it.
  virtual void receive(Frame& frame, PortId port, Picoseconds last_bit) = 0;
};

/// Transmitting MAC to PFC receiver: the classes that the peer's PFC frames have paused. `now`
/// never goes back.
struct PauseIf : virtual sc_core::sc_interface {
  /// Bit n: no frame of priority n may start.
  [[nodiscard]] virtual std::uint8_t paused(PortId port, Picoseconds now) = 0;
  [[nodiscard]] virtual std::optional<Picoseconds> next_change(PortId port, Picoseconds now) = 0;
  [[nodiscard]] virtual PauseTimes pause_times(PortId port, Priority priority,
                                               Picoseconds now) const = 0;
};

/// Where the copies of a frame with copy_mark go.
struct FloodIf : virtual sc_core::sc_interface {
  /// Replaces `copies` by those of `frame`, by rising port. Range: at least one.
  virtual void copies_of(const Frame& frame, std::vector<FrameCopy>& copies) const = 0;
};

/// PFC receiver to the watchdogs of its switch.
struct PauseWatchIf : virtual sc_core::sc_interface {
  /// The timers of `port` have taken what `frame` says.
  virtual void pfc_obeyed(PortId port, const PfcFrame& frame, Picoseconds now) = 0;
  /// A task that the watchdogs have posted with the PFC receiver.
  virtual void watch(Picoseconds now, std::uint32_t what, std::uint64_t argument) = 0;
};

/// Where a frame goes.
struct ForwardingIf : virtual sc_core::sc_interface {
  struct Decision {
    bool drop{false};
    MacDrop reason{MacDrop::no_route};  ///< Of a drop.
    PortId egress;
  };
  /// What becomes of `frame`, whose last bit comes in at `last_bit`; takes one off its TTL. Frames
  /// are announced when they start: `last_bit` of the next call may be earlier.
  [[nodiscard]] virtual Decision forward(Frame& frame, Picoseconds last_bit) = 0;
};

}  // namespace weir
