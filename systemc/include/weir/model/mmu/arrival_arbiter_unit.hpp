// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <systemc>
#include <vector>

#include "weir/core/accounting/replica_table.hpp"
#include "weir/core/scheduling/arrival_arbiter.hpp"
#include "weir/core/scheduling/clock_edges.hpp"
#include "weir/model/agenda.hpp"
#include "weir/model/interfaces.hpp"
#include "weir/model/known_peer.hpp"
#include "weir/model/observer.hpp"
#include "weir/model/switch/fifo.hpp"
#include "weir/model/switch/port_counters.hpp"
#include "weir/model/switch/switch_context.hpp"

namespace weir {

class AdmissionUnit;

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
/// Source:  docs/design/contract.md, 3; arithmetic in core/scheduling/arrival_arbiter.hpp.
class ArrivalArbiterUnit final : public sc_core::sc_module, public MmuRequestIf, private Actor {
 public:
  sc_core::sc_export<MmuRequestIf> request{"request"};
  sc_core::sc_port<MmuStepIf> admission{"admission"};

  ArrivalArbiterUnit(const sc_core::sc_module_name& name, const SwitchContext& parent,
                     ReplicaTable& replicas);

  void arrival(Frame& frame, Picoseconds last_bit) override;
  void release(const ReleaseTicket& ticket, PortId egress, Picoseconds last_byte) override;

  [[nodiscard]] const SlotWaiting& waiting() const noexcept { return waiting_; }
  /// Clears `longest` and `deepest`: they count again from the next frame that waits.
  void restart_marks() noexcept { waiting_ = {waiting_.waited, {}, 0}; }
  /// Cells not yet freed of frames that have started to leave, replicated packets excluded.
  [[nodiscard]] std::uint64_t releasing() const noexcept { return releasing_; }

 private:
  enum Task : std::uint32_t { far_arrival_task, far_release_task, edge_task };
  static constexpr std::uint32_t none = 0xffff'ffffU;
  // Limits of the ring's length. It grows until it reaches as far as requests come ahead of their
  // edges; a request beyond the longest ring waits on the agenda.
  static constexpr std::uint64_t min_edges = 256, max_edges = 4096;

  struct Domain {
    ArrivalArbiter arrivals, releases;
    std::vector<Fifo<ReleaseTicket>> tickets;  // by egress port
  };
  /// Frames on their way to a port, in the order of their edges. Only the first asks for its edge,
  /// so that the ring and the agenda do not hold more frames with longer cables.
  struct Inbound {
    FrameList later;          // the frames after those that ask
    std::uint32_t asking{0};  // frames on the ring or on the agenda
    Picoseconds latest_bit;   // the latest last bit of a frame so far
    Cycle latest_edge;        // of the frames that ask
    Domain* domain{nullptr};  // of the port
  };
  /// The requests for a slot at one clock edge: the last of each kind, which links to the first.
  /// Small, so that the edges stay in the cache: a network has many rings with many edges.
  struct Edge {
    Frame* last_arrival{nullptr};
    std::uint32_t last_release{none};  // into tickets_
    bool armed{false};                 // its task is on the agenda
  };
  struct TicketNode {
    ReleaseTicket ticket;
    std::uint32_t next;
  };

  void end_of_elaboration() override;
  void act(Picoseconds now, std::uint32_t what, std::uint64_t argument) override;
  [[nodiscard]] Edge& edge_at(Cycle cycle) noexcept { return ring_[cycle.count() & ring_mask_]; }
  /// Whether the ring reaches to `cycle`. No request on it is for an edge before ring_from_.
  [[nodiscard]] bool on_ring(Cycle cycle) noexcept {
    return !beyond_ring(cycle) || on_ring_from_now(cycle);
  }
  /// Whether `cycle` is beyond the ring that begins at the last ring_from_. Where it is,
  /// on_ring_from_now() decides, because ring_from_ may be out of date.
  [[nodiscard]] bool beyond_ring(Cycle cycle) const noexcept {
    return ring_mask_ < cycle.count() - ring_from_;
  }
  [[nodiscard]] bool on_ring_from_now(Cycle cycle) noexcept;
  [[nodiscard]] bool reach(Cycle cycle);
  void lengthen();
  void ask(Inbound& inbound, Frame& frame);
  void ask_from_afar(Frame& frame, Cycle cycle);
  void release_with_care(const ReleaseTicket& ticket, Cycle cycle);
  void overtake(Inbound& inbound, Frame& frame);
  void call_next(PortId port);
  [[nodiscard]] Frame* arrivals_of(Edge& edge);
  void arm(Cycle cycle);
  static void add_arrival(Edge& edge, Frame& frame) noexcept;
  void add_release(Edge& edge, const ReleaseTicket& ticket);
  void add_ticket();
  void post_far(Cycle cycle, Task task, std::uint64_t argument);
  void run_edge(Cycle cycle, Picoseconds now);
  void share_edge(Cycle cycle, std::uint32_t last_release, Frame* last_arrival, Picoseconds now);
  [[nodiscard]] bool grant_few(std::uint32_t last_release, Frame* last_arrival, Picoseconds now);
  void release_alone(std::uint32_t node, Picoseconds now);
  void arrive_alone(Frame& frame, Picoseconds now);
  void queue_releases(std::uint32_t last);
  void queue_arrival(Frame& frame, Picoseconds now);
  void drop_overruns(Picoseconds now);
  void queue_release(const ReleaseTicket& ticket);
  void grant_slots(Picoseconds now);
  void step_release(const ReleaseTicket& ticket, Picoseconds now);
  void step_copy_release(ReleaseTicket ticket, Picoseconds now);
  void step_arrival(Frame& frame, Picoseconds now);
  [[nodiscard]] Domain& domain_of(PortId port) noexcept { return *inbound_[port.count()].domain; }

  const std::uint32_t lanes_, port_fifo_;
  const ClockEdges edges_;
  Agenda& agenda_;
  Agenda::ActorId actor_;
  ReplicaTable& replicas_;
  KnownPeer<MmuStepIf, AdmissionUnit> step_;
  bool reports_waiting_{false};
  std::vector<PortCounters>& counters_;
  const Observers& observers_;
  const std::string& switch_name_;
  std::vector<Edge> ring_;
  std::uint64_t ring_mask_{min_edges - 1}, ring_from_{0};
  std::vector<TicketNode> tickets_;
  std::uint32_t free_ticket_{none};
  std::vector<Inbound> inbound_;           // by ingress port
  std::vector<FrameList> waiting_frames_;  // likewise
  std::vector<Frame*> overruns_;           // of the edge that is run
  std::vector<Domain> domains_;
  bool left_over_{false};  // a request waits for a slot of the next edge
  SlotWaiting waiting_;
  std::uint64_t releasing_{0};
  const bool through_interfaces_;
};

}  // namespace weir
