// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

#include "weir/core/units.hpp"

// Quantities as people read them: grouped, or with a unit and four digits at most.
namespace weir {

/// "1,234,567"; of a time "1.5 us", of bytes "64 B" or "9.52 MB", of a rate "38.1 Gbps".
[[nodiscard]] std::string format_quantity(std::uint64_t count);
/// @cond Doxygen takes these types, instances of one template, for one type.
[[nodiscard]] std::string format_quantity(Picoseconds time);
[[nodiscard]] std::string format_quantity(Bytes size);
[[nodiscard]] std::string format_quantity(BitRate rate);
/// @endcond
/// Rate of `size` over `time`: "38.1 Gbps"; "-" over no time.
[[nodiscard]] std::string format_rate(Bytes size, Picoseconds time);

}  // namespace weir
