// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

#include "weir/core/units.hpp"

// Quantities as people read them: grouped, or with a unit and four digits at most.
namespace weir {

/// "1,234,567"
[[nodiscard]] std::string format_quantity(std::uint64_t count);
/// "1.5 us", "2 ms"
[[nodiscard]] std::string format_quantity(Picoseconds time);
/// "64 B", "9.52 MB"
[[nodiscard]] std::string format_quantity(Bytes size);
/// "38.1 Gbps"
[[nodiscard]] std::string format_quantity(BitRate rate);
/// Rate of `size` over `time`: "38.1 Gbps"; "-" over no time.
[[nodiscard]] std::string format_rate(Bytes size, Picoseconds time);

}  // namespace weir
