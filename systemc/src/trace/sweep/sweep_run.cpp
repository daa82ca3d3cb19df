// SPDX-License-Identifier: Apache-2.0
#include "weir/trace/sweep/sweep_run.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "summary/mean_rate.hpp"
#include "weir/config/scenario/metrics.hpp"
#include "weir/config/scenario/scenario_file.hpp"
#include "weir/config/sweep/figure_table.hpp"
#include "weir/model/network/network.hpp"
#include "weir/trace/summary/conservation.hpp"
#include "weir/trace/summary/measurement.hpp"
#include "weir/trace/summary/metric_values.hpp"

namespace weir {
namespace {

using Json = nlohmann::json;

// Sums over the hosts and priorities of a figure, and what the getters of figure_table.hpp read.
struct HostSums {
  std::uint64_t packets{0};
  Bytes bytes;
  Latency latency;
  Picoseconds pause_time, time;  // of the run

  [[nodiscard]] std::uint64_t bits_per_second() const { return mean_rate(bytes, time).count(); }
};

HostSums sums_of(const Summary& summary, const std::vector<std::string>& hosts,
                 std::optional<std::uint8_t> priority) {
  HostSums sums;
  sums.time = summary.counted_time();
  for (const HostSummary& host : summary.hosts) {
    const bool meant =
        hosts.empty() || std::find(hosts.begin(), hosts.end(), host.name) != hosts.end();
    for (const HostClassSummary& entry : host.classes) {
      if (!meant || (priority && entry.priority.count() != *priority)) continue;
      sums.packets += entry.counts.rx_packets;
      sums.bytes += entry.counts.rx_bytes;
      sums.latency.merge(entry.latency);
      sums.pause_time += entry.pause.total;
    }
  }
  return sums;
}

std::uint64_t value_of(const SweepFigure& figure, const Summary& summary) {
  const HostSums sums = sums_of(summary, figure.hosts, figure.priority);
  std::uint64_t value = 0;
  for_each_figure_kind([&](const FigureKind& kind, const auto& getter) {
    if (kind.name == figure.of.name) value = number_of(getter(sums));
  });
  return value;
}

// The name of a figure does not say what it counts, so its column does.
std::string_view figure_suffix(MetricUnit unit) {
  if (unit == MetricUnit::count) return "_packets";
  return unit == MetricUnit::bytes ? "_bytes" : unit_suffix(unit);
}

std::uint64_t memory_of(const Summary& summary) {
  std::uint64_t bytes = 0;
  for (const SwitchSummary& node : summary.switches) bytes += node.memory.count();
  return bytes;
}

// A figure: its column, and its name in [goal].
struct NamedFigure {
  std::string column, name;
  std::uint64_t value{0};
};

// All figures of a run, in the order of the columns.
std::vector<NamedFigure> figures_of(const Sweep& sweep, const Summary& summary) {
  const Totals& totals = summary.totals;
  std::vector<NamedFigure> figures{{"time_ps", "", summary.time.count()},
                                   {"sent_packets", "", totals.sent_packets},
                                   {"sent_bytes", "", totals.sent_bytes.count()},
                                   {"in_flight_packets", "", totals.in_flight_packets},
                                   {"memory_bytes", "memory", memory_of(summary)}};
  for (const Metric& metric : metrics()) {
    const std::string name{metric.name};
    figures.push_back({name + std::string{unit_suffix(metric.unit)}, name,
                       metric_value(totals, metric.name).value()});
  }
  for (const SweepFigure& figure : sweep.figures)
    figures.push_back({figure.name + std::string{figure_suffix(figure.of.unit)}, figure.name,
                       value_of(figure, summary)});
  return figures;
}

bool meets_goal(const Sweep& sweep, const std::vector<NamedFigure>& figures) {
  return std::all_of(sweep.goal.begin(), sweep.goal.end(), [&](const Expectation& line) {
    const auto figure = std::find_if(figures.begin(), figures.end(), [&](const NamedFigure& entry) {
      return entry.name == line.metric;
    });
    return figure != figures.end() && is_met(line, figure->value);
  });
}

}  // namespace

std::vector<std::string> sweep_figures(const Sweep& sweep) {
  std::vector<std::string> columns;
  for (NamedFigure& figure : figures_of(sweep, Summary{}))
    columns.push_back(std::move(figure.column));
  return columns;
}

std::string sweep_column_of(const Sweep& sweep, const std::string& name) {
  for (NamedFigure& figure : figures_of(sweep, Summary{}))
    if (figure.name == name) return std::move(figure.column);
  return {};
}

SweepOutcome outcome_of(const Sweep& sweep, std::uint64_t point, const Summary& summary) {
  SweepOutcome outcome;
  outcome.point = point;
  outcome.seed = summary.seed;
  outcome.expect_met = summary.all_met();
  const std::vector<NamedFigure> figures = figures_of(sweep, summary);
  outcome.goal_met = meets_goal(sweep, figures);
  for (const NamedFigure& figure : figures) outcome.figures.push_back(figure.value);
  return outcome;
}

SweepOutcome run_sweep_point(const Sweep& sweep, const SweepPoint& point) {
  const Scenario scenario =
      load_scenario(sweep.scenarios[point.scenario].file, overrides_of(sweep, point));
  Network network{scenario};
  const Measurement measurement{network};
  network.run_until(scenario.until);
  network.finish();
  check_conservation(network);
  return outcome_of(sweep, point.index, measurement.summary());
}

// Numbers separated by a space, the error as JSON, and a mark at the end that shows truncation.
std::string to_line(const SweepOutcome& outcome) {
  std::string line;
  const auto add = [&line](std::uint64_t number) {
    char text[24];
    const auto end = std::to_chars(std::begin(text), std::end(text), number).ptr;
    line.append(text, end).push_back(' ');
  };
  add(outcome.point);
  add(static_cast<std::uint64_t>(outcome.exit_code));
  add(outcome.seed);
  add(outcome.expect_met ? 1 : 0);
  add(outcome.goal_met ? 1 : 0);
  add(outcome.figures.size());
  for (const std::uint64_t figure : outcome.figures) add(figure);
  if (!outcome.error.empty())
    line += Json(outcome.error).dump(-1, ' ', false, Json::error_handler_t::replace);
  line += '.';
  return line;
}

std::optional<SweepOutcome> parse_outcome(const std::string& line) {
  if (line.empty() || line.back() != '.') return std::nullopt;
  const char* at = line.data();
  const char* const end = at + line.size() - 1;
  bool good = true;
  const auto take = [&]() -> std::uint64_t {
    std::uint64_t number = 0;
    const auto [number_end, error] = std::from_chars(at, end, number);
    good = good && error == std::errc{} && number_end != end && *number_end == ' ';
    if (good) at = number_end + 1;
    return number;
  };
  SweepOutcome outcome;
  outcome.point = take();
  outcome.exit_code = static_cast<int>(take());
  outcome.seed = take();
  outcome.expect_met = take() != 0;
  outcome.goal_met = take() != 0;
  const std::uint64_t figures = take();
  for (std::uint64_t i = 0; good && i < figures; ++i) outcome.figures.push_back(take());
  if (!good) return std::nullopt;
  if (at == end) return outcome;
  const Json error = Json::parse(at, end, nullptr, false);
  if (!error.is_string()) return std::nullopt;
  outcome.error = error.get<std::string>();
  return outcome;
}

}  // namespace weir
