// SPDX-License-Identifier: Apache-2.0
#include "sweep_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "html.hpp"
#include "page_assets.hpp"
#include "sweep_charts.hpp"
#include "sweep_page_parts.hpp"
#include "sweep_page_table.hpp"
#include "text/counted.hpp"
#include "text/format.hpp"
#include "weir/trace/sweep/sweep_analysis.hpp"

namespace weir {
namespace {

constexpr std::size_t max_heat_maps = 4'000;  // what a browser still draws
constexpr std::size_t max_answers = 10;       // settings that meet the goal, the least memory first

class Page {
 public:
  Page(SweepTable table, const std::string& chapter)
      : table_{std::move(table)}, fronts_{fronts_of(table_)}, draft_{table_, chapter, {}} {
    for (SweepInput& input : table_.inputs) input.levels = short_levels(input.levels);
  }

  SweepPage make() {
    add_head();
    if (table_.size_input)
      add_sizes(draft_);
    else
      add_answers();
    add_side_by_side(draft_, fronts_);
    add_fronts();
    add_seeds(draft_);
    add_sensitivity();
    add_heat_maps();
    add_table();
    return std::move(draft_.page);
  }

 private:
  using Objective = SweepObjective;

  void add(const std::string& text) { draft_.add(text); }
  void add_picture(const std::string& name, const std::string& svg) {
    draft_.add_picture(name, svg);
  }
  // <h2 id="front">, of a chapter <h2 id="2-front">
  void add_heading(const std::string& id, const std::string& text) {
    add("<h2 id=\"" + draft_.chapter + id + "\">" + text + "</h2>\n");
  }
  [[nodiscard]] std::string column_of(const Objective& objective) const {
    return weir::column_of(table_, objective);
  }
  [[nodiscard]] std::string format_figure(const Objective& objective, std::uint64_t value) const {
    return weir::format_figure(table_, objective, value);
  }
  [[nodiscard]] std::size_t first_axis() const { return table_.first_axis(); }
  [[nodiscard]] std::string title_of(const SweepFront& front) const {
    return weir::title_of(table_, front);
  }
  [[nodiscard]] bool is_of_all_workloads(const SweepFront& front) const {
    return table_.has_workloads() && !front.workload;
  }

  // "alpha 1/8, memory 8 MB": inputs that have a choice, without those in front of `from`.
  [[nodiscard]] std::string setting_of(const SweepCase& entry, std::size_t from = 0) const {
    std::string text;
    for (std::size_t i = from; i < table_.inputs.size(); ++i)
      if (1 < table_.inputs[i].levels.size())
        text += (text.empty() ? "" : ", ") + table_.inputs[i].name + " " +
                table_.inputs[i].levels[entry.levels[i]];
    return text.empty() ? "the only setting" : text;
  }

  void add_head() {
    add("<h1" + (draft_.chapter.empty() ? "" : " id=\"" + draft_.chapter + "top\"") + ">" +
        escaped(table_.name) + "</h1>\n");
    if (!table_.description.empty()) add("<p>" + escaped(table_.description) + "</p>\n");
    add_origin();
    add("<nav aria-label=\"In " + escaped(table_.name) + "\">");
    const auto link = [&](const std::string& id, const std::string& text) {
      add("<a href=\"#" + draft_.chapter + id + "\">" + text + "</a> ");
    };
    link("answer", "Answer");
    if (has_side_by_side(table_)) link("sides", "Side by side");
    link("front", "Front");
    if (has_seeds(table_)) link("seeds", "Seeds");
    link("sensitivity", "Sensitivity");
    link("heat", "Heat-maps");
    link("table", "Table");
    add("</nav>\n");
    const std::string of_points = table_.size_input
                                      ? " runs of a search, "
                                      : " of " + format_quantity(table_.points) + " runs, ";
    add(fmt::format("<p>{}{}{}; {} failed. A setting is judged by the worst of its seeds.</p>\n",
                    format_quantity(table_.runs), of_points,
                    counted(table_.cases.size(), "setting"), counted(table_.failed, "run")));
  }

