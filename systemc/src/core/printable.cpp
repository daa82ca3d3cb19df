// SPDX-License-Identifier: Apache-2.0
#include "weir/core/printable.hpp"

#include <algorithm>

namespace weir {

std::string printable(std::string text) {
  std::replace_if(
      text.begin(), text.end(),
      [](unsigned char letter) { return (letter < ' ' && letter != '\n') || letter == 0x7f; }, '?');
  return text;
}

}  // namespace weir
