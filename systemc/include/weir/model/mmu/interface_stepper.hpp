// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "weir/core/mmu_step.hpp"
#include "weir/model/mmu/block_interfaces.hpp"

namespace weir {

/// What AdmissionIf answers, checked: cells that it loses or makes would be missed much later.
///
/// Errors: ModelError with the switch and the cycle when the answer is not what AdmissionIf asks
///         for.
class CheckedAdmission {
 public:
  /// `switch_name` is borrowed.
  CheckedAdmission(AdmissionIf* rules, const std::string& switch_name)
      : rules_{rules}, switch_name_{&switch_name} {}
  [[nodiscard]] Decision decide(PgIndex pg, const PgSettings& settings, const Placement& held,
                                const PoolUse& use, Cells threshold, Cells n, Cycle now) const;
  const CheckedAdmission* operator->() const noexcept { return this; }

 private:
  AdmissionIf* rules_;
  const std::string* switch_name_;
};

/// What the ports of an admission are bound to: for MmuStep, in the place of the core classes.
struct BlockInterfaces {
  IngressAccountingIf* ingress;
  DynamicThresholdIf* thresholds;
  EgressAccountingIf* egress;
  PfcStateIf* pfc;
  StatsCountersIf* stats;
  CheckedAdmission admission;
};

/// The step of an MMU, every call of a block through its interface.
///
/// What a step has changed in a block without a core class is copied from it, so that readers of
/// the core Mmu (registers, waveforms, summaries) see what the block holds.
class InterfaceStepper final : public MmuStepper {
 public:
  /// `parts`: the core classes of the blocks, and where a block has none, one to copy to.
  InterfaceStepper(const MmuSettings& settings, const BlockInterfaces& blocks,
                   const MmuParts& parts);

  Verdict arrive(PgIndex pg, Cells n, Bytes length, QueueIndex queue, Cycle now) override;
  Verdict arrive(PgIndex pg, Cells n, Bytes length, std::vector<QueueIndex>& queues,
                 Cycle now) override;
  PfcLevel release(PgIndex pg, Cells n, QueueIndex queue, bool last, Cycle now) override;
  [[nodiscard]] Cells threshold(PgIndex pg, Cycle now) const override {
    return step_.threshold(pg, now);
  }
  [[nodiscard]] Cells queue_threshold(QueueIndex queue, DomainId domain, Cycle now) const override {
    return step_.queue_threshold(queue, domain, now);
  }
  [[nodiscard]] bool port_off(PortId port) const override { return step_.port_off(port); }
  [[nodiscard]] bool has_own_limits() const override { return own_limits_; }
  void settings_changed() override { step_.settings_changed(); }
  void clear_stats() override { step_.clear_stats(); }

 private:
  void copy_group(PgIndex pg);
  void copy_queue(PgIndex pg, QueueIndex queue);

  const MmuSettings& settings_;
  const BlockInterfaces blocks_;
  const MmuParts parts_;
  const bool copies_ingress_, copies_egress_, copies_pfc_, copies_stats_, own_limits_;
  MmuStep<BlockInterfaces> step_;
  std::vector<QueueIndex> asked_;  // the queues of the packet in hand
};

}  // namespace weir
