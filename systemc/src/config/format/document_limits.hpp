// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>

#include "weir/config/format/node.hpp"

namespace weir {

/// Maximum nesting of tables and lists of a document, in either format, so that a recursive reader
/// cannot overflow its stack.
inline constexpr std::size_t max_document_depth = 64;
/// Maximum size of a document. A scenario with a table for each of 16,384 hosts has 2 MiB.
inline constexpr std::size_t max_document_bytes = std::size_t{64} << 20;
/// Maximum number of values, tables and lists, and maximum bytes of all their paths: each path
/// names the tables that it is in.
inline constexpr std::size_t max_document_values = 1'000'000;
inline constexpr std::size_t max_path_bytes = std::size_t{256} << 20;

/// "must not be larger than 64 MiB"
[[nodiscard]] inline std::string too_large() {
  return "must not be larger than " + std::to_string(max_document_bytes >> 20) + " MiB";
}
/// "is nested deeper than 64 levels"
[[nodiscard]] inline std::string nested_too_deeply() {
  return "is nested deeper than " + std::to_string(max_document_depth) + " levels";
}
/// "must not have more than 1000000 values"
[[nodiscard]] inline std::string too_many_values() {
  return "must not have more than " + std::to_string(max_document_values) + " values";
}

/// What the nodes of a document may still cost.
class DocumentBudget {
 public:
  /// A node. Errors: FileError at its origin.
  void take(const Node& node) {
    path_bytes_ += node.path.size();
    if (max_document_values < ++values_) throw FileError{node.origin, "", "", too_many_values()};
    if (max_path_bytes < path_bytes_)
      throw FileError{node.origin, "", "",
                      "must not have longer keys: with the tables that they are in, all keys take "
                      "more than " +
                          std::to_string(max_path_bytes >> 20) + " MiB"};
  }

 private:
  std::size_t values_{0}, path_bytes_{0};
};

/// Errors: FileError where a text is larger than a document may be.
inline void check_document_size(std::size_t bytes, const std::string& file) {
  if (max_document_bytes < bytes)
    throw FileError{Origin{file, 0}, "", "",
                    "must not be larger than " + std::to_string(max_document_bytes >> 20) + " MiB"};
}

}  // namespace weir
