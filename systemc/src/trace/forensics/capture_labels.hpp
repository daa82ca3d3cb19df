// SPDX-License-Identifier: Apache-2.0
// What captures are called in names of their interfaces.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace weir {

/// A label for each file, no two alike unless a file is named twice: its name without the ending;
/// where others have it too, its name, or as many of its folders as makes labels different.
[[nodiscard]] std::vector<std::string> capture_labels(
    const std::vector<std::filesystem::path>& files);

}  // namespace weir
