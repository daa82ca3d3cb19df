// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <functional>
#include <string>

namespace weir {

/// Contents of a file of a run's result folder that others may have changed: JSON as a run writes
/// it, with as many values and levels as can be worked with, and integers only.
/// Errors: ConfigError (key "DIR") when there is none, or anything else.
[[nodiscard]] std::string read_result(const std::filesystem::path& folder, const std::string& file);
/// Runs `use`, which reads the contents of such files. Errors: ConfigError (key "DIR") with
/// `folders` where it misses what a run of this version writes.
void use_results(const std::string& folders, const std::function<void()>& use);

}  // namespace weir
