// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <CLI/CLI.hpp>

// Each command is one .cpp: it adds its subcommand to `app`; when the user has chosen it, its
// callback runs and sets `exit_code` (borrowed for as long as `app` lives). Errors are thrown:
// main() turns a ConfigError into exit code 2 and anything else into 3.
namespace weir {

void add_run_command(CLI::App& app, int& exit_code);
void add_pfc_command(CLI::App& app, int& exit_code);
void add_probe_command(CLI::App& app, int& exit_code);
void add_headroom_command(CLI::App& app, int& exit_code);
void add_import_command(CLI::App& app, int& exit_code);
void add_lint_command(CLI::App& app, int& exit_code);
void add_sweep_command(CLI::App& app, int& exit_code);
void add_size_command(CLI::App& app, int& exit_code);
void add_report_command(CLI::App& app, int& exit_code);
void add_compare_command(CLI::App& app, int& exit_code);
void add_counters_command(CLI::App& app, int& exit_code);
void add_cosim_command(CLI::App& app, int& exit_code);
void add_list_command(CLI::App& app, int& exit_code);
void add_show_command(CLI::App& app, int& exit_code);
void add_explain_command(CLI::App& app, int& exit_code);
void add_new_command(CLI::App& app, int& exit_code);
void add_manual_commands(CLI::App& app, int& exit_code);  ///< man and completion

}  // namespace weir
