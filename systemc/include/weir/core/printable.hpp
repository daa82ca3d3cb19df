// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace weir {

/// `text` with a question mark for each control character but the newline, so that names and values
/// of a file cannot inject terminal escapes.
[[nodiscard]] std::string printable(std::string text);

}  // namespace weir
