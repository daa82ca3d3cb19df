// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <memory>
#include <string>
#include <systemc>

#include "weir/core/tables/classifier.hpp"
#include "weir/model/agenda.hpp"
#include "weir/model/interfaces.hpp"
#include "weir/model/known_peer.hpp"
#include "weir/model/network/frame_socket.hpp"
#include "weir/model/network/wire_guard.hpp"
#include "weir/model/observer.hpp"
#include "weir/model/switch/port_counters.hpp"
#include "weir/model/switch/switch_context.hpp"

namespace weir {

class ArrivalArbiterUnit;
class Forwarding;

/// Ingress side of a switch port: PFC frames go to the pause timers, data frames to the MMU.
///
/// Each data frame gets its class here: that of its tag, unless the chip file says otherwise.
///
/// A frame with a wrong FCS is counted and otherwise ignored.
///
/// Errors:  ModelError when a sender outside the agenda breaks the rules of the wire (WireGuard).
/// Timing:  store and forward: what counts is the last bit. No process of its own. A sender outside
///          the agenda keeps it from running ahead further than one shortest frame.
/// Source:  docs/design/contract.md, 3.
class MacRx final : public sc_core::sc_module, public FinalFrameReceiver<MacRx>, public FramePort {
  // First, so that what every frame touches lies in one place, ahead of the sockets.
  const PortId port_;
  const Picoseconds byte_;
  const std::uint64_t mtu_;
  const std::array<std::uint8_t, priorities> pg_of_priority_, queue_of_priority_;
  const bool always_classify_;  // even frames without a mark
  Agenda& agenda_;
  PortCounters& counters_;
  const Observers& observers_;
  const std::string& switch_name_;
  KnownPeer<MmuRequestIf, ArrivalArbiterUnit> mmu_;
  KnownPeer<ForwardingIf, Forwarding> forwarding_;
  const Classifier classifier_;
  const FramePool& frames_;
  std::unique_ptr<WireGuard> guard_;  // a sender outside the agenda sends here
  const bool through_interfaces_;

 public:
  FrameTarget wire{"wire"};
  sc_core::sc_port<MmuRequestIf> mmu{"mmu"};
  sc_core::sc_port<PfcReceiveIf> pfc_receiver{"pfc_receiver"};
  sc_core::sc_port<ForwardingIf> forwarding{"forwarding"};

  MacRx(const sc_core::sc_module_name& name, const SwitchContext& parent, PortId port);

  void take(Frame& frame, FramePhase& phase, const sc_core::sc_time& delay) {
    if (guard_) guard_->check(frame, phase, delay);
    take_at(frame, agenda_.moment(delay));
  }
  void take_at(Frame& frame, Picoseconds first_bit) override;
  [[nodiscard]] FrameRoute route() override {
    return guard_ ? FrameRoute{} : FrameRoute{this, Picoseconds{}};
  }

 private:
  void end_of_elaboration() override;
  void classify(Frame& frame) const noexcept;
  void take_classified(Frame& frame, Picoseconds last_bit);
  void take_data(Frame& frame, Picoseconds last_bit);
  void forward_with_care(Frame& frame, Picoseconds last_bit);
  void pass_on(Frame& frame, PortId egress, Picoseconds last_bit);
  void ignore(Frame& frame, Picoseconds last_bit);
  void drop(Frame& frame, MacDrop reason, Picoseconds time);
};

}  // namespace weir
