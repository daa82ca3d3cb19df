// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <systemc>
#include <vector>

#include "weir/core/accounting/replica_table.hpp"
#include "weir/core/mmu.hpp"
#include "weir/core/scheduling/clock_edges.hpp"
#include "weir/model/interfaces.hpp"
#include "weir/model/known_peer.hpp"
#include "weir/model/mmu/block_interfaces.hpp"
#include "weir/model/observer.hpp"
#include "weir/model/switch/port_counters.hpp"
#include "weir/model/switch/switch_context.hpp"

namespace weir {

class MacTx;

/// The MMU's decision: owns the core Mmu, whose step is done by the blocks that its ports are bound
/// to; takes granted requests to it and adds the latency of the verdict.
///
/// When elaboration ends, each port asks its block for its core class. If all hand it out, the core
/// Mmu steps those; if one does not, every call goes through the ports.
///
/// Timing:  a verdict, and a changed XOFF level, is visible `admit` cycles after the edge of the
///          request; so is the level after a release.
/// Source:  docs/design/contract.md, 2 and 3; core/mmu.hpp decides.
class AdmissionUnit final : public sc_core::sc_module, public MmuStepIf {
 public:
  sc_core::sc_export<MmuStepIf> step{"step"};
  sc_core::sc_port<EgressIf, 0> egress{"egress"};  ///< One per port, in order.
  sc_core::sc_port<PfcLevelIf> pfc_generator{"pfc_generator"};
  sc_core::sc_port<IngressAccountingIf> ingress_accounting{"ingress_accounting"};
  sc_core::sc_port<DynamicThresholdIf> dynamic_threshold{"dynamic_threshold"};
  sc_core::sc_port<AdmissionIf> admission_rules{"admission_rules"};
  sc_core::sc_port<EgressAccountingIf> egress_accounting{"egress_accounting"};
  sc_core::sc_port<PfcStateIf> pfc_state{"pfc_state"};
  sc_core::sc_port<StatsCountersIf> stats_counters{"stats_counters"};
  /// Who says where copies go; on a switch without one there are none.
  sc_core::sc_port<FloodIf, 1, sc_core::SC_ZERO_OR_MORE_BOUND> flood{"flood"};

  /// `parts`: where others see what the blocks hold; a block that hands out its core class holds
  /// that one. It asks for no core class where the context says so.
  AdmissionUnit(const sc_core::sc_module_name& name, const SwitchContext& parent,
                MmuSettings& settings, const MmuParts& parts, ReplicaTable& replicas);

  [[nodiscard]] Mmu& core() noexcept { return mmu_; }
  [[nodiscard]] const Mmu& core() const noexcept { return mmu_; }

  /// The verdict on `frame` is known; it takes effect at `visible`.
  void take_verdict(Frame& frame, const Verdict& verdict, Picoseconds visible);
  /// The same for a frame with copy_mark, of which the queues `taken` are to get a copy each.
  /// Range: none of `taken` is another's double; those of the copies asked for.
  void take_copies(Frame& frame, const Verdict& verdict, const std::vector<QueueIndex>& taken,
                   Picoseconds visible);
  /// Replaces `queues` by those that the copies of `frame` are for, by rising port.
  void queues_of(const Frame& frame, std::vector<QueueIndex>& queues);
  /// The level of a PG, or of its port, has changed; visible from `visible` on.
  void report_level(PgIndex pg, PfcLevel level, Picoseconds visible);
  /// Cells of a frame. Range: up to the MTU.
  [[nodiscard]] std::uint16_t cells_of(const Frame& frame) const noexcept {
    return cells_of_length_[frame.length];
  }

  /// Reports a step to the observers that read them, for the built-in core and for RTL alike.
  void report_step(PgIndex pg, Picoseconds edge) const {
    if (Observer* const only = observers_.only_step_reader())
      return only->stepped(switch_name_, mmu_, pg, edge);
    report_step_to_all(pg, edge);
  }
  /// Whether an observer reads them.
  [[nodiscard]] bool steps_are_watched() const noexcept { return observers_.has_step_readers(); }

  void arrive(Frame& frame, Picoseconds edge) override;
  /// Here, so that it is inlined into the arbiter.
  void release(const ReleaseTicket& ticket, Picoseconds edge) override {
    const Cells n{ticket.cells};
    if (!mmu_.is_plain(ticket.queue) || !mmu_.holds(ticket.pg, n))
      return release_with_care(ticket, edge);
    const PfcLevel level = mmu_.release_plain(ticket.pg, n, ticket.queue, ticket.last);
    if (steps_are_watched() || level.any_change()) report(ticket.pg, level, edge);
  }

 private:
  void arrive_with_care(Frame& frame, Picoseconds edge);
  void release_with_care(ReleaseTicket ticket, Picoseconds edge);
  /// What a step at `edge` has done to a PG.
  void report(PgIndex pg, PfcLevel level, Picoseconds edge);
  void report_change(PgIndex pg, PfcLevel level, Picoseconds edge);
  void obey(Frame& frame, const Verdict& verdict, Picoseconds visible);
  void report_step_to_all(PgIndex pg, Picoseconds edge) const;
  void refuse(Frame& frame, Verdict verdict, Picoseconds visible);
  void count_drop(const Frame& frame, Reason reason) noexcept;
  void count_drops(const Frame& frame, Reason reason,
                   const std::vector<QueueIndex>& taken) noexcept;
  void end_of_elaboration() override;
  [[nodiscard]] Cycle cycle_of(Picoseconds edge) const noexcept {
    return timed_ ? edges_.cycle_at_or_after(edge) : Cycle{0};
  }
  void arrive_copies(Frame& frame, Picoseconds edge);

  Mmu mmu_;
  const MmuParts parts_;
  const bool through_interfaces_;
  ReplicaTable& replicas_;
  FramePool& frames_;
  std::vector<PortCounters>& counters_;
  const Observers& observers_;
  const std::string& switch_name_;
  const ClockEdges edges_;
  const Cycle admit_;
  bool timed_{false};
  std::vector<std::uint16_t> cells_of_length_;  // [bytes], up to the MTU
  std::vector<KnownPeer<EgressIf, MacTx>> egress_;
  std::vector<QueueIndex> queues_;  // of the frame in hand
  std::vector<FrameCopy> copies_;   // likewise
  PfcLevelIf* pfc_{nullptr};
};

}  // namespace weir
