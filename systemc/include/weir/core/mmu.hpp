// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "weir/core/accounting/admission.hpp"
#include "weir/core/accounting/egress_accounting.hpp"
#include "weir/core/accounting/ingress_accounting.hpp"
#include "weir/core/accounting/stats_counters.hpp"
#include "weir/core/chip.hpp"
#include "weir/core/pfc/pfc_state.hpp"
#include "weir/core/policies/sharing_policy.hpp"
#include "weir/core/units.hpp"

namespace weir {

/// What an arrival step says.
struct Verdict {
  Reason reason{Reason::admitted};
  Placement placement;  ///< Where the cells went; zero when refused.
  Cells threshold;      ///< T that the admission used.
  PfcLevel pfc;         ///< XOFF level of the PG after the step.

  [[nodiscard]] bool admitted() const noexcept { return reason == Reason::admitted; }
};

/// Everything that an MMU holds and has counted, but for what queues hold.
struct MmuState {
  std::vector<Placement> pgs;      ///< [port * 8 + pg]
  std::vector<std::uint8_t> xoff;  ///< likewise
  std::vector<PoolUse> pools;      ///< [pool * domains + domain]
  std::vector<PgCounters> pg_counters;
  std::vector<QueueCounters> queue_counters;
  std::vector<PoolWatermark> pool_marks;
};

/// The executable specification of the MMU: one step is one arrival or one release.
///
/// After its counters are updated, T is recomputed from the new S, and the PG that the step
/// touched, and only that one, is evaluated for XOFF and XON.
///
/// PGs and queues are indexed port * 8 + number, (pool, domain) sums pool * domains + domain.
///
/// Units:   whole cells; `now` only matters when needs_time(), and must not go back.
/// Errors:  the constructor throws ConfigError (Chip::check); steps are total for cells that the PG
///          holds, and throw ModelError when more are released than are held.
/// Timing:  none; latencies belong to the shells.
/// Source:  docs/design/contract.md, 2.
class Mmu {
 public:
  explicit Mmu(const Chip& chip);

  /// A unicast packet of `length` bytes in `n` cells arrives at PG `pg`, bound for `queue`.
  Verdict arrive(std::size_t pg, Cells n, Bytes length, std::size_t queue, Cycle now) {
    if (!plain_) return arrive_by_policy(pg, n, length, queue, now);
    return arrive_as<true>(pg, n, length, queue, now);
  }

  /// The same for a packet with several queues (flood, multicast): one copy of the cells is charged
  /// at ingress; limited queues that refuse are taken out of `queues`, and when none is left the
  /// packet is refused. On any refusal `queues` comes back empty.
  Verdict arrive(std::size_t pg, Cells n, Bytes length, std::vector<std::size_t>& queues,
                 Cycle now);

  /// `n` cells of a packet that came in at `pg` have left through `queue`. Only the `last` reader
  /// of a packet frees the ingress cells.
  PfcLevel release(std::size_t pg, Cells n, std::size_t queue, bool last, Cycle now) {
    if (!plain_) return release_by_policy(pg, n, queue, last, now);
    if (egress_.limited(queue)) egress_.release(queue, domain_of_pg(pg), n);
    const PgSettings& settings = settings_of(pg);
    if (last) ingress_.release_unlagged(pg, settings.pool_domain, n);
    if (!settings.lossless) return {};
    const Cells threshold = settings.threshold.at(ingress_.pool(settings.pool_domain).shared);
    return pfc_.after_release(pg, settings, ingress_.pg(pg), threshold);
  }

