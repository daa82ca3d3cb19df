// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "weir/config/scenario/scenario.hpp"

namespace weir {

/// Reads a scenario file (docs/reference/scenario-format.md) and all files it names, applies the
/// `--set` overrides, and checks the result. File names, also those in overrides, are relative to
/// the folder of the scenario file. Errors: FileError at the first error.
[[nodiscard]] Scenario load_scenario(const std::filesystem::path& file,
                                     const std::vector<std::string>& overrides = {});

/// The name of a port of a switch as files write it: "tor.port[3]".
[[nodiscard]] std::string port_name(const Scenario& scenario, const LinkEnd& end);

}  // namespace weir
