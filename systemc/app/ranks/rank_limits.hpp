// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <csignal>

#include "commands/run_parts.hpp"
#include "weir/model/ranks/partition.hpp"

namespace weir {

/// Asks a rank to end the run of all cleanly: mpirun hands it on to its processes.
constexpr int rank_interrupt = SIGUSR1;

/// Errors: ConfigError that names the option which asks for what a run over ranks has not.
void refuse_what_ranks_cannot(const RunOptions& options);

/// Splits the network of a run. Errors: as split_network().
[[nodiscard]] Partition partition_of(const RunOptions& options, const Scenario& scenario,
                                     std::size_t ranks);

}  // namespace weir
