// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "commands.hpp"
#include "output/screen.hpp"
#include "sonic_arguments.hpp"
#include "text/counted.hpp"
#include "text/exit_codes.hpp"
#include "text/format.hpp"
#include "text/json_document.hpp"
#include "weir/config/chip/chip_file.hpp"
#include "weir/config/files/output_folder.hpp"
#include "weir/config/format/reader.hpp"
#include "weir/config/sonic/sonic_import.hpp"
#include "weir/config/sonic/sonic_tables.hpp"
#include "weir/core/printable.hpp"

namespace weir {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct ImportOptions {
  std::string folder, out;
  SonicArguments sonic;
  bool json{false};
};

constexpr const char* import_about = "Make chip files from configurations of other systems";
constexpr const char* import_footer =
    R"(Examples (vectors/sonic is in the source tree):
  weir import sonic --help
  weir import sonic vectors/sonic/traditional_40g --out /tmp/td2)";
constexpr const char* sonic_about =
    "CONFIG_DB, buffers.json and pg_profile_lookup.ini of a SONiC switch -> chip file and scenario";
constexpr const char* sonic_footer =
    R"(DIR holds config_db.json or buffers.json, perhaps qos.json and pg_profile_lookup.ini (docs/guide/sonic.md).
The output folder gets chip.toml, scenario.toml and import.json. What could not be mapped, and what
had to be assumed, is listed here, in import.json and at the head of chip.toml.

Examples (vectors/sonic is in the source tree):
  weir import sonic vectors/sonic/traditional_40g --out /tmp/td2
  weir run /tmp/td2/scenario.toml
  weir import sonic DIR --asic trident3 --json)";

Json to_json(const std::vector<SonicNote>& notes) {
  Json list = Json::array();
  for (const SonicNote& note : notes) {
    list.push_back({{"file", note.origin.file},
                    {"line", note.origin.line == 0 ? Json{} : Json(note.origin.line)},
                    {"table", note.table},
                    {"keys", note.keys},
                    {"field", note.field},
                    {"why", note.why}});
  }
  return list;
}

std::string to_json(const SonicImport& import, const SonicTables& tables, const Chip& chip) {
  const Json json{{"folder", tables.folder},
                  {"files", tables.files},
                  {"asic", import.asic},
                  {"chip", chip.name},
                  {"ports", chip.ports.size()},
                  {"profiles", chip.profiles.size()},
                  {"queue_profiles", chip.queue_profiles.size()},
                  {"assumed", to_json(import.assumed)},
                  {"unmapped", to_json(import.unmapped)}};
  return json_document(json, 2);
}

std::string to_text(const SonicNote& note) {
  std::string keys;
  for (std::size_t i = 0; i < note.keys.size() && i < 3; ++i)
    keys += (i == 0 ? "|" : ", ") + note.keys[i];
  if (note.keys.size() > 3) keys += fmt::format(" and {} more", note.keys.size() - 3);
  std::string where = note.origin.file;
  if (note.origin.line != 0) where += fmt::format(":{}", note.origin.line);
  const std::string what = fmt::format("{}{}{}{}: {}", note.table, keys,
                                       note.field.empty() ? "" : " ", note.field, note.why);
  return fmt::format("  {}\n      {}\n", printable_line(what), printable_line(where));
}

std::string to_text(const SonicImport& import, const Chip& chip) {
  std::string text =
      fmt::format("{}: {}, {}, {}\n", printable_line(chip.name), counted(chip.ports.size(), "port"),
                  counted(chip.profiles.size(), "profile"),
                  counted(chip.queue_profiles.size(), "queue profile"));
  for (const Pool& pool : chip.ingress_pools)
    text += fmt::format(
        "pool {}: {} shared cells and {}{}\n", printable_line(pool.name),
        format_quantity(pool.shared.count()),
        pool.dedicated_headroom ? "no headroom pool"
                                : format_quantity(pool.headroom.count()) + " of its headroom pool",
        chip.domains == 1 ? "" : fmt::format(", in each of {} memory domains", chip.domains));
  if (!import.assumed.empty()) text += "\nnot in the files, and assumed:\n";
  for (const SonicNote& note : import.assumed) text += to_text(note);
  if (!import.unmapped.empty()) text += "\nin the files, and not mapped:\n";
  for (const SonicNote& note : import.unmapped) text += to_text(note);
  return text;
}

void write_import(const fs::path& out,
                  const std::vector<std::pair<std::string, std::string>>& files) {
  OutputFolder::Replaceable replaceable{{}, "which an import does not write; name another folder"};
  for (const auto& [name, contents] : files) replaceable.files.push_back(name);
  OutputFolder folder{out, std::move(replaceable)};
  for (const auto& [name, contents] : files) folder.add_file(name, contents);
  folder.commit();
}

constexpr const char* chip_file = "chip.toml";

int import_folder(const ImportOptions& options) {
  const SonicTables tables = read_sonic(options.folder);
  const SonicImport import = import_sonic(tables, options.sonic.options());
  const std::string chip_text = sonic_chip_toml(import, tables);
  const Chip chip = parse_chip(chip_text, chip_file);  // what is written is what was meant
  fs::path folder = fs::absolute(options.folder).lexically_normal();
  if (!folder.has_filename()) folder = folder.parent_path();
  const fs::path out = options.out.empty()
                           ? fs::path{"results"} / ("sonic_" + folder.filename().string())
                           : fs::path{options.out};
  const std::string json = to_json(import, tables, chip);
  std::vector<std::pair<std::string, std::string>> files{
      {chip_file, chip_text},
      {"scenario.toml", sonic_scenario_toml(import, chip_file)},
      {"import.json", json}};
  write_import(out, files);
  if (options.json) {
    print_json(json);
  } else {
    std::vector<std::string> names;
    for (const auto& [name, contents] : files) names.push_back(name);
    print("{}\nwritten to {}: {}\n", to_text(import, chip), printable_line(out.string()),
          joined(names));
  }
  return 0;
}

}  // namespace

void add_import_command(CLI::App& app, int& exit_code) {
  CLI::App* const command = app.add_subcommand("import", import_about);
  command->require_subcommand(1);
  command->footer(import_footer);
  CLI::App* const sonic = command->add_subcommand("sonic", sonic_about);
  sonic->footer(
      with_exit_codes(sonic_footer, {"written", {}, "usage or bad input; nothing is written"}));
  const auto options = std::make_shared<ImportOptions>();
  sonic->add_option("DIR", options->folder, "Folder with the files of a SONiC switch")
      ->type_name("DIR")
      ->required();
  sonic
      ->add_option("--out", options->out,
                   "Folder to write; an earlier one is replaced (default: results/sonic_<DIR>)")
      ->type_name("DIR");
  sonic->add_flag("--json", options->json, "Print import.json instead of text");
  add_sonic_options(*sonic, options->sonic);
  sonic->callback([options, &exit_code] { exit_code = import_folder(*options); });
}

}  // namespace weir
