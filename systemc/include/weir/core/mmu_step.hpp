// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "weir/core/accounting/admission.hpp"
#include "weir/core/accounting/egress_accounting.hpp"
#include "weir/core/accounting/ingress_accounting.hpp"
#include "weir/core/accounting/stats_counters.hpp"
#include "weir/core/accounting/thresholds.hpp"
#include "weir/core/index.hpp"
#include "weir/core/mmu_settings.hpp"
#include "weir/core/pfc/pfc_state.hpp"
#include "weir/core/units.hpp"

namespace weir {

/// Outcome of an arrival step.
struct Verdict {
  Reason reason{Reason::admitted};
  Placement placement;  ///< Where the cells went; zero when refused.
  Cells threshold;      ///< T that the admission used.
  PfcLevel pfc;         ///< XOFF level of the PG after the step.

  [[nodiscard]] bool admitted() const noexcept { return reason == Reason::admitted; }
};

/// The step of an MMU whose blocks are known only at run time. Arguments as in Mmu, which calls it.
class MmuStepper {
 public:
  virtual ~MmuStepper() = default;
  virtual Verdict arrive(PgIndex pg, Cells n, Bytes length, QueueIndex queue, Cycle now) = 0;
  virtual Verdict arrive(PgIndex pg, Cells n, Bytes length, std::vector<QueueIndex>& queues,
                         Cycle now) = 0;
  virtual PfcLevel release(PgIndex pg, Cells n, QueueIndex queue, bool last, Cycle now) = 0;
  [[nodiscard]] virtual Cells threshold(PgIndex pg, Cycle now) const = 0;
  [[nodiscard]] virtual Cells queue_threshold(QueueIndex queue, DomainId domain,
                                              Cycle now) const = 0;
  [[nodiscard]] virtual bool port_off(PortId port) const = 0;
  /// Whether a user's block computes the limits in place of the settings.
  [[nodiscard]] virtual bool has_own_limits() const { return false; }
  virtual void settings_changed() = 0;
  virtual void clear_stats() = 0;
};

/// Whether every T of `Blocks` is the line of its settings (Threshold).
template <class Blocks>
inline constexpr bool limits_are_lines = false;

/// The rules of a step. `Blocks` does its parts.
///
/// `Blocks` has the members ingress, thresholds, egress, pfc, stats and admission; they point to
/// objects with the functions of the core classes IngressAccounting, Thresholds, EgressAccounting,
/// PfcState, StatsCounters and AdmissionRules: the classes themselves, or interfaces of modules.
///
/// Source: docs/design/contract.md, 2.
template <class Blocks>
class MmuStep final : public MmuStepper {
 public:
  /// `settings`, and what `blocks` points to, are borrowed.
  MmuStep(const MmuSettings& settings, const Blocks& blocks)
      : settings_{settings}, blocks_{blocks} {}

  Verdict arrive(PgIndex pg, Cells n, Bytes length, QueueIndex queue, Cycle now) override {
    if (blocks_.egress->limited(queue)) return arrive_limited(pg, n, length, queue, now);
    return arrive_unlimited(pg, n, length, queue, now);
  }
  /// A unicast packet arrives for a queue without a limit. Range: limited(queue) is false.
  Verdict arrive_unlimited(PgIndex pg, Cells n, Bytes length, QueueIndex queue, Cycle now) {
    const Verdict verdict = admit_at_ingress(pg, n, length, true, now);
    if (verdict.admitted()) blocks_.stats->queued(queue, length);
    return verdict;
  }
  /// Whether `queue` limits what it takes.
  [[nodiscard]] bool limited(QueueIndex queue) const { return blocks_.egress->limited(queue); }
  /// Whether `pg` holds `n` cells: less cannot be released.
  [[nodiscard]] bool holds(PgIndex pg, Cells n) const {
    return n <= blocks_.ingress->pg(pg).total();
  }

  Verdict arrive(PgIndex pg, Cells n, Bytes length, std::vector<QueueIndex>& queues,
                 Cycle now) override {
    const DomainId domain = settings_.domain_of_pg(pg);
    const auto refuses = [&](QueueIndex queue) {
      const bool refused = blocks_.egress->limited(queue) && !queue_accepts(queue, domain, n, now);
      if (refused) blocks_.stats->queue_refused(queue);
      return refused;
    };
    queues.erase(std::remove_if(queues.begin(), queues.end(), refuses), queues.end());
    const Verdict verdict = admit_at_ingress(pg, n, length, !queues.empty(), now);
    if (!verdict.admitted()) {
      queues.clear();
      return verdict;
    }
    for (const QueueIndex queue : queues) {
      if (blocks_.egress->limited(queue)) charge_queue(queue, domain, n, now);
      blocks_.stats->queued(queue, length);
    }
    return verdict;
  }