  // What ran, and how to have it again.
  void add_origin() {
    if (!table_.version.empty())
      add("<p class=quiet>Weir " + escaped(table_.version) +
          "; made by <code>weir sweep SWEEP.toml</code>. A point as a run of its own, with its "
          "report: <code>weir sweep SWEEP.toml --run POINT</code>; <code>--print-run POINT</code> "
          "prints the <code>weir run</code> command.</p>\n");
    for (const std::string& scenario : table_.scenarios)
      add("<p class=quiet>" + escaped(scenario) + "</p>\n");
    if (!table_.file.empty())
      add("<details><summary>The sweep file</summary><pre>" + escaped(table_.file) +
          "</pre></details>\n");
  }

  // Indices of the cases of a front that meet the goal, the best first objective first.
  [[nodiscard]] std::vector<std::size_t> good_ones(const SweepFront& front) const {
    std::vector<std::size_t> good;
    for (std::size_t i = 0; i < front.cases.size(); ++i)
      if (meets_goal(front, i)) good.push_back(i);
    if (table_.objectives.empty()) return good;
    const bool most = table_.objectives.front().most;
    std::stable_sort(good.begin(), good.end(), [&](std::size_t a, std::size_t b) {
      const std::uint64_t x = front.values[a].front(), y = front.values[b].front();
      return most ? y < x : x < y;
    });
    return good;
  }
  // Of every workload: all cases with these settings.
  [[nodiscard]] bool meets_goal(const SweepFront& front, std::size_t index) const {
    const SweepCase& first = table_.cases[front.cases[index]];
    if (!is_of_all_workloads(front)) return first.goal_met;
    const auto axes = static_cast<std::ptrdiff_t>(first_axis());
    return std::all_of(table_.cases.begin(), table_.cases.end(), [&](const SweepCase& entry) {
      const bool same =
          entry.levels[0] == first.levels[0] &&
          std::equal(entry.levels.begin() + axes, entry.levels.end(), first.levels.begin() + axes);
      return !same || entry.goal_met;
    });
  }

  void add_answers() {
    add_heading("answer", "Answer");
    if (!table_.has_goal) {
      add("<p>The sweep has no [goal]: no setting is right or wrong. See the front.</p>\n");
      return;
    }
    for (const SweepFront& front : fronts_) {
      const std::vector<std::size_t> good = good_ones(front);
      add(fmt::format("<h3>{}</h3>\n<p>{} of {} that ran meet the goal under every seed{}</p>\n",
                      escaped(title_of(front)), format_quantity(good.size()),
                      counted(front.cases.size(), "setting"),
                      good.empty() ? "." : answer_of(front, good)));
      if (!good.empty()) add_settings(front, good, max_answers, "Settings that meet the goal");
    }
  }
  [[nodiscard]] std::string answer_of(const SweepFront& front,
                                      const std::vector<std::size_t>& good) const {
    if (table_.objectives.empty()) return ".";
    const Objective& first = table_.objectives.front();
    const std::uint64_t best = front.values[good.front()].front();
    const auto ties = std::count_if(good.begin(), good.end(),
                                    [&](std::size_t i) { return front.values[i].front() == best; });
    return fmt::format("; the {} {} among them: <b>{}</b>, with {}{}.",
                       first.most ? "greatest" : "least", escaped(first.name),
                       format_figure(first, best),
                       escaped(setting_of(table_.cases[front.cases[good.front()]], first_axis())),
                       ties == 1   ? ""
                       : ties == 2 ? " and one other (a tie)"
                                   : fmt::format(" and {} others (a tie)", ties - 1));
  }

