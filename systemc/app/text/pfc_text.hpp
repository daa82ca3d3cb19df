// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "weir/trace/forensics/pfc_forensics.hpp"

namespace weir {

/// What `weir pfc` found, for people; `timeline`: with each pause.
[[nodiscard]] std::string to_text(const PfcReport& report, bool timeline);

/// The same, with each pause, and with the members `pauses` and `propagation` that report.json has.
[[nodiscard]] nlohmann::ordered_json to_json(const PfcReport& report);

}  // namespace weir
