// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "weir/core/accounting/admission.hpp"
#include "weir/core/accounting/egress_accounting.hpp"
#include "weir/core/accounting/ingress_accounting.hpp"
#include "weir/core/chip.hpp"
#include "weir/core/index.hpp"
#include "weir/core/pfc/pfc_state.hpp"
#include "weir/core/units.hpp"

namespace weir {

/// Counters and watermarks of one PG.
struct PgCounters {
  std::uint64_t packets{0};                           ///< Packets admitted.
  Bytes bytes;                                        ///< Bytes of admitted packets.
  std::array<std::uint64_t, step_reasons> refused{};  ///< By reason; [admitted] stays 0.
  std::uint64_t refused_empty{0};  ///< Lossless refusals at a PG that held nothing.
  std::uint64_t xoff_entered{0};   ///< Times the PG went to XOFF.
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
  std::uint64_t packets{0};  ///< Packets that entered the queue.
  Bytes bytes;
  std::uint64_t dropped{0};  ///< Copies that the queue's limit refused.
  Cells shared_watermark;    ///< Greatest w_q of one memory domain; limited queues only.
  Cells total_watermark;     ///< Of minimum and shared in one memory domain; limited queues only.
};

/// Watermarks of one (ingress pool, domain).
struct PoolWatermark {
  Cells shared, headroom, total;
};

/// The part of an entry of summary.json that shows a counter.
enum class CounterPart : std::uint8_t {
  none,
  traffic,
  drops_by_reason,
  events,
  peak_shared,
  peak_headroom,
  peak_total,
};

/// The SAI statistic that a counter is.
struct SaiName {
  std::string_view name;
  unsigned order{0};  ///< Among the statistics of its object, as in the header of SAI.
};

/// A counter or watermark of the MMU: a row of one of the three tables below. Registers, the RTL's
/// reads, SAI statistics, summary.json and the comparisons of the tests walk them.
template <class Counters>
struct MmuCounter {
  std::string_view name;  ///< Name of its register.
  std::uint32_t offset;   ///< Offset of its register in the block, bytes.
  unsigned words;         ///< 32-bit words of its register: 2 for a counter, 1 for a watermark.
  std::string_view meaning;
  std::uint64_t (*read)(const Counters& counters);
  void (*write)(Counters& counters, std::uint64_t value);
  CounterPart part{CounterPart::none};
  std::string_view field{};  ///< Name of its field in summary.json.
  SaiName sai{};             ///< An empty name: SAI has no such statistic.

