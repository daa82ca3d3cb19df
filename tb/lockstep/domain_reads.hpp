// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "weir/core/mmu.hpp"

namespace weir::test {

/// What a weir_domain shows on its read port: tables and fields as in weir_pkg.sv.
struct DomainRead {
  enum Table : std::uint8_t { pg_stats, queue_stats, pool, pg, queue, egress_pool, domain };

  Table table{pg_stats};
  unsigned field{0};

  [[nodiscard]] bool by_queue() const noexcept { return table == queue_stats || table == queue; }
  [[nodiscard]] bool by_row() const noexcept { return !by_pool() && table != domain; }
  [[nodiscard]] bool by_pool() const noexcept { return table == pool || table == egress_pool; }
};

constexpr std::array<DomainRead, 33> domain_reads{
    {{DomainRead::pg_stats, 0},    {DomainRead::pg_stats, 2},    {DomainRead::pg_stats, 6},
     {DomainRead::pg_stats, 8},    {DomainRead::pg_stats, 10},   {DomainRead::pg_stats, 12},
     {DomainRead::pg_stats, 14},   {DomainRead::pg_stats, 16},   {DomainRead::pg_stats, 18},
     {DomainRead::pg_stats, 20},   {DomainRead::pg_stats, 21},   {DomainRead::pg_stats, 22},
     {DomainRead::pg_stats, 23},   {DomainRead::queue_stats, 0}, {DomainRead::queue_stats, 2},
     {DomainRead::queue_stats, 4}, {DomainRead::queue_stats, 6}, {DomainRead::queue_stats, 7},
     {DomainRead::pool, 3},        {DomainRead::pool, 4},        {DomainRead::pool, 5},
     {DomainRead::pool, 6},        {DomainRead::pool, 7},        {DomainRead::pool, 8},
     {DomainRead::pg, 0},          {DomainRead::pg, 1},          {DomainRead::pg, 2},
     {DomainRead::pg, 3},          {DomainRead::pg, 4},          {DomainRead::queue, 0},
     {DomainRead::queue, 1},       {DomainRead::egress_pool, 0}, {DomainRead::domain, 0}}};

/// The same from a core MMU of one domain, with its state in cycle `now`. `errors`: releases of
/// more than was held, which the core does not count.
class DomainValues {
 public:
  DomainValues(const Mmu& mmu, Cycle now, std::uint64_t errors)
      : mmu_{mmu}, now_{now}, errors_{errors} {}

  [[nodiscard]] std::uint64_t of(DomainRead read, std::size_t row) const {
    switch (read.table) {
      case DomainRead::pg_stats:
        return of(mmu_.stats().pg(row), read.field);
      case DomainRead::queue_stats:
        return of(mmu_.stats().queue(row), read.field);
      case DomainRead::pool:
        return of_pool(row, read.field);
      case DomainRead::pg:
        return of_pg(row, read.field);
      case DomainRead::queue: {
        const QueueUse& use = mmu_.egress().queue(row, DomainId{0});
        return (read.field == 0 ? use.minimum : use.shared).count();
      }
      case DomainRead::egress_pool:
        return mmu_.egress().pool_shared(row).count();
      default:
        return errors_;
    }
  }

 private:
  [[nodiscard]] static std::uint64_t of(const PgCounters& pg, unsigned field) {
    if (6 <= field && field <= 14) return pg.refused[field / 2 - 2];
    switch (field) {
      case 0:
        return pg.packets;
      case 2:
        return pg.bytes.count();
      case 16:
        return pg.refused_empty;
      case 18:
        return pg.xoff_entered;
      case 20:
        return pg.shared_watermark.count();
      case 21:
        return pg.limit_at_peak.count();
      case 22:
        return pg.headroom_watermark.count();
      default:
        return pg.total_watermark.count();
    }
  }
  [[nodiscard]] static std::uint64_t of(const QueueCounters& queue, unsigned field) {
    switch (field) {
      case 0:
        return queue.packets;
      case 2:
        return queue.bytes.count();
      case 4:
        return queue.dropped;
      case 6:
        return queue.shared_watermark.count();
      default:
        return queue.total_watermark.count();
    }
  }
  [[nodiscard]] std::uint64_t of_pool(std::size_t row, unsigned field) const {
    const PoolUse& use = mmu_.ingress().pool(row);
    const PoolWatermark& marks = mmu_.stats().pool(row);
    const std::array<Cells, 6> values{use.shared,   use.headroom,   use.private_cells,
                                      marks.shared, marks.headroom, marks.total};
    return values[field - 3].count();
  }
  [[nodiscard]] std::uint64_t of_pg(std::size_t row, unsigned field) const {
    const Placement& held = mmu_.ingress().pg(row);
    const std::array<std::uint64_t, 5> values{
        held.private_cells.count(), held.shared.count(), held.headroom.count(),
        mmu_.threshold(row, now_).count(), std::uint64_t{mmu_.pfc().xoff(row)}};
    return values[field];
  }

  const Mmu& mmu_;
  const Cycle now_;
  const std::uint64_t errors_;
};

}  // namespace weir::test
