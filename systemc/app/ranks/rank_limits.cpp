// SPDX-License-Identifier: Apache-2.0
#include "ranks/rank_limits.hpp"

#include <algorithm>
#include <memory>

#include "weir/core/errors.hpp"
#include "weir/model/ranks/rank_library.hpp"

namespace weir {
namespace {

constexpr const char* alone = "cannot be used with --ranks: run it in one process";

}  // namespace

void refuse_what_ranks_cannot(const RunOptions& options) {
  if (options.scenario == "-")
    throw ConfigError("SCENARIO", "-", "cannot be used with --ranks: each rank reads the file");
  if (options.backend_kind() != BackendKind::model)
    throw ConfigError("--backend", options.backend, alone);
  if (!options.rtl.empty()) throw ConfigError("--rtl", options.rtl, alone);
  if (!options.blocks.empty()) throw ConfigError("--block", options.blocks.front(), alone);
}

Partition partition_of(const RunOptions& options, const Scenario& scenario, std::size_t ranks) {
  const bool records =
      std::any_of(options.sinks.begin(), options.sinks.end(),
                  [](const std::unique_ptr<Sink>& sink) { return sink->records_steps(); });
  return split_network(scenario, ranks, records, rank_library());
}

}  // namespace weir
