// SPDX-License-Identifier: Apache-2.0
#include "weir/config/scenario/metrics.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "weir/config/format/reader.hpp"
#include "weir/config/format/units.hpp"
#include "weir/config/scenario/metric_table.hpp"

namespace weir {
namespace {

// Longer signs first: "<" is the beginning of "<=".
constexpr std::array<std::pair<std::string_view, Comparison>, 6> signs{
    {{"==", Comparison::equal},
     {"!=", Comparison::not_equal},
     {"<=", Comparison::less_equal},
     {">=", Comparison::greater_equal},
     {"<", Comparison::less},
     {">", Comparison::greater}}};

const Metric& metric_of(const Node& value) {
  std::vector<std::string> names;
  for (const Metric& metric : metrics()) {
    if (metric.name == value.name) return metric;
    names.emplace_back(metric.name);
  }
  const std::string meant = nearest(value.name, names);
  value.fail("unknown metric" + (meant.empty() ? "" : ", did you mean " + meant + "?") +
             "; there are: " + joined(names));
}

std::optional<std::uint64_t> parse_bound(std::string_view text, MetricUnit unit) {
  const auto number = parse_count(text);
  if (number && (unit == MetricUnit::count || *number == 0)) return number;
  if (unit == MetricUnit::bytes) {
    if (const auto bytes = parse_bytes(text)) return bytes->count();
  }
  if (unit == MetricUnit::picoseconds) {
    if (const auto time = parse_time(text)) return time->count();
  }
  if (unit == MetricUnit::bits_per_second) {
    if (const auto rate = parse_rate(text)) return rate->count();
  }
  if (unit == MetricUnit::cells) {
    const auto size = parse_buffer_size(text);
    if (size && size->in_cells) return size->count;
  }
  if (unit == MetricUnit::ratio) return parse_ratio(text);
  if (unit == MetricUnit::share) return parse_percent(text);
  return std::nullopt;
}

std::string_view example(MetricUnit unit) {
  switch (unit) {
    case MetricUnit::bytes:
      return "\"> 12 MB\"";
    case MetricUnit::cells:
      return "\"<= 1200 cells\"";
    case MetricUnit::picoseconds:
      return "\"< 40 us\"";
    case MetricUnit::bits_per_second:
      return "\"> 10 Gbps\"";
    case MetricUnit::ratio:
      return "\"<= 3.5\"";
    case MetricUnit::share:
      return "\"< 2.5 %\"";
    default:
      return "0, \"> 0\" or \"<= 100\"";
  }
}

constexpr MetricScope scope_of(MetricScope scope = MetricScope::always) { return scope; }

}  // namespace

const std::vector<Metric>& metrics() {
  static const std::vector<Metric> table = [] {
    std::vector<Metric> rows;
    for_each_metric([&](std::string_view name, MetricUnit unit, std::string_view meaning,
                        const auto&, auto... scope) {
      rows.push_back({name, unit, meaning, scope_of(scope...)});
    });
    return rows;
  }();
  return table;
}

std::string_view unit_suffix(MetricUnit unit) noexcept {
  if (unit == MetricUnit::cells) return "_cells";
  if (unit == MetricUnit::bits_per_second) return "_bps";
  if (unit == MetricUnit::ratio) return "_thousandths";
  if (unit == MetricUnit::share) return "_ppm";
  return unit == MetricUnit::picoseconds ? "_ps" : "";
}

MetricUnit unit_of(std::string_view metric) noexcept {
  for (const Metric& known : metrics())
    if (known.name == metric) return known.unit;
  return MetricUnit::count;
}

Expectation to_expectation(const Node& value) {
  return to_expectation(value, metric_of(value).unit);
}

Expectation to_expectation(const Node& value, MetricUnit unit) {
  Expectation expectation;
  expectation.metric = value.name;
  expectation.text = value.text;
  std::string_view bound = value.text;
  for (const auto& [sign, comparison] : signs) {
    if (bound.substr(0, sign.size()) != sign) continue;
    expectation.comparison = comparison;
    bound.remove_prefix(sign.size());
    break;
  }
  bound.remove_prefix(std::min(bound.find_first_not_of(' '), bound.size()));
  const bool scalar = value.kind == Node::Kind::text || value.kind == Node::Kind::integer;
  const auto number = scalar ? parse_bound(bound, unit) : std::nullopt;
  if (!number || *number > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
    value.fail("must be a bound with ==, !=, <, <=, > or >=, such as " +
               std::string{example(unit)});
  }
  if (expectation.comparison == Comparison::less && *number == 0)
    value.fail("can never be met: no figure is below 0; 0 or \"<= 0\" asks for none");
  expectation.bound = static_cast<std::int64_t>(*number);
  return expectation;
}

}  // namespace weir
