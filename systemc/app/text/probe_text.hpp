// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "weir/core/chip.hpp"
#include "weir/core/units.hpp"
#include "weir/model/probe/silicon_prediction.hpp"

namespace weir {

/// Predicted, measured, difference and verdict of every count; entries of a list that agree in
/// their verdict share a line.
[[nodiscard]] std::string to_text(const std::vector<SiliconComparison>& figures);

/// What the silicon test found on a chip: PGs of equal fate that follow each other share a line.
[[nodiscard]] std::string to_text(const ChipProbe& probe, const Chip& chip, Bytes packet);

}  // namespace weir
