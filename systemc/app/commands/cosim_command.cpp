// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "commands.hpp"
#include "output/screen.hpp"
#include "presets.hpp"
#include "text/exit_codes.hpp"
#include "weir/config/chip/chip_file.hpp"
#include "weir/config/files/file_roles.hpp"
#include "weir/config/format/document.hpp"
#include "weir/core/errors.hpp"
#include "weir/model/rtl/cosim.hpp"
#include "whole_number.hpp"

namespace weir {
namespace {

struct CosimOptions {
  std::string chip, rtl, wave, vector;
  std::vector<std::string> overrides;
  std::uint64_t cycles{100'000}, seed{1};
};

constexpr const char* cosim_about =
    "Send random requests to core and RTL of a chip, and compare every cycle "
    "(docs/guide/cosimulation.md)";
constexpr const char* cosim_footer =
    R"(Examples:
  weir cosim arista_7050qx_32 --cycles 200000 --seed 7
  weir cosim my_chip.toml --rtl libmy_mmu.so --wave difference.vcd
  weir cosim arista_7050cx3_32 --set chip.lanes=2)";

constexpr std::uint64_t max_cycles = 1'000'000'000'000;          // months
constexpr std::uint64_t window_before = 200, window_after = 20;  // cycles around a difference

RtlLibrary library_of(const CosimOptions& options, const Chip& chip) {
  return options.rtl.empty() ? RtlLibrary::for_chip(chip) : RtlLibrary{options.rtl};
}

// It is written at a difference, which may be hours away.
void check_wave(const std::filesystem::path& file) {
  if (file.empty()) return;
  if (file.extension() != ".vcd")
    throw ConfigError{"--wave", file.string(), "must be a name that ends in .vcd"};
  if (file.has_parent_path() && !std::filesystem::is_directory(file.parent_path()))
    throw ConfigError{"--wave", file.string(), "is in a folder that does not exist"};
}

void plan_files(const CosimOptions& options, const std::filesystem::path& chip) {
  FileRoles roles;
  for (const std::filesystem::path& file : files_of_document(chip, options.overrides))
    roles.reads(file);
  if (!options.rtl.empty()) roles.reads(options.rtl);
  if (!options.wave.empty()) roles.writes("--wave", options.wave);
  if (options.vector.empty()) return;
  for (const char* const part : {".setup.csv", ".cycles.csv", ".held.csv"})
    roles.writes("--vector", options.vector + part);
}

int cosimulate(const CosimOptions& options) {
  const std::filesystem::path file = file_or_preset("CHIP", options.chip, {presets::chips});
  check_wave(options.wave);
  plan_files(options, file);
  const Chip chip = load_chip(file, options.overrides);
  const RtlLibrary library = library_of(options, chip);
  Cosim cosim{chip, library, options.seed};
  if (!options.vector.empty()) {
    cosim.write_vector(options.vector, options.cycles);
    print("vector of {} cycles: {}.{{setup,cycles,held}}.csv\n", cosim.cycles(), options.vector);
    return 0;
  }
  try {
    cosim.run(options.cycles);
    cosim.finish();
  } catch (const RtlDifference& difference) {
    print("{}\n", difference.what());
    const std::uint64_t at = cosim.cycles();
    print("compared {} in {} cycles before it\n", cosim.compared(), at);
    if (options.wave.empty()) return 1;
    const std::uint64_t first = at - std::min(at, window_before);
    cosim.write_wave(options.wave, first, at + window_after);
    print("waveform of cycles {} to {}: {}\n", first, at + window_after, options.wave);
    return 1;
  }
  if (cosim.arrivals() == 0 || cosim.releases() == 0)
    throw ConfigError{"--cycles", std::to_string(options.cycles),
                      "is too few: no packet has come and left, so that little is compared"};
  const std::string marks =
      chip.wred_profiles.empty()
          ? ""
          : fmt::format("{} marked and {} dropped by WRED, ", cosim.marked(), cosim.wred_dropped());
  print(
      "compared {} in {} cycles: {} arrivals, {} releases, {} PFC frames sent, {} received, "
      "{} register writes, {}seed {}, RTL {}\n",
      cosim.compared(), cosim.cycles(), cosim.arrivals(), cosim.releases(), cosim.frames_sent(),
      cosim.frames_received(), cosim.writes(), marks, options.seed, library.path());
  return 0;
}

}  // namespace

void add_cosim_command(CLI::App& app, int& exit_code) {
  CLI::App* const command = app.add_subcommand("cosim", cosim_about);
  const auto options = std::make_shared<CosimOptions>();
  command->footer(
      with_exit_codes(cosim_footer, {"the same in all that was compared", "a difference"}));
  command->add_option("CHIP", options->chip, "Chip file (docs/reference/chip-format.md)")
      ->type_name("CHIP.toml")
      ->required();
  command->add_option("--set", options->overrides, "Override a key of the file; may be repeated")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command->add_option("--cycles", options->cycles, "Cycles with requests")
      ->check(whole_number(1, max_cycles))
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--seed", options->seed, "Seed of the requests")
      ->check(whole_number(0, max_seed))
      ->type_name("S")
      ->capture_default_str();
  command
      ->add_option("--rtl", options->rtl,
                   "Library with the RTL, made by scripts/rtl/make-backend of the source tree "
                   "(default: that of weir)")
      ->type_name("LIB.so");
  command->add_option("--wave", options->wave, "Waveform of the cycles around the first difference")
      ->type_name("FILE.vcd");
  command
      ->add_option("--vector", options->vector,
                   "The pins in every cycle, for another simulator (vectors/mmu/README.md in the "
                   "source tree)")
      ->type_name("PREFIX")
      ->excludes("--wave");
  command->callback([options, &exit_code] { exit_code = cosimulate(*options); });
}

}  // namespace weir
