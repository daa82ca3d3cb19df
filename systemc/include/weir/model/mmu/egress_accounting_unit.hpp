// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "weir/model/mmu/block_interfaces.hpp"

namespace weir {

/// The egress counters of an MMU as a module: it owns a core EgressAccounting.
///
/// Source: docs/blocks/egress_accounting.md.
class EgressAccountingUnit : public MmuBlock<EgressAccountingIf> {
 public:
  EgressAccountingUnit(const sc_core::sc_module_name& name, const MmuSettings& settings)
      : MmuBlock{name}, accounting_{settings.chip()} {}

  [[nodiscard]] bool limited(QueueIndex queue) const override { return accounting_.limited(queue); }
  [[nodiscard]] bool accepts(QueueIndex queue, DomainId domain, Cells n,
                             Cells threshold) const override {
    return accounting_.accepts(queue, domain, n, threshold);
  }
  void charge(QueueIndex queue, DomainId domain, Cells n) override {
    accounting_.charge(queue, domain, n);
  }
  void release(QueueIndex queue, DomainId domain, Cells n) override {
    accounting_.release(queue, domain, n);
  }
  [[nodiscard]] QueueUse queue(QueueIndex queue, DomainId domain) const override {
    return accounting_.queue(queue, domain);
  }
  [[nodiscard]] Cells pool_of(QueueIndex queue, DomainId domain) const override {
    return accounting_.pool_of(queue, domain);
  }
  [[nodiscard]] EgressAccounting* core() override { return core_to_call(*this, core_class()); }

 protected:
  /// What does the work, for a class that inherits.
  [[nodiscard]] EgressAccounting& core_class() noexcept { return accounting_; }

 private:
  EgressAccounting accounting_;
};

}  // namespace weir