  PfcLevel release(PgIndex pg, Cells n, QueueIndex queue, bool last, Cycle now) override {
    if (blocks_.egress->limited(queue)) {
      const DomainId domain = settings_.domain_of_pg(pg);
      blocks_.egress->release(queue, domain, n);
      queue_moved(queue, domain, n, now);
    }
    const PgSettings& settings = settings_.of(pg);
    if (last) {
      blocks_.ingress->release(pg, settings.pool_domain, n, now);
      pg_moved(pg, settings, n, now);
    }
    if (!settings.lossless) return {};
    if constexpr (limits_are_lines<Blocks>) {
      if (!blocks_.pfc->xoff(pg)) return {};  // the usual case, without a T
      if (PfcState::stays_xoff(blocks_.ingress->pg(pg))) return {true, false, false};  // no T
    }
    PfcLevel level =
        blocks_.pfc->after_release(pg, settings, blocks_.ingress->pg(pg), limit(pg, settings, now));
    level.port_changed = judge_port(pg, settings, false, false, now);
    return level;
  }

  [[nodiscard]] Cells threshold(PgIndex pg, Cycle now) const override {
    return limit(pg, settings_.of(pg), now);
  }
  [[nodiscard]] Cells queue_threshold(QueueIndex queue, DomainId domain, Cycle now) const override {
    return blocks_.thresholds->queue_limit(queue, domain, blocks_.egress->pool_of(queue, domain),
                                           now);
  }
  [[nodiscard]] bool port_off(PortId port) const override {
    return blocks_.thresholds->port_off(port);
  }
  void settings_changed() override { blocks_.thresholds->settings_changed(); }
  void clear_stats() override { blocks_.stats->clear(); }

 private:
  /// A packet for a queue that limits what it takes.
  Verdict arrive_limited(PgIndex pg, Cells n, Bytes length, QueueIndex queue, Cycle now) {
    const DomainId domain = settings_.domain_of_pg(pg);
    const bool accepted = queue_accepts(queue, domain, n, now);
    if (!accepted) blocks_.stats->queue_refused(queue);
    const Verdict verdict = admit_at_ingress(pg, n, length, accepted, now);
    if (verdict.admitted()) {
      charge_queue(queue, domain, n, now);
      blocks_.stats->queued(queue, length);
    }
    return verdict;
  }
  [[nodiscard]] bool queue_accepts(QueueIndex queue, DomainId domain, Cells n, Cycle now) const {
    return blocks_.egress->accepts(queue, domain, n, queue_threshold(queue, domain, now));
  }
  void charge_queue(QueueIndex queue, DomainId domain, Cells n, Cycle now) {
    blocks_.egress->charge(queue, domain, n);
    blocks_.stats->queue_filled(queue, blocks_.egress->queue(queue, domain));
    queue_moved(queue, domain, Cells{}, now);
  }

  Verdict admit_at_ingress(PgIndex pg, Cells n, Bytes length, bool egress_accepts, Cycle now) {
    const PgSettings& settings = settings_.of(pg);
    Verdict verdict;
    verdict.threshold = limit(pg, settings, now);
    const Decision decision = egress_accepts ? decide_at(pg, settings, n, verdict.threshold, now)
                                             : Decision{Reason::egress_queue, {}};
    verdict.reason = decision.reason;
    verdict.placement = decision.placement;
    const PoolIndex pool = settings.pool_domain;
    if (verdict.admitted()) {
      blocks_.ingress->charge(pg, pool, decision.placement, now);
      pg_moved(pg, settings, Cells{}, now);
      blocks_.stats->admitted(pg, length, blocks_.ingress->pg(pg), pool,
                              blocks_.ingress->pool(pool), verdict.threshold);
    } else {
      blocks_.stats->refused(pg, decision.reason, settings.lossless,
                             blocks_.ingress->pg(pg).total() == Cells{0});
    }
    if (!settings.lossless) return verdict;
    const bool pressed = !verdict.admitted() || Cells{0} < decision.placement.headroom;
    if constexpr (limits_are_lines<Blocks>)
      if (!pressed && !blocks_.pfc->xoff(pg) && !PfcState::fills(settings, blocks_.ingress->pg(pg)))
        return verdict;  // no T can make it XOFF
    verdict.pfc = blocks_.pfc->after_arrival(pg, settings, blocks_.ingress->pg(pg),
                                             limit(pg, settings, now), pressed);
    blocks_.stats->xoff_judged(pg, verdict.reason, verdict.pfc);
    const bool port_pressed = pressed && verdict.reason != Reason::egress_queue;
    verdict.pfc.port_changed = judge_port(pg, settings, true, port_pressed, now);
    return verdict;
  }

