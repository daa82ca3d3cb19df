// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <new>
#include <string>
#include <system_error>
#include <systemc>
#include <vector>

#include "commands.hpp"
#include "output/interrupt.hpp"
#include "output/memory_reserve.hpp"
#include "output/screen.hpp"
#include "text/counted.hpp"
#include "text/exit_codes.hpp"
#include "text/manual.hpp"
#include "weir/config/files/output_error.hpp"
#include "weir/config/format/error_list.hpp"
#include "weir/config/format/reader.hpp"
#include "weir/core/errors.hpp"
#include "weir/core/printable.hpp"
#include "weir/core/version.hpp"
#include "weir/model/kernel_messages.hpp"

namespace {

constexpr const char* about =
    "Weir: a cycle-accurate model of a data-centre switch MMU (buffer cells, Dynamic Threshold, "
    "PFC).";
constexpr const char* footer =
    R"(Units are written: "400 Gbps", "300 m", "12 MB", "254 B", "2 ms", "1/16".

Examples:
  weir run incast_star16_dt_trident2
  weir new scenario incast.toml
  weir list scenarios
  weir help run               the same as weir run --help)";

void complain(const std::string& text) {
  weir::show_painted(stderr, weir::Paint::error, "weir: ");
  weir::print(stderr, "{}\n", weir::printable_line(text));
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& words) {
  const std::string meant = weir::nearest(word, words);
  return meant.empty() ? "" : ", did you mean " + meant + "?";
}

// The word of the line that neither the program nor the command knows; "" for none.
std::string unknown_word(const CLI::App& app) {
  const std::vector<std::string> rest = app.remaining(true);
  const auto option = std::find_if(rest.begin(), rest.end(), [](const std::string& word) {
    return word.size() > 1 && word.front() == '-';
  });
  if (option != rest.end()) return option->substr(0, option->find('='));
  return rest.empty() ? "" : rest.front();
}

// What is wrong with a word that is neither a command nor an option.
std::string about_unknown(const CLI::App& app, const std::string& word) {
  std::vector<std::string> commands, options;
  for (const CLI::App* command : weir::shown_commands(app)) commands.push_back(command->get_name());
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
  if (word.front() == '-' && word != "-")
    return "no such option: " + word + did_you_mean(word, options);
  if (commands.empty()) return "not expected: " + word;
  return "no such command: " + word + did_you_mean(word, commands) +
         "; there are: " + weir::joined(commands);
}

// One line on stderr, and where to read on.
int report_usage(const CLI::App& app, const CLI::ParseError& error) {
  std::string command = "weir";
  const CLI::App* last = &app;
  while (!last->get_subcommands().empty()) {
    last = last->get_subcommands().front();
    command += " " + last->get_name();
  }
  std::string what = error.what();
  const std::string unknown = unknown_word(app);
  const bool no_command =
      error.get_name() == "RequiredError" && !weir::shown_commands(*last).empty();
  if (!unknown.empty() && (no_command || dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr))
    what = about_unknown(*last, unknown);
  else if (no_command)
    what = "a command is missing; weir list commands shows them";
  complain(what + " (see " + command + " --help)");
  return weir::usage_error;
}

// A file may have several errors: a line for each.
int report_bad_input(const weir::ConfigError& error) {
  const auto* const several = dynamic_cast<const weir::FileErrors*>(&error);
  if (several == nullptr) {
    complain(error.what());
    return weir::usage_error;
  }
  for (const weir::FileError& one : several->errors()) complain(one.what());
  const std::size_t shown = several->errors().size(), all = shown + several->left_out();
  complain(weir::counted(all, "error") +
           (shown < all ? ", the first " + std::to_string(shown) + " of them above" : ""));
  return weir::usage_error;
}

// What ends a command and is not in its input: one line that says what the machine lacks.
int report_failure(const std::exception& error) {
  const auto* const system = dynamic_cast<const std::system_error*>(&error);
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr)
    complain("out of memory: take a smaller network, or allow the program more");
  else if (system != nullptr && system->code() == std::errc::resource_unavailable_try_again)
    complain(std::string{"no thread can be started: "} + error.what());
  else if (dynamic_cast<const weir::OutputError*>(&error) != nullptr)
    complain(error.what());
  else if (std::ferror(stdout) == 0)  // else that is the error
    complain(std::string{"model error: "} + error.what());
  return weir::model_error;
}

