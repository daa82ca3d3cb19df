// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "weir/model/mmu/block_interfaces.hpp"

namespace weir {

/// The XOFF levels of an MMU as a module: it owns a core PfcState.
///
/// Source: docs/blocks/pfc_state.md.
class PfcStateUnit : public MmuBlock<PfcStateIf> {
 public:
  PfcStateUnit(const sc_core::sc_module_name& name, const MmuSettings& settings)
      : MmuBlock{name}, state_{settings.chip()} {}

  [[nodiscard]] bool xoff(PgIndex pg) const override { return state_.xoff(pg); }
  PfcLevel after_arrival(PgIndex pg, const PgSettings& settings, const Placement& held,
                         Cells threshold, bool pressed) override {
    return state_.after_arrival(pg, settings, held, threshold, pressed);
  }
  PfcLevel after_release(PgIndex pg, const PgSettings& settings, const Placement& held,
                         Cells threshold) override {
    return state_.after_release(pg, settings, held, threshold);
  }
  [[nodiscard]] PfcState* core() override { return core_to_call(*this, core_class()); }

 protected:
  /// What does the work, for a class that inherits.
  [[nodiscard]] PfcState& core_class() noexcept { return state_; }

 private:
  PfcState state_;
};

}  // namespace weir