  /// S as the limits of a PG see it.
  [[nodiscard]] Cells used(const PgSettings& settings, Cycle now) const {
    return blocks_.ingress->shared_seen(settings.pool_domain, now);
  }
  [[nodiscard]] Cells limit(PgIndex pg, const PgSettings& settings, Cycle now) const {
    if constexpr (limits_are_lines<Blocks>) return settings.threshold.at(used(settings, now));
    return blocks_.thresholds->limit(pg, used(settings, now), now);
  }
  [[nodiscard]] Decision decide_at(PgIndex pg, const PgSettings& settings, Cells n, Cells threshold,
                                   Cycle now) const {
    const auto& held = blocks_.ingress->pg(pg);
    const auto& use = blocks_.ingress->pool(settings.pool_domain);
    const std::optional<Insurance> insurance =
        blocks_.thresholds->insurance(pg, used(settings, now), now);
    if (!insurance) return blocks_.admission->decide(pg, settings, held, use, threshold, n, now);
    PgSettings insured = settings;
    insured.headroom_pool = insurance->reserved;
    return blocks_.admission->decide(pg, insured, held, {use.shared, insurance->used, Cells{}},
                                     insurance->limit, n, now);
  }
  void pg_moved(PgIndex pg, const PgSettings& settings, Cells left, Cycle now) {
    blocks_.thresholds->pg_moved(pg, blocks_.ingress->pg(pg), left, used(settings, now), now);
  }
  void queue_moved(QueueIndex queue, DomainId domain, Cells left, Cycle now) {
    blocks_.thresholds->queue_moved(queue, domain, blocks_.egress->queue(queue, domain), left,
                                    blocks_.egress->pool_of(queue, domain), now);
  }
  bool judge_port(PgIndex pg, const PgSettings& settings, bool arrival, bool pressed, Cycle now) {
    const bool full = blocks_.ingress->pg(pg).private_cells == settings.private_limit;
    return blocks_.thresholds->judge_port(pg, arrival, pressed, full, used(settings, now));
  }

  const MmuSettings& settings_;
  Blocks blocks_;
};

/// The core classes that a step calls, each owned outside.
struct MmuParts {
  IngressAccounting* ingress;
  Thresholds* thresholds;
  EgressAccounting* egress;
  PfcState* pfc;
  StatsCounters* stats;
  AdmissionRules admission{};  ///< Without a state, so without an owner.
};

class PlainParts;
template <>
inline constexpr bool limits_are_lines<PlainParts> = true;

/// The parts of a step on a chip whose T follows the live S alone: time does not matter, and no
/// history is kept. What every step touches is reached by one address each.
class PlainParts {
  /// IngressAccounting without a lag.
  class Ingress {
   public:
    explicit Ingress(IngressAccounting& accounting)
        : pgs_{accounting.pg_rows()}, pools_{accounting.pool_rows()}, accounting_{accounting} {}
    [[nodiscard]] const Placement& pg(PgIndex pg) const noexcept { return pgs_[pg]; }
    [[nodiscard]] const PoolUse& pool(PoolIndex row) const noexcept { return pools_[row]; }
    [[nodiscard]] Cells shared_seen(PoolIndex row, Cycle) const noexcept {
      return pools_[row].shared;
    }
    void charge(PgIndex pg, PoolIndex row, const Placement& cells, Cycle) noexcept {
      charge_cells(pgs_[pg], pools_[row], cells);
    }
    void release(PgIndex pg, PoolIndex row, Cells n, Cycle) {
      if (pgs_[pg].total() < n) accounting_.check_held(pg, n);
      release_cells(pgs_[pg], pools_[row], n);
    }
    Ingress* operator->() noexcept { return this; }
    const Ingress* operator->() const noexcept { return this; }

