// SPDX-License-Identifier: Apache-2.0
#include "weir/model/rtl/latency_package.hpp"

#include <fmt/format.h>

#include <sstream>

#include "weir/core/pipeline_latency.hpp"

namespace weir {
namespace {

std::string cycles(std::uint32_t count) {
  return fmt::format("{} cycle{}", count, count == 1 ? "" : "s");
}

PageRow parameter_row(const char* page, const PipelineLatency& row) {
  return {page, fmt::format("| `{}` | {} to {} | {} |", row.parameter, row.rtl_least,
                            row.rtl_greatest, row.meaning)};
}

}  // namespace

std::string latency_systemverilog() {
  std::string text =
      "// SPDX-License-Identifier: Apache-2.0\n"
      "//\n"
      "// Latencies of the pipeline: made from systemc/include/weir/core/pipeline_latency.hpp by\n"
      "// scripts/doc/registers; do not edit.\n"
      "//\n"
      "// Units:   core-clock cycles. Usual: what a parameter is unless it is set.\n"
      "// Golden:  the table, compared by tb/model/latency_package_test.cpp.\n"
      "package pipeline_latency_pkg;\n";
  for (const PipelineLatency& row : pipeline::table) {
    text += fmt::format("\n  // {}\n", row.meaning);
    text += fmt::format("  localparam int {}Least = {};\n", row.parameter, row.rtl_least);
    if (row.rtl_drop_answer != 0)
      text += fmt::format(
          "  localparam int {0}LeastDrops = {1};  // where WRED may drop\n"
          "  localparam int DropAnswer = {2};  // from a request until WRED has answered\n",
          row.parameter, row.rtl_least_drops(), row.rtl_drop_answer);
    text += fmt::format("  localparam int {}Usual = {};\n", row.parameter, row.usual);
    text += fmt::format("  localparam int {}Greatest = {};\n", row.parameter, row.rtl_greatest);
  }
  return text + "\nendpackage\n";
}

std::vector<PageRow> latency_rows() {
  std::vector<PageRow> rows;
  for (const PipelineLatency& row : pipeline::table) {
    rows.push_back({"docs/reference/chip-format.md",
                    fmt::format("| `{}` | cycles, {} to {} | `\"{}\"` | {} |", row.key, row.least,
                                row.greatest, cycles(row.usual), row.meaning)});
    rows.push_back({"docs/blocks/pipeline_latency.md",
                    fmt::format("| `{}` | `{}` | {} | {} to {} | {} to {} | {} |", row.key,
                                row.parameter, row.usual, row.least, row.greatest, row.rtl_least,
                                row.rtl_greatest, row.meaning)});
    rows.push_back(parameter_row("docs/blocks/weir_mmu.md", row));
    rows.push_back(parameter_row("docs/blocks/csr.md", row));
  }
  rows.push_back(parameter_row("docs/blocks/weir_domain.md", pipeline::admit));
  rows.push_back(parameter_row("docs/blocks/weir_domain.md", pipeline::threshold_lag));
  rows.push_back(parameter_row("docs/blocks/pfc_generator.md", pipeline::pfc));
  return rows;
}

std::string with_latency_rows(const std::string& page, const std::string& text) {
  std::istringstream lines{text};
  std::string result;
  for (std::string line; std::getline(lines, line); result += line + '\n')
    for (const PageRow& row : latency_rows())
      if (row.page == page && line.rfind(row.first_cell(), 0) == 0) line = row.row;
  return result;
}

}  // namespace weir
