// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "commands.hpp"
#include "output/screen.hpp"
#include "text/manual.hpp"
#include "weir/config/files/output_file.hpp"
#include "weir/config/format/reader.hpp"
#include "weir/core/errors.hpp"

namespace weir {
namespace {

namespace fs = std::filesystem;

struct ManualOptions {
  std::string command, all, shell;
};

constexpr const char* completion_about_begin = "Print the completion of a shell: ";
constexpr const char* completion_footer =
    R"(An installation has these files in share/ already.

Examples:
  source <(weir completion bash)
  weir completion fish > ~/.config/fish/completions/weir.fish)";
constexpr const char* man_about = "Print a manual page";

void write_all(const CLI::App& app, const fs::path& folder) {
  const auto write = [&](const std::string& name, const std::string& text) {
    const fs::path file = folder / name;
    fs::create_directories(file.parent_path());
    write_file("--all", file, text, NamedBy::program);
  };
  write("man/man1/weir.1", manual_page(app, "weir"));
  for (const CLI::App* command : shown_commands(app))
    write("man/man1/weir-" + command->get_name() + ".1",
          manual_page(*command, "weir-" + command->get_name()));
  for (const CompletionShell& shell : completion_shells()) write(shell.file, shell.script(app));
}

void print_manual(const CLI::App& app, const ManualOptions& options) {
  if (!options.all.empty()) return write_all(app, options.all);
  if (options.command.empty()) return print("{}", manual_page(app, "weir"));
  for (const CLI::App* command : shown_commands(app))
    if (command->get_name() == options.command)
      return print("{}", manual_page(*command, "weir-" + options.command));
  throw ConfigError{"COMMAND", "\"" + options.command + "\"", "weir list commands shows them"};
}

}  // namespace

void add_manual_commands(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<ManualOptions>();
  std::vector<std::string> names;
  for (const CompletionShell& shell : completion_shells()) names.emplace_back(shell.name);
  CLI::App* const completion =
      app.add_subcommand("completion", completion_about_begin + joined(names));
  completion->footer(completion_footer);
  completion->add_option("SHELL", options->shell, "The shell")
      ->check(CLI::IsMember(names))
      ->required();
  completion->callback([options, &app, &exit_code] {
    for (const CompletionShell& shell : completion_shells())
      if (shell.name == options->shell) print("{}", shell.script(app));
    exit_code = 0;
  });
  // For the build, which makes the files of an installation with it.
  CLI::App* const man = app.add_subcommand("man", man_about)->group("");
  man->footer("");
  man->add_option("COMMAND", options->command, "The command; none: the program");
  man->add_option("--all", options->all, "Write all pages and completions below this folder");
  man->callback([options, &app, &exit_code] {
    print_manual(app, *options);
    exit_code = 0;
  });
}

}  // namespace weir
