// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <deque>
#include <string>
#include <systemc>

#include "weir/core/congestion/ecn_marker.hpp"
#include "weir/core/scheduling/clock_edges.hpp"
#include "weir/model/interfaces.hpp"
#include "weir/model/mmu/admission_unit.hpp"
#include "weir/model/observer.hpp"
#include "weir/model/switch/switch_context.hpp"

namespace weir {

/// Marking and early drop of a switch: owns the core EcnMarker. It takes the requests of the
/// arbiter ahead of the admission, drops there, and gives the others on; it takes the frames that
/// the admission lets in, and gives them to their port with wred_mark; the port asks when such a
/// frame leaves.
///
/// A switch whose chip has no WRED profile is built without it.
///
/// Timing:  a packet is dropped `admit` cycles after the edge of its request, as by a verdict of
///          the admission. The answer at dequeue is there when the frame starts: the port has
///          asked `mark` cycles before.
/// Source:  docs/blocks/ecn_marker.md; the decision is core/congestion/ecn_marker.hpp.
class EcnMarkerUnit final : public sc_core::sc_module, public MmuStepIf, public MarkingIf {
 public:
  sc_core::sc_export<MmuStepIf> step{"step"};
  sc_core::sc_export<MarkingIf> marking{"marking"};  ///< Of the transmitting MACs.
  sc_core::sc_port<MmuStepIf> decision{"decision"};  ///< What decides on packets.
  sc_core::sc_port<EgressIf, 0> egress{"egress"};    ///< One per port, in order.

  EcnMarkerUnit(const sc_core::sc_module_name& name, const SwitchContext& parent,
                AdmissionUnit& admission);

  [[nodiscard]] EcnMarker& core() noexcept { return marker_; }
  [[nodiscard]] const EcnMarker& core() const noexcept { return marker_; }
  /// What the admission gives the frames for `port` to.
  [[nodiscard]] EgressIf& entry(PortId port) noexcept { return entries_[port.count()]; }

  [[nodiscard]] bool wants_waiting() const override { return decision->wants_waiting(); }
  void requests_wait(DomainId domain, const ArrivalArbiter& releases,
                     const ArrivalArbiter& arrivals, Picoseconds edge) override {
    decision_->requests_wait(domain, releases, arrivals, edge);
  }
  void arrive(Frame& frame, Picoseconds edge) override;
  void release(const ReleaseTicket& ticket, Picoseconds edge) override {
    decision_->release(ticket, edge);
  }
  void leaves(Frame& frame, Picoseconds now) override;
  void discards(Frame& frame) override;

 private:
  class Entry final : public EgressIf {
   public:
    explicit Entry(EcnMarkerUnit& unit) : unit_{&unit} {}
    void connect(EgressIf* port) noexcept { port_ = port; }
    void enqueue(Frame& frame) override {
      const QueueIndex queue = queue_of(frame);
      if (unit_->marker_.has_profile(queue)) unit_->enters(frame, queue);
      port_->enqueue(frame);
    }

   private:
    EcnMarkerUnit* unit_;
    EgressIf* port_{nullptr};
  };

  void end_of_elaboration() override;
  [[nodiscard]] bool drops(Frame& frame, QueueIndex queue, Picoseconds edge);
  void enters(Frame& frame, QueueIndex queue);

  const std::string& switch_name_;
  const Observers& observers_;
  AdmissionUnit& admission_;
  EcnMarker marker_;
  const ClockEdges edges_;
  const Cycle admit_;
  std::deque<Entry> entries_;  // by port; they do not move
  MmuStepIf* decision_{nullptr};
};

}  // namespace weir
