// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "weir/config/scenario/scenario.hpp"

namespace weir {

/// Reads a scenario file (docs/reference/scenario-format.md) and all files it names, with the
/// `--set` overrides on top, and checks the whole. Files are looked for beside the scenario file,
/// those of an override too. Errors: FileError at the first thing wrong.
[[nodiscard]] Scenario load_scenario(const std::filesystem::path& file,
                                     const std::vector<std::string>& overrides = {});

}  // namespace weir