  /// T of a PG: XOFF at w >= T. From S as it stands (or as it is seen in cycle `now`).
  [[nodiscard]] Cells threshold(std::size_t pg, Cycle now) const noexcept {
    const PgSettings& settings = settings_of(pg);
    if (plain_) return settings.threshold.at(ingress_.pool(settings.pool_domain).shared);
    return limit_of_pg(pg, now);
  }
  /// T_q of a limited queue.
  [[nodiscard]] Cells queue_threshold(std::size_t queue, DomainId domain,
                                      Cycle now) const noexcept {
    return policies_ ? queue_sharing_.limit(queue_slot(queue, domain),
                                            egress_.pool_of(queue, domain), now)
                     : egress_.threshold(queue, domain);
  }
  /// Whether `now` matters: with a threshold_lag, and with policies that measure time.
  [[nodiscard]] bool needs_time() const noexcept { return !plain_; }
  /// Whether all classes of a port are paused: policy `dsh` alone does so.
  [[nodiscard]] bool port_off(PortId port) const noexcept;
  [[nodiscard]] const PgSettings& settings_of(std::size_t pg) const noexcept {
    return settings_[settings_of_pg_[pg]];
  }
  [[nodiscard]] bool has_profile(std::size_t pg) const noexcept { return settings_of_pg_[pg] != 0; }
  [[nodiscard]] DomainId domain_of_pg(std::size_t pg) const noexcept {
    return domain_of_port_[pg / priorities];
  }
  /// Classes of `port` that are paused: bit n = priority n. Their PG is XOFF, or the port is off.
  [[nodiscard]] std::uint8_t xoff_classes(PortId port) const noexcept;

  [[nodiscard]] const IngressAccounting& ingress() const noexcept { return ingress_; }
  [[nodiscard]] const EgressAccounting& egress() const noexcept { return egress_; }
  [[nodiscard]] const PfcState& pfc() const noexcept { return pfc_; }
  [[nodiscard]] const StatsCounters& stats() const noexcept { return stats_; }
  [[nodiscard]] const Chip& chip() const noexcept { return chip_; }
  void clear_stats() noexcept { stats_.clear(); }

  /// Takes over what another implementation of the same chip says it holds, to be shown, not to be
  /// continued. Range: as many entries as this MMU has.
  void show(const MmuState& state);
  /// The same of what PGs and queues hold, and of S as a late T sees it. Range: of the same chip.
  void show(const IngressAccounting& ingress, const EgressAccounting& queues) {
    ingress_ = ingress;
    egress_ = queues;
  }

  /// Changes what may change while packets are held: threshold, xon and xon_offset of a profile.
  /// Every PG sees it at its own next step, as it sees a new T.
  ///
  /// Errors: ConfigError, and nothing has changed, when a setting is impossible or another one of
  /// the
  ///         profile differs.
  void set_profile(std::size_t index, const Profile& profile);

 private:
  // Each step once for chips whose T follows the live S alone, and once for the others.
  template <bool plain>
  Verdict arrive_as(std::size_t pg, Cells n, Bytes length, std::size_t queue, Cycle now) {
    const DomainId domain = domain_of_pg(pg);
    const bool limited = egress_.limited(queue);
    const bool accepted = !limited || queue_accepts<plain>(queue, domain, n, now);
    if (!accepted) stats_.queue_refused(queue);
    const Verdict verdict = admit_at_ingress<plain>(pg, n, length, accepted, now);
    if (verdict.admitted()) {
      if (limited) charge_queue<plain>(queue, domain, n, now);
      stats_.queued(queue, length);
    }
    return verdict;
  }
  Verdict arrive_by_policy(std::size_t pg, Cells n, Bytes length, std::size_t queue, Cycle now);
  PfcLevel release_by_policy(std::size_t pg, Cells n, std::size_t queue, bool last, Cycle now);

  template <bool plain>
  [[nodiscard]] bool queue_accepts(std::size_t queue, DomainId domain, Cells n,
                                   Cycle now) const noexcept {
    if constexpr (plain) return egress_.accepts(queue, domain, n);
    return egress_.accepts(queue, domain, n, queue_threshold(queue, domain, now));
  }
  template <bool plain>
  void charge_queue(std::size_t queue, DomainId domain, Cells n, Cycle now) noexcept {
    egress_.charge(queue, domain, n);
    stats_.queue_filled(queue, egress_.queue(queue, domain));
    if constexpr (!plain) queue_moved(queue, domain, Cells{}, now);
  }

