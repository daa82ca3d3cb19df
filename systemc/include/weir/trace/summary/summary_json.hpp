// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "weir/trace/summary/summary.hpp"

namespace weir {

/// summary.json: fields and units in docs/reference/results.md. Same summary, same bytes.
[[nodiscard]] std::string to_json(const Summary& summary);

}  // namespace weir