  [[nodiscard]] constexpr bool is_watermark() const noexcept { return words == 1; }
};

/// Makes the row of a member: a count of packets or bytes, or a watermark in cells.
template <auto member>
struct CounterOf;
template <class Counters, class Count, Count Counters::*member>
struct CounterOf<member> {
  [[nodiscard]] static std::uint64_t value(const Counters& counters) noexcept {
    if constexpr (std::is_same_v<Count, std::uint64_t>)
      return counters.*member;
    else
      return std::uint64_t{(counters.*member).count()};
  }
  static void set(Counters& counters, std::uint64_t value) noexcept {
    if constexpr (std::is_same_v<Count, std::uint64_t>)
      counters.*member = value;
    else
      counters.*member = Count{static_cast<typename Count::rep>(value)};
  }
  [[nodiscard]] static constexpr MmuCounter<Counters> row(std::string_view name, std::size_t offset,
                                                          std::string_view meaning,
                                                          CounterPart part, std::string_view field,
                                                          SaiName sai = {}) {
    constexpr unsigned words = std::is_same_v<Count, Cells> ? 1 : 2;
    return {name, static_cast<std::uint32_t>(offset), words, meaning, value, set, part, field, sai};
  }
};

/// The row of the refusals for one reason.
template <Reason reason>
[[nodiscard]] constexpr MmuCounter<PgCounters> refusals(std::string_view name,
                                                        std::string_view meaning,
                                                        std::string_view field) {
  constexpr auto index = static_cast<std::size_t>(reason);
  constexpr std::size_t offset = offsetof(PgCounters, refused) + index * sizeof(std::uint64_t);
  const auto value = [](const PgCounters& counters) { return counters.refused[index]; };
  const auto set = [](PgCounters& counters, std::uint64_t n) { counters.refused[index] = n; };
  return {name, static_cast<std::uint32_t>(offset), 2,    meaning, value,
          set,  CounterPart::drops_by_reason,       field};
}

/// What was counted between `before` and `end`, with the watermarks of `marks`. `rows` is the
/// table of these counters.
template <class Counters, class Rows>
[[nodiscard]] Counters counted_between(const Rows& rows, const Counters& before,
                                       const Counters& end, const Counters& marks) {
  Counters counters = end;
  for (const auto& row : rows)
    row.write(counters, row.is_watermark() ? row.read(marks) : row.read(end) - row.read(before));
  return counters;
}

/// Counters of a PG: register block `pg_stats`, in the memory layout of PgCounters.
inline constexpr std::array pg_counter_table{
    CounterOf<&PgCounters::packets>::row("packets", offsetof(PgCounters, packets),
                                         "packets admitted", CounterPart::traffic, "packets",
                                         {"SAI_INGRESS_PRIORITY_GROUP_STAT_PACKETS", 0}),
    CounterOf<&PgCounters::bytes>::row("bytes", offsetof(PgCounters, bytes), "their bytes",
                                       CounterPart::traffic, "bytes",
                                       {"SAI_INGRESS_PRIORITY_GROUP_STAT_BYTES", 1}),
    refusals<Reason::shared_threshold>("refused_shared_threshold", "refused: w >= T, no headroom",
                                       "shared_threshold"),
    refusals<Reason::shared_pool>("refused_shared_pool", "refused: would exceed B, no headroom",
                                  "shared_pool"),
    refusals<Reason::headroom_limit>(
        "refused_headroom_limit", "refused: would exceed the group's headroom", "headroom_limit"),
    refusals<Reason::headroom_pool>("refused_headroom_pool",
                                    "refused: would exceed the headroom pool", "headroom_pool"),
    refusals<Reason::egress_queue>("refused_egress_queue", "refused by its egress queue",
                                   "egress_queue"),
    CounterOf<&PgCounters::refused_empty>::row("refused_empty", offsetof(PgCounters, refused_empty),
                                               "lossless refusals while the group held nothing",
                                               CounterPart::events, "empty_refusals"),
    CounterOf<&PgCounters::xoff_entered>::row("xoff_entered", offsetof(PgCounters, xoff_entered),
                                              "times the group went to XOFF", CounterPart::events,
                                              "xoff_entered"),
    CounterOf<&PgCounters::shared_watermark>::row(
        "shared_watermark", offsetof(PgCounters, shared_watermark),
        "most cells in shared since the last clear", CounterPart::peak_shared, "peak_shared_cells",
        {"SAI_INGRESS_PRIORITY_GROUP_STAT_SHARED_WATERMARK_BYTES", 5}),
    CounterOf<&PgCounters::limit_at_peak>::row("limit_at_peak", offsetof(PgCounters, limit_at_peak),
                                               "T that admitted the packet of shared_watermark",
                                               CounterPart::peak_shared, "limit_at_peak_cells"),
    CounterOf<&PgCounters::headroom_watermark>::row(
        "headroom_watermark", offsetof(PgCounters, headroom_watermark),
        "most cells in headroom since the last clear", CounterPart::peak_headroom,
        "peak_headroom_cells", {"SAI_INGRESS_PRIORITY_GROUP_STAT_XOFF_ROOM_WATERMARK_BYTES", 7}),
    CounterOf<&PgCounters::total_watermark>::row(
        "total_watermark", offsetof(PgCounters, total_watermark),
        "most cells in all since the last clear", CounterPart::peak_total, "peak_total_cells",
        {"SAI_INGRESS_PRIORITY_GROUP_STAT_WATERMARK_BYTES", 3}),
};

/// Counters of a queue: register block `queue_stats`, in the memory layout of QueueCounters.
inline constexpr std::array queue_counter_table{
    CounterOf<&QueueCounters::packets>::row("packets", offsetof(QueueCounters, packets),
                                            "packets that entered the queue", CounterPart::traffic,
                                            "packets"),
    CounterOf<&QueueCounters::bytes>::row("bytes", offsetof(QueueCounters, bytes), "their bytes",
                                          CounterPart::traffic, "bytes"),
    CounterOf<&QueueCounters::dropped>::row(
        "dropped", offsetof(QueueCounters, dropped), "copies that the limit of the queue refused",
        CounterPart::traffic, "drops", {"SAI_QUEUE_STAT_DROPPED_PACKETS", 0}),
    CounterOf<&QueueCounters::shared_watermark>::row(
        "shared_watermark", offsetof(QueueCounters, shared_watermark),
        "most cells in shared, of one memory domain; limited queues only", CounterPart::none, "",
        {"SAI_QUEUE_STAT_SHARED_WATERMARK_BYTES", 4}),
    CounterOf<&QueueCounters::total_watermark>::row(
        "total_watermark", offsetof(QueueCounters, total_watermark),
        "most cells in minimum and shared, likewise", CounterPart::none, "",
        {"SAI_QUEUE_STAT_WATERMARK_BYTES", 2}),
};

/// Offset of the first watermark in register block `pool`, after the registers of its use; bytes.
inline constexpr std::uint32_t first_pool_mark = 0x18;
/// Watermarks of an ingress pool in a memory domain: a part of register block `pool`.
inline constexpr std::array pool_mark_table{
    CounterOf<&PoolWatermark::shared>::row(
        "shared_watermark", first_pool_mark + offsetof(PoolWatermark, shared),
        "most S since the last clear", CounterPart::peak_shared, "peak_shared_cells"),
    CounterOf<&PoolWatermark::headroom>::row(
        "headroom_watermark", first_pool_mark + offsetof(PoolWatermark, headroom),
        "most Hp since the last clear", CounterPart::peak_headroom, "peak_headroom_cells",
        {"SAI_BUFFER_POOL_STAT_XOFF_ROOM_WATERMARK_BYTES", 4}),
    CounterOf<&PoolWatermark::total>::row(
        "total_watermark", first_pool_mark + offsetof(PoolWatermark, total),
        "most cells in all segments since the last clear", CounterPart::peak_total,
        "peak_total_cells", {"SAI_BUFFER_POOL_STAT_WATERMARK_BYTES", 1}),
};

/// All counters of an MMU. Cost: constant per step.
class StatsCounters {
 public:
  /// Counters of the PGs, queues and pools of a chip.
  explicit StatsCounters(const Chip& chip)
      : StatsCounters{PgIndex{chip.ports.size() * priorities},
                      PoolIndex{chip.ingress_pools.size() * chip.domains}} {}
  /// Counters of the PGs and queues below `pgs_end`, and of the pools below `pools_end`.
  StatsCounters(PgIndex pgs_end, PoolIndex pools_end)
      : pgs_(pgs_end.value()), queues_(pgs_end.value()), pools_(pools_end.value()) {}

