// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "weir/trace/summary/summary.hpp"

namespace weir {

/// What of a summary is written.
enum class SummaryParts {
  all,
  page  ///< Without hosts, queues, pools and SAI counters, which report.html does not show.
};

/// summary.json: fields and units in docs/reference/results.md. Same summary, same bytes.
[[nodiscard]] std::string to_json(const Summary& summary, SummaryParts parts = SummaryParts::all);

}  // namespace weir
