// SPDX-License-Identifier: Apache-2.0
// A chip file: JSON where it begins with a brace.
#include <filesystem>
#include <string>
#include <string_view>

#include "fuzz/oracle.hpp"
#include "fuzz/reader_table.hpp"
#include "fuzz/scratch.hpp"
#include "weir/config/chip/chip_drift.hpp"
#include "weir/config/chip/chip_file.hpp"
#include "weir/config/format/document.hpp"
#include "weir/config/format/toml_text.hpp"
#include "weir/config/lint/lint.hpp"

namespace weir::fuzz {
namespace {

constexpr Millimetres cable{300'000};

// What to_toml() writes of a document is that document.
void check_round_trip(const Node& document, const Chip& chip) {
  const std::string text = to_toml(document);
  const Node again = parse_toml(text, "again.toml");
  require(to_toml(again) == text, "a document that is written as TOML reads as another");
  require(settings_of(build_chip(again)) == settings_of(chip),
          "a chip that is written as TOML is another");
}

}  // namespace

void read_chip(std::string_view input) {
  const bool json = !input.empty() && input.front() == '{';
  const std::string name = json ? "chip.json" : "chip.toml";
  const bool built = taken([&] {
    const Node document = json ? parse_json(input, name) : parse_toml(input, name);
    const Chip chip = build_chip(document);
    require(drift_between(chip, chip).empty(), "a chip drifts from itself");
    check_round_trip(document, chip);
  });
  if (!built) return;
  const std::filesystem::path file = Scratch::folder().file(name, input);
  static_cast<void>(taken([&] { static_cast<void>(lint(read_lint_subjects(file, cable, {}))); }));
}

}  // namespace weir::fuzz
