// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "weir/model/mmu/block_interfaces.hpp"

namespace weir {

/// The thresholds of an MMU as a module: it owns the core Thresholds, and with them what the
/// policies remember.
///
/// Source: docs/blocks/dynamic_threshold.md.
class DynamicThresholdUnit : public MmuBlock<DynamicThresholdIf> {
 public:
  DynamicThresholdUnit(const sc_core::sc_module_name& name, const MmuSettings& settings)
      : MmuBlock{name}, thresholds_{settings} {}

  [[nodiscard]] Cells limit(PgIndex pg, Cells used, Cycle now) const override {
    return thresholds_.limit(pg, used, now);
  }
  [[nodiscard]] Cells queue_limit(QueueIndex queue, DomainId domain, Cells used,
                                  Cycle now) const override {
    return thresholds_.queue_limit(queue, domain, used, now);
  }
  [[nodiscard]] std::optional<Insurance> insurance(PgIndex pg, Cells used,
                                                   Cycle now) const override {
    return thresholds_.insurance(pg, used, now);
  }
  void pg_moved(PgIndex pg, const Placement& held, Cells left, Cells used, Cycle now) override {
    thresholds_.pg_moved(pg, held, left, used, now);
  }
  void queue_moved(QueueIndex queue, DomainId domain, const QueueUse& held, Cells left, Cells used,
                   Cycle now) override {
    thresholds_.queue_moved(queue, domain, held, left, used, now);
  }
  bool judge_port(PgIndex pg, bool arrival, bool pressed, bool private_full, Cells used) override {
    return thresholds_.judge_port(pg, arrival, pressed, private_full, used);
  }
  [[nodiscard]] bool port_off(PortId port) const override { return thresholds_.port_off(port); }
  void settings_changed() override { thresholds_.settings_changed(); }
  [[nodiscard]] Thresholds* core() override { return core_to_call(*this, core_class()); }

 protected:
  /// What does the work, for a class that inherits.
  [[nodiscard]] Thresholds& core_class() noexcept { return thresholds_; }

 private:
  Thresholds thresholds_;
};

}  // namespace weir
