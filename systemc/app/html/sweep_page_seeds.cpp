// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "html.hpp"
#include "sweep_charts.hpp"
#include "sweep_page_parts.hpp"
#include "text/format.hpp"

namespace weir {
namespace {

constexpr std::size_t max_seed_rows = 1'000;

bool is_spread(const SweepCase& entry) { return entry.ran() && 1 < entry.runs; }

bool differs_by_seed(const SweepTable& table, const SweepObjective& objective) {
  return std::any_of(table.cases.begin(), table.cases.end(), [&](const SweepCase& entry) {
    return is_spread(entry) &&
           entry.figures[objective.figure].least != entry.figures[objective.figure].most;
  });
}

// "1.5 ms \u00b1 12 us"
std::string mean_text(const std::string& column, const SeedSpread& spread) {
  return format_column(column, spread.mean) + " \u00b1 " +
         format_column(column, spread.half_interval());
}

}  // namespace

bool has_seeds(const SweepTable& table) {
  return std::any_of(table.cases.begin(), table.cases.end(), is_spread);
}

void add_seeds(PageDraft& draft) {
  const SweepTable& table = draft.table;
  if (!has_seeds(table)) return;
  draft.add(
      "<h2 id=\"" + draft.chapter +
      "seeds\">Seeds</h2>\n<p>Each figure over the seeds of a setting: the mean with the "
      "interval in which the mean over all seeds lies with a confidence of 95 % (Student's t; "
      "it assumes a normal distribution), the least and the most. Everything else on this page "
      "takes the worst seed.</p>\n");
  std::vector<SweepObjective> objectives;
  std::string same;
  for (const SweepObjective& objective : table.objectives)
    if (differs_by_seed(table, objective))
      objectives.push_back(objective);
    else
      same += (same.empty() ? "" : ", ") + objective.name;
  if (!same.empty()) draft.add("<p>No seed changes: " + escaped(same) + ".</p>\n");
  if (objectives.empty()) return;
  std::vector<std::size_t> inputs;  // that have a choice
  for (std::size_t i = 0; i < table.inputs.size(); ++i)
    if (1 < table.inputs[i].levels.size()) inputs.push_back(i);
  TableText rows;
  rows.caption = "Over the seeds";
  rows.head = {"point"};
  for (const std::size_t i : inputs) rows.head.push_back(table.inputs[i].name);
  rows.head.emplace_back("seeds");
  for (const SweepObjective& objective : objectives)
    rows.head.insert(rows.head.end(), {objective.name + ", mean", "least", "most"});
  std::size_t shown = 0, all = 0;
  for (const SweepCase& entry : table.cases) {
    if (!is_spread(entry)) continue;
    ++all;
    if (max_seed_rows < all) continue;
    ++shown;
    rows.begin_row("", "#" + draft.row_id(entry));
    rows.add(std::to_string(entry.point), static_cast<double>(entry.point), true);
    for (const std::size_t i : inputs)
      rows.add(table.inputs[i].levels[entry.levels[i]], static_cast<double>(entry.levels[i]));
    rows.add(format_quantity(entry.runs), static_cast<double>(entry.runs), true);
    for (const SweepObjective& objective : objectives) {
      const SeedSpread& spread = entry.figures[objective.figure];
      rows.add(mean_text(column_of(table, objective), spread), spread.mean, true);
      for (const std::uint64_t value : {spread.least, spread.most})
        rows.add(format_figure(table, objective, value), static_cast<double>(value), true);
    }
  }
  if (shown < all)
    rows.caption += fmt::format(", the first {} of {}", format_quantity(std::uint64_t{shown}),
                                format_quantity(std::uint64_t{all}));
  draft.add(rows.html());
}

}  // namespace weir
