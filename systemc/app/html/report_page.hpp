// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "graph_layout.hpp"

// The one page that shows a run (docs/guide/report.md).
namespace weir {

/// report.html from the texts of summary.json and report.json. Same texts and layouts, same bytes.
/// Errors: ModelError when they are not what a run has written.
[[nodiscard]] std::string report_page(const std::string& summary_json,
                                      const std::string& report_json,
                                      const GraphLayouter& layouter);

}  // namespace weir
