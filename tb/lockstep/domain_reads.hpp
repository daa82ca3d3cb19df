// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "weir/core/mmu.hpp"
#include "weir/model/rtl/weir_pkg.hpp"

namespace weir::test {

/// What a weir_domain shows on its read port: tables and fields as in weir_pkg.sv.
struct DomainRead {
  enum Table : std::uint8_t {
    pg_stats = weir_pkg::TablePgStats,
    queue_stats = weir_pkg::TableQueueStats,
    pool = weir_pkg::TablePool,
    pg = weir_pkg::TablePg,
    queue = weir_pkg::TableQueue,
    egress_pool = weir_pkg::TableEgressPool,
    domain = weir_pkg::TableDomain
  };

  Table table{pg_stats};
  unsigned field{0};

  [[nodiscard]] bool by_queue() const noexcept { return table == queue_stats || table == queue; }
  [[nodiscard]] bool by_row() const noexcept { return !by_pool() && table != domain; }
  [[nodiscard]] bool by_pool() const noexcept { return table == pool || table == egress_pool; }
};

/// What the RTL has: the registers of every counter, and what is held now.
inline const std::vector<DomainRead>& domain_reads() {
  static const std::vector<DomainRead> reads = [] {
    std::vector<DomainRead> all;
    const auto add = [&](DomainRead::Table table, const auto& rows) {
      for (const auto& row : rows) all.push_back({table, row.offset / 4});
    };
    add(DomainRead::pg_stats, pg_counter_table);
    add(DomainRead::queue_stats, queue_counter_table);
    add(DomainRead::pool, pool_mark_table);
    constexpr std::array<DomainRead, 12> held{
        {{DomainRead::pool, 3},
         {DomainRead::pool, 4},
         {DomainRead::pool, 5},
         {DomainRead::pg, 0},
         {DomainRead::pg, 1},
         {DomainRead::pg, 2},
         {DomainRead::pg, 3},
         {DomainRead::pg, 4},
         {DomainRead::queue, weir_pkg::QueueFieldMinimum},
         {DomainRead::queue, weir_pkg::QueueFieldShared},
         {DomainRead::egress_pool, weir_pkg::EgressPoolFieldShared},
         {DomainRead::domain, 0}}};
    all.insert(all.end(), held.begin(), held.end());
    return all;
  }();
  return reads;
}

/// The value of the counter whose register is at a word; 0 where there is none.
template <class Rows, class Counters>
std::uint64_t counter_at(const Rows& rows, const Counters& counters, unsigned word) {
  for (const auto& row : rows)
    if (row.offset == 4 * word) return row.read(counters);
  return 0;
}

/// The same from a core MMU of one domain, with its state in cycle `now`. `errors`: releases of
/// more than was held, which the core does not count.
class DomainValues {
 public:
  DomainValues(const Mmu& mmu, Cycle now, std::uint64_t errors)
      : mmu_{mmu}, now_{now}, errors_{errors} {}

  [[nodiscard]] std::uint64_t of(DomainRead read, std::size_t row) const {
    switch (read.table) {
      case DomainRead::pg_stats:
        return counter_at(pg_counter_table, mmu_.stats().pg(PgIndex{row}), read.field);
      case DomainRead::queue_stats:
        return counter_at(queue_counter_table, mmu_.stats().queue(QueueIndex{row}), read.field);
      case DomainRead::pool:
        return of_pool(row, read.field);
      case DomainRead::pg:
        return of_pg(row, read.field);
      case DomainRead::queue: {
        const QueueUse& use = mmu_.egress().queue(QueueIndex{row}, DomainId{0});
        return (read.field == weir_pkg::QueueFieldMinimum ? use.minimum : use.shared).count();
      }
      case DomainRead::egress_pool:
        return mmu_.egress().pool_shared(EgressPoolIndex{row}).count();
      default:
        return errors_;
    }
  }

 private:
  [[nodiscard]] std::uint64_t of_pool(std::size_t row, unsigned field) const {
    const PoolUse& use = mmu_.ingress().pool(PoolIndex{row});
    const std::array<Cells, 3> held{use.shared, use.headroom, use.private_cells};
    if (field < 6) return held[field - 3].count();
    return counter_at(pool_mark_table, mmu_.stats().pool(PoolIndex{row}), field);
  }
  [[nodiscard]] std::uint64_t of_pg(std::size_t row, unsigned field) const {
    const Placement& held = mmu_.ingress().pg(PgIndex{row});
    const std::array<std::uint64_t, 5> values{
        held.private_cells.count(), held.shared.count(), held.headroom.count(),
        mmu_.threshold(PgIndex{row}, now_).count(), std::uint64_t{mmu_.pfc().xoff(PgIndex{row})}};
    return values[field];
  }

  const Mmu& mmu_;
  const Cycle now_;
  const std::uint64_t errors_;
};

}  // namespace weir::test
