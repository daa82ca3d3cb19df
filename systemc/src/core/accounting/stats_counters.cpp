// SPDX-License-Identifier: Apache-2.0
#include "weir/core/accounting/stats_counters.hpp"

#include <algorithm>

namespace weir {

void StatsCounters::clear() noexcept {
  std::fill(pgs_.begin(), pgs_.end(), PgCounters{});
  std::fill(queues_.begin(), queues_.end(), QueueCounters{});
  std::fill(pools_.begin(), pools_.end(), PoolWatermark{});
}

}  // namespace weir
