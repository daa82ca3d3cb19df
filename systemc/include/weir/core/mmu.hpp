// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "weir/core/admission.hpp"
#include "weir/core/chip.hpp"
#include "weir/core/egress_accounting.hpp"
#include "weir/core/ingress_accounting.hpp"
#include "weir/core/pfc_state.hpp"
#include "weir/core/stats_counters.hpp"
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
/// Units:   whole cells; `now` only matters with a threshold_lag, and must not go back.
/// Errors:  the constructor throws ConfigError (Chip::check); steps are total for cells that the PG
///          holds, and throw ModelError when more are released than are held.
/// Timing:  none; latencies belong to the shells.
/// Source:  DESIGN section 2.
class Mmu {
 public:
  explicit Mmu(const Chip& chip);

  /// A unicast packet of `length` bytes in `n` cells arrives at PG `pg`, bound for `queue`.
  Verdict arrive(std::size_t pg, Cells n, Bytes length, std::size_t queue, Cycle now = Cycle{0}) {
    const DomainId domain = domain_of_pg(pg);
    const bool limited = egress_.limited(queue);
    const bool accepted = !limited || egress_.accepts(queue, domain, n);
    if (!accepted) stats_.queue_refused(queue);
    const Verdict verdict = admit_at_ingress(pg, n, length, accepted, now);
    if (verdict.admitted()) {
      if (limited) charge_queue(queue, domain, n);
      stats_.queued(queue, length);
    }
    return verdict;
  }

  /// The same for a packet with several queues (flood, multicast): one copy of the cells is charged
  /// at ingress; limited queues that refuse are taken out of `queues`, and when none is left the
  /// packet is refused. On any refusal `queues` comes back empty.
  Verdict arrive(std::size_t pg, Cells n, Bytes length, std::vector<std::size_t>& queues,
                 Cycle now = Cycle{0});

  /// `n` cells of a packet that came in at `pg` have left through `queue`. Only the `last` reader
  /// of a packet frees the ingress cells.
  PfcLevel release(std::size_t pg, Cells n, std::size_t queue, bool last, Cycle now = Cycle{0}) {
    if (egress_.limited(queue)) egress_.release(queue, domain_of_pg(pg), n);
    const PgSettings& settings = settings_of(pg);
    if (last) ingress_.release(pg, settings.pool_domain, n, now);
    if (!settings.lossless) return {};
    const Cells threshold = settings.threshold.at(ingress_.shared_seen(settings.pool_domain, now));
    return pfc_.after_release(pg, settings, ingress_.pg(pg), threshold);
  }

  /// T of a PG, from S as it stands (or as it is seen in cycle `now`).
  [[nodiscard]] Cells threshold(std::size_t pg, Cycle now = Cycle{0}) const noexcept {
    const PgSettings& settings = settings_of(pg);
    return settings.threshold.at(ingress_.shared_seen(settings.pool_domain, now));
  }
  [[nodiscard]] const PgSettings& settings_of(std::size_t pg) const noexcept {
    return settings_[settings_of_pg_[pg]];
  }
  [[nodiscard]] bool has_profile(std::size_t pg) const noexcept { return settings_of_pg_[pg] != 0; }
  [[nodiscard]] DomainId domain_of_pg(std::size_t pg) const noexcept {
    return domain_of_port_[pg / priorities];
  }
  /// Classes of `port` whose PG is XOFF: bit n = priority n.
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

  /// Changes what may change while packets are held: threshold, xon and xon_offset of a profile.
  /// Every PG sees it at its own next step, as it sees a new T.
  ///
  /// Errors: ConfigError, and nothing has changed, when a setting is impossible or another one of
  /// the
  ///         profile differs.
  void set_profile(std::size_t index, const Profile& profile);

 private:
  void charge_queue(std::size_t queue, DomainId domain, Cells n) noexcept {
    egress_.charge(queue, domain, n);
    stats_.queue_filled(queue, egress_.queue(queue, domain));
  }

  Verdict admit_at_ingress(std::size_t pg, Cells n, Bytes length, bool egress_accepts, Cycle now) {
    const PgSettings& settings = settings_of(pg);
    const std::size_t pool = settings.pool_domain;
    Verdict verdict;
    verdict.threshold = settings.threshold.at(ingress_.shared_seen(pool, now));
    const Decision decision = egress_accepts ? decide(settings, ingress_.pg(pg),
                                                      ingress_.pool(pool), verdict.threshold, n)
                                             : Decision{Reason::egress_queue, {}};
    verdict.reason = decision.reason;
    verdict.placement = decision.placement;
    if (verdict.admitted()) {
      ingress_.charge(pg, pool, decision.placement, now);
      stats_.admitted(pg, length, ingress_.pg(pg), pool, ingress_.pool(pool), verdict.threshold);
    } else {
      stats_.refused(pg, decision.reason, settings.lossless, ingress_.pg(pg).total() == Cells{0});
    }
    if (!settings.lossless) return verdict;
    const Cells threshold = settings.threshold.at(ingress_.shared_seen(pool, now));
    const bool pressed = !verdict.admitted() || Cells{0} < decision.placement.headroom;
    verdict.pfc = pfc_.after_arrival(pg, settings, ingress_.pg(pg), threshold, pressed);
    if (verdict.pfc.changed && verdict.pfc.xoff) stats_.entered_xoff(pg);
    return verdict;
  }

  Chip chip_;
  IngressAccounting ingress_;
  EgressAccounting egress_;
  PfcState pfc_;
  StatsCounters stats_;
  std::vector<DomainId> domain_of_port_;
  std::vector<PgSettings> settings_;           // [0]: no profile; else profile x domain
  std::vector<std::uint16_t> settings_of_pg_;  // [port * 8 + pg]
};

}  // namespace weir
