// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nlohmann/json.hpp>
#include <string>

namespace weir {

/// `json` as text with a newline at its end. `indent`: blanks per level; -1: one line. Bytes that
/// are not UTF-8 become U+FFFD.
[[nodiscard]] inline std::string json_document(const nlohmann::ordered_json& json, int indent) {
  return json.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace weir
