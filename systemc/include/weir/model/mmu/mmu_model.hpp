// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
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
#include "weir/model/observer.hpp"
#include "weir/model/registers/csr.hpp"
#include "weir/model/switch/port_counters.hpp"

namespace weir {

class RtlMmuUnit;

/// The MMU of a switch as a hierarchy of blocks (`switch.mmu.*`), all of them shells of core
/// classes.
///
/// Source: docs/design/contract.md, 2 to 4.
class MmuModel final : public sc_core::sc_module {
 public:
  MmuModel(const sc_core::sc_module_name& name, const Chip& chip, Agenda& agenda, FramePool& frames,
           std::vector<PortCounters>& counters, const Observers& observers,
           const std::string& switch_name, const MmuBackend& backend = {});
  ~MmuModel() override;

  [[nodiscard]] const Mmu& core() const noexcept { return core_; }
  /// Packets of which copies are still read.
  [[nodiscard]] const ReplicaTable& replicas() const noexcept { return replicas_; }
  /// The run is over; with RTL, core() then shows what the RTL holds.
  void finish();
  void clear_stats() noexcept { core_.clear_stats(); }

 private:
  Mmu core_;
  ReplicaTable replicas_;

 public:
  IngressAccountingUnit ingress_accounting;
  EgressAccountingUnit egress_accounting;
  DynamicThresholdUnit dynamic_threshold;
  PfcStateUnit pfc_state;
  StatsCountersUnit stats_counters;
  HeadroomSizerUnit headroom_sizer;
  AdmissionUnit admission;
  ArrivalArbiterUnit arrival_arbiter;
  PfcGeneratorUnit pfc_generator;
  PfcReceiverUnit pfc_receiver;
  Csr csr;
  std::unique_ptr<RtlMmuUnit> rtl;  ///< Decides instead of `admission`; none with the model.
};

}  // namespace weir
