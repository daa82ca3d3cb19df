// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir {

/// A row of `sweep` whose key begins with this says what a scenario is.
constexpr std::string_view scenario_key = "scenario ";

// Tables of sweep.sqlite (docs/reference/sweeps.md): written by SweepDatabase, and all that a file
// may hold that is read.

/// Statements that make the tables of every sweep but `runs`.
[[nodiscard]] const std::vector<std::string>& sweep_tables();
/// Only of a search (`weir size`).
[[nodiscard]] const std::string& size_table();
/// The table `runs`. Range: at least the column `point`.
[[nodiscard]] std::string runs_table(const std::vector<std::string>& columns);

/// Columns of `runs` before and after those of the axes, and before those of the figures.
[[nodiscard]] const std::vector<std::string>& columns_before_axes();
[[nodiscard]] const std::vector<std::string>& columns_after_axes();

/// Whether a table of this name is one of these, by the text that SQLite keeps of it.
[[nodiscard]] bool is_sweep_table(const std::string& name, const std::string& text);
/// Columns of `runs` by that text; nothing when runs_table() would not have written it.
[[nodiscard]] std::optional<std::vector<std::string>> columns_of_runs(const std::string& text);

/// A name as SQL writes it.
[[nodiscard]] std::string sql_name(const std::string& name);

}  // namespace weir
