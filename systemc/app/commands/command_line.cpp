// SPDX-License-Identifier: Apache-2.0
#include "commands/command_line.hpp"

#include <systemc>

namespace weir {

std::string command_line() {
  std::string text = "weir";
  for (int i = 1; i < sc_core::sc_argc(); ++i) text += std::string{" "} + sc_core::sc_argv()[i];
  return text;
}

}  // namespace weir
