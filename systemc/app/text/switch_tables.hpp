// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "weir/trace/summary/history.hpp"
#include "weir/trace/summary/summary.hpp"

namespace weir {

/// The part of the summary for the screen that is about switches: pools and a line for each
/// priority of a port, or a line for each switch where there are many. As to_text().
[[nodiscard]] std::string switch_tables(const Summary& summary,
                                        const FirstThresholds& first_thresholds);

}  // namespace weir
