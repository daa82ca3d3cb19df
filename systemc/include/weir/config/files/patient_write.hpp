// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

namespace weir {

/// The end of the program is asked for: from here on, what takes nothing is not waited for any
/// more, beyond a quarter of a second of all outputs together. A signal handler may call it.
void hurry_outputs() noexcept;
[[nodiscard]] bool outputs_hurry() noexcept;

/// Writes all of `text` to a pipe, a device or a stream of this program, and waits while it takes
/// nothing. Returns 0, or the errno of what went wrong: ETIMEDOUT when it is given up because
/// outputs hurry.
[[nodiscard]] int patient_write(int descriptor, std::string_view text) noexcept;

}  // namespace weir