  void add_settings(const SweepFront& front, const std::vector<std::size_t>& chosen,
                    std::size_t most, const std::string& caption) {
    TableText rows;
    rows.caption = caption + " (" + title_of(front) + ")";
    for (std::size_t i = first_axis(); i < table_.inputs.size(); ++i)
      rows.head.push_back(table_.inputs[i].name);
    for (const Objective& objective : table_.objectives) rows.head.push_back(objective.name);
    if (most < chosen.size())
      rows.caption += fmt::format(", the first {} of {}", most, format_quantity(chosen.size()));
    for (std::size_t k = 0; k < std::min(most, chosen.size()); ++k) {
      const SweepCase& entry = table_.cases[front.cases[chosen[k]]];
      rows.begin_row("", "#" + draft_.row_id(entry));
      add_inputs(rows, entry, first_axis());
      for (std::size_t i = 0; i < table_.objectives.size(); ++i)
        add_value(rows, table_.objectives[i], front.values[chosen[k]][i]);
    }
    add(rows.html());
  }
  void add_inputs(TableText& rows, const SweepCase& entry, std::size_t from) const {
    for (std::size_t i = from; i < table_.inputs.size(); ++i)
      rows.add(table_.inputs[i].levels[entry.levels[i]], static_cast<double>(entry.levels[i]));
  }
  void add_value(TableText& rows, const Objective& objective, std::uint64_t value) const {
    rows.add(format_figure(objective, value), static_cast<double>(value), true);
  }

  void add_fronts() {
    add_heading("front", "Pareto front");
    add("<p>Filled diamonds are settings that no other beats: "
        "none is better in one of ");
    std::string names;
    for (const Objective& objective : table_.objectives)
      names += (names.empty() ? "" : "; ") + aim_of(objective);
    add(escaped(names) +
        " without being worse in another. Open circles are the others. Each diamond "
        "has the number of its point and leads to its row of the table. A figure that is the same "
        "for all settings is given as text, without a picture.</p>\n");
    for (const SweepFront& front : fronts_) add_front(front);
  }
  void add_front(const SweepFront& front) {
    add(fmt::format("<h3>{}</h3>\n<p>On the front: {} of {}.</p>\n", escaped(title_of(front)),
                    format_quantity(front.members.size()), counted(front.cases.size(), "setting")));
    if (front.members.empty()) return;
    // Against the first figure that differs.
    std::size_t x = 0;
    while (x < table_.objectives.size() && !differs(front, x)) ++x;
    for (std::size_t i = x + 1; i < table_.objectives.size(); ++i)
      if (differs(front, i))
        add_picture("front_" + title_of(front) + "_" + table_.objectives[i].name,
                    to_svg(scatter_of(front, x, i)));
    std::string same;  // figures that are the same for all settings
    for (std::size_t i = 0; i < table_.objectives.size(); ++i)
      if (!differs(front, i))
        same += (same.empty() ? "" : ", ") + table_.objectives[i].name + " " +
                format_figure(table_.objectives[i], front.values.front()[i]);
    if (!same.empty()) add("<p>The same for all settings: " + escaped(same) + ".</p>\n");
    if (table_.objectives.empty()) return;
    std::vector<std::size_t> sorted = front.members;
    std::stable_sort(sorted.begin(), sorted.end(), [&](std::size_t a, std::size_t b) {
      return front.values[a].front() < front.values[b].front();
    });
    add_settings(front, sorted, sorted.size(), "The front");
  }
  [[nodiscard]] static bool differs(const SweepFront& front, std::size_t objective) {
    return std::any_of(front.values.begin(), front.values.end(), [&](const auto& values) {
      return values[objective] != front.values.front()[objective];
    });
  }
  [[nodiscard]] ScatterChart scatter_of(const SweepFront& front, std::size_t across,
                                        std::size_t objective) const {
    const Objective &x = table_.objectives[across], &y = table_.objectives[objective];
    ScatterChart chart;
    chart.title = aim_of(y);
    chart.x = {aim_of(x), column_of(x)};
    chart.y = {y.name, column_of(y)};
    const std::set<std::size_t> members(front.members.begin(), front.members.end());
    for (std::size_t i = 0; i < front.cases.size(); ++i) {
      const SweepCase& entry = table_.cases[front.cases[i]];
      const std::uint64_t at_x = front.values[i][across], at_y = front.values[i][objective];
      ScatterPoint point{
          static_cast<double>(at_x), static_cast<double>(at_y), members.count(i) != 0, "", "", ""};
      if (point.member) {
        point.label = setting_of(entry, first_axis()) + ": " + x.name + " " +
                      format_figure(x, at_x) + ", " + y.name + " " + format_figure(y, at_y);
        point.link = "#" + draft_.row_id(entry);
        point.mark = std::to_string(entry.point);
      }
      chart.points.push_back(std::move(point));
    }
    return chart;
  }

