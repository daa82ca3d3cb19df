// SPDX-License-Identifier: Apache-2.0
#include "sweep_page_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "html.hpp"
#include "sweep_charts.hpp"
#include "text/format.hpp"

namespace weir {
namespace {

bool is_word(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '.' || letter == '/';
}

}  // namespace

std::vector<std::string> short_levels(const std::vector<std::string>& levels) {
  const auto longest =
      std::max_element(levels.begin(), levels.end(),
                       [](const auto& a, const auto& b) { return a.size() < b.size(); });
  if (levels.size() < 2 || longest->size() <= 16) return levels;
  std::size_t front = 0, back = 0, shortest = longest->size();
  for (const std::string& level : levels) shortest = std::min(shortest, level.size());
  const std::string& first = levels.front();
  const auto same = [&](auto letter_of) {
    return std::all_of(levels.begin(), levels.end(), [&](const std::string& level) {
      return letter_of(level) == letter_of(first);
    });
  };
  while (front < shortest && same([&](const std::string& t) { return t[front]; })) ++front;
  while (front != 0 && is_word(first[front - 1])) --front;  // words stay whole
  while (back < shortest - front &&
         same([&](const std::string& t) { return t[t.size() - 1 - back]; }))
    ++back;
  while (back != 0 && is_word(first[first.size() - back])) --back;
  std::vector<std::string> texts;
  for (const std::string& level : levels)
    texts.push_back(level.substr(front, level.size() - front - back));
  return texts;
}

std::string file_part(const std::string& text) {
  std::string part;
  for (const char letter : text)
    part += std::isalnum(static_cast<unsigned char>(letter)) != 0 ? letter : '_';
  return part;
}

void PageDraft::add_picture(const std::string& name, const std::string& svg) {
  add("<figure>" + svg + "</figure>\n");
  page.pictures.emplace_back(file_part(name), standalone_svg(svg));
}

std::string column_of(const SweepTable& table, const SweepObjective& objective) {
  return table.figures[objective.figure];
}

std::string format_figure(const SweepTable& table, const SweepObjective& objective,
                          std::uint64_t value) {
  return format_column(column_of(table, objective), static_cast<double>(value));
}

std::string aim_of(const SweepObjective& objective) {
  return objective.name + (objective.most ? ", more is better" : ", less is better");
}

std::string title_of(const SweepTable& table, const SweepFront& front) {
  if (!table.has_workloads()) return front.scenario;
  return front.scenario + ", " + front.workload.value_or("every workload");
}

void add_effects(PageDraft& draft, const std::string& name, const std::vector<SweepInput>& inputs,
                 const std::vector<SweepEffect>& effects,
                 const std::function<std::string(double)>& format_swing) {
  if (effects.empty()) return;
  double widest = 0;
  bool any = false;
  for (const SweepEffect& effect : effects) {
    widest = std::max(widest, effect.average_swing);
    any = any || effect.rank_correlation || effect.largest_swing != 0;
  }
  if (!any) return draft.add("<p>No key changes " + escaped(name) + ".</p>\n");
  BarChart chart;
  chart.title = name;
  TableText rows;
  rows.caption = "Sensitivity of " + name;
  rows.head = {"key", "moves it by, average", "at most", "least at", "greatest at", "settings"};
  for (const SweepEffect& effect : effects) {
    const SweepInput& input = inputs[effect.input];
    const std::string average =
        effect.rank_correlation ? fmt::format("rank correlation {:+.2f}", *effect.rank_correlation)
                                : format_swing(effect.average_swing);
    const double share = widest == 0 ? 0 : effect.average_swing / widest;
    chart.bars.push_back({input.name, average,
                          effect.rank_correlation ? std::abs(*effect.rank_correlation) : share});
    const auto most = static_cast<double>(effect.largest_swing);
    rows.begin_row("", "");
    rows.add(input.name, static_cast<double>(effect.input));
    rows.add(average, effect.rank_correlation.value_or(effect.average_swing), true);
    rows.add(effect.rank_correlation ? "-" : format_swing(most), most, true);
    rows.add(input.levels[effect.lowest], static_cast<double>(effect.lowest));
    rows.add(input.levels[effect.highest], static_cast<double>(effect.highest));
    rows.add(format_quantity(effect.settings), static_cast<double>(effect.settings), true);
  }
  draft.add_picture("sensitivity_" + name, to_svg(chart));
  draft.add(rows.html());
}

}  // namespace weir
