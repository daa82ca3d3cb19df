// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include "weir/core/accounting/lagged_sum.hpp"
#include "weir/core/chip.hpp"
#include "weir/core/index.hpp"
#include "weir/core/units.hpp"

namespace weir {

/// How many cells of a packet, or of a PG, lie in each segment of the buffer.
struct Placement {
  Cells private_cells, shared, headroom;

  [[nodiscard]] constexpr Cells total() const noexcept { return private_cells + shared + headroom; }
  friend constexpr bool operator==(const Placement& a, const Placement& b) noexcept {
    return a.private_cells == b.private_cells && a.shared == b.shared && a.headroom == b.headroom;
  }
};

/// Sums over all PGs of one (pool, domain).
struct PoolUse {
  Cells shared;         ///< S
  Cells headroom;       ///< Hp
  Cells private_cells;  ///< For the occupancy; no rule reads it.
};

/// Adds the cells of an admitted packet to a PG and its pool.
inline void charge_cells(Placement& held, PoolUse& use, const Placement& cells) noexcept {
  held.private_cells += cells.private_cells;
  held.shared += cells.shared;
  held.headroom += cells.headroom;
  use.private_cells += cells.private_cells;
  use.shared += cells.shared;
  use.headroom += cells.headroom;
}

/// Takes `n` cells from a PG and its pool: from headroom first, then shared, then private; returns
/// what comes from each segment. Range: cells that the PG holds.
inline Placement release_cells(Placement& held, PoolUse& use, Cells n) noexcept {
  const Cells headroom = n < held.headroom ? n : held.headroom;
  const Cells shared = n - headroom < held.shared ? n - headroom : held.shared;
  const Placement given{n - headroom - shared, shared, headroom};
  held.private_cells -= given.private_cells;
  held.shared -= given.shared;
  held.headroom -= given.headroom;
  use.private_cells -= given.private_cells;
  use.shared -= given.shared;
  use.headroom -= given.headroom;
  return given;
}

/// Counters of the ingress side: the cells of every PG, and the sums per (pool, domain).
///
/// Units:   whole cells.
/// Range:   charge() and release() expect a placement that fits and a PG that holds the cells; the
///          admission rules guarantee the first, the packet's own record the second.
/// Errors:  release() of more cells than held throws ModelError (a broken invariant of the caller).
/// Source:  docs/design/contract.md, 2.
class IngressAccounting {
 public:
  explicit IngressAccounting(const Chip& chip);

  [[nodiscard]] const Placement& pg(PgIndex pg) const noexcept { return pgs_[pg]; }
  [[nodiscard]] const PoolUse& pool(PoolIndex pool_domain) const noexcept {
    return pools_[pool_domain];
  }
  /// S as the threshold sees it in cycle `now`: the live sum, or `threshold_lag` cycles old.
  [[nodiscard]] Cells shared_seen(PoolIndex pool_domain, Cycle now) const noexcept {
    return lag_ == 0 ? pools_[pool_domain].shared : lagged_[pool_domain].at(now);
  }

  /// Adds an admitted packet's cells to its PG and pool.
  void charge(PgIndex pg, PoolIndex pool_domain, const Placement& cells, Cycle now) {
    charge_cells(pgs_[pg], pools_[pool_domain], cells);
    if (lag_ != 0) lagged_[pool_domain].record(now, pools_[pool_domain].shared);
  }

  /// Releases `n` cells of a PG: from headroom first, then shared, then private. Returns the cells
  /// released from each segment.
  Placement release(PgIndex pg, PoolIndex pool_domain, Cells n, Cycle now) {
    check_held(pg, n);
    const Placement given = release_cells(pgs_[pg], pools_[pool_domain], n);
    if (lag_ != 0) lagged_[pool_domain].record(now, pools_[pool_domain].shared);
    return given;
  }
  /// Errors: ModelError unless the PG holds `n` cells.
  void check_held(PgIndex pg, Cells n) const {
    if (pgs_[pg].total() < n) throw_overdrawn(pg, n);
  }

  /// Rows for a caller that updates them itself. Range: a chip without a threshold_lag.
  [[nodiscard]] Rows<PgIndex, Placement> pg_rows() noexcept { return pgs_.rows(); }
  [[nodiscard]] Rows<PoolIndex, PoolUse> pool_rows() noexcept { return pools_.rows(); }

  /// Loads the content of another implementation (Mmu::load_snapshot).
  void load_snapshot(const IndexedVector<PgIndex, Placement>& pgs,
                     const IndexedVector<PoolIndex, PoolUse>& pools) {
    pgs_ = pgs;
    pools_ = pools;
  }
  /// Loads the content of one PG and its pool from another implementation.
  void load_snapshot(PgIndex pg, const Placement& held, PoolIndex pool_domain,
                     const PoolUse& use) noexcept {
    pgs_[pg] = held;
    pools_[pool_domain] = use;
  }

 private:
  [[noreturn]] void throw_overdrawn(PgIndex pg, Cells n) const;

  IndexedVector<PgIndex, Placement> pgs_;
  IndexedVector<PoolIndex, PoolUse> pools_;
  IndexedVector<PoolIndex, LaggedSum> lagged_;  // empty unless threshold_lag is asked for
  std::uint32_t lag_;
};

}  // namespace weir
