// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

namespace weir {

/// pipeline::table as the SystemVerilog package rtl/pkg/pipeline_latency_pkg.sv.
[[nodiscard]] std::string latency_systemverilog();

/// A row of a table in a page. Its first cell identifies it within the page.
struct PageRow {
  std::string page;  ///< Path from the root of the project.
  std::string row;   ///< Text without the end of the line.

  /// The first cell, such as "| `admit` |".
  [[nodiscard]] std::string first_cell() const { return row.substr(0, row.find('|', 1) + 1); }
};

/// The rows of all pages that list the latencies.
[[nodiscard]] std::vector<PageRow> latency_rows();

/// `text` of `page`, with its rows of latencies brought up to date.
[[nodiscard]] std::string with_latency_rows(const std::string& page, const std::string& text);

}  // namespace weir
