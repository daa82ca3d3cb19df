// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "weir/trace/summary/summary.hpp"

namespace weir {

/// What summarize() collects, from the start of the run.
[[nodiscard]] Summary counted_so_far(const Network& network);

/// What the hosts received, preamble and gap counted, over `time`.
[[nodiscard]] BitRate throughput_of(const Totals& totals, Picoseconds time);

/// Judges the lines of [expect] by the totals.
void judge(Summary& summary, const Scenario& scenario);

}  // namespace weir
