// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "weir/core/accounting/egress_accounting.hpp"
#include "weir/core/accounting/ingress_accounting.hpp"
#include "weir/core/accounting/stats_counters.hpp"
#include "weir/core/chip.hpp"
#include "weir/core/index.hpp"
#include "weir/core/mmu_settings.hpp"
#include "weir/core/mmu_step.hpp"
#include "weir/core/pfc/pfc_state.hpp"
#include "weir/core/units.hpp"

namespace weir {

class EcnMarker;
class MarkerOwner;

/// Everything that an MMU holds and has counted, but for what queues hold.
struct MmuState {
  IndexedVector<PgIndex, Placement> pgs;
  IndexedVector<PgIndex, std::uint8_t> xoff;
  IndexedVector<PoolIndex, PoolUse> pools;
  IndexedVector<PgIndex, PgCounters> pg_counters;
  IndexedVector<QueueIndex, QueueCounters> queue_counters;
  IndexedVector<PoolIndex, PoolWatermark> pool_marks;
};

/// The executable specification of the MMU: one step is one arrival or one release.
///
/// After its counters are updated, T is recomputed from the new S, and the PG that the step
/// touched, and only that one, is evaluated for XOFF and XON.
///
/// What an MMU holds lies in its parts: counters, thresholds, levels. They are its own, or those of
/// a caller that steps them through it; the rules of the step are in mmu_step.hpp.
///
/// Units:   whole cells; `now` only matters when needs_time(), and must not go back.
/// Errors:  the constructor throws ConfigError (Chip::check); steps are total for cells that the PG
///          holds, and throw ModelError when more are released than are held.
/// Timing:  none; latencies belong to the shells.
/// Source:  docs/design/contract.md, 2.
class Mmu {
 public:
  /// An MMU that owns its parts.
  explicit Mmu(const Chip& chip);
  /// An MMU of parts that are borrowed: all of one chip, that of `settings`, and empty.
  Mmu(MmuSettings& settings, const MmuParts& parts);
  ~Mmu();
  /// A copy owns copies of the parts, and follows the rules of its chip.
  Mmu(const Mmu& other);
  Mmu& operator=(const Mmu&) = delete;

  /// A unicast packet of `length` bytes in `n` cells arrives at PG `pg`, bound for `queue`.
  Verdict arrive(PgIndex pg, Cells n, Bytes length, QueueIndex queue, Cycle now) {
    return stepper_ ? stepper_->arrive(pg, n, length, queue, now)
                    : plain_.arrive(pg, n, length, queue, now);
  }

  /// The same for a packet with several queues (flood, multicast): one copy of the cells is charged
  /// at ingress; limited queues that refuse are taken out of `queues`, and when none is left the
  /// packet is refused. On any refusal `queues` comes back empty.
  Verdict arrive(PgIndex pg, Cells n, Bytes length, std::vector<QueueIndex>& queues, Cycle now);

  /// `n` cells of a packet that came in at `pg` have left through `queue`. Only the `last` reader
  /// of a packet frees the ingress cells.
  PfcLevel release(PgIndex pg, Cells n, QueueIndex queue, bool last, Cycle now) {
    return stepper_ ? stepper_->release(pg, n, queue, last, now)
                    : plain_.release(pg, n, queue, last, now);
  }

  /// Whether a step at `queue` is of the usual kind: every T follows the live S, and the queue
  /// takes all. Then arrive_plain() and release_plain() do what arrive() and release() do, and may
  /// be inlined as a whole.
  [[nodiscard]] bool is_plain(QueueIndex queue) const {
    return stepper_ == nullptr && !plain_.limited(queue);
  }
  /// Range: is_plain().
  Verdict arrive_plain(PgIndex pg, Cells n, Bytes length, QueueIndex queue) {
    return plain_.arrive_unlimited(pg, n, length, queue, Cycle{});
  }
  /// Range: is_plain(); `pg` holds `n` cells.
  PfcLevel release_plain(PgIndex pg, Cells n, QueueIndex queue, bool last) {
    return plain_.release(pg, n, queue, last, Cycle{});
  }
  /// Whether `pg` holds `n` cells.
  [[nodiscard]] bool holds(PgIndex pg, Cells n) const { return plain_.holds(pg, n); }

