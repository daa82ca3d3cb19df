// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

namespace weir {

[[nodiscard]] constexpr bool ends_with(std::string_view text, std::string_view end) noexcept {
  return end.size() <= text.size() && text.substr(text.size() - end.size()) == end;
}

}  // namespace weir
