// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

namespace weir {

constexpr int usage_error = 2, model_error = 3;

/// What the exit codes of a command mean. A code without a text is none of the command.
struct ExitCodes {
  std::string_view good{"good"};                       ///< 0
  std::string_view failed{};                           ///< 1
  std::string_view refused{"usage or configuration"};  ///< 2
  std::string_view signal{};                           ///< 128 + n
};

/// The signals that end a command which writes its results until then.
constexpr std::string_view interrupted = "130 ended by Ctrl-C (143 by SIGTERM, 129 by SIGHUP)";

/// The help text below the options, with a paragraph of exit codes before that of the examples.
[[nodiscard]] std::string with_exit_codes(const std::string& footer, const ExitCodes& codes);

}  // namespace weir
