// SPDX-License-Identifier: Apache-2.0
#include "weir/core/accounting/sai_counters.hpp"

#include <array>

namespace weir {
namespace {

std::uint64_t bytes(const Mmu& mmu, Cells cells) { return cells.count() * mmu.chip().cell.count(); }

const PgCounters& pg_stats(const Mmu& mmu, std::size_t pg) { return mmu.stats().pg(pg); }
const Placement& pg_use(const Mmu& mmu, std::size_t pg) { return mmu.ingress().pg(pg); }
const PoolUse& pool_use(const Mmu& mmu, std::size_t pool) { return mmu.ingress().pool(pool); }
const PoolWatermark& pool_peak(const Mmu& mmu, std::size_t pool) { return mmu.stats().pool(pool); }

// A packet that its queue refused is the queue's drop, not the PG's.
std::uint64_t pg_drops(const Mmu& mmu, std::size_t pg) {
  const PgCounters& counters = pg_stats(mmu, pg);
  return counters.dropped() - counters.refused[static_cast<std::size_t>(Reason::egress_queue)];
}

std::uint64_t pool_drops(const Mmu& mmu, std::size_t pool) {
  std::uint64_t sum = 0;
  const std::size_t pgs = sai_instances(mmu, SaiObject::ingress_priority_group);
  for (std::size_t pg = 0; pg < pgs; ++pg)
    if (mmu.has_profile(pg) && mmu.settings_of(pg).pool_domain == pool) sum += pg_drops(mmu, pg);
  return sum;
}

QueueUse queue_use(const Mmu& mmu, std::size_t queue) {
  QueueUse sum;
  for (std::uint32_t domain = 0; domain < mmu.chip().domains; ++domain) {
    const QueueUse& use = mmu.egress().queue(queue, DomainId{static_cast<std::uint8_t>(domain)});
    sum.minimum += use.minimum;
    sum.shared += use.shared;
  }
  return sum;
}

std::vector<SaiCounter> pg_counters() {
  constexpr SaiObject pg = SaiObject::ingress_priority_group;
  return {
      {"SAI_INGRESS_PRIORITY_GROUP_STAT_PACKETS", pg, SaiUnit::packets, SaiKind::count,
       "packets admitted", [](const Mmu& mmu, std::size_t i) { return pg_stats(mmu, i).packets; }},
      {"SAI_INGRESS_PRIORITY_GROUP_STAT_BYTES", pg, SaiUnit::bytes, SaiKind::count,
       "bytes of the packets admitted",
       [](const Mmu& mmu, std::size_t i) { return pg_stats(mmu, i).bytes.count(); }},
      {"SAI_INGRESS_PRIORITY_GROUP_STAT_CURR_OCCUPANCY_BYTES", pg, SaiUnit::bytes, SaiKind::current,
       "held now: private, shared and headroom",
       [](const Mmu& mmu, std::size_t i) { return bytes(mmu, pg_use(mmu, i).total()); }},
      {"SAI_INGRESS_PRIORITY_GROUP_STAT_WATERMARK_BYTES", pg, SaiUnit::bytes, SaiKind::watermark,
       "most held at once: private, shared and headroom",
       [](const Mmu& mmu, std::size_t i) { return bytes(mmu, pg_stats(mmu, i).total_watermark); }},
      {"SAI_INGRESS_PRIORITY_GROUP_STAT_SHARED_CURR_OCCUPANCY_BYTES", pg, SaiUnit::bytes,
       SaiKind::current, "held now in the shared segment: w",
       [](const Mmu& mmu, std::size_t i) { return bytes(mmu, pg_use(mmu, i).shared); }},
      {"SAI_INGRESS_PRIORITY_GROUP_STAT_SHARED_WATERMARK_BYTES", pg, SaiUnit::bytes,
       SaiKind::watermark, "most held at once in the shared segment",
       [](const Mmu& mmu, std::size_t i) { return bytes(mmu, pg_stats(mmu, i).shared_watermark); }},
      {"SAI_INGRESS_PRIORITY_GROUP_STAT_XOFF_ROOM_CURR_OCCUPANCY_BYTES", pg, SaiUnit::bytes,
       SaiKind::current, "held now in headroom",
       [](const Mmu& mmu, std::size_t i) { return bytes(mmu, pg_use(mmu, i).headroom); }},
      {"SAI_INGRESS_PRIORITY_GROUP_STAT_XOFF_ROOM_WATERMARK_BYTES", pg, SaiUnit::bytes,
       SaiKind::watermark, "most held at once in headroom",
       [](const Mmu& mmu, std::size_t i) {
         return bytes(mmu, pg_stats(mmu, i).headroom_watermark);
       }},
      {"SAI_INGRESS_PRIORITY_GROUP_STAT_DROPPED_PACKETS", pg, SaiUnit::packets, SaiKind::count,
       "packets refused at ingress, for whatever reason", pg_drops},
  };
}

std::vector<SaiCounter> pool_counters() {
  constexpr SaiObject pool = SaiObject::buffer_pool;
  return {
      {"SAI_BUFFER_POOL_STAT_CURR_OCCUPANCY_BYTES", pool, SaiUnit::bytes, SaiKind::current,
       "held now by all priority groups of the pool: private, shared and headroom",
       [](const Mmu& mmu, std::size_t i) {
         const PoolUse& use = pool_use(mmu, i);
         return bytes(mmu, use.private_cells + use.shared + use.headroom);
       }},
      {"SAI_BUFFER_POOL_STAT_WATERMARK_BYTES", pool, SaiUnit::bytes, SaiKind::watermark,
       "most held at once: private, shared and headroom",
       [](const Mmu& mmu, std::size_t i) { return bytes(mmu, pool_peak(mmu, i).total); }},
      {"SAI_BUFFER_POOL_STAT_DROPPED_PACKETS", pool, SaiUnit::packets, SaiKind::count,
       "packets refused at ingress by the priority groups of the pool", pool_drops},
      {"SAI_BUFFER_POOL_STAT_XOFF_ROOM_CURR_OCCUPANCY_BYTES", pool, SaiUnit::bytes,
       SaiKind::current, "held now in headroom, shared pool or dedicated",
       [](const Mmu& mmu, std::size_t i) { return bytes(mmu, pool_use(mmu, i).headroom); }},
      {"SAI_BUFFER_POOL_STAT_XOFF_ROOM_WATERMARK_BYTES", pool, SaiUnit::bytes, SaiKind::watermark,
       "most held at once in headroom",
       [](const Mmu& mmu, std::size_t i) { return bytes(mmu, pool_peak(mmu, i).headroom); }},
  };
}

std::vector<SaiCounter> queue_counters() {
  constexpr SaiObject queue = SaiObject::queue;
  return {
      {"SAI_QUEUE_STAT_DROPPED_PACKETS", queue, SaiUnit::packets, SaiKind::count,
       "copies that the limit of the queue refused",
       [](const Mmu& mmu, std::size_t i) { return mmu.stats().queue(i).dropped; }},
      {"SAI_QUEUE_STAT_CURR_OCCUPANCY_BYTES", queue, SaiUnit::bytes, SaiKind::current,
       "held now: minimum and shared; 0 where the queue has no limit",
       [](const Mmu& mmu, std::size_t i) {
         const QueueUse use = queue_use(mmu, i);
         return bytes(mmu, use.minimum + use.shared);
       }},
      {"SAI_QUEUE_STAT_WATERMARK_BYTES", queue, SaiUnit::bytes, SaiKind::watermark,
       "most held at once in one memory domain: minimum and shared",
       [](const Mmu& mmu, std::size_t i) {
         return bytes(mmu, mmu.stats().queue(i).total_watermark);
       }},
      {"SAI_QUEUE_STAT_SHARED_CURR_OCCUPANCY_BYTES", queue, SaiUnit::bytes, SaiKind::current,
       "held now in the shared segment: w_q",
       [](const Mmu& mmu, std::size_t i) { return bytes(mmu, queue_use(mmu, i).shared); }},
      {"SAI_QUEUE_STAT_SHARED_WATERMARK_BYTES", queue, SaiUnit::bytes, SaiKind::watermark,
       "most held at once in the shared segment of one memory domain",
       [](const Mmu& mmu, std::size_t i) {
         return bytes(mmu, mmu.stats().queue(i).shared_watermark);
       }},
  };
}

}  // namespace

const std::vector<SaiCounter>& sai_counters() {
  static const std::vector<SaiCounter> table = [] {
    std::vector<SaiCounter> all = pg_counters();
    for (const auto& part : {pool_counters(), queue_counters()})
      all.insert(all.end(), part.begin(), part.end());
    return all;
  }();
  return table;
}

std::size_t sai_instances(const Mmu& mmu, SaiObject object) {
  const Chip& chip = mmu.chip();
  return object == SaiObject::buffer_pool ? chip.ingress_pools.size() * chip.domains
                                          : chip.ports.size() * priorities;
}

std::string_view to_string(SaiObject object) noexcept {
  constexpr std::array<std::string_view, 3> names{"ingress_priority_group", "buffer_pool", "queue"};
  return names[static_cast<std::size_t>(object)];
}

}  // namespace weir
