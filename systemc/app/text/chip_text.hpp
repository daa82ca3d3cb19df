// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "weir/core/chip.hpp"

namespace weir {

/// What follows from a chip file, per memory domain, in cells and in bytes.
[[nodiscard]] std::string chip_text(const Chip& chip);
/// The same as JSON.
[[nodiscard]] std::string chip_json(const Chip& chip);

}  // namespace weir
