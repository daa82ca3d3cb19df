// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "commands/comparison.hpp"
#include "html/html.hpp"
#include "html/page_assets.hpp"
#include "html/report_parts.hpp"
#include "weir/config/files/result_names.hpp"
#include "weir/core/errors.hpp"

namespace weir {
namespace {

std::string percent(const FigureDifference& figure) {
  return figure.change.empty() ? "" : fmt::format("{:.1f} %", figure.share * 100);
}

std::string table(const std::vector<FigureDifference>& figures, std::size_t most) {
  constexpr std::size_t widest = 120;  // a longer name moves its own row only
  std::size_t width = 10;
  const std::size_t shown = std::min(most, figures.size());
  for (std::size_t i = 0; i < shown; ++i)
    width = std::max(width, std::min(widest, figures[i].name.size()));
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) {
    const FigureDifference& figure = figures[i];
    const auto word = [](const std::string& value) { return value.empty() ? "-" : value; };
    text += fmt::format("  {:<{}}  {:>16}  {:>16}  {:>16}  {:>8}\n", figure.name, width,
                        word(figure.a), word(figure.b), figure.change, percent(figure));
  }
  return text;
}

std::string html_table(const std::vector<FigureDifference>& figures, std::size_t most) {
  HtmlTable rows{
      {{"figure"}, {"A", true}, {"B", true}, {"B - A", true}, {"share of the larger value", true}},
      true};
  for (std::size_t i = 0; i < std::min(most, figures.size()); ++i)
    rows.text(figures[i].name)
        .text(figures[i].a)
        .text(figures[i].b)
        .text(figures[i].change)
        .number(percent(figures[i]), figures[i].share);
  return rows.empty() ? "<p>The same.</p>\n"
                      : "<div class=wide tabindex=0>" + rows.done() + "</div>\n";
}

std::string settings_in_html(const RunComparison& comparison) {
  if (!comparison.settings_known) return "<p>Not known: one of the runs has no report.json.</p>\n";
  if (comparison.settings.empty()) return "<p>The same.</p>\n";
  HtmlTable rows{{{"key"}, {"A"}, {"written in"}, {"B"}, {"written in"}}};
  for (const SettingDifference& setting : comparison.settings)
    rows.text(setting.key)
        .text(setting.a)
        .text(setting.a_source)
        .text(setting.b)
        .text(setting.b_source);
  return rows.done();
}

// The section of one run, with an anchor of its own.
std::string pauses_of(const ComparedRun& run, const char* letter) {
  if (run.report_json.empty()) return "";
  std::string section = pause_section(JsonTree::parse(run.report_json).root());
  const std::string head = "<h2 id=pauses>Pauses: port by time</h2>";
  const std::size_t at = section.find(head);
  if (at == std::string::npos) return section;
  return section.replace(at, head.size(),
                         fmt::format("<h2 id=pauses-{0}>Pauses of {0}: port by time</h2>", letter));
}

// Both runs over each other: what each pool and priority group held.
std::string overlay(const JsonValue& a, const JsonValue& b) {
  std::string text;
  if (has_values(a, "pool") && has_values(b, "pool"))
    text += chart_panel("both_pools", "Shared cells of a pool in both runs", "pool");
  if (has_values(a, "group") && has_values(b, "group"))
    text += chart_panel("both_groups", "Cells of a priority group and its threshold T in both runs",
                        "priority group");
  if (text.empty()) return "";
  return "<h2 id=occupancy>Occupancy over time</h2>\n<p>Bands reach from the least to the most, "
         "lines are the last value. Drag to zoom, double-click to see all, or with the keyboard: "
         "arrows, plus, minus, Home. Shown: <span class=window>all</span>.</p>\n" +
         chart_buttons() + text;
}

}  // namespace

std::string to_text(const RunComparison& comparison, std::size_t most) {
  std::string text =
      fmt::format("A  {}\nB  {}\n\nconfiguration\n", comparison.a_heading, comparison.b_heading);
  if (!comparison.settings_known) {
    text += "  unknown: a run without report.json\n";
  } else if (comparison.settings.empty()) {
    text += "  the same\n";
  }
  for (const SettingDifference& setting : comparison.settings) {
    const auto word = [](const std::string& value, const std::string& source) {
      return source.empty() ? std::string{"not set"} : value + " (" + source + ")";
    };
    text += fmt::format("  {}: {} -> {}\n", setting.key, word(setting.a, setting.a_source),
                        word(setting.b, setting.b_source));
  }
  const auto section = [&](const char* title, const std::vector<FigureDifference>& figures,
                           std::size_t rows) {
    text += fmt::format("\n{}\n{}", title, figures.empty() ? "  the same\n" : table(figures, rows));
    if (rows < figures.size())
      text += fmt::format("  ... and {} that differ less\n", figures.size() - rows);
  };
  section("totals that differ: A, B, B - A, share of the larger value", comparison.totals,
          most * 4);
  section("verdicts that differ", comparison.verdicts, most);
  section("measured values and conditions of [expect] that differ", comparison.checked, most);
  section("other figures that differ", comparison.others, most);
  text += fmt::format("\n{} figures compared\n", comparison.figures);
  return text;
}

std::string comparison_page(const RunComparison& comparison, const ComparedRun& a,
                            const ComparedRun& b) {
  constexpr std::size_t most = 2'000;
  std::string body = fmt::format(
      "<h1>Two runs</h1>\n<p><b>A</b> {}</p>\n<p><b>B</b> {}</p>\n"
      "<h2 id=settings>What differs in configuration</h2>\n{}"
      "<h2 id=totals>What differs in totals</h2>\n{}<h2 id=verdicts>Verdicts that "
      "differ</h2>\n{}<h2 id=checked>Measured values and conditions of [expect] that "
      "differ</h2>\n{}"
      "<h2 id=others>Other figures</h2>\n<p>{} of {} compared figures differ, those above "
      "included{}.</p>\n{}",
      escaped(comparison.a_heading), escaped(comparison.b_heading), settings_in_html(comparison),
      html_table(comparison.totals, most), html_table(comparison.verdicts, most),
      html_table(comparison.checked, most),
      comparison.totals.size() + comparison.verdicts.size() + comparison.checked.size() +
          comparison.others.size(),
      comparison.figures,
      most < comparison.others.size() ? fmt::format("; the {} that differ most", most) : "",
      html_table(comparison.others, most));
  std::string data;
  try {
    if (!a.report_json.empty() && !b.report_json.empty()) {
      const JsonTree of_a = JsonTree::parse(a.report_json);
      const JsonTree of_b = JsonTree::parse(b.report_json);
      body += overlay(of_a.root(), of_b.root());
      data = fmt::format("{{\"occupancy\":{},\"other\":{}}}", to_text(of_a.root().at("occupancy")),
                         to_text(of_b.root().at("occupancy")));
    }
    body += pauses_of(a, "A") + pauses_of(b, "B");
  } catch (const ModelError& error) {
    throw ModelError(std::string{result_names::report_data} + ": " + error.what());
  }
  return html_page(page_with_charts("Two runs", body, data));
}

}  // namespace weir
