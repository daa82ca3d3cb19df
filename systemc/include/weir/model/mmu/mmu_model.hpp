// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "weir/core/accounting/replica_table.hpp"
#include "weir/core/mmu.hpp"
#include "weir/model/agenda.hpp"
#include "weir/model/mmu/admission_unit.hpp"
#include "weir/model/mmu/arrival_arbiter_unit.hpp"
#include "weir/model/mmu/mmu_backend.hpp"
#include "weir/model/mmu/mmu_blocks.hpp"
#include "weir/model/mmu/pfc_generator_unit.hpp"
#include "weir/model/mmu/pfc_receiver_unit.hpp"
#include "weir/model/model_context.hpp"
#include "weir/model/registers/csr.hpp"
#include "weir/model/switch/port_counters.hpp"

namespace weir {

class EcnMarkerUnit;
class RtlBlockUnit;
class RtlMmuUnit;
class RtlWave;

/// The MMU of a switch as a hierarchy of blocks below `switch.mmu`: each a module that owns a core
/// class and its state; `admission` reaches the others through its ports. MmuBackend::blocks says
/// which of them are a user's own.
///
/// Errors: ConfigError from the constructor when the chip is impossible, or when blocks are to be
///         replaced where RTL decides.
/// Source: docs/design/contract.md, 2 to 4.
class MmuModel final : public sc_core::sc_module {
 public:
  /// The chip of `parent` is lent for the call.
  MmuModel(const sc_core::sc_module_name& name, const SwitchContext& parent,
           const MmuBackend& backend);
  ~MmuModel() override;

  /// What the blocks hold and have counted.
  [[nodiscard]] const Mmu& core() const noexcept { return admission.core(); }
  /// T of a PG now.
  [[nodiscard]] Cells threshold(PgIndex pg) const;
  /// Packets of which copies are still read.
  [[nodiscard]] const ReplicaTable& replicas() const noexcept { return replicas_; }
  /// The run is over at `end`; with RTL, core() then shows what the RTL holds.
  void finish(Picoseconds end);

  /// RTL of the whole, or of blocks, differs from the core; none: it does not.
  [[nodiscard]] std::optional<RtlDifference> difference() const;
  /// RTL of the whole, and of blocks, for a waveform.
  [[nodiscard]] std::vector<RtlWave*> rtl_waves() const;
  /// The blocks that are RTL (use_rtl_block()).
  [[nodiscard]] const std::vector<RtlBlockUnit*>& rtl_blocks() const noexcept {
    return rtl_blocks_;
  }
  void clear_stats() { admission.core().clear_stats(); }

  const std::unique_ptr<MmuBlock<HeadroomSizerIf>> headroom_sizer;

 private:
  /// `parent` with the chip as the blocks have it, which software changes.
  [[nodiscard]] SwitchContext inside(const SwitchContext& parent) const {
    return {parent.model, settings_.chip(), parent.counters, parent.name,
            parent.through_interfaces};
  }

  /// Core classes in the place of those that replaced blocks do not have.
  struct Copies;

  void find_rtl_blocks();

  const Agenda& agenda_;
  MmuSettings settings_;
  ReplicaTable replicas_;

 public:
  const std::unique_ptr<MmuBlock<IngressAccountingIf>> ingress_accounting;
  const std::unique_ptr<MmuBlock<EgressAccountingIf>> egress_accounting;
  const std::unique_ptr<MmuBlock<DynamicThresholdIf>> dynamic_threshold;
  const std::unique_ptr<MmuBlock<AdmissionIf>> admission_rules;
  const std::unique_ptr<MmuBlock<PfcStateIf>> pfc_state;
  const std::unique_ptr<MmuBlock<StatsCountersIf>> stats_counters;

 private:
  const std::unique_ptr<Copies> copies_;
  std::vector<RtlBlockUnit*> rtl_blocks_;

 public:
  AdmissionUnit admission;
  std::unique_ptr<EcnMarkerUnit> ecn_marker;  ///< None: the chip has no WRED profile.
  ArrivalArbiterUnit arrival_arbiter;
  const std::unique_ptr<PfcGeneratorBlock> pfc_generator;
  const std::unique_ptr<PfcReceiverBlock> pfc_receiver;
  Csr csr;
  /// A user's own decision in the place of `admission`; none: that decides, or the RTL.
  std::unique_ptr<MmuBlock<MmuStepIf>> decision;
  std::unique_ptr<RtlMmuUnit> rtl;  ///< Decides instead of `admission`; none with the model.
};

}  // namespace weir
