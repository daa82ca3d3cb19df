// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "weir/model/registers/register_map.hpp"

namespace weir {

// The blocks of register_map() that count: what MACs, priority groups and queues have seen.

[[nodiscard]] RegisterBlock port_block();
[[nodiscard]] RegisterBlock port_class_block();
[[nodiscard]] RegisterBlock port_class_health_block();
/// Lies in memory as StatsCounters keeps it: the map has the layout of PgCounters.
[[nodiscard]] RegisterBlock pg_stats_block();
/// The same for QueueCounters.
[[nodiscard]] RegisterBlock queue_stats_block();

}  // namespace weir