  template <bool plain>
  Verdict admit_at_ingress(std::size_t pg, Cells n, Bytes length, bool egress_accepts, Cycle now) {
    const PgSettings& settings = settings_of(pg);
    const std::size_t pool = settings.pool_domain;
    Verdict verdict;
    Decision decision{Reason::egress_queue, {}};
    if constexpr (plain) {
      verdict.threshold = settings.threshold.at(ingress_.pool(pool).shared);
      if (egress_accepts)
        decision = decide(settings, ingress_.pg(pg), ingress_.pool(pool), verdict.threshold, n);
    } else {
      verdict.threshold = limit_of_pg(pg, now);
      if (egress_accepts) decision = decide_by_policy(pg, n, verdict.threshold, now);
    }
    verdict.reason = decision.reason;
    verdict.placement = decision.placement;
    if (verdict.admitted()) {
      charge_pg<plain>(pg, decision.placement, now);
      stats_.admitted(pg, length, ingress_.pg(pg), pool, ingress_.pool(pool), verdict.threshold);
    } else {
      stats_.refused(pg, decision.reason, settings.lossless, ingress_.pg(pg).total() == Cells{0});
    }
    if (!settings.lossless) return verdict;
    const bool pressed = !verdict.admitted() || Cells{0} < decision.placement.headroom;
    verdict.pfc =
        pfc_.after_arrival(pg, settings, ingress_.pg(pg), threshold_as<plain>(pg, now), pressed);
    if (verdict.pfc.changed && verdict.pfc.xoff) stats_.entered_xoff(pg);
    if constexpr (!plain) {
      const bool port_pressed = pressed && verdict.reason != Reason::egress_queue;
      verdict.pfc.port_changed = judge_port(pg, true, port_pressed, now);
    }
    return verdict;
  }
  template <bool plain>
  void charge_pg(std::size_t pg, const Placement& cells, Cycle now) {
    const std::size_t pool = settings_of(pg).pool_domain;
    if constexpr (plain) {
      ingress_.charge_unlagged(pg, pool, cells);
    } else {
      ingress_.charge(pg, pool, cells, now);
      pg_moved(pg, Cells{}, now);
    }
  }
  template <bool plain>
  [[nodiscard]] Cells threshold_as(std::size_t pg, Cycle now) const noexcept {
    const PgSettings& settings = settings_of(pg);
    if constexpr (plain) return settings.threshold.at(ingress_.pool(settings.pool_domain).shared);
    return limit_of_pg(pg, now);
  }

  void assign_settings();
  void share_pgs();
  void share_queues();
  [[nodiscard]] Cells limit_of_pg(std::size_t pg, Cycle now) const noexcept;
  [[nodiscard]] Decision decide_by_policy(std::size_t pg, Cells n, Cells threshold,
                                          Cycle now) const noexcept;
  void pg_moved(std::size_t pg, Cells left, Cycle now) noexcept;
  void queue_moved(std::size_t queue, DomainId domain, Cells left, Cycle now) noexcept;
  /// Whether the step changed port_off() of the PG's port.
  bool judge_port(std::size_t pg, bool arrival, bool pressed, Cycle now) noexcept;
  [[nodiscard]] std::size_t queue_slot(std::size_t queue, DomainId domain) const noexcept {
    return domain.count() * chip_.profile_of_queue.size() + queue;
  }

  Chip chip_;
  IngressAccounting ingress_;
  EgressAccounting egress_;
  PfcState pfc_;
  StatsCounters stats_;
  std::vector<DomainId> domain_of_port_;
  std::vector<PgSettings> settings_;           // [0]: no profile; else profile x domain
  std::vector<std::uint16_t> settings_of_pg_;  // [port * 8 + pg]
  bool plain_{true};                           // every T follows the live S, and nothing else
  bool policies_{false};                       // some T follows more than S
  SharingPolicy pg_sharing_, queue_sharing_;   // only with policies_
};

}  // namespace weir
