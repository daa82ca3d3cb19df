// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "weir/core/accounting/admission.hpp"
#include "weir/core/accounting/egress_accounting.hpp"
#include "weir/core/accounting/ingress_accounting.hpp"
#include "weir/core/chip.hpp"
#include "weir/core/units.hpp"

namespace weir {

/// Counters and watermarks of one PG. Their SAI names are in sai_counters.hpp.
struct PgCounters {
  std::uint64_t packets{0};                      ///< Admitted.
  Bytes bytes;                                   ///< Admitted.
  std::array<std::uint64_t, reasons> refused{};  ///< By reason; [admitted] stays 0.
  std::uint64_t refused_empty{0};                ///< Lossless refusals at a PG that held nothing.
  std::uint64_t xoff_entered{0};                 ///< Times the PG went to XOFF.
  Cells shared_watermark;
  Cells limit_at_peak;  ///< T that admitted the packet of shared_watermark.
  Cells headroom_watermark;
  Cells total_watermark;

  [[nodiscard]] std::uint64_t dropped() const noexcept {
    std::uint64_t sum = 0;
    for (const std::uint64_t count : refused) sum += count;
    return sum;
  }
};

/// Counters of one egress queue.
struct QueueCounters {
  std::uint64_t packets{0};  ///< Entered the queue.
  Bytes bytes;
  std::uint64_t dropped{0};  ///< Copies that the queue's limit refused.
  Cells shared_watermark;    ///< Of one memory domain; limited queues only.
  Cells total_watermark;     ///< Minimum and shared, likewise.
};

/// Watermarks of one (ingress pool, domain).
struct PoolWatermark {
  Cells shared, headroom, total;
};

/// All counters of an MMU. Cost: constant per step.
class StatsCounters {
 public:
  StatsCounters(std::size_t pgs, std::size_t pool_domains)
      : pgs_(pgs), queues_(pgs), pools_(pool_domains) {}
  /// Of the PGs, queues and pools of a chip.
  explicit StatsCounters(const Chip& chip)
      : StatsCounters{chip.ports.size() * priorities, chip.ingress_pools.size() * chip.domains} {}

  void admitted(std::size_t pg, Bytes length, const Placement& held, std::size_t pool_domain,
                const PoolUse& use, Cells threshold = Cells{0}) noexcept {
    PgCounters& counters = pgs_[pg];
    ++counters.packets;
    counters.bytes += length;
    if (counters.shared_watermark < held.shared) {
      counters.shared_watermark = held.shared;
      counters.limit_at_peak = threshold;
    }
    raise(counters.headroom_watermark, held.headroom);
    raise(counters.total_watermark, held.total());
    PoolWatermark& pool = pools_[pool_domain];
    raise(pool.shared, use.shared);
    raise(pool.headroom, use.headroom);
    raise(pool.total, use.shared + use.headroom + use.private_cells);
  }
  void refused(std::size_t pg, Reason reason, bool lossless, bool empty) noexcept {
    PgCounters& counters = pgs_[pg];
    ++counters.refused[static_cast<std::size_t>(reason)];
    if (lossless && empty) ++counters.refused_empty;
  }
  void entered_xoff(std::size_t pg) noexcept { ++pgs_[pg].xoff_entered; }
  void queued(std::size_t queue, Bytes length) noexcept {
    ++queues_[queue].packets;
    queues_[queue].bytes += length;
  }
  void queue_filled(std::size_t queue, const QueueUse& use) noexcept {
    raise(queues_[queue].shared_watermark, use.shared);
    raise(queues_[queue].total_watermark, use.minimum + use.shared);
  }
  void queue_refused(std::size_t queue) noexcept { ++queues_[queue].dropped; }

  [[nodiscard]] const PgCounters& pg(std::size_t pg) const noexcept { return pgs_[pg]; }
  [[nodiscard]] const QueueCounters& queue(std::size_t queue) const noexcept {
    return queues_[queue];
  }
  [[nodiscard]] const PoolWatermark& pool(std::size_t pool_domain) const noexcept {
    return pools_[pool_domain];
  }
  /// Loads the counts of another implementation (Mmu::show).
  void show(const std::vector<PgCounters>& pgs, const std::vector<QueueCounters>& queues,
            const std::vector<PoolWatermark>& pools) {
    pgs_ = pgs;
    queues_ = queues;
    pools_ = pools;
  }
  /// The same of one PG and its pool, and of one queue.
  void show(std::size_t pg, const PgCounters& counters, std::size_t pool_domain,
            const PoolWatermark& marks) noexcept {
    pgs_[pg] = counters;
    pools_[pool_domain] = marks;
  }
  void show(std::size_t queue, const QueueCounters& counters) noexcept {
    queues_[queue] = counters;
  }
  /// Clears every watermark and counter (SAI clear-stats); current occupancy is not touched.
  void clear() noexcept;

 private:
  static void raise(Cells& mark, Cells value) noexcept {
    if (mark < value) mark = value;
  }

  std::vector<PgCounters> pgs_;
  std::vector<QueueCounters> queues_;
  std::vector<PoolWatermark> pools_;
};

}  // namespace weir
