// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <systemc>
#include <vector>

#include "weir/core/arrival_arbiter.hpp"
#include "weir/core/chip.hpp"
#include "weir/core/clock_edges.hpp"
#include "weir/model/agenda.hpp"
#include "weir/model/fifo.hpp"
#include "weir/model/interfaces.hpp"
#include "weir/model/observer.hpp"
#include "weir/model/port_counters.hpp"

namespace weir {

/// How long frames waited at their ports for an arrival slot.
struct SlotWaiting {
  std::uint64_t waited{0};  ///< Frames that did not get the slot of their own cycle.
  Picoseconds longest;
  std::size_t deepest{0};  ///< Most frames that waited at one port.
};

/// Gives arrivals and releases their slots: per domain `lanes` of each a cycle, round robin by
/// port.
///
/// A cycle is its releases in order, then its arrivals in order, as so many sequential steps. A
/// frame that gets no slot waits in its port's bounded FIFO; when that is full it is dropped and
/// counted.
///
/// Timing:  works only at clock edges at which something is due.
/// Source:  DESIGN section 3; arithmetic in core/arrival_arbiter.hpp.
class ArrivalArbiterUnit final : public sc_core::sc_module, public MmuRequestIf, private Actor {
 public:
  sc_core::sc_export<MmuRequestIf> request{"request"};
  sc_core::sc_port<MmuStepIf> admission{"admission"};

  ArrivalArbiterUnit(const sc_core::sc_module_name& name, const Chip& chip, Agenda& agenda,
                     std::vector<PortCounters>& counters, const Observers& observers,
                     const std::string& switch_name);

  void arrival(Frame& frame, Picoseconds last_bit) override;
  void release(const ReleaseTicket& ticket, PortId egress, Picoseconds last_byte) override;

  [[nodiscard]] const SlotWaiting& waiting() const noexcept { return waiting_; }
  /// Cells of frames that have started to leave and are not freed yet.
  [[nodiscard]] std::uint64_t releasing() const noexcept { return releasing_; }

 private:
  enum Task : std::uint32_t { cycle_task, release_task, arrival_task };

  struct Domain {
    ArrivalArbiter arrivals, releases;
    std::vector<Fifo<ReleaseTicket>> tickets;  // by egress port
  };

  void end_of_elaboration() override { step_ = admission[0]; }
  void act(Picoseconds now, std::uint32_t what, std::uint64_t argument) override;
  void queue_arrival(Frame& frame, Picoseconds now);
  void queue_release(std::uint64_t packed);
  void run_cycle(Picoseconds now);

  const std::uint32_t lanes_, port_fifo_;
  const ClockEdges edges_;
  Agenda& agenda_;
  Agenda::ActorId actor_;
  MmuStepIf* step_{nullptr};
  std::vector<PortCounters>& counters_;
  const Observers& observers_;
  const std::string& switch_name_;
  std::vector<DomainId> domain_of_port_;
  std::vector<FrameList> waiting_frames_;  // by ingress port
  std::vector<Domain> domains_;
  SlotWaiting waiting_;
  std::uint64_t releasing_{0};
};

}  // namespace weir
