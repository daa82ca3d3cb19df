// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sweep_page.hpp"
#include "sweep_page_table.hpp"
#include "weir/trace/sweep/sweep_analysis.hpp"
#include "weir/trace/sweep/sweep_table.hpp"

// What the sections of a sweep's page share.
namespace weir {

/// A page in the making: one sweep of it, or one chapter.
struct PageDraft {
  const SweepTable& table;
  std::string chapter;  ///< In front of every id, so that chapters have none in common.
  SweepPage page;       ///< The body so far.

  void add(const std::string& markup) { page.html += markup; }
  /// A chart into the page, and as a file of that name.
  void add_picture(const std::string& name, const std::string& svg);
  [[nodiscard]] std::string row_id(const SweepCase& entry) const {
    return chapter + "p" + std::to_string(entry.point);
  }
};

[[nodiscard]] std::string column_of(const SweepTable& table, const SweepObjective& objective);
[[nodiscard]] std::string format_figure(const SweepTable& table, const SweepObjective& objective,
                                        std::uint64_t value);
/// "drops, less is better"
[[nodiscard]] std::string aim_of(const SweepObjective& objective);
/// "scenario", "scenario, workload"
[[nodiscard]] std::string title_of(const SweepTable& table, const SweepFront& front);

/// `text` as part of a file name.
[[nodiscard]] std::string file_part(const std::string& text);
/// Levels without what all of them begin and end with, where that is too long to read:
/// { cable = "300 m", method = "sonic" } among methods is sonic.
[[nodiscard]] std::vector<std::string> short_levels(const std::vector<std::string>& levels);

/// How much each input moves `name`: bars, and the table of their values. Nothing without effects.
void add_effects(PageDraft& draft, const std::string& name, const std::vector<SweepInput>& inputs,
                 const std::vector<SweepEffect>& effects,
                 const std::function<std::string(double)>& format_swing);

/// Of a sweep in which one key alone has several values: each figure as bars, value next to value.
/// Nothing for other sweeps.
void add_side_by_side(PageDraft& draft, const std::vector<SweepFront>& fronts);
/// Whether the sweep is one of those.
[[nodiscard]] bool has_side_by_side(const SweepTable& table);

/// Where settings ran under several seeds: mean, interval and range of each figure.
void add_seeds(PageDraft& draft);
/// Whether there are such.
[[nodiscard]] bool has_seeds(const SweepTable& table);

/// Of a search (`weir size`): the smallest value that meets the goal, for every setting of all
/// else, what each key does to it, and heat-maps.
void add_sizes(PageDraft& draft);

}  // namespace weir