  [[nodiscard]] ResultOf result_of(const Objective& objective) const {
    return [this, &objective](std::size_t i) -> std::optional<std::uint64_t> {
      if (!table_.cases[i].ran()) return std::nullopt;
      return table_.cases[i].worst(objective);
    };
  }
  // Of all cases that ran: 100 or 0, so that an average is a percentage.
  [[nodiscard]] ResultOf goal_result() const {
    return [this](std::size_t i) -> std::optional<std::uint64_t> {
      return table_.cases[i].ran() && table_.cases[i].goal_met ? 100 : 0;
    };
  }

  void add_sensitivity() {
    add_heading("sensitivity", "Sensitivity");
    add("<p>How much each key alone changes a figure: the largest less the smallest value over its "
        "levels, everything else equal, on average over all settings of the others. A sampled key "
        "has "
        "no two runs that are equal but for it; its bar is the rank correlation with the figure (1 "
        "or "
        "-1: it alone decides).</p>\n");
    std::vector<std::vector<std::size_t>> levels;
    for (const SweepCase& entry : table_.cases) levels.push_back(entry.levels);
    for (const Objective& objective : table_.objectives)
      add_effects(draft_, objective.name, table_.inputs,
                  effects_of(table_.inputs, levels, result_of(objective)),
                  [&](double value) { return format_column(column_of(objective), value); });
  }

  void add_heat_maps() {
    std::vector<std::size_t> inputs;
    for (std::size_t i = 0; i < table_.inputs.size(); ++i)
      if (1 < table_.inputs[i].levels.size()) inputs.push_back(i);
    add_heading("heat", "Heat-maps");
    add("<p>Averages over all settings that share both values, of the "
        "worst seed of each. The darker a field, the larger its number; - where nothing "
        "ran.</p>\n");
    if (inputs.size() < 2) add("<p>Heat-maps need two keys with several values.</p>\n");
    if (table_.has_goal)
      add_maps_of(inputs, "share of settings that meet the goal", "", goal_result());
    for (const Objective& objective : table_.objectives)
      add_maps_of(inputs, aim_of(objective), column_of(objective), result_of(objective));
    if (heat_maps_ == max_heat_maps)
      add(fmt::format("<p>The first {} heat-maps.</p>\n", max_heat_maps));
  }
  void add_maps_of(const std::vector<std::size_t>& inputs, const std::string& title,
                   const std::string& column, const ResultOf& result) {
    if (inputs.size() < 2) return;
    add("<details open><summary>" + escaped(title) + "</summary>\n");
    for (std::size_t y = 0; y < inputs.size(); ++y)
      for (std::size_t x = y + 1; x < inputs.size() && heat_maps_ < max_heat_maps; ++x) {
        ++heat_maps_;
        const HeatMap map = heat_map(table_, inputs[x], inputs[y], result);
        const std::string &across = table_.inputs[map.x].name, &down = table_.inputs[map.y].name;
        HeatChart chart{title, across, down, map.columns, map.rows, {}, column, {}};
        for (const HeatMap::Field& field : map.fields)
          chart.fields.push_back(field.cases == 0 ? std::nullopt : std::optional{field.average});
        if (const auto one = one_value(chart)) {
          add("<p>" + escaped(down) + " by " + escaped(across) + ": " +
              (column.empty() ? fmt::format("{:.0f} %", *one)
                              : escaped(format_column(column, *one))) +
              " everywhere.</p>\n");
          continue;
        }
        add_picture("heat_" + (column.empty() ? "goal" : column) + "_" + down + "_" + across,
                    to_svg(chart));
      }
    add("</details>\n");
  }

  // What all fields of a map have, if it is one number.
  [[nodiscard]] static std::optional<double> one_value(const HeatChart& chart) {
    for (const std::optional<double>& field : chart.fields)
      if (!field || *field != *chart.fields.front()) return std::nullopt;
    return chart.fields.front();
  }

