// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "traffic.hpp"
#include "weir/core/index.hpp"

namespace weir::bench {

/// One arrival or release, as the MMU sees it.
struct Step {
  Packed<PgIndex> pg;
  Packed<QueueIndex> queue;
  std::uint16_t cells{0};
  bool release{false};
};

/// Steps of a switch under some traffic: as many releases as arrivals, and empty at both ends, so
/// that the trace can be replayed repeatedly.
struct StepTrace {
  std::vector<Step> steps;
  std::uint64_t packets{0};
  std::uint64_t level_changes{0};  ///< XOFF and XON of one replay; every form must reach them.
};

/// The cycle of every step: the policy of a trace is `dynamic`, whose T depends on no time.
constexpr Cycle any_cycle{0};

/// Records at least `packets` packets, slot by slot: in each packet time every egress port sends
/// its oldest packet, and every sender that is not paused delivers one. A sender sees a level after
/// a round trip and a response time.
[[nodiscard]] StepTrace record_trace(const Traffic& traffic, std::uint64_t packets);

}  // namespace weir::bench
