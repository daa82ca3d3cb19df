// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "commands.hpp"
#include "commands/templates.hpp"
#include "output/screen.hpp"
#include "weir/config/files/output_file.hpp"
#include "weir/core/errors.hpp"
#include "weir/core/printable.hpp"

namespace weir {
namespace {

namespace fs = std::filesystem;

struct NewOptions {
  std::string kind, file;
};

constexpr const char* new_about = "Write the smallest chip, scenario or sweep file that runs";
constexpr const char* new_footer =
    R"(A scenario names the chip file tor.toml next to it, a sweep the scenario incast.toml; these are written
as well where they are missing. No file is overwritten. docs/guide/first-chip.md explains the three.

Examples:
  weir new chip tor.toml
  weir new scenario incast.toml
  weir new sweep size.toml)";

// A kind of file, and what a file of it names; those of the table before it.
struct NewFile {
  const char* kind;
  const char* contents;
  const char* name;  // in the files that name it
  const char* next;  // the command to go on with
};

const std::array<NewFile, 3>& new_files() {
  static const std::array<NewFile, 3> table{
      {{"chip", templates::chip, "tor.toml", "weir lint"},
       {"scenario", templates::scenario, "incast.toml", "weir run"},
       {"sweep", templates::sweep, "size.toml", "weir size"}}};
  return table;
}

bool is_there(const fs::path& file) {
  std::error_code ignored;
  return fs::exists(fs::symlink_status(file, ignored));
}

// The rows that `kind` needs, its own the last.
std::vector<NewFile> rows_of(const std::string& kind) {
  std::vector<NewFile> rows;
  for (const NewFile& row : new_files()) {
    rows.push_back(row);
    if (kind == row.kind) break;
  }
  return rows;
}

// Refused before anything is written.
void check_new(const NewOptions& options, const fs::path& file, const std::vector<NewFile>& rows) {
  const auto refuse = [&](const std::string& legal) {
    throw ConfigError{"FILE", "\"" + options.file + "\"", legal};
  };
  if (file.extension() != ".toml") refuse("must end in .toml, such as " + options.kind + ".toml");
  if (is_there(file)) refuse("is there already; name another");
  for (const NewFile& row : rows)
    if (options.kind != row.kind && file.filename() == row.name)
      refuse(std::string{"is the name of the "} + row.kind + " that a " + options.kind +
             " needs next to it; name another");
}

void write_new(const NewOptions& options) {
  const fs::path file{options.file};
  const std::vector<NewFile> rows = rows_of(options.kind);
  check_new(options, file, rows);
  for (const NewFile& row : rows) {
    const bool asked = options.kind == row.kind;
    const fs::path place = asked ? file : file.parent_path() / row.name;
    if (!asked && is_there(place)) continue;
    write_file("FILE", place, row.contents);
    print("{}\n", printable_line(place.string()));
  }
  print("next: {} {}\n", rows.back().next, printable_line(file.string()));
}

}  // namespace

void add_new_command(CLI::App& app, int& exit_code) {
  CLI::App* const command = app.add_subcommand("new", new_about);
  command->footer(new_footer);
  const auto options = std::make_shared<NewOptions>();
  std::vector<std::string> kinds;
  for (const NewFile& row : new_files()) kinds.emplace_back(row.kind);
  command->add_option("KIND", options->kind, "What to write")
      ->check(CLI::IsMember(kinds))
      ->required();
  command->add_option("FILE", options->file, "The file, a name that ends in .toml")->required();
  command->callback([options, &exit_code] {
    write_new(*options);
    exit_code = 0;
  });
}

}  // namespace weir
