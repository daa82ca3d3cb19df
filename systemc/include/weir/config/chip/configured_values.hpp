// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace weir {

/// One key that a configuration sets, and where it was written.
struct ConfiguredValue {
  std::string key;     ///< Dotted path; of a chip file after its label: "x.toml: chip.ports".
  std::string value;   ///< As written; strings without quotes.
  std::string source;  ///< "x.toml:31", "--set". Of a chip file, its label.
};

/// What keys of each chip file are shown with, in the order of `files`, which are as a scenario
/// writes them: the name without folders, or the whole text where another of them has the same
/// name.
[[nodiscard]] std::vector<std::string> chip_file_labels(const std::vector<std::string>& files);

/// All keys that load_scenario() with the same arguments reads, in the order of the files: those of
/// the scenario with its overrides, then those of each chip file that it names. A key of the chip
/// that a switch sets as well has the value of the switch. Missing keys have their defaults.
/// Errors: FileError when a file cannot be read.
[[nodiscard]] std::vector<ConfiguredValue> configured_values(
    const std::filesystem::path& scenario_file, const std::vector<std::string>& overrides = {});

}  // namespace weir
