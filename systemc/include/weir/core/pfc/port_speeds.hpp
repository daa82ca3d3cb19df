// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "weir/core/units.hpp"

namespace weir {

/// A port speed whose PFC response time is known.
struct PortSpeed {
  BitRate rate;
  Quanta response;          ///< From a PAUSE received until no new frame of the class starts.
  std::string_view source;  ///< Clause that says so, or "common practice".
};

/// All speeds with a known response, slowest first: the one table of them. At any other legal rate
/// the response is part of the configuration.
[[nodiscard]] const std::vector<PortSpeed>& port_speeds();

/// The row of exactly `rate`, or nullptr.
[[nodiscard]] const PortSpeed* find_port_speed(BitRate rate) noexcept;

/// PFC response limit of a port speed. Units: quanta after reception.
/// Errors: ConfigError (key "response") at a rate that is not in the table.
[[nodiscard]] Quanta response_limit(BitRate rate);

/// Slowest and fastest port, the one place of this range.
inline constexpr BitRate min_port_rate{1'000'000'000}, max_port_rate{1'600'000'000'000};

/// Whether a port may run at `rate`: within the range, and a byte lasts whole picoseconds.
[[nodiscard]] constexpr bool is_port_rate(BitRate rate) noexcept {
  return min_port_rate <= rate && rate <= max_port_rate && is_exact_rate(rate);
}

/// Errors: ConfigError (key "rate") unless is_port_rate().
void check_port_rate(BitRate rate);

/// What is_port_rate() takes, for messages: "must be from 1 to ... Gbps, ...".
[[nodiscard]] std::string legal_port_rates();

/// The error of a configuration that names no response, at a rate without a row: "must be given at
/// 160 Gbps: ... is known only for 1, 10, ... Gbps".
[[nodiscard]] std::string unknown_response(BitRate rate);

}  // namespace weir
