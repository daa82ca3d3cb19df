// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

/// Manual pages and completions. All are made from the commands and options of the program, the
/// table that --help prints.
namespace weir {

/// The commands of `app` that its help lists.
[[nodiscard]] std::vector<const CLI::App*> shown_commands(const CLI::App& app);
/// The manual page of the program, or of one of its commands, for section 1. `name` is "weir" or
/// "weir-run".
[[nodiscard]] std::string manual_page(const CLI::App& app, const std::string& name);
/// A shell for which there are completions, and where its files are, below share/.
struct CompletionShell {
  const char* name;
  const char* file;
  std::string (*script)(const CLI::App& app);
};
[[nodiscard]] const std::vector<CompletionShell>& completion_shells();

/// The legal values of an option, where it has a list; else nothing.
[[nodiscard]] std::vector<std::string> choices_of(const CLI::Option& option);
/// The kinds of presets that an argument takes, as for weir list; else nothing.
[[nodiscard]] std::vector<std::string> presets_for(const CLI::App& command,
                                                   const CLI::Option& option);

}  // namespace weir
