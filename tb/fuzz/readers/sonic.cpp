// SPDX-License-Identifier: Apache-2.0
// A SONiC folder: its files, each after a line "== NAME"; config_db.json is the first.
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/oracle.hpp"
#include "fuzz/reader_table.hpp"
#include "fuzz/scratch.hpp"
#include "weir/config/chip/chip_drift.hpp"
#include "weir/config/chip/chip_file.hpp"
#include "weir/config/lint/lint.hpp"
#include "weir/config/scenario/scenario_file.hpp"
#include "weir/config/sonic/sonic_import.hpp"
#include "weir/config/sonic/sonic_tables.hpp"

namespace weir::fuzz {
namespace {

// The chip file that an import writes is the chip that it means.
void check_import(const SonicTables& tables, const SonicOptions& options) {
  const SonicImport import = import_sonic(tables, options);
  const std::string text = sonic_chip_toml(import, tables);
  const Chip meant = build_chip(import.chip);
  std::optional<Chip> written;
  const std::string why = refusal([&] { written = parse_chip(text, "chip.toml"); });
  require(why.empty(), "a chip file that is refused: " + why);
  require(settings_of(meant) == settings_of(*written), "a chip file with another chip");
  static_cast<void>(Scratch::folder().file("sonic_chip.toml", text));
  const std::filesystem::path scenario =
      Scratch::folder().file("sonic_scenario.toml", sonic_scenario_toml(import, "sonic_chip.toml"));
  static_cast<void>(taken([&] { static_cast<void>(load_scenario(scenario)); }));
}

}  // namespace

void read_sonic_folder(std::string_view input) {
  const std::filesystem::path folder = Scratch::folder().folder_of(
      "sonic",
      files_of(input, {"config_db.json", "qos.json", "buffers.json", "pg_profile_lookup.ini"}));
  std::optional<SonicTables> tables;
  if (!taken([&] { tables = read_sonic(folder); })) return;
  // By the files alone, and with the options for files that do not say enough.
  const SonicOptions none{};
  SonicOptions all{};
  all.asic = std::string{sonic_asics().front().name};
  all.memory = Bytes{16'000'000};
  for (const SonicOptions& options : {none, all}) {
    const bool imported = taken([&] { check_import(*tables, options); });
    const bool judged =
        taken([&] { static_cast<void>(lint(read_lint_subjects(folder, std::nullopt, options))); });
    require(imported || !judged, "lint judges a folder that cannot be imported");
  }
}

}  // namespace weir::fuzz