  /// Counts a packet that was admitted by `threshold`; `held` and `use` include it.
  void admitted(PgIndex pg, Bytes length, const Placement& held, PoolIndex pool_domain,
                const PoolUse& use, Cells threshold) noexcept {
    count_admitted(pgs_[pg], length, held, pools_[pool_domain], use, threshold);
  }
  /// admitted() for entries of pg_rows() and pool_rows().
  static void count_admitted(PgCounters& counters, Bytes length, const Placement& held,
                             PoolWatermark& pool, const PoolUse& use, Cells threshold) noexcept {
    ++counters.packets;
    counters.bytes += length;
    if (counters.shared_watermark < held.shared) {
      counters.shared_watermark = held.shared;
      counters.limit_at_peak = threshold;
    }
    raise(counters.headroom_watermark, held.headroom);
    raise(counters.total_watermark, held.total());
    raise(pool.shared, use.shared);
    raise(pool.headroom, use.headroom);
    raise(pool.total, use.shared + use.headroom + use.private_cells);
  }
  /// Counts a packet that was refused; `empty`: the PG held nothing.
  void refused(PgIndex pg, Reason reason, bool lossless, bool empty) noexcept {
    PgCounters& counters = pgs_[pg];
    ++counters.refused[static_cast<std::size_t>(reason)];
    if (lossless && empty) ++counters.refused_empty;
  }
  /// Counts a change to XOFF by an arrival at a lossless PG; `level` is the one after the step.
  void xoff_judged(PgIndex pg, Reason, const PfcLevel& level) noexcept {
    if (level.changed && level.xoff) ++pgs_[pg].xoff_entered;
  }
  /// Counts a packet that entered `queue`.
  void queued(QueueIndex queue, Bytes length) noexcept {
    ++queues_[queue].packets;
    queues_[queue].bytes += length;
  }
  /// Raises the watermarks of a limited queue that now holds `use`.
  void queue_filled(QueueIndex queue, const QueueUse& use) noexcept {
    raise(queues_[queue].shared_watermark, use.shared);
    raise(queues_[queue].total_watermark, use.minimum + use.shared);
  }
  /// Counts a copy that the limit of `queue` refused.
  void queue_refused(QueueIndex queue) noexcept { ++queues_[queue].dropped; }

