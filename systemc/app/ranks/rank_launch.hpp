// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "commands/run_parts.hpp"

namespace weir {

/// What `--ranks` asks for.
enum class RankWish {
  none,   ///< One process.
  start,  ///< Processes on this machine.
  join,   ///< To be one of those that mpirun or srun has started.
};

/// Errors: ConfigError for anything but a number above zero and "mpi".
[[nodiscard]] RankWish rank_wish_of(const std::string& ranks);

/// Starts the ranks of a run on this machine, with the words of this program's own command line,
/// and waits for them. A signal to this process ends them cleanly. Returns the exit code of the
/// run.
///
/// Errors: ConfigError when the network cannot be split so, or the run asks for what ranks cannot
///         do; ModelError when mpirun cannot be started, or a rank was killed.
[[nodiscard]] int start_ranks(const RunOptions& options, const RunPlan& plan);

}  // namespace weir
