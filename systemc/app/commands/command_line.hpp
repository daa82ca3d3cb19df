// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace weir {

/// The words that started the program, for run.json: "weir run x.toml --quiet".
[[nodiscard]] std::string command_line();

}  // namespace weir
