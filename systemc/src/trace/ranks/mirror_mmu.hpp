// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <vector>

#include "weir/core/accounting/egress_accounting.hpp"
#include "weir/core/accounting/ingress_accounting.hpp"
#include "weir/core/accounting/stats_counters.hpp"
#include "weir/core/accounting/thresholds.hpp"
#include "weir/core/errors.hpp"
#include "weir/core/mmu.hpp"
#include "weir/core/mmu_settings.hpp"
#include "weir/core/pfc/pfc_state.hpp"

namespace weir {

/// An MMU that shows what another one, in another rank or at an earlier moment, holds.
class MirrorMmu {
 public:
  explicit MirrorMmu(const Chip& chip)
      : settings_{chip},
        ingress_{chip},
        thresholds_{settings_},
        egress_{chip},
        pfc_{chip},
        stats_{chip},
        mmu_{settings_, MmuParts{&ingress_, &thresholds_, &egress_, &pfc_, &stats_}} {
    auto shown = std::make_unique<Shown>();
    shown_ = shown.get();
    mmu_.step_by(std::move(shown));
  }

  [[nodiscard]] const Mmu& mmu() const noexcept { return mmu_; }
  /// A group and its pool hold this, and the group is XOFF or not.
  void show(PgIndex pg, const Placement& held, const PoolUse& use, bool xoff) noexcept {
    ingress_.load_snapshot(pg, held, settings_.of(pg).pool_domain, use);
    pfc_.load_snapshot(pg, xoff);
  }
  /// T, as the next question is answered; whether all classes of a port are paused, likewise.
  void show_threshold(Cells threshold) noexcept { shown_->threshold_now = threshold; }
  void show_port_off(bool off) noexcept { shown_->off = off; }

 private:
  /// It decides nothing.
  struct Shown final : public MmuStepper {
    Cells threshold_now;
    bool off{false};

    Verdict arrive(PgIndex, Cells, Bytes, QueueIndex, Cycle) override { refuse(); }
    Verdict arrive(PgIndex, Cells, Bytes, std::vector<QueueIndex>&, Cycle) override { refuse(); }
    PfcLevel release(PgIndex, Cells, QueueIndex, bool, Cycle) override { refuse(); }
    [[nodiscard]] Cells threshold(PgIndex, Cycle) const override { return threshold_now; }
    [[nodiscard]] Cells queue_threshold(QueueIndex, DomainId, Cycle) const override { refuse(); }
    [[nodiscard]] bool port_off(PortId) const override { return off; }
    void settings_changed() override {}
    void clear_stats() override {}
    [[noreturn]] static void refuse() { throw ModelError("a mirrored MMU is read-only"); }
  };

  MmuSettings settings_;
  IngressAccounting ingress_;
  Thresholds thresholds_;
  EgressAccounting egress_;
  PfcState pfc_;
  StatsCounters stats_;
  Mmu mmu_;
  Shown* shown_{nullptr};
};

}  // namespace weir
