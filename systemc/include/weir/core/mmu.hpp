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

/// Everything that an MMU holds and has counted, except the cells of its queues.
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
/// The state of an MMU is in its parts: counters, thresholds, levels. The MMU owns them, or borrows
/// them from a caller. The rules of the step are in mmu_step.hpp.
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
  /// An MMU with borrowed parts. Range: parts made for the chip of `settings`, and empty.
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

  /// A packet with several queues (flood, multicast) arrives. Its cells are charged once at
  /// ingress. Limited queues that refuse it are taken out of `queues`; when none is left the packet
  /// is refused. On any refusal `queues` comes back empty.
  Verdict arrive(PgIndex pg, Cells n, Bytes length, std::vector<QueueIndex>& queues, Cycle now);

  /// `n` cells of a packet that came in at `pg` have left through `queue`. Only the `last` reader
  /// of a packet frees the ingress cells.
  PfcLevel release(PgIndex pg, Cells n, QueueIndex queue, bool last, Cycle now) {
    return stepper_ ? stepper_->release(pg, n, queue, last, now)
                    : plain_.release(pg, n, queue, last, now);
  }

  /// Whether a step at `queue` is of the usual kind: every T follows the live S, and the queue has
  /// no limit. Then arrive_plain() and release_plain() do what arrive() and release() do, and may
  /// be inlined as a whole.
  [[nodiscard]] bool is_plain(QueueIndex queue) const {
    return stepper_ == nullptr && !plain_.limited(queue);
  }
  /// arrive() of the usual kind. Range: is_plain(queue).
  Verdict arrive_plain(PgIndex pg, Cells n, Bytes length, QueueIndex queue) {
    return plain_.arrive_unlimited(pg, n, length, queue, Cycle{});
  }
  /// release() of the usual kind. Range: is_plain(queue); `pg` holds `n` cells.
  PfcLevel release_plain(PgIndex pg, Cells n, QueueIndex queue, bool last) {
    return plain_.release(pg, n, queue, last, Cycle{});
  }
  /// Whether `pg` holds `n` cells.
  [[nodiscard]] bool holds(PgIndex pg, Cells n) const { return plain_.holds(pg, n); }

  /// T of a PG, from S as threshold_lag shows it in cycle `now`: XOFF at w >= T.
  [[nodiscard]] Cells threshold(PgIndex pg, Cycle now) const {
    return stepper_ ? stepper_->threshold(pg, now) : plain_.threshold(pg, now);
  }
  /// T_q of a limited queue for cells of `domain`, in cycle `now`.
  [[nodiscard]] Cells queue_threshold(QueueIndex queue, DomainId domain, Cycle now) const {
    return stepper_ ? stepper_->queue_threshold(queue, domain, now)
                    : plain_.queue_threshold(queue, domain, now);
  }
  /// Whether `now` matters: with a threshold_lag, with policies that measure time, and with
  /// replaced blocks.
  [[nodiscard]] bool needs_time() const noexcept { return stepper_ != nullptr; }
  /// Whether a policy with an insurance pauses all classes of a port.
  [[nodiscard]] bool port_off(PortId port) const { return stepper_ && stepper_->port_off(port); }
  /// Whether a user's block computes T in place of the settings.
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
  /// Clears stats() and the counters of marker().
  void clear_stats();

  /// Sets the owner of the marker of the egress queues, for readers of its counters; a step does
  /// not use it. A copy of the MMU has none.
  void set_marker_owner(MarkerOwner& owner) noexcept { marker_owner_ = &owner; }
  /// The marker, brought up to now by its owner; nullptr without an owner.
  [[nodiscard]] const EcnMarker* marker() const;

  /// Loads a read-only snapshot from another implementation of the same chip, for display. Do not
  /// call arrive() or release() afterwards. Range: as many entries as this MMU has.
  void load_snapshot(const MmuState& state);
  /// Loads the cells of PGs and queues, and S as seen with a lag. Range: of the same chip.
  void load_snapshot(const IngressAccounting& ingress, const EgressAccounting& queues) {
    *parts_.ingress = ingress;
    *parts_.egress = queues;
  }

  /// From now on `stepper` does every step; it keeps the parts up to date for readers.
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
