// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>

namespace weir {

/// Maximum nesting of tables and lists of a document, in either format, so that a recursive reader
/// cannot overflow its stack.
inline constexpr std::size_t max_document_depth = 64;

/// "is nested deeper than 64 levels"
[[nodiscard]] inline std::string nested_too_deeply() {
  return "is nested deeper than " + std::to_string(max_document_depth) + " levels";
}

}  // namespace weir
