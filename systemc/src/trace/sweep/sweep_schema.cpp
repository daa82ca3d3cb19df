// SPDX-License-Identifier: Apache-2.0
#include "sweep/sweep_schema.hpp"

#include <algorithm>
#include <string_view>

namespace weir {
namespace {

constexpr std::string_view runs_opening = "CREATE TABLE runs (";

// The name that begins with a quote at `at`, which moves to its end; nothing where none is.
std::optional<std::string> take_name(std::string_view text, std::size_t& at) {
  if (text.size() <= at || text[at] != '"') return std::nullopt;
  std::string name;
  for (++at; at < text.size(); ++at) {
    if (text[at] != '"') {
      name += text[at];
      continue;
    }
    ++at;
    if (text.size() <= at || text[at] != '"') return name;
    name += '"';
  }
  return std::nullopt;
}

}  // namespace

const std::vector<std::string>& sweep_tables() {
  static const std::vector<std::string> tables{
      "CREATE TABLE sweep (key TEXT PRIMARY KEY, value) WITHOUT ROWID",
      "CREATE TABLE axes (number INTEGER PRIMARY KEY, axis TEXT, keys TEXT, sampled INTEGER)",
      "CREATE TABLE axis_values (axis TEXT, number INTEGER, value, magnitude INTEGER)",
      "CREATE TABLE objectives (number INTEGER PRIMARY KEY, name TEXT, figure TEXT, best TEXT)"};
  return tables;
}

const std::string& size_table() {
  static const std::string table =
      "CREATE TABLE size_distances (steps INTEGER PRIMARY KEY, distance TEXT)";
  return table;
}

std::string runs_table(const std::vector<std::string>& columns) {
  std::string text{runs_opening};
  for (std::size_t i = 0; i < columns.size(); ++i)
    text += (i == 0 ? "" : ", ") + sql_name(columns[i]) + (i == 0 ? " INTEGER PRIMARY KEY" : "");
  return text + ")";
}

// Inputs first, then the outcome of the run, then its figures.
const std::vector<std::string>& columns_before_axes() {
  static const std::vector<std::string> columns{"point", "scenario", "workload"};
  return columns;
}
const std::vector<std::string>& columns_after_axes() {
  static const std::vector<std::string> columns{"seed",  "status",     "exit_code",
                                                "error", "expect_met", "goal_met"};
  return columns;
}

bool is_sweep_table(const std::string& name, const std::string& text) {
  const std::string opening = "CREATE TABLE " + name + " (";
  if (text.compare(0, opening.size(), opening) != 0) return false;
  const std::vector<std::string>& tables = sweep_tables();
  return text == size_table() || std::find(tables.begin(), tables.end(), text) != tables.end() ||
         columns_of_runs(text).has_value();
}

std::optional<std::vector<std::string>> columns_of_runs(const std::string& text) {
  std::vector<std::string> columns;
  for (std::size_t at = runs_opening.size(); at < text.size();) {
    std::optional<std::string> name = take_name(text, at);
    if (!name) return std::nullopt;
    columns.push_back(std::move(*name));
    const std::size_t next = text.find('"', at);
    at = next == std::string::npos ? text.size() : next;
  }
  if (columns.empty() || runs_table(columns) != text) return std::nullopt;
  return columns;
}

std::string sql_name(const std::string& name) {
  std::string text = "\"";
  for (const char letter : name) text += letter == '"' ? std::string{"\"\""} : std::string{letter};
  return text + "\"";
}

}  // namespace weir
