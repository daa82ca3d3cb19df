// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "text/format.hpp"

namespace weir {

/// "1 error", "2,000 errors".
[[nodiscard]] inline std::string counted(std::uint64_t count, std::string_view noun) {
  return format_quantity(count) + " " + std::string{noun} + (count == 1 ? "" : "s");
}

}  // namespace weir
