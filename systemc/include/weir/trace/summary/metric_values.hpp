// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

#include "weir/config/scenario/metrics.hpp"
#include "weir/core/units.hpp"
#include "weir/trace/summary/summary.hpp"

namespace weir {

/// What the getter of a row returns, as a number in the unit of the row.
[[nodiscard]] constexpr std::uint64_t number_of(std::uint64_t count) noexcept { return count; }
template <class Tag, class Rep>
[[nodiscard]] constexpr std::uint64_t number_of(Quantity<Tag, Rep> quantity) noexcept {
  return quantity.count();
}

/// Value of a metric of [expect]. Units: those of metrics(). None: no metric has that name.
[[nodiscard]] std::optional<std::uint64_t> metric_value(const Totals& totals,
                                                        std::string_view metric) noexcept;

/// Whether `measured` is as `expectation` demands.
[[nodiscard]] bool is_met(const Expectation& expectation, std::uint64_t measured) noexcept;

}  // namespace weir
