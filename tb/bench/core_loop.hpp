// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "step_trace.hpp"
#include "weir/core/mmu.hpp"

namespace weir::bench {

/// weir::Mmu on the same trace, with all its counters and watermarks.
class CoreLoop {
 public:
  explicit CoreLoop(const Traffic& traffic) : mmu_{chip_for(traffic)}, packet_{traffic.packet} {}

  /// Replays the trace once; returns how often a level changed.
  std::uint64_t replay(const StepTrace& trace) {
    std::uint64_t changes = 0;
    for (const Step& step : trace.steps) {
      const PfcLevel level =
          step.release
              ? mmu_.release(step.pg, Cells{step.cells}, step.queue, true, any_cycle)
              : mmu_.arrive(step.pg, Cells{step.cells}, packet_, step.queue, any_cycle).pfc;
      changes += level.changed ? 1 : 0;
    }
    return changes;
  }

 private:
  Mmu mmu_;
  const Bytes packet_;
};

}  // namespace weir::bench
