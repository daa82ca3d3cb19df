// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "weir/config/format/node.hpp"

namespace weir {

/// Names of nodes: "h3", "h[0-15]", "T[0-3,8]h[0-7]" (the last number counts fastest), or a list of
/// these. Errors: FileError when a bracket is wrong or a list is empty.
[[nodiscard]] std::vector<std::string> to_names(const Node& value);

/// The order of nodes wherever it must not depend on the file: numbers in names are compared as
/// numbers, so T2 comes before T10.
[[nodiscard]] bool natural_less(const std::string& a, const std::string& b) noexcept;

}  // namespace weir
