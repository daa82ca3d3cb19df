// SPDX-License-Identifier: Apache-2.0
#include "weir/trace/sweep/sweep_table.hpp"

#include <SQLiteCpp/SQLiteCpp.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "sweep/sweep_schema.hpp"
#include "sweep/untrusted_database.hpp"

namespace weir {
namespace {

// Reads a sweep.sqlite that others may have changed: each value has the type, and the range, that
// SweepDatabase gives it.
class SweepTableReader {
 public:
  explicit SweepTableReader(const std::filesystem::path& file) : file_{file, is_sweep_table} {
    for (const std::string& text : sweep_tables()) {
      const std::string name = text.substr(13, text.find(' ', 13) - 13);  // CREATE TABLE name
      if (file_.tables().count(name) == 0) file_.refuse("has no table \"" + name + "\"");
    }
    if (file_.tables().count("runs") == 0) file_.refuse("has no table \"runs\"");
    columns_ = *columns_of_runs(file_.tables().at("runs"));
  }

  SweepTable read() {
    return file_.query([this](SQLite::Database& database) {
      read_head(database);
      add_named_input(database, "scenario");
      add_named_input(database, "workload");
      add_axes(database);
      add_size(database);
      add_figures();
      read_runs(database);
      add_objectives(database);
      return std::move(table_);
    });
  }

 private:
  void read_head(SQLite::Database& database) {
    bool has_name = false, has_points = false;
    SQLite::Statement row{database, "SELECT key, value FROM sweep ORDER BY key"};
    while (row.executeStep()) {
      const std::string key = file_.text(row, 0);
      if (key == "description") table_.description = file_.text(row, 1);
      if (key == "version") table_.version = file_.text(row, 1);
      if (key == "file") table_.file = file_.text(row, 1);
      if (key.compare(0, scenario_key.size(), scenario_key) == 0)
        table_.scenarios.push_back(key.substr(scenario_key.size()) + ": " + file_.text(row, 1));
      if (key == "name") {
        table_.name = file_.text(row, 1);
        has_name = true;
      }
      if (key == "points") {
        table_.points = file_.count(row, 1);
        has_points = true;
      }
    }
    if (!has_name) file_.refuse("does not name its sweep");
    if (!has_points) file_.refuse("does not say how many points its sweep has");
  }

  // Scenarios or workloads, in the order of their points.
  void add_named_input(SQLite::Database& database, const char* column) {
    SweepInput input;
    input.name = column;
    SQLite::Statement row{database, "SELECT " + input.name + " FROM runs WHERE " + input.name +
                                        " NOT NULL GROUP BY 1 ORDER BY min(point)"};
    while (row.executeStep()) input.levels.push_back(file_.text(row, 0));
    if (!input.levels.empty()) table_.inputs.push_back(std::move(input));
  }

  void add_axes(SQLite::Database& database) {
    SQLite::Statement axes{database, "SELECT axis, sampled FROM axes ORDER BY number"};
    while (axes.executeStep()) {
      SweepInput input;
      input.name = file_.text(axes, 0);
      input.sampled = file_.flag(axes, 1);
      // Samples are in random order, so they are sorted by magnitude.
      SQLite::Statement value{
          database, std::string{"SELECT value FROM axis_values WHERE axis = ?"} + " ORDER BY " +
                        (input.sampled ? "magnitude" : "number")};
      value.bind(1, input.name);
      while (value.executeStep()) {
        std::string text = level_at(value, 0);
        if (input.levels.empty() || input.levels.back() != text)
          input.levels.push_back(std::move(text));
      }
      if (input.levels.empty()) file_.refuse("has no value of the axis \"" + input.name + "\"");
      axes_.push_back(input.name);
      table_.inputs.push_back(std::move(input));
    }
  }
  [[nodiscard]] std::string level_at(SQLite::Statement& row, int column) const {
    const SQLite::Column value = row.getColumn(column);
    return value.isInteger() ? value.getString() : file_.text(row, column);
  }

  // A database of `weir sweep` has no such table.
  void add_size(SQLite::Database& database) {
    if (file_.tables().count("size_distances") == 0) return;
    if (axes_.empty()) file_.refuse("is that of a search without a key");
    table_.size_input = table_.inputs.size() - 1;  // the axis after all others
    SQLite::Statement row{database, "SELECT distance FROM size_distances ORDER BY steps"};
    while (row.executeStep()) table_.size_distances.push_back(file_.text(row, 0));
    if (table_.size_distances.size() < table_.inputs.back().levels.size())
      file_.refuse("has fewer rows of \"size_distances\" than the search has values");
  }

  // What is not there by the axes is a figure; the figures are the last columns.
  void add_figures() {
    std::vector<std::string> expected = columns_before_axes();
    expected.insert(expected.end(), axes_.begin(), axes_.end());
    expected.insert(expected.end(), columns_after_axes().begin(), columns_after_axes().end());
    if (columns_.size() < expected.size() ||
        !std::equal(expected.begin(), expected.end(), columns_.begin()))
      file_.refuse("has other columns in \"runs\" than the axes of its sweep");
    first_figure_ = expected.size();
    table_.figures.assign(columns_.begin() + static_cast<std::ptrdiff_t>(first_figure_),
                          columns_.end());
  }

