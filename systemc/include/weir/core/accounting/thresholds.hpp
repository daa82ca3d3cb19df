// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <optional>
#include <vector>

#include "weir/core/accounting/egress_accounting.hpp"
#include "weir/core/accounting/ingress_accounting.hpp"
#include "weir/core/index.hpp"
#include "weir/core/mmu_settings.hpp"
#include "weir/core/policies/sharing_slots.hpp"
#include "weir/core/units.hpp"

namespace weir {

/// The limits of admission under a policy with an insurance, in place of T and the headroom pool.
struct Insurance {
  Cells limit;     ///< In place of T.
  Cells reserved;  ///< In place of H.
  Cells used;      ///< In place of Hp.
};

/// The limit T of every PG and T_q of every limited queue, and what the policies that look at more
/// than S remember of the cells that moved.
///
/// Units:  whole cells; `now` in cycles, and never goes back. `used` is S, or S_e, as the limit
///         sees it.
/// Errors: none; total for PGs with a profile and limited queues.
/// Source: docs/design/contract.md, 2; policies/sharing_policy.hpp.
class Thresholds {
 public:
  /// `settings` is borrowed.
  explicit Thresholds(const MmuSettings& settings);
  /// A copy of `other` with its state. Range: `settings` of the same chip.
  Thresholds(const Thresholds& other, const MmuSettings& settings)
      : settings_{settings},
        has_policies_{other.has_policies_},
        queue_lines_{other.queue_lines_},
        pg_sharing_{other.pg_sharing_},
        queue_sharing_{other.queue_sharing_} {}

  /// T of a PG: full, and XOFF, at w >= T.
  [[nodiscard]] Cells limit(PgIndex pg, Cells used, Cycle now) const noexcept {
    return has_policies_ ? pg_sharing_.limit(slot_of(pg), used, now)
                         : settings_.of(pg).threshold.at(used);
  }
  /// T_q of a limited queue.
  [[nodiscard]] Cells queue_limit(QueueIndex queue, DomainId domain, Cells used,
                                  Cycle now) const noexcept {
    if (has_policies_) return queue_sharing_.limit(slot_of(queue, domain), used, now);
    return queue_lines_[*settings_.chip().profile_of_queue[queue]].at(used);
  }
  /// The limits that admission uses in place of T and the headroom pool; none: it uses T and that
  /// pool.
  [[nodiscard]] std::optional<Insurance> insurance(PgIndex pg, Cells used,
                                                   Cycle now) const noexcept {
    const SlotIndex slot = slot_of(pg);
    if (!has_policies_ || !pg_sharing_.insured(slot)) return std::nullopt;
    return Insurance{pg_sharing_.admission_limit(slot, used, now), pg_sharing_.insurance(slot),
                     pg_sharing_.insurance_used(slot)};
  }

  /// Cells of a PG have moved: it now holds `held`, after `left` cells went.
  void pg_moved(PgIndex pg, const Placement& held, Cells left, Cells used, Cycle now) noexcept {
    if (!has_policies_) return;
    pg_sharing_.moved(slot_of(pg), {held.shared, held.headroom, held.total()}, left, used, now);
  }
  /// Cells of a limited queue have moved: it now holds `held`, after `left` cells went. `used` is
  /// S_e.
  void queue_moved(QueueIndex queue, DomainId domain, const QueueUse& held, Cells left, Cells used,
                   Cycle now) noexcept {
    if (!has_policies_) return;
    queue_sharing_.moved(slot_of(queue, domain), {held.shared, Cells{}, held.minimum + held.shared},
                         left, used, now);
  }
  /// After a step of a lossless PG. `pressed`: a cell went to headroom, or the ingress refused the
  /// packet. Returns whether port_off() of its port has changed.
  bool judge_port(PgIndex pg, bool arrival, bool pressed, bool private_full, Cells used) noexcept;
  /// Whether a policy with an insurance pauses all classes of a port.
  [[nodiscard]] bool port_off(PortId port) const noexcept;

  /// Takes over the changed settings of a profile.
  void settings_changed() {
    if (has_policies_) share_pgs();
  }

 private:
  void share_pgs();
  void share_queues();
  [[nodiscard]] static constexpr SlotIndex slot_of(PgIndex pg) noexcept {
    return SlotIndex{pg.value()};
  }
  [[nodiscard]] SlotIndex slot_of(QueueIndex queue, DomainId domain) const noexcept {
    return SlotIndex{domain.count() * settings_.chip().profile_of_queue.size() + queue.value()};
  }

  const MmuSettings& settings_;
  bool has_policies_;
  IndexedVector<QueueProfileIndex, Threshold> queue_lines_;
  SharingSlots pg_sharing_, queue_sharing_;  // only with policies
};

}  // namespace weir
