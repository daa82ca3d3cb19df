// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "weir/core/mmu.hpp"

namespace weir {

/// The kind of object that a SAI statistic belongs to.
enum class SaiObject : std::uint8_t {
  ingress_priority_group,  ///< [port * 8 + PG]
  buffer_pool,             ///< Ingress pool of one memory domain: [pool * domains + domain]
  queue,                   ///< [port * 8 + queue], over all memory domains
  port,                    ///< [port], over its queues
};

enum class SaiUnit : std::uint8_t { packets, bytes };

/// The effect of StatsCounters::clear() on a statistic.
enum class SaiKind : std::uint8_t {
  current,    ///< What is held now; never cleared.
  count,      ///< Counts up from the last clear.
  watermark,  ///< The highest value since the last clear.
};

/// One statistic of the MMU under the name that SAI gives it.
struct SaiCounter {
  std::string_view name;  ///< As in saibuffer.h, saiqueue.h and saiport.h.
  SaiObject object;
  SaiUnit unit;
  SaiKind kind;
  std::string_view meaning;
  std::function<std::uint64_t(const Mmu& mmu, std::size_t index)> read;
  unsigned order;       ///< Position among those of its object in SAI's header.
  bool of_wred{false};  ///< Only of queues with a WRED profile, and their ports; others read as 0.
};

/// Whether object `index` has the statistic: without a WRED profile it has none of WRED.
[[nodiscard]] bool has_counter(const Mmu& mmu, const SaiCounter& counter, std::size_t index);

/// All SAI statistics of the MMU, in one place: counters and watermarks that have a SAI name in the
/// tables of stats_counters.hpp, what is held now, and sums. Summaries walk this table.
///
/// Units:  packets, or bytes; occupancies and watermarks are whole cells x Chip::cell, which is
///         what packets take from the buffer. Bytes received are those of the frames.
/// Range:  `index` below sai_instances() of the object.
/// Source: SAI saibuffer.h, saiqueue.h, saiport.h [SAI]. Counters of a MAC (packets sent, PFC
///         frames) are not part of the MMU.
[[nodiscard]] const std::vector<SaiCounter>& sai_counters();

/// How many objects of a kind an MMU has.
[[nodiscard]] std::size_t sai_instances(const Mmu& mmu, SaiObject object);

/// Name of the object kind: "ingress_priority_group", "buffer_pool", "queue", "port".
[[nodiscard]] std::string_view to_string(SaiObject object) noexcept;

}  // namespace weir
