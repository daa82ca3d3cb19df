// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

#include "weir/config/scenario/metrics.hpp"
#include "weir/trace/summary/summary.hpp"

namespace weir {

/// Value of a metric of [expect]. Units: those of metrics(). None: no metric has that name.
[[nodiscard]] std::optional<std::uint64_t> metric_value(const Totals& totals,
                                                        std::string_view metric) noexcept;

/// Whether `measured` is as `expectation` demands.
[[nodiscard]] bool is_met(const Expectation& expectation, std::uint64_t measured) noexcept;

/// What a field of summary.json adds to the name: "_cells", "_ps"; nothing for counts, nor for
/// bytes, whose names say so.
[[nodiscard]] std::string_view unit_suffix(MetricUnit unit) noexcept;

/// Unit of a metric, counts for a name that is none.
[[nodiscard]] MetricUnit unit_of(std::string_view metric) noexcept;

}  // namespace weir
