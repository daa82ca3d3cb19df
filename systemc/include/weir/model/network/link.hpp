// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <systemc>

#include "weir/core/units.hpp"
#include "weir/model/network/frame_socket.hpp"
#include "weir/model/network/link_fault.hpp"

namespace weir {

/// A full-duplex cable: each direction adds its propagation time to the annotated delay of the
/// call.
///
/// Timing:  no queue, no process: one transport call in, one out; none where FrameRoute says so.
///          Faults strike at the entrance.
class Link final : public sc_core::sc_module {
 public:
  /// One direction: frames enter at `in` and leave at `out`.
  class Direction final : public sc_core::sc_module,
                          public FinalFrameReceiver<Direction>,
                          private FrameSender {
    // First, so that what every frame touches lies in one place, ahead of the sockets.
    const sc_core::sc_time delay_;
    FrameForwardIf* peer_{nullptr};
    bool plain_{false};  // no faults, and the sender is one of ours
    FrameForwardIf* cut_{nullptr};

   public:
    LinkFaults faults;
    FrameTarget in{"in"};
    FrameInitiator out{"out"};

    Direction(const sc_core::sc_module_name& name, Picoseconds delay)
        : sc_core::sc_module{name}, delay_{sc_core::sc_time::from_value(delay.count())} {
      in.bind(static_cast<FrameForwardIf&>(*this));
      out.bind(static_cast<FrameBackwardIf&>(*this));
    }

    void take(Frame& frame, FramePhase& phase, const sc_core::sc_time& delay) {
      if (!plain_) return take_with_care(frame, phase, delay);
      send_frame(peer_, frame, delay + delay_);
    }
    /// Frames that leave here go to `end`, and come in at the other end by arrive() only. Before
    /// elaboration.
    void cut(FrameForwardIf& end) noexcept { cut_ = &end; }
    /// A frame that has come from `end`: its first bit leaves the cable `delay` from the kernel's
    /// now.
    void arrive(Frame& frame, const sc_core::sc_time& delay) {
      send_frame(peer_of(out), frame, delay);
    }
    [[nodiscard]] FrameRoute route() override {
      if (!plain_) return {};
      const FrameRoute rest = route_from(peer_);
      return {rest.port, rest.delay + Picoseconds{delay_.value()}};
    }
    [[nodiscard]] const Agenda* driven_by() override {
      return in.size() == 0 ? nullptr : driver_of(in);
    }

   private:
    void end_of_elaboration() override {
      peer_ = cut_ == nullptr ? peer_of(out) : cut_;
      plain_ = faults.empty() && driven_by() != nullptr;
    }
    void take_with_care(Frame& frame, FramePhase phase, const sc_core::sc_time& delay) {
      if (phase != FramePhase::start) refuse_phase(phase);
      if (faults.empty()) return send_frame(peer_, frame, delay + delay_);
      const Picoseconds now{(sc_core::sc_time_stamp() + delay).value()};
      const LinkFaults::Fate fate = faults.strike(frame, now);
      if (fate.lost) return frame.release();
      send_frame(peer_, frame, delay + delay_ + sc_core::sc_time::from_value(fate.delay.count()));
    }
  };

  Link(const sc_core::sc_module_name& name, Picoseconds delay)
      : sc_core::sc_module{name}, a_to_b{"a_to_b", delay}, b_to_a{"b_to_a", delay} {}

  Direction a_to_b, b_to_a;
};

}  // namespace weir
