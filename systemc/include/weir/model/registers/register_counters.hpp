// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "weir/model/registers/register_map.hpp"

namespace weir {

// The blocks of register_map() that count: what MACs, priority groups and queues have seen.

[[nodiscard]] RegisterBlock port_block();
[[nodiscard]] RegisterBlock port_class_block();
[[nodiscard]] RegisterBlock port_class_health_block();
/// Block `pg_stats`, from pg_counter_table, in the memory layout of StatsCounters.
[[nodiscard]] RegisterBlock pg_stats_block();
/// Block `queue_stats`, from queue_counter_table, in the memory layout of StatsCounters.
[[nodiscard]] RegisterBlock queue_stats_block();
/// Adds pool_mark_table to the block of pools.
void add_pool_marks(RegisterBlock& pool);

}  // namespace weir
