// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "weir/core/chip.hpp"
#include "weir/core/index.hpp"
#include "weir/core/policies/dynamic_threshold.hpp"
#include "weir/core/units.hpp"

namespace weir {

/// T_q of a queue profile of `chip` as a function of S_e; the same in every memory domain.
[[nodiscard]] Threshold queue_line(const Chip& chip, QueueProfileIndex profile);

/// What a lossy egress queue holds of one memory domain's cells.
struct QueueUse {
  Cells minimum;  ///< In the queue's reserved cells.
  Cells shared;   ///< w_q
};

/// Admission and counters of lossy packets at their egress queue.
///
/// A queue takes cells into its minimum first, then into the shared part of its egress pool if
/// w_q < T_q = floor(alpha_q * (B_e - S_e)). Queues without a profile (lossless) have no limit and
/// are not counted. Cells live in the domain of the ingress port, so w_q, S_e and the minimum are
/// kept per (domain, queue).
///
/// Units:   whole cells. Errors: release() of more than held throws ModelError.
/// Source:  docs/design/contract.md, 2.
class EgressAccounting {
 public:
  explicit EgressAccounting(const Chip& chip);

  /// Whether `queue` limits what it takes.
  [[nodiscard]] bool limited(QueueIndex queue) const noexcept {
    return profile_of_queue_[queue] != unlimited;
  }

  /// Whether `n` cells of `domain` may enter the queue now, whose T_q is `threshold`. Range: a
  /// limited queue.
  [[nodiscard]] bool accepts(QueueIndex queue, DomainId domain, Cells n,
                             Cells threshold) const noexcept {
    const QueueUse& use = use_of(queue, domain);
    const Cells room = setting_of(queue, domain).minimum - use.minimum;
    return n <= room || use.shared < threshold;
  }

  /// Adds `n` cells: to the minimum first. Range: a limited queue.
  void charge(QueueIndex queue, DomainId domain, Cells n) noexcept {
    const Setting& setting = setting_of(queue, domain);
    QueueUse& use = use_of(queue, domain);
    const Cells room = setting.minimum - use.minimum;
    const Cells reserved = n < room ? n : room;
    use.minimum += reserved;
    use.shared += n - reserved;
    pools_[setting.pool_domain] += n - reserved;
  }

  /// Releases `n` cells: from the shared part first.
  void release(QueueIndex queue, DomainId domain, Cells n) {
    const Setting& setting = setting_of(queue, domain);
    QueueUse& use = use_of(queue, domain);
    if (use.minimum + use.shared < n) throw_overdrawn(queue, n);
    const Cells shared = n < use.shared ? n : use.shared;
    use.shared -= shared;
    use.minimum -= n - shared;
    pools_[setting.pool_domain] -= shared;
  }

  [[nodiscard]] const QueueUse& queue(QueueIndex queue, DomainId domain) const noexcept {
    return use_of(queue, domain);
  }
  /// S_e of a (egress pool, domain).
  [[nodiscard]] Cells pool_shared(EgressPoolIndex pool_domain) const noexcept {
    return pools_[pool_domain];
  }
  /// S_e of the egress pool of a limited queue, in `domain`.
  [[nodiscard]] Cells pool_of(QueueIndex queue, DomainId domain) const noexcept {
    return pools_[setting_of(queue, domain).pool_domain];
  }
  /// T_q of a limited queue as a function of S_e.
  [[nodiscard]] const Threshold& line(QueueIndex queue, DomainId domain) const noexcept {
    return setting_of(queue, domain).threshold;
  }

  /// Loads the content of a queue of another implementation, and S_e of its pool
  /// (Mmu::load_snapshot).
  void load_snapshot(QueueIndex queue, DomainId domain, const QueueUse& use,
                     Cells pool_shared) noexcept {
    use_of(queue, domain) = use;
    pools_[setting_of(queue, domain).pool_domain] = pool_shared;
  }

 private:
  static constexpr std::uint16_t unlimited = 0xffff;
  struct Setting {
    Threshold threshold;
    Cells minimum;
    EgressPoolIndex pool_domain;
  };

  [[nodiscard]] const Setting& setting_of(QueueIndex queue, DomainId domain) const noexcept {
    return settings_[profile_of_queue_[queue] * domains_ + domain.count()];
  }
  [[nodiscard]] QueueUse& use_of(QueueIndex queue, DomainId domain) noexcept {
    return uses_[domain.count() * queues_ + queue.value()];
  }
  [[nodiscard]] const QueueUse& use_of(QueueIndex queue, DomainId domain) const noexcept {
    return uses_[domain.count() * queues_ + queue.value()];
  }
  [[noreturn]] void throw_overdrawn(QueueIndex queue, Cells n) const;

  std::size_t queues_, domains_;
  IndexedVector<QueueIndex, std::uint16_t> profile_of_queue_;
  std::vector<Setting> settings_;                // [profile * domains + domain]
  std::vector<QueueUse> uses_;                   // [domain * queues + queue]
  IndexedVector<EgressPoolIndex, Cells> pools_;  // S_e
};

}  // namespace weir
