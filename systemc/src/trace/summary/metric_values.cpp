// SPDX-License-Identifier: Apache-2.0
#include "weir/trace/summary/metric_values.hpp"

#include "weir/config/scenario/metric_table.hpp"

namespace weir {

std::optional<std::uint64_t> metric_value(const Totals& totals, std::string_view metric) noexcept {
  std::optional<std::uint64_t> value;
  for_each_metric(
      [&](std::string_view name, MetricUnit, std::string_view, const auto& getter, auto...) {
        if (name == metric) value = number_of(getter(totals));
      });
  return value;
}

bool is_met(const Expectation& expectation, std::uint64_t measured) noexcept {
  // A bound is never negative: the format has no sign.
  const auto bound = static_cast<std::uint64_t>(expectation.bound);
  switch (expectation.comparison) {
    case Comparison::equal:
      return measured == bound;
    case Comparison::not_equal:
      return measured != bound;
    case Comparison::less:
      return measured < bound;
    case Comparison::less_equal:
      return measured <= bound;
    case Comparison::greater:
      return measured > bound;
    case Comparison::greater_equal:
      return measured >= bound;
  }
  return false;
}

}  // namespace weir