  void add_objectives(SQLite::Database& database) {
    SQLite::Statement row{database, "SELECT name, figure, best FROM objectives ORDER BY number"};
    while (row.executeStep()) {
      const std::string column = file_.text(row, 1), best = file_.text(row, 2);
      const auto figure = std::find(table_.figures.begin(), table_.figures.end(), column);
      if (figure == table_.figures.end())
        file_.refuse("has the objective \"" + column + "\", which is not a figure of its runs");
      if (best != "most" && best != "least")
        file_.refuse("has an objective that is best at \"" + best + "\"");
      table_.objectives.push_back({name_of_objective(file_.text(row, 0)),
                                   static_cast<std::size_t>(figure - table_.figures.begin()),
                                   best == "most"});
    }
  }

  // What is chosen and what is measured may have one name, such as memory.
  [[nodiscard]] std::string name_of_objective(const std::string& name) const {
    const bool taken = std::any_of(table_.inputs.begin(), table_.inputs.end(),
                                   [&](const SweepInput& input) { return input.name == name; });
    return taken ? name + " (figure)" : name;
  }

  [[nodiscard]] int place_of(const std::string& column) const {
    return static_cast<int>(std::find(columns_.begin(), columns_.end(), column) - columns_.begin());
  }

  void read_runs(SQLite::Database& database) {
    point_ = place_of("point");
    status_ = place_of("status");
    error_ = place_of("error");
    goal_met_ = place_of("goal_met");
    std::vector<int> places;
    std::vector<std::map<std::string, std::size_t>> level_of;
    for (const SweepInput& input : table_.inputs) {
      places.push_back(place_of(input.name));
      level_of.emplace_back();
      for (std::size_t level = 0; level < input.levels.size(); ++level)
        level_of.back().emplace(input.levels[level], level);
    }
    SQLite::Statement row{database, "SELECT * FROM runs ORDER BY point"};
    const int scenario = place_of("scenario");
    while (row.executeStep()) {
      static_cast<void>(file_.text(row, scenario));  // every run has one
      std::vector<std::size_t> levels;
      for (std::size_t i = 0; i < places.size(); ++i) {
        const auto level = level_of[i].find(level_at(row, places[i]));
        if (level == level_of[i].end())
          file_.refuse("has a run with an unknown value of \"" + table_.inputs[i].name + "\"");
        levels.push_back(level->second);
      }
      add_run(row, std::move(levels));
    }
  }

  void add_run(SQLite::Statement& row, std::vector<std::size_t> levels) {
    const std::uint64_t point = file_.count(row, point_);
    if (table_.points <= point)
      file_.refuse("has a run of point " + std::to_string(point) + " of " +
                   std::to_string(table_.points));
    // Seeds change fastest, so runs of a case are adjacent.
    if (table_.cases.empty() || table_.cases.back().levels != levels) {
      table_.cases.emplace_back();
      table_.cases.back().point = point;
      table_.cases.back().levels = std::move(levels);
    }
    ++table_.runs;
    if (!row.getColumn(goal_met_).isNull()) table_.has_goal = true;
    const std::string status = file_.text(row, status_);
    if (status == "ok") return add_figures_of(row, table_.cases.back());
    if (status != "failed") file_.refuse("has a run whose status is \"" + status + "\"");
    ++table_.failed;
    SweepCase& group = table_.cases.back();
    ++group.runs;
    if (group.failed++ == 0) group.error = file_.text(row, error_);
    group.goal_met = false;
  }

  void add_figures_of(SQLite::Statement& row, SweepCase& group) {
    const bool first = group.runs++ == 0;
    const bool met = !row.getColumn(goal_met_).isNull() && file_.flag(row, goal_met_);
    group.goal_met = first ? met : group.goal_met && met;
    group.figures.resize(table_.figures.size());
    for (std::size_t i = 0; i < group.figures.size(); ++i) {
      // All 64 bits count: SQLite has no unsigned integers.
      const auto value =
          static_cast<std::uint64_t>(file_.integer(row, static_cast<int>(first_figure_ + i)));
      SeedSpread& spread = group.figures[i];
      spread.add(value);
    }
  }

  UntrustedDatabase file_;
  SweepTable table_;
  std::vector<std::string> columns_, axes_;
  std::size_t first_figure_{0};
  int point_{0}, status_{0}, error_{0}, goal_met_{0};
};

}  // namespace

// Welford's sums: no large numbers are subtracted from each other.
void SeedSpread::add(std::uint64_t value) noexcept {
  least = runs == 0 ? value : std::min(least, value);
  most = std::max(most, value);
  ++runs;
  const double distance = static_cast<double>(value) - mean;
  mean += distance / static_cast<double>(runs);
  squares += distance * (static_cast<double>(value) - mean);
}

double SeedSpread::half_interval() const noexcept {
  // Student's t for 95 %, two-sided, by degrees of freedom from 1.
  constexpr std::array<double, 30> quantiles{
      12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
      2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
      2.080,  2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042};
  constexpr double of_many = 1.960;
  if (runs < 2) return 0;
  const std::uint64_t freedom = runs - 1;
  const double t = freedom <= quantiles.size() ? quantiles[freedom - 1] : of_many;
  return t * std::sqrt(squares / static_cast<double>(freedom) / static_cast<double>(runs));
}

SweepTable read_sweep_table(const std::filesystem::path& database) {
  return SweepTableReader{database}.read();
}

}  // namespace weir
