// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace weir {

/// One key that a configuration sets, and where it was written.
struct ConfiguredValue {
  std::string key;     ///< Dotted path; of a chip file after its name: "x.toml: chip.ports".
  std::string value;   ///< As written; strings without quotes.
  std::string source;  ///< "x.toml:31", "--set". No folders: those differ from place to place.
};

/// All keys that load_scenario() with the same arguments reads, in the order of the files: those of
/// the scenario with its overrides, then those of each chip file that it names. A key of the chip
/// that a switch sets as well has the value of the switch. Missing keys have their defaults.
/// Errors: FileError when a file cannot be read.
[[nodiscard]] std::vector<ConfiguredValue> configured_values(
    const std::filesystem::path& scenario_file, const std::vector<std::string>& overrides = {});

}  // namespace weir
