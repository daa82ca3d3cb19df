// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace weir {

/// The words that started the program, for run.json, as a shell takes them: "weir run x.toml".
[[nodiscard]] std::string command_line();
/// A word as a POSIX shell reads it back: in single quotes where it needs them.
[[nodiscard]] std::string quoted_for_shell(const std::string& word);

}  // namespace weir
