// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "weir/trace/summary/summary.hpp"

namespace weir {

/// The summary for the screen: what ran, the headline, a table per switch, latency, [expect].
/// At most some sixty lines for one switch; what does not fit is in summary.json.
[[nodiscard]] std::string to_text(const Summary& summary);

}  // namespace weir
