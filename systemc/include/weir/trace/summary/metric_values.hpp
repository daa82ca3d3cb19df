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

}  // namespace weir
