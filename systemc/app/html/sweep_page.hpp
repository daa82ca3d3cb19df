// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "weir/trace/sweep/sweep_table.hpp"

namespace weir {

/// What a sweep says: which settings meet the goal, the Pareto front, what each key does, and the
/// table of its points, in one HTML file that needs nothing else. Same results: same bytes.
struct SweepPage {
  std::string html;
  /// The charts of the page as SVG files: name without suffix, contents.
  std::vector<std::pair<std::string, std::string>> pictures;
};

/// Several sweeps are chapters of one page. Range: at least one.
[[nodiscard]] SweepPage make_sweep_page(const std::vector<SweepTable>& tables);

}  // namespace weir
