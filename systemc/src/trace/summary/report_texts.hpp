// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <vector>

#include "weir/trace/summary/bounded_series.hpp"
#include "weir/trace/summary/report_text.hpp"

namespace weir {

/// A section of report.json with values over time: its member `values` is a list of objects.
struct ChartSection {
  std::string_view name;
  std::vector<const std::vector<SeriesPoint>*> points;  ///< Of each of the values.
};

/// `sections`: the members of report.json without points, those of the charts among them.
[[nodiscard]] ReportText report_text(JsonTree sections, const std::vector<ChartSection>& charts);

}  // namespace weir
