// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "weir/model/mmu/block_interfaces.hpp"

namespace weir {

/// The ingress counters of an MMU as a module: it owns a core IngressAccounting.
///
/// Source: docs/blocks/ingress_accounting.md.
class IngressAccountingUnit : public MmuBlock<IngressAccountingIf> {
 public:
  IngressAccountingUnit(const sc_core::sc_module_name& name, const MmuSettings& settings)
      : MmuBlock{name}, accounting_{settings.chip()} {}

  [[nodiscard]] Placement pg(PgIndex pg) const override { return accounting_.pg(pg); }
  [[nodiscard]] PoolUse pool(PoolIndex pool_domain) const override {
    return accounting_.pool(pool_domain);
  }
  [[nodiscard]] Cells shared_seen(PoolIndex pool_domain, Cycle now) const override {
    return accounting_.shared_seen(pool_domain, now);
  }
  void charge(PgIndex pg, PoolIndex pool_domain, const Placement& cells, Cycle now) override {
    accounting_.charge(pg, pool_domain, cells, now);
  }
  Placement release(PgIndex pg, PoolIndex pool_domain, Cells n, Cycle now) override {
    return accounting_.release(pg, pool_domain, n, now);
  }
  [[nodiscard]] IngressAccounting* core() override { return core_to_call(*this, core_class()); }

 protected:
  /// What does the work, for a class that inherits.
  [[nodiscard]] IngressAccounting& core_class() noexcept { return accounting_; }

 private:
  IngressAccounting accounting_;
};

}  // namespace weir