  // Points on any front of their own scenario and workload.
  [[nodiscard]] std::set<std::size_t> front_cases() const {
    std::set<std::size_t> cases;
    for (const SweepFront& front : fronts_)
      if (!is_of_all_workloads(front))
        for (const std::size_t member : front.members) cases.insert(front.cases[member]);
    return cases;
  }

  void add_table() {
    add_heading("table", "Table");
    add("<p>A row for each setting; each figure is the worst of its seeds. sweep.sqlite has the "
        "figures of every run. The number of a point that was also run by itself is a link to the "
        "page of that run." +
        std::string{table_.run_command.empty()
                        ? ""
                        : " The command runs the point by itself, with the first of its seeds; "
                          "start it in the folder of this page."} +
        " A click on the head of a column sorts the rows. <label>Show only rows with these words: "
        "<input type=\"search\" data-table=\"" +
        draft_.chapter + "all\"></label> <span role=\"status\"></span></p>\n");
    const std::set<std::size_t> front = front_cases();
    TableText rows;
    rows.id = draft_.chapter + "all";
    rows.caption = "All settings";
    rows.head = {"point"};
    for (const SweepInput& input : table_.inputs) rows.head.push_back(input.name);
    rows.head.insert(rows.head.end(), {"runs", "state"});
    for (const Objective& objective : table_.objectives) rows.head.push_back(objective.name);
    if (!table_.run_command.empty()) rows.head.push_back("command");
    for (std::size_t i = 0; i < table_.cases.size(); ++i) {
      const SweepCase& entry = table_.cases[i];
      const auto page = table_.pages.find(entry.point);
      rows.begin_row(draft_.row_id(entry), page == table_.pages.end() ? "" : page->second);
      rows.add(std::to_string(entry.point), static_cast<double>(entry.point), true);
      add_inputs(rows, entry, 0);
      rows.add(format_quantity(entry.runs), static_cast<double>(entry.runs), true);
      rows.add(state_of(entry, front.count(i) != 0), 0);
      for (const Objective& objective : table_.objectives) {
        if (entry.ran())
          add_value(rows, objective, entry.worst(objective));
        else
          rows.add("-", -1, true);
      }
      if (!table_.run_command.empty())
        rows.add_command(table_.run_command + " " + std::to_string(entry.point),
                         static_cast<double>(entry.point));
    }
    add(rows.html());
  }
  [[nodiscard]] std::string state_of(const SweepCase& entry, bool on_front) const {
    if (!entry.ran()) return fmt::format("{} failed: {}", entry.failed, entry.error);
    std::string state;
    if (table_.has_goal) state = entry.goal_met ? "goal met" : "goal missed";
    if (on_front) state += state.empty() ? "front" : ", front";
    return state.empty() ? "ran" : state;
  }

  SweepTable table_;
  std::size_t heat_maps_{0};
  std::vector<SweepFront> fronts_;
  PageDraft draft_;
};

}  // namespace

SweepPage make_sweep_page(const std::vector<SweepTable>& tables) {
  SweepPage whole;
  std::set<std::string> used;
  // Two texts that differ in punctuation alone have the same part of a file name.
  const auto unused = [&used](std::string file) {
    while (!used.insert(file).second) file += "_2";
    return file;
  };
  std::string title, chapters;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const std::string& name = tables[i].name;
    const std::string chapter = i == 0 ? "" : std::to_string(i + 1) + "-";
    title += (i == 0 ? "" : ", ") + name;
    if (i != 0) chapters += "<a href=\"#" + chapter + "top\">" + escaped(name) + "</a> ";
    SweepPage page = Page{tables[i], chapter}.make();
    whole.html += page.html;
    for (auto& [file, svg] : page.pictures)
      whole.pictures.emplace_back(unused((i == 0 ? "" : file_part(name) + "_") + file),
                                  std::move(svg));
  }
  if (!chapters.empty())
    chapters = "<nav aria-label=\"Further down\">Further down: " + chapters + "</nav>\n";
  whole.html = html_page({title,
                          "<main>\n" + chapters + whole.html + "</main>\n",
                          {assets::sweep_style},
                          {assets::sweep_script},
                          {}});
  return whole;
}

}  // namespace weir
