// SPDX-License-Identifier: Apache-2.0
#include "weir/core/accounting/sai_counters.hpp"

#include <algorithm>
#include <array>
#include <tuple>

#include "weir/core/congestion/ecn_marker.hpp"

namespace weir {
namespace {

std::uint64_t bytes(const Mmu& mmu, Cells cells) { return cells.count() * mmu.chip().cell.count(); }

// Rows of the table are counted by plain numbers; these are what they count.
const PgCounters& pg_stats(const Mmu& mmu, std::size_t i) { return mmu.stats().pg(PgIndex{i}); }
const Placement& pg_use(const Mmu& mmu, std::size_t i) { return mmu.ingress().pg(PgIndex{i}); }
WredCounters wred_stats(const Mmu& mmu, std::size_t i) {
  const EcnMarker* const marker = mmu.marker();
  const bool has = marker != nullptr && marker->has_profile(QueueIndex{i});
  return has ? marker->counters(QueueIndex{i}) : WredCounters{};
}
const PoolUse& pool_use(const Mmu& mmu, std::size_t i) { return mmu.ingress().pool(PoolIndex{i}); }

// A packet that its queue refused is the queue's drop, not the PG's.
std::uint64_t pg_drops(const Mmu& mmu, std::size_t i) {
  const PgCounters& counters = pg_stats(mmu, i);
  return counters.dropped() - counters.refused[static_cast<std::size_t>(Reason::egress_queue)];
}

std::uint64_t pool_drops(const Mmu& mmu, std::size_t i) {
  std::uint64_t sum = 0;
  const PgIndex end{sai_instances(mmu, SaiObject::ingress_priority_group)};
  for (PgIndex pg; pg < end; ++pg)
    if (mmu.has_profile(pg) && mmu.settings_of(pg).pool_domain == PoolIndex{i})
      sum += pg_drops(mmu, pg.value());
  return sum;
}

QueueUse queue_use(const Mmu& mmu, std::size_t i) {
  QueueUse sum;
  for (std::uint32_t domain = 0; domain < mmu.chip().domains; ++domain) {
    const QueueUse& use =
        mmu.egress().queue(QueueIndex{i}, DomainId{static_cast<std::uint8_t>(domain)});
    sum.minimum += use.minimum;
    sum.shared += use.shared;
  }
  return sum;
}

// Those of the rows that have a SAI name. `counters` finds the counters of an object.
template <class Rows, class Find>
void add_counters(std::vector<SaiCounter>& all, SaiObject object, const Rows& rows, Find counters,
                  bool of_wred = false) {
  for (const auto& row : rows) {
    if (row.sai.name.empty()) continue;
    const SaiKind kind = row.is_watermark() ? SaiKind::watermark : SaiKind::count;
    const bool in_bytes = row.is_watermark() || row.name == "bytes" || row.name == "marked_bytes";
    const auto read = [&row, counters](const Mmu& mmu, std::size_t i) {
      const std::uint64_t value = row.read(counters(mmu, i));
      return row.is_watermark() ? value * mmu.chip().cell.count() : value;
    };
    all.push_back({row.sai.name, object, in_bytes ? SaiUnit::bytes : SaiUnit::packets, kind,
                   row.meaning, read, row.sai.order, of_wred});
  }
}

// What is held now, in bytes. `cells` counts it.
template <class Count>
SaiCounter held_now(std::string_view name, SaiObject object, unsigned order,
                    std::string_view meaning, Count cells) {
  return {
      name,           object,
      SaiUnit::bytes, SaiKind::current,
      meaning,        [cells](const Mmu& mmu, std::size_t i) { return bytes(mmu, cells(mmu, i)); },
      order,          false};
}

void add_pgs(std::vector<SaiCounter>& all) {
  constexpr SaiObject pg = SaiObject::ingress_priority_group;
  add_counters(all, pg, pg_counter_table, pg_stats);
  all.push_back(held_now("SAI_INGRESS_PRIORITY_GROUP_STAT_CURR_OCCUPANCY_BYTES", pg, 2,
                         "held now: private, shared and headroom",
                         [](const Mmu& mmu, std::size_t i) { return pg_use(mmu, i).total(); }));
  all.push_back(held_now("SAI_INGRESS_PRIORITY_GROUP_STAT_SHARED_CURR_OCCUPANCY_BYTES", pg, 4,
                         "held now in the shared segment: w",
                         [](const Mmu& mmu, std::size_t i) { return pg_use(mmu, i).shared; }));
  all.push_back(held_now("SAI_INGRESS_PRIORITY_GROUP_STAT_XOFF_ROOM_CURR_OCCUPANCY_BYTES", pg, 6,
                         "held now in headroom",
                         [](const Mmu& mmu, std::size_t i) { return pg_use(mmu, i).headroom; }));
  all.push_back({"SAI_INGRESS_PRIORITY_GROUP_STAT_DROPPED_PACKETS", pg, SaiUnit::packets,
                 SaiKind::count, "packets refused at ingress, for whatever reason", pg_drops, 8});
}

void add_pools(std::vector<SaiCounter>& all) {
  constexpr SaiObject pool = SaiObject::buffer_pool;
  add_counters(all, pool, pool_mark_table,
               [](const Mmu& mmu, std::size_t i) -> const PoolWatermark& {
                 return mmu.stats().pool(PoolIndex{i});
               });
  all.push_back(
      held_now("SAI_BUFFER_POOL_STAT_CURR_OCCUPANCY_BYTES", pool, 0,
               "held now by all priority groups of the pool: private, shared and headroom",
               [](const Mmu& mmu, std::size_t i) {
                 const PoolUse& use = pool_use(mmu, i);
                 return use.private_cells + use.shared + use.headroom;
               }));
  all.push_back({"SAI_BUFFER_POOL_STAT_DROPPED_PACKETS", pool, SaiUnit::packets, SaiKind::count,
                 "packets refused at ingress by the priority groups of the pool", pool_drops, 2});
  all.push_back(held_now("SAI_BUFFER_POOL_STAT_XOFF_ROOM_CURR_OCCUPANCY_BYTES", pool, 3,
                         "held now in headroom, shared pool or dedicated",
                         [](const Mmu& mmu, std::size_t i) { return pool_use(mmu, i).headroom; }));
}

void add_queues(std::vector<SaiCounter>& all) {
  constexpr SaiObject queue = SaiObject::queue;
  add_counters(all, queue, queue_counter_table,
               [](const Mmu& mmu, std::size_t i) -> const QueueCounters& {
                 return mmu.stats().queue(QueueIndex{i});
               });
  add_counters(all, queue, wred_counter_table, wred_stats, true);
  all.push_back(held_now("SAI_QUEUE_STAT_CURR_OCCUPANCY_BYTES", queue, 1,
                         "held now: minimum and shared; 0 where the queue has no limit",
                         [](const Mmu& mmu, std::size_t i) {
                           const QueueUse use = queue_use(mmu, i);
                           return use.minimum + use.shared;
                         }));
  all.push_back(held_now("SAI_QUEUE_STAT_SHARED_CURR_OCCUPANCY_BYTES", queue, 3,
                         "held now in the shared segment: w_q",
                         [](const Mmu& mmu, std::size_t i) { return queue_use(mmu, i).shared; }));
}

// The port's own counter of what its queues marked or dropped.
SaiCounter of_queues(std::string_view name, unsigned order, std::string_view meaning,
                     std::uint64_t WredCounters::*count) {
  const auto read = [count](const Mmu& mmu, std::size_t i) {
    const PortId port = port_id(i);
    return mmu.marker() == nullptr ? std::uint64_t{0} : mmu.marker()->of_port(port).*count;
  };
  return {name, SaiObject::port, SaiUnit::packets, SaiKind::count, meaning, read, order, true};
}

void add_ports(std::vector<SaiCounter>& all) {
  all.push_back(of_queues("SAI_PORT_STAT_WRED_DROPPED_PACKETS", 0,
                          "packets that WRED profiles of its queues refused",
                          &WredCounters::dropped));
  all.push_back(of_queues("SAI_PORT_STAT_ECN_MARKED_PACKETS", 1,
                          "packets that WRED profiles of its queues marked CE",
                          &WredCounters::marked_packets));
}

bool has_wred(const Mmu& mmu, SaiObject object, std::size_t index) {
  const EcnMarker* const marker = mmu.marker();
  if (marker == nullptr) return false;
  return object == SaiObject::queue ? marker->has_profile(QueueIndex{index})
                                    : marker->has_profile_at(port_id(index));
}

}  // namespace

const std::vector<SaiCounter>& sai_counters() {
  static const std::vector<SaiCounter> table = [] {
    std::vector<SaiCounter> all;
    add_pgs(all);
    add_pools(all);
    add_queues(all);
    add_ports(all);
    std::stable_sort(all.begin(), all.end(), [](const SaiCounter& a, const SaiCounter& b) {
      return std::tie(a.object, a.order) < std::tie(b.object, b.order);
    });
    return all;
  }();
  return table;
}

bool has_counter(const Mmu& mmu, const SaiCounter& counter, std::size_t index) {
  return !counter.of_wred || has_wred(mmu, counter.object, index);
}

std::size_t sai_instances(const Mmu& mmu, SaiObject object) {
  const Chip& chip = mmu.chip();
  if (object == SaiObject::port) return chip.ports.size();
  return object == SaiObject::buffer_pool ? chip.ingress_pools.size() * chip.domains
                                          : chip.ports.size() * priorities;
}

std::string_view to_string(SaiObject object) noexcept {
  constexpr std::array<std::string_view, 4> names{"ingress_priority_group", "buffer_pool", "queue",
                                                  "port"};
  return names[static_cast<std::size_t>(object)];
}

}  // namespace weir
