// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "weir/model/mmu/block_interfaces.hpp"

namespace weir {

/// The ingress rules of an MMU as a module: those of the core.
///
/// Source: docs/blocks/admission.md.
class AdmissionRulesUnit : public MmuBlock<AdmissionIf> {
 public:
  AdmissionRulesUnit(const sc_core::sc_module_name& name, const MmuSettings&) : MmuBlock{name} {}

  [[nodiscard]] Decision decide(PgIndex pg, const PgSettings& settings, const Placement& held,
                                const PoolUse& use, Cells threshold, Cells n, Cycle now) override {
    return rules_.decide(pg, settings, held, use, threshold, n, now);
  }
  [[nodiscard]] const AdmissionRules* core() override { return core_to_call(*this, core_class()); }

 protected:
  /// What does the work, for a class that inherits.
  [[nodiscard]] const AdmissionRules& core_class() noexcept { return rules_; }

 private:
  AdmissionRules rules_;
};

}  // namespace weir
