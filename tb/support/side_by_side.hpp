// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "checkers/ledger.hpp"
#include "weir/core/mmu.hpp"

namespace weir::test {

/// Core and ledger disagree, or an invariant is violated: what, where, both values.
class Difference : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// How often each case occurred; a test fails when one never did.
using Coverage = std::map<std::string, std::uint64_t>;

/// The core and the ledger, driven by the same steps and compared in full after each.
///
/// In addition to equality it checks the invariants of every legal trace: cells conserved, S <= B,
/// headroom and memory never exceeded, an empty PG never XOFF, only the used PG changes level, XOFF
/// not later than the first drop.
/// Errors: every step throws Difference at the first violation.
class SideBySide {
 public:
  SideBySide(const Chip& chip, Coverage& coverage);

  /// A packet of `length` arrives; it is added to held() when admitted. Several entries in `queues`
  /// make a multicast; a single one is given to the core as a unicast.
  Verdict arrive(PgIndex pg, Bytes length, std::vector<QueueIndex> queues, Cycle now);
  /// Releases the copy of held()[packet] in the queue at `queue` of its list.
  PfcLevel release(std::size_t packet, std::size_t queue, Cycle now);
  /// Releases everything and checks that no cell is held and no PG is XOFF.
  void drain(Cycle now);

  struct HeldPacket {
    PgIndex pg;
    Cells cells;
    std::vector<QueueIndex> queues;  ///< Copies still to leave.
    std::size_t name{0};             ///< In the ledger.
  };
  [[nodiscard]] const std::vector<HeldPacket>& held() const noexcept { return held_; }
  [[nodiscard]] std::uint64_t compared() const noexcept { return compared_; }
  [[nodiscard]] const Mmu& mmu() const noexcept { return mmu_; }

 private:
  /// What StatsCounters must have, counted here from the ledger's outcomes: a value for each row of
  /// the tables of stats_counters.hpp.
  using Tally = std::array<ledger::Count, pg_counter_table.size()>;
  using QueueTally = std::array<ledger::Count, queue_counter_table.size()>;

  void compare_outcome(const Verdict& verdict, const ledger::Outcome& outcome) const;
  void compare_state(Cycle now);
  void compare_pgs(const ledger::Census& census, Cycle now) const;
  void compare_pools(const ledger::Census& census) const;
  void compare_queues(const ledger::Census& census, Cycle now) const;
  void compare_port(PgIndex pg, const PfcLevel& level);
  void compare_stats(PgIndex pg) const;
  void check_memory(const ledger::Census& census) const;
  void check_conservation() const;
  void check_levels(PgIndex touched) const;
  void check_first_drop(PgIndex pg, const ledger::Outcome& outcome, bool empty);
  void count_arrival(PgIndex pg, const ledger::Outcome& outcome, Bytes length, bool empty);
  void count_peaks(const ledger::Census& census);
  void compare_queue_stats(QueueIndex queue) const;
  void compare_pool_stats(PoolIndex row) const;
  /// Which value: formatted only when it is wrong.
  struct Where {
    Where() = default;
    Where(const char* what, std::size_t number) : kind{what}, index{number} {}
    Where(PgIndex pg) : kind{"PG"}, index{pg.value()} {}
    Where(QueueIndex queue) : kind{"queue"}, index{queue.value()} {}
    Where(PoolIndex pool) : kind{"pool"}, index{pool.value()} {}

    const char* kind{""};
    std::size_t index{0};
  };
  void expect_equal(Where where, const char* what, std::int64_t core, std::int64_t ledger) const;
  void require(bool holds, Where where, const char* what) const;
  [[nodiscard]] std::string format_place(Where where) const;

  Chip chip_;
  Mmu mmu_;
  ledger::Ledger ledger_;
  Coverage& coverage_;
  std::vector<HeldPacket> held_;
  IndexedVector<PgIndex, std::uint8_t> xoff_before_;
  std::vector<bool> off_before_;  // of each port
  IndexedVector<PgIndex, Tally> tallies_;
  IndexedVector<QueueIndex, QueueTally> queue_tallies_;
  IndexedVector<PoolIndex, ledger::Held> pool_peaks_;
  IndexedVector<PoolIndex, ledger::Count> pool_totals_;
  std::vector<ledger::Count> memory_;  // of each domain
  std::uint64_t compared_{0};
};

}  // namespace weir::test