  /// T of a PG: XOFF at w >= T. From S in cycle `now`, as the lag shows it.
  [[nodiscard]] Cells threshold(PgIndex pg, Cycle now) const {
    return stepper_ ? stepper_->threshold(pg, now) : plain_.threshold(pg, now);
  }
  /// T_q of a limited queue.
  [[nodiscard]] Cells queue_threshold(QueueIndex queue, DomainId domain, Cycle now) const {
    return stepper_ ? stepper_->queue_threshold(queue, domain, now)
                    : plain_.queue_threshold(queue, domain, now);
  }
  /// Whether `now` matters: with a threshold_lag, with policies that measure time, and with blocks
  /// that others provide.
  [[nodiscard]] bool needs_time() const noexcept { return stepper_ != nullptr; }
  /// Whether all classes of a port are paused, as a policy with an insurance may have it.
  [[nodiscard]] bool port_off(PortId port) const { return stepper_ && stepper_->port_off(port); }
  /// Whether T is a rule of a user's own, not that of the settings.
  [[nodiscard]] bool has_own_limits() const { return stepper_ && stepper_->has_own_limits(); }
  [[nodiscard]] const PgSettings& settings_of(PgIndex pg) const noexcept {
    return settings_.of(pg);
  }
  [[nodiscard]] bool has_profile(PgIndex pg) const noexcept { return settings_.has_profile(pg); }
  [[nodiscard]] DomainId domain_of_pg(PgIndex pg) const noexcept {
    return settings_.domain_of_pg(pg);
  }
  /// Classes of `port` that are paused: bit n = priority n. Their PG is XOFF, or the port is off.
  [[nodiscard]] std::uint8_t xoff_classes(PortId port) const;

  [[nodiscard]] const IngressAccounting& ingress() const noexcept { return *parts_.ingress; }
  [[nodiscard]] const EgressAccounting& egress() const noexcept { return *parts_.egress; }
  [[nodiscard]] const PfcState& pfc() const noexcept { return *parts_.pfc; }
  [[nodiscard]] const StatsCounters& stats() const noexcept { return *parts_.stats; }
  [[nodiscard]] const MmuSettings& settings() const noexcept { return settings_; }
  [[nodiscard]] const Chip& chip() const noexcept { return settings_.chip(); }
  /// Clears them, and the counters of the marker that it shows.
  void clear_stats();

  /// Sets the owner of the marker of the egress queues, for readers of its counters; a step does
  /// not use it. A copy of the MMU has none.
  void set_marker_owner(MarkerOwner& owner) noexcept { marker_owner_ = &owner; }
  /// The marker as it is now, or nullptr.
  [[nodiscard]] const EcnMarker* marker() const;

  /// Loads a read-only snapshot from another implementation of the same chip, for display. Do not
  /// call arrive() or release() afterwards. Range: as many entries as this MMU has.
  void load_snapshot(const MmuState& state);
  /// The same for the content of PGs and queues, and for S as seen with a lag. Range: of the same
  /// chip.
  void load_snapshot(const IngressAccounting& ingress, const EgressAccounting& queues) {
    *parts_.ingress = ingress;
    *parts_.egress = queues;
  }

  /// From now on every step is `stepper`'s, which leaves in the parts what is to be seen of it.
  void step_by(std::unique_ptr<MmuStepper> stepper) { stepper_ = std::move(stepper); }

  /// Changes what may change while packets are held: threshold, xon and xon_offset of a profile.
  /// Every PG sees it at its own next step, as it sees a new T.
  ///
  /// Errors: ConfigError, and nothing has changed, when a setting is impossible or another one of
  ///         the profile differs.
  void set_profile(ProfileIndex index, const Profile& profile);

 private:
  struct Owned;
  explicit Mmu(std::unique_ptr<Owned> owned);

  std::unique_ptr<Owned> owned_;  // none: the parts are borrowed
  MmuSettings& settings_;
  const MmuParts parts_;
  std::unique_ptr<MmuStepper> stepper_;  // none: every T follows the live S, and nothing else
  MmuStep<PlainParts> plain_;
  MarkerOwner* marker_owner_{nullptr};
};

}  // namespace weir