   private:
    Rows<PgIndex, Placement> pgs_;
    Rows<PoolIndex, PoolUse> pools_;
    const IngressAccounting& accounting_;
  };
  /// PfcState, its levels without the class between.
  class Levels {
   public:
    explicit Levels(PfcState& state) : xoff_{state.rows()} {}
    [[nodiscard]] bool xoff(PgIndex pg) const noexcept { return xoff_[pg] != 0; }
    PfcLevel after_arrival(PgIndex pg, const PgSettings& settings, const Placement& held,
                           Cells threshold, bool pressed) const noexcept {
      return PfcState::after_arrival(xoff_[pg], settings, held, threshold, pressed);
    }
    PfcLevel after_release(PgIndex pg, const PgSettings& settings, const Placement& held,
                           Cells threshold) const noexcept {
      return PfcState::after_release(xoff_[pg], settings, held, threshold);
    }
    const Levels* operator->() const noexcept { return this; }

   private:
    Rows<PgIndex, std::uint8_t> xoff_;
  };
  /// StatsCounters, the counts of every packet without the class between.
  class Counting {
   public:
    explicit Counting(StatsCounters& stats)
        : pgs_{stats.pg_rows()},
          queues_{stats.queue_rows()},
          pools_{stats.pool_rows()},
          stats_{stats} {}
    void admitted(PgIndex pg, Bytes length, const Placement& held, PoolIndex row,
                  const PoolUse& use, Cells threshold) const noexcept {
      StatsCounters::count_admitted(pgs_[pg], length, held, pools_[row], use, threshold);
    }
    void queued(QueueIndex queue, Bytes length) const noexcept {
      ++queues_[queue].packets;
      queues_[queue].bytes += length;
    }
    void refused(PgIndex pg, Reason reason, bool lossless, bool empty) const noexcept {
      stats_.refused(pg, reason, lossless, empty);
    }
    void xoff_judged(PgIndex pg, Reason reason, const PfcLevel& level) const noexcept {
      if (!level.changed) return;
      const PfcLevel copy = level;  // so that the level of a step may stay in registers
      stats_.xoff_judged(pg, reason, copy);
    }
    void queue_filled(QueueIndex queue, const QueueUse& use) const noexcept {
      stats_.queue_filled(queue, use);
    }
    void queue_refused(QueueIndex queue) const noexcept { stats_.queue_refused(queue); }
    void clear() const noexcept { stats_.clear(); }
    const Counting* operator->() const noexcept { return this; }

   private:
    Rows<PgIndex, PgCounters> pgs_;
    Rows<QueueIndex, QueueCounters> queues_;
    Rows<PoolIndex, PoolWatermark> pools_;
    StatsCounters& stats_;
  };
  /// Thresholds that remember nothing.
  class Lines {
   public:
    Lines(const MmuSettings& settings, const EgressAccounting& egress)
        : settings_{settings}, egress_{egress} {}
    [[nodiscard]] Cells limit(PgIndex pg, Cells used, Cycle) const noexcept {
      return settings_.of(pg).threshold.at(used);
    }
    [[nodiscard]] Cells queue_limit(QueueIndex queue, DomainId domain, Cells used,
                                    Cycle) const noexcept {
      return egress_.line(queue, domain).at(used);
    }
    [[nodiscard]] static std::optional<Insurance> insurance(PgIndex, Cells, Cycle) noexcept {
      return std::nullopt;
    }
    static void pg_moved(PgIndex, const Placement&, Cells, Cells, Cycle) noexcept {}
    static void queue_moved(QueueIndex, DomainId, const QueueUse&, Cells, Cells, Cycle) noexcept {}
    static bool judge_port(PgIndex, bool, bool, bool, Cells) noexcept { return false; }
    [[nodiscard]] static bool port_off(PortId) noexcept { return false; }
    static void settings_changed() noexcept {}
    Lines* operator->() noexcept { return this; }
    const Lines* operator->() const noexcept { return this; }

   private:
    const MmuSettings& settings_;
    const EgressAccounting& egress_;
  };

 public:
  PlainParts(const MmuSettings& settings, const MmuParts& parts)
      : ingress{*parts.ingress},
        thresholds{settings, *parts.egress},
        egress{parts.egress},
        pfc{*parts.pfc},
        stats{*parts.stats} {}

  Ingress ingress;
  Lines thresholds;
  EgressAccounting* egress;
  Levels pfc;
  Counting stats;
  AdmissionRules admission;
};

/// Compiled once, in mmu.cpp: a program then has the copy that link-time optimisation sees, not one
/// of a file that is compiled without it.
extern template class MmuStep<PlainParts>;

}  // namespace weir
