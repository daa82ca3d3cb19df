// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>

#include "html.hpp"
#include "sweep_charts.hpp"
#include "sweep_page_parts.hpp"

namespace weir {
namespace {

constexpr std::size_t max_bars = 24;

// The one key that has several values.
std::optional<std::size_t> key_of(const SweepTable& table) {
  if (table.size_input) return std::nullopt;
  std::optional<std::size_t> key;
  for (std::size_t i = table.first_axis(); i < table.inputs.size(); ++i) {
    const SweepInput& input = table.inputs[i];
    if (input.levels.size() < 2) continue;
    if (key || input.sampled || max_bars < input.levels.size()) return std::nullopt;
    key = i;
  }
  return key;
}

// Value of each level: of the case of this front that has it, if it ran.
std::vector<std::optional<std::uint64_t>> values_of(const SweepTable& table, std::size_t key,
                                                    const SweepFront& front,
                                                    std::size_t objective) {
  std::vector<std::optional<std::uint64_t>> values(table.inputs[key].levels.size());
  for (std::size_t i = 0; i < front.cases.size(); ++i)
    values[table.cases[front.cases[i]].levels[key]] = front.values[i][objective];
  return values;
}

BarChart chart_of(const SweepTable& table, std::size_t key, const SweepFront& front,
                  std::size_t index) {
  const SweepObjective& objective = table.objectives[index];
  const std::vector<std::optional<std::uint64_t>> values = values_of(table, key, front, index);
  std::vector<std::uint64_t> known;
  for (const std::optional<std::uint64_t>& value : values)
    if (value) known.push_back(*value);
  BarChart chart;
  chart.title = aim_of(objective);
  if (known.empty()) return chart;
  const auto [least, most] = std::minmax_element(known.begin(), known.end());
  const std::uint64_t best = objective.most ? *most : *least;
  const auto ties = std::count(known.begin(), known.end(), best);
  for (std::size_t level = 0; level < values.size(); ++level) {
    const std::string& name = table.inputs[key].levels[level];
    if (!values[level]) {
      chart.bars.push_back({name, "did not run", 0});
      continue;
    }
    const bool is_best = *values[level] == best;
    chart.bars.push_back(
        {name,
         format_figure(table, objective, *values[level]) + (!is_best    ? ""
                                                            : ties == 1 ? " - the best"
                                                                        : " - the best (a tie)"),
         *most == 0 ? 0 : static_cast<double>(*values[level]) / static_cast<double>(*most)});
  }
  return chart;
}

}  // namespace

bool has_side_by_side(const SweepTable& table) { return key_of(table).has_value(); }

void add_side_by_side(PageDraft& draft, const std::vector<SweepFront>& fronts) {
  const SweepTable& table = draft.table;
  const std::optional<std::size_t> key = key_of(table);
  if (!key) return;
  const std::string name = escaped(table.inputs[*key].name);
  draft.add("<h2 id=\"" + draft.chapter + "sides\">Side by side</h2>\n<p>Every value of " + name +
            " with everything else the same.</p>\n");
  for (const SweepFront& front : fronts) {
    draft.add("<h3>" + escaped(title_of(table, front)) + "</h3>\n");
    std::string same;  // figures that the key does not change
    for (std::size_t i = 0; i < table.objectives.size(); ++i) {
      const SweepObjective& objective = table.objectives[i];
      const auto values = values_of(table, *key, front, i);
      if (values.front() && std::count(values.begin(), values.end(), values.front()) ==
                                static_cast<std::ptrdiff_t>(values.size()))
        same += (same.empty() ? "" : ", ") + objective.name + " " +
                format_figure(table, objective, *values.front());
      else
        draft.add_picture("sides_" + title_of(table, front) + "_" + objective.name,
                          to_svg(chart_of(table, *key, front, i)));
    }
    if (!same.empty()) draft.add("<p>The same for all of them: " + escaped(same) + ".</p>\n");
  }
}

}  // namespace weir