// What is on its way to the screen may meet a full disk at the last moment.
int checked_output(int exit_code) {
  std::cout.flush();
  const bool good = std::cout.good() && std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  if (good) return exit_code;
  weir::print(stderr, "weir: standard output cannot be written: is the disk full?\n");
  return weir::model_error;
}

// An empty value is usually an unset variable of a script: refuse it instead of taking the default.
void refuse_empty_values(CLI::App& app) {
  const auto not_empty = [](const std::string& value) {
    return value.empty() ? std::string{"must not be empty"} : std::string{};
  };
  for (CLI::Option* const option : app.get_options())
    if (option->get_items_expected_max() != 0) option->check(CLI::Validator{not_empty, ""});
  for (CLI::App* const command : app.get_subcommands({})) refuse_empty_values(*command);
}

// The words of the line, the last one first, as the parser takes them. "weir help run" is what
// others call "weir run --help".
std::vector<std::string> arguments_last_first(int argc, char** argv) {
  std::vector<std::string> words{argv + std::min(argc, 1), argv + argc};
  if (!words.empty() && words.front() == "help") {
    words.erase(words.begin());
    words.emplace_back("--help");
  }
  std::reverse(words.begin(), words.end());
  return words;
}

int run_command_line(int argc, char** argv) {
  CLI::App app{about, "weir"};
  app.set_version_flag("-V,--version", "weir " + std::string{weir::version}, "Print the version");
  app.set_help_flag("-h,--help", "Print this help");
  app.require_subcommand(1);
  app.footer(weir::with_exit_codes(footer, {"good", "a check failed", weir::ExitCodes{}.refused,
                                            "128 + n ended by signal n (130: Ctrl-C)"}));
  int exit_code = 0;
  weir::add_run_command(app, exit_code);
  weir::add_report_command(app, exit_code);
  weir::add_compare_command(app, exit_code);
  weir::add_pfc_command(app, exit_code);
  weir::add_probe_command(app, exit_code);
  weir::add_headroom_command(app, exit_code);
  weir::add_lint_command(app, exit_code);
  weir::add_import_command(app, exit_code);
  weir::add_sweep_command(app, exit_code);
  weir::add_size_command(app, exit_code);
  weir::add_counters_command(app, exit_code);
  weir::add_cosim_command(app, exit_code);
  weir::add_new_command(app, exit_code);
  weir::add_show_command(app, exit_code);
  weir::add_list_command(app, exit_code);
  weir::add_explain_command(app, exit_code);
  weir::add_manual_commands(app, exit_code);
  refuse_empty_values(app);
  try {
    app.parse(arguments_last_first(argc, argv));
    return exit_code;
  } catch (const CLI::Success& help_or_version) {
    const std::string unknown = unknown_word(app);
    if (unknown.empty() || unknown.front() == '-' || !app.get_subcommands().empty())
      return app.exit(help_or_version);
    complain(about_unknown(app, unknown) + " (see weir --help)");  // "weir help runn"
    return weir::usage_error;
  } catch (const CLI::ParseError& error) {
    return report_usage(app, error);
  } catch (const weir::ConfigError& error) {
    const int code = report_bad_input(error);
    return weir::interrupt_signal() == 0 ? code : 128 + weir::interrupt_signal();
  } catch (const std::exception& error) {
    return report_failure(error);
  }
}

}  // namespace

int sc_main(int argc, char** argv) {
  weir::keep_memory_reserve();
  weir::kernel_messages_to_stderr();
  return checked_output(run_command_line(argc, argv));
}

// Ours instead of libsystemc's, to keep its banner off.
int main(int argc, char** argv) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  std::signal(SIGXFSZ, SIG_IGN);  // a file past `ulimit -f` is a failed write, which is named
  return sc_core::sc_elab_and_sim(argc, argv);
}
