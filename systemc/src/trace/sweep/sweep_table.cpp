// SPDX-License-Identifier: Apache-2.0
#include "weir/trace/sweep/sweep_table.hpp"

#include <SQLiteCpp/SQLiteCpp.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "weir/core/errors.hpp"

namespace weir {
namespace {

constexpr const char* scenario_column = "scenario";
constexpr const char* workload_column = "workload";

std::uint64_t count_at(SQLite::Statement& row, int column) {
  return static_cast<std::uint64_t>(row.getColumn(column).getInt64());
}

void read_head(SQLite::Database& database, SweepTable& table) {
  SQLite::Statement row{database, "SELECT key, value FROM sweep"};
  while (row.executeStep()) {
    const std::string key = row.getColumn(0).getString();
    if (key == "name") table.name = row.getColumn(1).getString();
    if (key == "description") table.description = row.getColumn(1).getString();
    if (key == "points") table.points = count_at(row, 1);
  }
}

// A database of `weir sweep` has no such table.
void add_size(SQLite::Database& database, SweepTable& table) {
  if (!database.tableExists("size_distances")) return;
  table.size_input = table.inputs.size() - 1;  // the axis after all others
  SQLite::Statement row{database, "SELECT distance FROM size_distances ORDER BY steps"};
  while (row.executeStep()) table.size_distances.push_back(row.getColumn(0).getString());
}

// Scenarios or workloads, in the order of their points.
void add_named_input(SQLite::Database& database, const char* column, SweepTable& table) {
  SweepInput input;
  input.name = column;
  SQLite::Statement row{database, "SELECT " + input.name + " FROM runs WHERE " + input.name +
                                      " NOT NULL GROUP BY 1 ORDER BY min(point)"};
  while (row.executeStep()) input.levels.push_back(row.getColumn(0).getString());
  if (!input.levels.empty()) table.inputs.push_back(std::move(input));
}

void add_axes(SQLite::Database& database, SweepTable& table) {
  SQLite::Statement axes{database, "SELECT axis, sampled FROM axes ORDER BY number"};
  while (axes.executeStep()) {
    SweepInput input;
    input.name = axes.getColumn(0).getString();
    input.sampled = axes.getColumn(1).getInt() != 0;
    // Samples are in random order, so they are sorted by magnitude.
    SQLite::Statement value{database, std::string{"SELECT value FROM axis_values WHERE axis = ?"} +
                                          " ORDER BY " + (input.sampled ? "magnitude" : "number")};
    value.bind(1, input.name);
    while (value.executeStep()) {
      std::string text = value.getColumn(0).getString();
      if (input.levels.empty() || input.levels.back() != text)
        input.levels.push_back(std::move(text));
    }
    table.inputs.push_back(std::move(input));
  }
}

void add_objectives(SQLite::Database& database, SweepTable& table) {
  SQLite::Statement row{database, "SELECT name, figure, best FROM objectives ORDER BY number"};
  while (row.executeStep()) {
    const auto figure =
        std::find(table.figures.begin(), table.figures.end(), row.getColumn(1).getString());
    if (figure != table.figures.end())
      table.objectives.push_back({row.getColumn(0).getString(),
                                  static_cast<std::size_t>(figure - table.figures.begin()),
                                  row.getColumn(2).getString() == "most"});
  }
}

// Columns of `runs` by their role.
struct Columns {
  int point{0}, status{0}, error{0}, goal_met{0}, first_figure{0}, count{0};
  std::vector<int> inputs;
};

Columns columns_of(SQLite::Statement& runs, SweepTable& table) {
  std::map<std::string, int> place;
  Columns columns;
  columns.count = runs.getColumnCount();
  for (int i = 0; i < columns.count; ++i) place[runs.getColumnName(i)] = i;
  columns.point = place.at("point");
  columns.status = place.at("status");
  columns.error = place.at("error");
  columns.goal_met = place.at("goal_met");
  columns.first_figure = columns.goal_met + 1;  // figures are the last ones
  for (const SweepInput& input : table.inputs) columns.inputs.push_back(place.at(input.name));
  for (int i = columns.first_figure; i < columns.count; ++i)
    table.figures.emplace_back(runs.getColumnName(i));
  return columns;
}

void add_seed(SQLite::Statement& row, const Columns& columns, SweepCase& group) {
  const auto figures = static_cast<std::size_t>(columns.count - columns.first_figure);
  const bool first = group.runs++ == 0;
  if (row.getColumn(columns.status).getString() != "ok") {
    if (group.failed++ == 0) group.error = row.getColumn(columns.error).getString();
    group.goal_met = false;
    return;
  }
  const bool met = row.getColumn(columns.goal_met).getInt() != 0;
  group.goal_met = first ? met : group.goal_met && met;
  const bool none_ran = group.figures.empty();
  group.figures.resize(figures);
  for (std::size_t i = 0; i < figures; ++i) {
    const std::uint64_t value = count_at(row, columns.first_figure + static_cast<int>(i));
    SeedSpread& spread = group.figures[i];
    spread.least = none_ran ? value : std::min(spread.least, value);
    spread.most = std::max(spread.most, value);
    spread.sum += value;
  }
}

void read_runs(SQLite::Database& database, SweepTable& table) {
  SQLite::Statement row{database, "SELECT * FROM runs ORDER BY point"};
  const Columns columns = columns_of(row, table);
  std::vector<std::map<std::string, std::size_t>> level_of(table.inputs.size());
  for (std::size_t i = 0; i < table.inputs.size(); ++i)
    for (std::size_t level = 0; level < table.inputs[i].levels.size(); ++level)
      level_of[i].emplace(table.inputs[i].levels[level], level);
  while (row.executeStep()) {
    std::vector<std::size_t> levels;
    for (std::size_t i = 0; i < level_of.size(); ++i)
      levels.push_back(level_of[i].at(row.getColumn(columns.inputs[i]).getString()));
    // Seeds change fastest, so runs of a case are adjacent.
    if (table.cases.empty() || table.cases.back().levels != levels) {
      table.cases.emplace_back();
      table.cases.back().point = count_at(row, columns.point);
      table.cases.back().levels = std::move(levels);
    }
    add_seed(row, columns, table.cases.back());
    ++table.runs;
    if (row.getColumn(columns.status).getString() != "ok") ++table.failed;
    if (!row.getColumn(columns.goal_met).isNull()) table.has_goal = true;
  }
}

}  // namespace

SweepTable read_sweep_table(const std::filesystem::path& database) {
  try {
    SQLite::Database results{database.string(), SQLite::OPEN_READONLY};
    SweepTable table;
    read_head(results, table);
    add_named_input(results, scenario_column, table);
    add_named_input(results, workload_column, table);
    add_axes(results, table);
    add_size(results, table);
    read_runs(results, table);
    add_objectives(results, table);
    return table;
  } catch (const SQLite::Exception& error) {
    throw ModelError(database.string() + ": " + error.what());
  }
}

}  // namespace weir
