// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <systemc>
#include <tlm>

#include "weir/core/ethernet.hpp"
#include "weir/model/agenda.hpp"
#include "weir/model/network/frame.hpp"

namespace weir {

/// The one phase of the frame protocol: the first preamble bit is at the sender's (or, after a
/// link, the receiver's) connector at sc_time_stamp() + delay. The last bit follows by arithmetic.
enum class FramePhase : std::uint8_t { start };

/// TLM-2.0 protocol types of the frame sockets.
///
/// The sender owns the frame until the call; the call hands it (one reference) to the receiver.
/// nb_transport_fw returns TLM_COMPLETED; there is no backward path (a cable has no back pressure:
/// PFC is a frame of its own in the other direction).
struct FrameProtocol {
  using tlm_payload_type = Frame;
  using tlm_phase_type = FramePhase;
};

using FrameForwardIf = tlm::tlm_fw_transport_if<FrameProtocol>;
using FrameBackwardIf = tlm::tlm_bw_transport_if<FrameProtocol>;

/// Where frames leave a module. Bind it to a FrameTarget, or leave it unbound.
using FrameInitiator =
    tlm::tlm_initiator_socket<32, FrameProtocol, 1, sc_core::SC_ZERO_OR_MORE_BOUND>;
/// Where frames enter a module.
using FrameTarget = tlm::tlm_target_socket<32, FrameProtocol, 1, sc_core::SC_ZERO_OR_MORE_BOUND>;

/// Where frames of this model's own modules come in: a port of a host or of a switch.
class FramePort {
 public:
  virtual ~FramePort() = default;
  /// A frame's first preamble bit is here at `first_bit`. The port owns the frame, as after a
  /// transport call.
  virtual void take_at(Frame& frame, Picoseconds first_bit) = 0;
};

/// The way from a transmitter to the port that its frames reach, when all on it are modules of this
/// model. It is known when the simulation starts, and does not change: a frame then takes one call,
/// and its time needs no sc_time.
struct FrameRoute {
  FramePort* port{nullptr};  ///< nullptr: there is something of a user's own, or a fault, on it.
  Picoseconds delay;         ///< Propagation time of the cables.
};

/// A phase that there is not. Errors: ModelError, always.
[[noreturn]] void refuse_phase(FramePhase phase);

/// Receiver side of a frame socket: implement receive(), bind the FrameTarget to *this.
class FrameReceiver : public FrameForwardIf {
 public:
  /// A frame's first preamble bit is here `delay` from the kernel's now.
  virtual void receive(Frame& frame, const sc_core::sc_time& delay) = 0;
  /// Where frames go from here, without what a transport call would do on their way; none: they
  /// need such calls. For start_of_simulation().
  [[nodiscard]] virtual FrameRoute route() { return {}; }

 private:
  tlm::tlm_sync_enum nb_transport_fw(Frame& frame, FramePhase& phase,
                                     sc_core::sc_time& delay) override {
    if (phase != FramePhase::start) refuse_phase(phase);
    receive(frame, delay);
    return tlm::TLM_COMPLETED;
  }
  void b_transport(Frame& frame, sc_core::sc_time& delay) final { receive(frame, delay); }
  bool get_direct_mem_ptr(Frame&, tlm::tlm_dmi&) final { return false; }
  unsigned int transport_dbg(Frame&) final { return 0; }
};

/// The same for a final class: a frame costs one virtual call, not two. The class implements
/// take(), which gets the phase as it is: a WireGuard checks it where a sender outside the agenda
/// sends.
template <class Module>
class FinalFrameReceiver : public FrameReceiver {
 public:
  void receive(Frame& frame, const sc_core::sc_time& delay) final {
    FramePhase phase = FramePhase::start;
    static_cast<Module&>(*this).Module::take(frame, phase, delay);
  }

 private:
  tlm::tlm_sync_enum nb_transport_fw(Frame& frame, FramePhase& phase,
                                     sc_core::sc_time& delay) final {
    static_cast<Module&>(*this).Module::take(frame, phase, delay);
    return tlm::TLM_COMPLETED;
  }
};

/// Sender side of a frame socket: bind the FrameInitiator to *this.
class FrameSender : public FrameBackwardIf {
 public:
  /// Whose tasks call the receiver; none: a process of the kernel does, as in a user's own module.
  [[nodiscard]] virtual const Agenda* driven_by() { return nullptr; }

 private:
  tlm::tlm_sync_enum nb_transport_bw(Frame&, FramePhase&, sc_core::sc_time&) final {
    return tlm::TLM_COMPLETED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) final {}
};

/// What a bound socket leads to; nullptr when it is unbound. For end_of_elaboration().
[[nodiscard]] inline FrameForwardIf* peer_of(FrameInitiator& socket) {
  return socket.size() == 0 ? nullptr : socket[0];
}

/// The way of frames that are handed to `peer`.
[[nodiscard]] inline FrameRoute route_from(FrameForwardIf* peer) {
  auto* const receiver = dynamic_cast<FrameReceiver*>(peer);
  return receiver == nullptr ? FrameRoute{} : receiver->route();
}

/// Whose tasks send into `socket`; nullptr when a user's own module does. For end_of_elaboration().
/// Range: a bound socket.
[[nodiscard]] inline const Agenda* driver_of(FrameTarget& socket) {
  auto* sender = dynamic_cast<FrameSender*>(socket[0]);
  return sender == nullptr ? nullptr : sender->driven_by();
}

/// Keeps `agenda` from running further ahead than a sender outside it can reach back: the last
/// bit of a frame that starts now arrives a shortest frame later at the earliest. Returns
/// whether there is such a sender.
inline bool admit_outside_sender(FrameTarget& socket, Agenda& agenda, Picoseconds byte) {
  if (socket.size() == 0 || driver_of(socket) == &agenda) return false;
  agenda.limit_lookahead(frame_time(min_frame_bytes.count(), byte) - Picoseconds{1});
  return true;
}

/// Hands `frame` to `peer`; its first preamble bit leaves `delay` from the kernel's now. Without a
/// peer (an unbound socket) the frame is released.
inline void send_frame(FrameForwardIf* peer, Frame& frame, sc_core::sc_time delay) {
  if (peer == nullptr) return frame.release();
  FramePhase phase = FramePhase::start;
  peer->nb_transport_fw(frame, phase, delay);
}

}  // namespace weir