  [[nodiscard]] Rows<PgIndex, PgCounters> pg_rows() noexcept { return pgs_.rows(); }
  [[nodiscard]] Rows<QueueIndex, QueueCounters> queue_rows() noexcept { return queues_.rows(); }
  [[nodiscard]] Rows<PoolIndex, PoolWatermark> pool_rows() noexcept { return pools_.rows(); }

  [[nodiscard]] const PgCounters& pg(PgIndex pg) const noexcept { return pgs_[pg]; }
  [[nodiscard]] const QueueCounters& queue(QueueIndex queue) const noexcept {
    return queues_[queue];
  }
  [[nodiscard]] const PoolWatermark& pool(PoolIndex pool_domain) const noexcept {
    return pools_[pool_domain];
  }
  /// Loads the counts of another implementation (Mmu::load_snapshot).
  void load_snapshot(const IndexedVector<PgIndex, PgCounters>& pgs,
                     const IndexedVector<QueueIndex, QueueCounters>& queues,
                     const IndexedVector<PoolIndex, PoolWatermark>& pools) {
    pgs_ = pgs;
    queues_ = queues;
    pools_ = pools;
  }
  /// Loads the counts of one PG and its pool from another implementation.
  void load_snapshot(PgIndex pg, const PgCounters& counters, PoolIndex pool_domain,
                     const PoolWatermark& marks) noexcept {
    pgs_[pg] = counters;
    pools_[pool_domain] = marks;
  }
  /// Loads the counts of one queue from another implementation.
  void load_snapshot(QueueIndex queue, const QueueCounters& counters) noexcept {
    queues_[queue] = counters;
  }
  /// Clears every watermark and counter (SAI clear-stats); current occupancy is not touched.
  void clear() noexcept;

 private:
  static void raise(Cells& mark, Cells value) noexcept {
    if (mark < value) mark = value;
  }

  IndexedVector<PgIndex, PgCounters> pgs_;
  IndexedVector<QueueIndex, QueueCounters> queues_;
  IndexedVector<PoolIndex, PoolWatermark> pools_;
};

}  // namespace weir
