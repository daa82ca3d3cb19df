// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

namespace weir {

/// pipeline::table as the SystemVerilog package rtl/pkg/pipeline_latency_pkg.sv.
[[nodiscard]] std::string latency_systemverilog();

/// A row of a table of a page. Its first cell says which one of the page's it is.
struct PageRow {
  std::string page;  ///< From the root of the project.
  std::string row;   ///< Without the end of the line.

  /// "| `admit` |"
  [[nodiscard]] std::string first_cell() const { return row.substr(0, row.find('|', 1) + 1); }
};

/// The rows of pages that say which latencies there are.
[[nodiscard]] std::vector<PageRow> latency_rows();

/// The text of a page with the rows that are its own.
[[nodiscard]] std::string with_latency_rows(const std::string& page, const std::string& text);

}  // namespace weir
