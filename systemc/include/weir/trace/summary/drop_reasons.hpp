// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>

#include "weir/model/switch/mac_drop.hpp"
#include "weir/trace/summary/summary.hpp"

namespace weir {

/// How many of the packets in Totals::drops() a switch or host dropped for `reason`. None: such
/// packets are not among them, and figures of their own count them.
[[nodiscard]] std::optional<std::uint64_t> dropped_for(MacDrop reason, const Summary& summary);

/// The packets in Totals::drops() by their reason; all reasons, also those with 0.
[[nodiscard]] std::map<std::string_view, std::uint64_t> drop_reasons(const Summary& summary);

}  // namespace weir
