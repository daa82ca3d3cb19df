// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "graph_layout.hpp"
#include "weir/trace/summary/json_tree.hpp"
#include "weir/trace/summary/report_text.hpp"

// The one page that shows a run (docs/guide/report.md).
namespace weir {

/// report.html from the texts of summary.json and report.json. Same texts and layouts, same bytes.
/// Errors: ModelError when they are not what a run has written.
[[nodiscard]] std::string report_page(const std::string& summary_json,
                                      const std::string& report_json,
                                      const GraphLayouter& layouter);

/// Rows of the tables of counters and of places, at most.
constexpr std::size_t max_table_rows = 2'000;

/// Counters of a priority and of its group that the tables show.
[[nodiscard]] std::vector<std::string_view> page_counters();

/// The same bytes at the end of a run, in pieces, one call of `write` for each. `summary`: with the
/// rows and counters that the page shows (to_page_tree() with the two above).
void write_report_page(const JsonTree& summary, const ReportText& report,
                       const GraphLayouter& layouter,
                       const std::function<void(std::string_view)>& write);

}  // namespace weir
