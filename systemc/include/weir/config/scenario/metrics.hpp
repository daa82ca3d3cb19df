// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "weir/config/format/node.hpp"
#include "weir/config/scenario/scenario.hpp"

namespace weir {

/// What a metric counts; its bound in [expect] is written in this unit.
enum class MetricUnit : std::uint8_t {
  count,
  bytes,
  cells,
  picoseconds,
  bits_per_second,
  ratio,  ///< In thousandths.
  share,  ///< In parts per million.
};

/// Where summary.json has a metric: always, where a switch has a WRED profile, where connections
/// have a rate control, where a traffic entry has messages, or where one has bursts of incasts.
enum class MetricScope : std::uint8_t { always, wred, rate_control, messages, incasts };

/// A figure of a run's summary that [expect] can check: a row of metric_table.hpp.
struct Metric {
  std::string_view name;
  MetricUnit unit;
  std::string_view meaning;
  MetricScope scope{MetricScope::always};
};

/// All metrics, in the order of metric_table.hpp: documents and tests walk them.
[[nodiscard]] const std::vector<Metric>& metrics();

/// What a field of summary.json adds to the name: "_cells", "_ps"; nothing for counts, nor for
/// bytes, whose names say so.
[[nodiscard]] std::string_view unit_suffix(MetricUnit unit) noexcept;

/// Unit of a metric; `count` for a name that is no metric.
[[nodiscard]] MetricUnit unit_of(std::string_view metric) noexcept;

/// One line of [expect]: `0`, "> 0", "<= 1200 cells", "< 2 ms" ... A count has no unit, and neither
/// needs a zero.
/// Errors: FileError: unknown metric, no such comparison, a bound in another unit, one that no
///         figure can meet.
[[nodiscard]] Expectation to_expectation(const Node& value);
/// One line of [expect] for a figure that is not a metric, in `unit`. Errors: FileError, as for a
/// metric.
[[nodiscard]] Expectation to_expectation(const Node& value, MetricUnit unit);

}  // namespace weir
