// SPDX-License-Identifier: Apache-2.0
// A scenario file: JSON where it begins with a brace. It may name the files of vectors.
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/oracle.hpp"
#include "fuzz/reader_table.hpp"
#include "fuzz/scratch.hpp"
#include "weir/config/chip/configured_values.hpp"
#include "weir/config/lint/lint.hpp"
#include "weir/config/scenario/scenario_file.hpp"

namespace weir::fuzz {

void read_scenario(std::string_view input) {
  const bool json = !input.empty() && input.front() == '{';
  const std::filesystem::path file =
      Scratch::folder().file(json ? "scenario.json" : "scenario.toml", input);
  const bool loaded = taken([&] { static_cast<void>(load_scenario(file)); });
  const bool listed = taken([&] { static_cast<void>(configured_values(file)); });
  require(!loaded || listed, "a scenario that loads has values that cannot be listed");
  const bool judged = taken([&] {
    for (const LintFinding& finding : lint(read_lint_subjects(file, std::nullopt, {})))
      require(!finding.what.empty() && !finding.instead.empty(), "a finding that says nothing");
  });
  require(loaded || !judged, "lint judges a scenario that does not load");
}

}  // namespace weir::fuzz
