// SPDX-License-Identifier: Apache-2.0
#include "commands/command_line.hpp"

#include <string>
#include <string_view>
#include <systemc>

namespace weir {

std::string quoted_for_shell(const std::string& word) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char letter : word)
    quoted += letter == '\'' ? std::string{"'\\''"} : std::string{letter};
  return quoted + "'";
}

std::string command_line() {
  std::string text = "weir";
  for (int i = 1; i < sc_core::sc_argc(); ++i)
    text += " " + quoted_for_shell(sc_core::sc_argv()[i]);
  return text;
}

}  // namespace weir
