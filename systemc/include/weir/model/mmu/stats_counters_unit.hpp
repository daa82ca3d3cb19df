// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "weir/model/mmu/block_interfaces.hpp"

namespace weir {

/// The counters of an MMU as a module: it owns the core StatsCounters.
///
/// Source: docs/blocks/stats_counters.md.
class StatsCountersUnit : public MmuBlock<StatsCountersIf> {
 public:
  StatsCountersUnit(const sc_core::sc_module_name& name, const MmuSettings& settings)
      : MmuBlock{name}, counters_{settings.chip()} {}

  void admitted(PgIndex pg, Bytes length, const Placement& held, PoolIndex pool_domain,
                const PoolUse& use, Cells threshold) override {
    counters_.admitted(pg, length, held, pool_domain, use, threshold);
  }
  void refused(PgIndex pg, Reason reason, bool lossless, bool empty) override {
    counters_.refused(pg, reason, lossless, empty);
  }
  void xoff_judged(PgIndex pg, Reason reason, const PfcLevel& level) override {
    counters_.xoff_judged(pg, reason, level);
  }
  void queued(QueueIndex queue, Bytes length) override { counters_.queued(queue, length); }
  void queue_filled(QueueIndex queue, const QueueUse& use) override {
    counters_.queue_filled(queue, use);
  }
  void queue_refused(QueueIndex queue) override { counters_.queue_refused(queue); }
  void clear() override { counters_.clear(); }
  [[nodiscard]] PgCounters pg(PgIndex pg) const override { return counters_.pg(pg); }
  [[nodiscard]] QueueCounters queue(QueueIndex queue) const override {
    return counters_.queue(queue);
  }
  [[nodiscard]] PoolWatermark pool(PoolIndex pool_domain) const override {
    return counters_.pool(pool_domain);
  }
  [[nodiscard]] StatsCounters* core() override { return core_to_call(*this, core_class()); }

 protected:
  /// What does the work, for a class that inherits.
  [[nodiscard]] StatsCounters& core_class() noexcept { return counters_; }

 private:
  StatsCounters counters_;
};

}  // namespace weir
