// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>

namespace weir {

/// Contents of a file of a run's result folder.
/// Errors: ConfigError (key "DIR") when there is none.
[[nodiscard]] std::string read_result(const std::filesystem::path& folder, const std::string& file);

}  // namespace weir
