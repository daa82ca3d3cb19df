// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>
#include <vector>

#include "commands.hpp"
#include "output/screen.hpp"
#include "presets.hpp"
#include "text/chip_text.hpp"
#include "weir/config/chip/chip_file.hpp"

namespace weir {
namespace {

struct ShowOptions {
  std::string chip;
  std::vector<std::string> overrides;
  bool json{false};
};

constexpr const char* show_about =
    "Show what follows from a chip file: B, T, headroom and lanes, in cells and bytes";
constexpr const char* show_footer =
    R"(B is the shared part of a pool in one memory domain, T the limit of a priority group while the
switch is empty, eta its headroom (docs/design/glossary.md).

Examples:
  weir show tomahawk3_32x400g
  weir show tor.toml --set profile.lossless.alpha=1/2 --json)";

}  // namespace

void add_show_command(CLI::App& app, int& exit_code) {
  CLI::App* const command = app.add_subcommand("show", show_about);
  command->footer(show_footer);
  const auto options = std::make_shared<ShowOptions>();
  command->add_option("CHIP", options->chip, "Chip file or preset (weir list chips)")->required();
  command->add_option("--set", options->overrides, "Override a key of the file; may be repeated")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command->add_flag("--json", options->json, "Print JSON");
  command->callback([options, &exit_code] {
    const Chip chip =
        load_chip(file_or_preset("CHIP", options->chip, {presets::chips}), options->overrides);
    if (options->json)
      print_json(chip_json(chip));
    else
      print("{}", chip_text(chip));
    exit_code = 0;
  });
}

}  // namespace weir
