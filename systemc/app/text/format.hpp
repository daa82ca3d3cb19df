// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

#include "weir/core/scheduling/clock_period.hpp"
#include "weir/core/units.hpp"

// Numbers as text: grouped, with a unit, four digits at most where they are rounded.
namespace weir {

/// "1,234,567"
[[nodiscard]] std::string format_quantity(std::uint64_t count);
/// "1.5 us", "2 ms"
[[nodiscard]] std::string format_quantity(Picoseconds time);
/// "64 B", "9.52 MB"
[[nodiscard]] std::string format_quantity(Bytes size);
/// "1 ns"; a fraction with its frequency: "20000/27 ps (1350 MHz)".
[[nodiscard]] std::string format_clock(const ClockPeriod& clock);
/// "38.1 Gbps"
[[nodiscard]] std::string format_quantity(BitRate rate);
/// Rate of `size` over `time`: "38.1 Gbps"; "-" over no time.
[[nodiscard]] std::string format_rate(Bytes size, Picoseconds time);
/// "3.5": a ratio in thousandths, four digits at most.
[[nodiscard]] std::string format_ratio(std::uint64_t thousandths);
/// "1.25 %": a share in parts per million, four digits at most.
[[nodiscard]] std::string format_share(std::uint64_t millionths);
/// "86 %"; "-" of nothing.
[[nodiscard]] std::string format_percent(std::uint64_t part, std::uint64_t whole);

}  // namespace weir
