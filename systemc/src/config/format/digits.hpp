// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace weir {

/// Whether `c` is one of 0 to 9, in every locale.
[[nodiscard]] constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

}  // namespace weir
