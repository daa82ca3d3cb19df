// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "sweep_sections.hpp"
#include "weir/config/format/names.hpp"
#include "weir/config/sweep/figure_table.hpp"
#include "weir/config/sweep/sweep_values.hpp"

namespace weir {
namespace {

constexpr std::size_t max_figures = 500;

// Names of the kinds, with their rows.
std::vector<std::pair<std::string_view, FigureKind>> figure_kinds() {
  std::vector<std::pair<std::string_view, FigureKind>> kinds;
  for_each_figure_kind(
      [&](const FigureKind& kind, const auto&) { kinds.emplace_back(kind.name, kind); });
  return kinds;
}

Expectation to_goal(const Sweep& sweep, const Node& line) {
  for (const SweepFigure& figure : sweep.figures)
    if (figure.name == line.name) return to_expectation(line, figure.of.unit);
  if (line.name == "memory") return to_expectation(line, MetricUnit::bytes);
  return to_expectation(line);
}

// Legal names in [pareto]: metrics, the memory, the sweep's own figures.
std::vector<std::string> names_of_figures(const Sweep& sweep) {
  std::vector<std::string> names{"memory"};
  for (const Metric& metric : metrics()) names.emplace_back(metric.name);
  for (const SweepFigure& figure : sweep.figures) names.push_back(figure.name);
  return names;
}

void add_objectives(const Node& list, bool most, Sweep& sweep) {
  if (!list.is_array()) list.fail("must be a list of metrics and figures");
  const std::vector<std::string> names = names_of_figures(sweep);
  for (const Node& child : list.children) {
    const std::string name = to_text(child);
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      const std::string meant = nearest(name, names);
      child.fail("is not a metric or figure" +
                 (meant.empty() ? "" : ", did you mean " + meant + "?") +
                 "; there are: " + joined(names));
    }
    for (const SweepAim& other : sweep.pareto)
      if (other.name == name) child.fail("is given twice in [pareto]");
    sweep.pareto.push_back({name, most});
  }
}

// Memory, pause time, drops, throughput and latency: from the sweep's figures if it has any, else
// of all hosts.
void add_default_objectives(Sweep& sweep) {
  sweep.pareto = {{"memory", false}, {"pause_time", false}, {"drops", false}};
  bool throughput = false, latency = false;
  for (const SweepFigure& figure : sweep.figures) {
    throughput = throughput || figure.of.more_is_better();
    latency = latency || figure.of.group == FigureKind::Group::latency;
    sweep.pareto.push_back({figure.name, figure.of.more_is_better()});
  }
  if (!throughput) sweep.pareto.push_back({"delivered_bytes", true});
  if (!latency) sweep.pareto.push_back({"latency_p99", false});
}

}  // namespace

std::string to_sweep_key(const Node& value, const std::string& key) {
  if (key.empty() || key.find_first_of("=\n") != std::string::npos)
    value.fail("must be a key as for --set, such as \"switch.tor.profile.lossless.alpha\"");
  return key;
}

std::vector<std::string> to_sweep_keys(const Node& value) {
  if (!value.is_array()) return {to_sweep_key(value, to_text(value))};
  std::vector<std::string> keys;
  for (const Node& child : value.children) {
    keys.push_back(to_sweep_key(child, to_text(child)));
    if (std::find(keys.begin(), keys.end() - 1, keys.back()) != keys.end() - 1)
      child.fail("is listed twice");
  }
  if (keys.empty()) value.fail("must name at least one key");
  return keys;
}

void read_figures(TableReader& document, Sweep& sweep) {
  const std::vector<Node>& figures = document.named_tables("figure");
  if (max_figures < figures.size())
    figures[max_figures].fail("is one figure too many: there may be " +
                              std::to_string(max_figures));
  for (const Node& table : figures) {
    SweepFigure figure;
    figure.name = table.name;
    figure.origin = table.origin;
    TableReader reader = document.table(table);
    reader.attempt([&] {
      if (figure.name == "memory") table.fail("is a figure of every run; choose another name");
      for (const Metric& metric : metrics())
        if (metric.name == figure.name) table.fail("is the name of a metric; choose another");
    });
    figure.of = reader.get(
        "of", [](const Node& value) { return to_choice(value, figure_kinds()); },
        "what is measured, such as \"delivered_bytes\"");
    figure.hosts = reader.get_or("hosts", to_names, figure.hosts);
    reader.set("priority", integer_from(0, 7), figure.priority);
    reader.finish();
    sweep.figures.push_back(std::move(figure));
  }
}

void read_goal(TableReader& document, Sweep& sweep) {
  const Node* const table = document.find("goal");
  if (table == nullptr) return;
  if (!table->is_table()) table->fail("must be a table of metrics or figures and their bounds");
  for (const Node& line : table->children)
    document.attempt([&] { sweep.goal.push_back(to_goal(sweep, line)); });
}

void read_pareto(TableReader& document, Sweep& sweep) {
  const Node* const table = document.find("pareto");
  if (table == nullptr) return add_default_objectives(sweep);
  TableReader reader{*table};
  // The order is that of the pictures: the first objective is the common axis of all.
  if (const Node* const least = reader.find("minimize")) add_objectives(*least, false, sweep);
  if (const Node* const most = reader.find("maximize")) add_objectives(*most, true, sweep);
  reader.finish();
  if (sweep.pareto.size() < 2)
    table->fail("must name at least two figures in minimize and maximize together");
}

void read_size(TableReader& document, Sweep& sweep) {
  const Node* const table = document.find("size");
  if (table == nullptr) return;
  TableReader reader{*table};
  SweepSize size;
  size.keys = reader.get("key", to_sweep_keys,
                         "the key of which the smallest value is searched, or a list of keys");
  size.name = joined(size.keys);
  const SweepRange range{reader};
  size.values = reader.get(
      "step", [&](const Node& step) { return range.by_step(step); }, "how exact the answer is");
  size.distances = range.distances(*reader.find("step"));
  reader.finish();
  for (const SweepAxis& axis : sweep.axes)
    for (const std::string& key : size.keys)
      if (std::find(axis.keys.begin(), axis.keys.end(), key) != axis.keys.end())
        table->fail("the key " + key + " has an axis already");
  sweep.size = std::move(size);
}

}  // namespace weir
