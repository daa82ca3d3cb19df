// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "weir/config/format/quantity.hpp"
#include "weir/core/scheduling/clock_period.hpp"

// More numbers as text: four digits at most where they are rounded.
namespace weir {

/// "1 ns"; a fraction with its frequency: "20000/27 ps (1350 MHz)".
[[nodiscard]] std::string format_clock(const ClockPeriod& clock);
/// What a search for the smallest value found. `text` is that of the value with number `smallest`,
/// or of the largest where none meets the goal: "9 MB", "9 MB or less" of the first value, "none up
/// to 12 MB"; "could not run" where the largest does not run.
[[nodiscard]] std::string format_found(const std::string& text, std::optional<std::size_t> smallest,
                                       bool runs);
/// "3.5": a ratio in thousandths, four digits at most.
[[nodiscard]] std::string format_ratio(std::uint64_t thousandths);
/// "1.25 %": a share in parts per million, four digits at most.
[[nodiscard]] std::string format_share(std::uint64_t millionths);
/// "86 %"; "-" of nothing.
[[nodiscard]] std::string format_percent(std::uint64_t part, std::uint64_t whole);

}  // namespace weir
