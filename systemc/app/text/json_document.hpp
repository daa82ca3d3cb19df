// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nlohmann/json.hpp>
#include <string>

namespace weir {

/// JSON as a document of lines, the last one with its end. What is no UTF-8, as in the name of a
/// file, becomes U+FFFD.
[[nodiscard]] inline std::string json_document(const nlohmann::ordered_json& json, int indent) {
  return json.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace weir
