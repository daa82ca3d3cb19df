// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "commands/run_parts.hpp"

namespace weir {

/// Runs the part of a network that this rank has; rank 0 writes the results. Of a single rank
/// `run_alone` does all. Returns the exit code: 0 at all ranks but the first.
[[nodiscard]] int run_as_rank(RunOptions& options,
                              int (*run_alone)(RunOptions& options, const RunPlan& plan));

}  // namespace weir
