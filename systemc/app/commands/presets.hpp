// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <initializer_list>
#include <string>
#include <vector>

namespace weir {

/// A kind of files that come with the program: chips, scenarios, sweeps.
struct PresetKind {
  const char* name;     ///< Also its folder.
  const char* table;    ///< The table of such a file that has its name.
  const char* says;     ///< The key of that table with a line about it.
  const char* command;  ///< What one does with it.
};

namespace presets {
constexpr PresetKind chips{"chips", "chip", "name", "show"};
constexpr PresetKind scenarios{"scenarios", "scenario", "description", "run"};
constexpr PresetKind sweeps{"sweeps", "sweep", "description", "sweep"};
}  // namespace presets

/// A file that comes with the program; the name is that of the file without its ending.
struct Preset {
  std::string name;
  std::filesystem::path file;
};

/// All presets of a kind, by name: those of share/weir next to the program, or of the checkout that
/// it was built in. Empty where there is neither.
[[nodiscard]] std::vector<Preset> presets_of(const PresetKind& kind);
/// Where presets were looked for, if there is neither; otherwise empty.
[[nodiscard]] std::string why_no_presets();
/// One line about a preset: its description, up to the first full stop.
[[nodiscard]] std::string line_about(const Preset& preset, const PresetKind& kind);

/// The file that an argument names: itself, or a preset of one of the kinds. A name without a
/// folder and without an ending is a preset where there is no such file.
/// Errors: ConfigError (key `argument`) when it is neither, with the nearest preset.
[[nodiscard]] std::filesystem::path file_or_preset(const std::string& argument,
                                                   const std::string& text,
                                                   std::initializer_list<PresetKind> kinds);

}  // namespace weir
