// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "weir/trace/summary/json_tree.hpp"

namespace weir {

/// What a History has recorded, as JSON.
struct ReportText {
  /// A member of report.json with values over time, as a text: it is the largest part.
  struct Chart {
    std::string name, json;
  };

  JsonTree sections;  ///< report.json (docs/guide/report.md) without the points of its charts.
  std::vector<Chart> charts;
};

/// report.json in pieces, one call of `write` for each.
void write_json(const ReportText& report, const std::function<void(std::string_view)>& write);

}  // namespace weir
