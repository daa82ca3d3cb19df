// SPDX-License-Identifier: Apache-2.0
// A run of a probe in a process of its own.
#pragma once
#include <string>

#include "weir/core/errors.hpp"
#include "weir/model/probe/probe_size.hpp"
#include "weir/model/probe/run_in_child.hpp"
#include "weir/model/probe/silicon_probe.hpp"

namespace weir {

/// Borrows `chip`. Errors: as check_probe_size(), before any of several jobs is started.
[[nodiscard]] inline ChildJob probe_job(const Chip& chip, const ProbeRun& run) {
  check_probe_size(chip, run);
  return [&chip, run] { return to_text(run_probe(chip, run)); };
}

/// What such a job has found. Errors: ModelError that begins with `what`.
[[nodiscard]] inline ProbeResult probe_result_of(const ChildResult& child,
                                                 const std::string& what) {
  if (!child.ok) throw ModelError(what + ": " + child.error);
  return probe_result_from(child.output);
}

}  // namespace weir
