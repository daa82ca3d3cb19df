// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace weir {

/// Writes a folder with exactly these files (name, contents), all or nothing. An earlier folder is
/// replaced if it holds nothing but files of these names.
/// Errors: ConfigError (key "--out") when the folder cannot be made, or is not ours to replace.
void write_folder(const std::filesystem::path& target,
                  const std::vector<std::pair<std::string, std::string>>& files);

}  // namespace weir
