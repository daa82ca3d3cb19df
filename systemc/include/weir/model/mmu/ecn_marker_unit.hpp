// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <systemc>
#include <vector>

#include "weir/core/congestion/ecn_marker.hpp"
#include "weir/core/scheduling/clock_edges.hpp"
#include "weir/model/agenda.hpp"
#include "weir/model/interfaces.hpp"
#include "weir/model/mmu/admission_unit.hpp"
#include "weir/model/mmu/marker_twin.hpp"
#include "weir/model/observer.hpp"
#include "weir/model/switch/fifo.hpp"
#include "weir/model/switch/switch_context.hpp"

namespace weir {

/// Marking and early drop of a switch: owns the core EcnMarker. It takes the requests of the
/// arbiter ahead of the admission, drops there, and gives the others on; it takes the frames that
/// the admission lets in, and gives them to their port with wred_mark; the port asks when such a
/// frame leaves.
///
/// What happens at a port counts in the order of cycles: in each the packets whose verdict comes
/// then, then the frame that leaves, then the packets that come. Verdicts are known before their
/// cycle, so entries wait here until the port is asked or counters are read; no task does it.
///
/// A switch whose chip has no WRED profile is built without it.
///
/// Timing:  a packet is dropped `admit` cycles after the edge of its request, as by a verdict of
///          the admission. A packet counts from the cycle of its verdict on. A frame leaves in the
///          cycle of the first edge at or after its start; the answer is there at once.
/// Source:  docs/blocks/ecn_marker.md; the decision is core/congestion/ecn_marker.hpp.
class EcnMarkerUnit final : public sc_core::sc_module,
                            public MmuStepIf,
                            public MarkingIf,
                            public MarkerOwner,
                            private Actor {
 public:
  sc_core::sc_export<MmuStepIf> step{"step"};
  sc_core::sc_export<MarkingIf> marking{"marking"};  ///< Of the transmitting MACs.
  sc_core::sc_port<MmuStepIf> decision{"decision"};  ///< What decides on packets.
  sc_core::sc_port<EgressIf, 0> egress{"egress"};    ///< One per port, in order.

  EcnMarkerUnit(const sc_core::sc_module_name& name, const SwitchContext& parent,
                AdmissionUnit& admission);

  /// The marker as of now. Range: to be read before simulated time advances.
  [[nodiscard]] const EcnMarker& core() { return marker_now(); }
  [[nodiscard]] const EcnMarker& marker_now() override;
  void clear_marker() override;
  /// Takes the frames for `port` from the admission, and passes them to the port.
  [[nodiscard]] EgressIf& entry(PortId port) noexcept { return entries_[port.count()]; }
  /// `twin` is called with each request to this marker and with the answer.
  void set_twin(MarkerTwinIf& twin) noexcept { twin_ = &twin; }
  /// Counts the entries of this cycle and of those before. Range: no other request comes for them.
  void catch_up(Cycle cycle);
  /// At the end of the run: counts all admitted frames that have not been counted yet.
  void finish();

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
  void discards(Frame& frame, Picoseconds when) override;

 private:
  /// The admitted frames of a port that have not been counted yet, in the order of the cycles of
  /// their verdicts: each is counted in that cycle. A frame without wred_mark has been discarded
  /// since: it enters and leaves the queue in that cycle, and is not sent.
  using Entering = Fifo<Frame*>;
  class Entry final : public EgressIf {
   public:
    Entry(EcnMarkerUnit& unit, PortId port) : unit_{&unit}, entering_{&unit.entering_of(port)} {
      for (std::uint8_t number = 0; number < priorities; ++number)
        if (unit.marker_.has_profile(queue_index(port, Priority{number})))
          with_profile_ |= 1U << number;
    }
    void connect(EgressIf* port) noexcept { port_ = port; }
    void enqueue(Frame& frame) override {
      if ((with_profile_ >> frame.queue & 1U) != 0) {
        frame.mark(wred_mark);
        entering_->push(&frame);
        if (unit_->observers_.has_detail_readers()) unit_->look_when_visible(frame);
      }
      port_->enqueue(frame);
    }

   private:
    EcnMarkerUnit* unit_;
    Entering* entering_;
    EgressIf* port_{nullptr};
    unsigned with_profile_{0};  // a bit for each queue
  };

  void end_of_elaboration() override;
  void act(Picoseconds now, std::uint32_t what, std::uint64_t port) override;
  [[nodiscard]] bool drops(Frame& frame, QueueIndex queue, Picoseconds edge);
  void look_when_visible(const Frame& frame);
  [[nodiscard]] Entering& entering_of(PortId port) noexcept { return entering_[port.count()]; }
  /// What counts in the cycle of the first edge at or after `time` has its verdict before this.
  [[nodiscard]] Picoseconds end_of_cycle(Picoseconds time) const noexcept {
    return edges_.later(time, Cycle{1});
  }
  void count_entries(Entering& entering, Picoseconds before);
  void count_all_entries(Picoseconds before);
  void enter(Frame& frame);
  void note_gone(Frame& frame, const Entering& entering);
  void leave_unsent(const Frame& frame, Picoseconds edge);
  void report(QueueIndex queue, Picoseconds time) const;

  const std::string& switch_name_;
  const Observers& observers_;
  Agenda& agenda_;
  Agenda::ActorId actor_;
  AdmissionUnit& admission_;
  EcnMarker marker_;
  const ClockEdges edges_;
  const Cycle admit_;
  std::vector<Entering> entering_;  // by port
  std::size_t gone_{0};             // frames in them that are gone already
  std::vector<Frame*> leaving_;     // those of the cycle whose entries are being counted
  std::deque<Entry> entries_;       // by port; they do not move
  MmuStepIf* decision_{nullptr};
  MarkerTwinIf* twin_{nullptr};
};

}  // namespace weir
