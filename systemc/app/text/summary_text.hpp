// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "weir/trace/summary/history.hpp"
#include "weir/trace/summary/summary.hpp"

namespace weir {

/// The summary for the screen: what ran, the headline, a table per switch, latency, [expect].
/// At most some sixty lines for one switch; what does not fit is in summary.json.
///
/// With `first_thresholds` the tables of switches have T of the first XOFF next to the peak.
[[nodiscard]] std::string to_text(const Summary& summary, const FirstThresholds& first_thresholds);

}  // namespace weir
