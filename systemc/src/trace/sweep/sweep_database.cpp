// SPDX-License-Identifier: Apache-2.0
#include "weir/trace/sweep/sweep_database.hpp"

#include <SQLiteCpp/SQLiteCpp.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "sweep/sweep_schema.hpp"
#include "sweep/untrusted_database.hpp"
#include "weir/config/files/output_file.hpp"
#include "weir/config/files/result_names.hpp"
#include "weir/config/format/document.hpp"
#include "weir/config/format/reader.hpp"
#include "weir/config/scenario/scenario_file.hpp"
#include "weir/core/errors.hpp"
#include "weir/core/version.hpp"
#include "weir/trace/sweep/sweep_table.hpp"

namespace weir {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t page_bytes = 4096;

std::int64_t number(std::uint64_t value) { return static_cast<std::int64_t>(value); }

// SQLite's error text, as an error of this sweep.
template <class F>
auto guarded(const fs::path& file, F&& f) {
  try {
    return f();
  } catch (const SQLite::Exception& error) {
    throw ModelError(file.string() + ": " + error.what());
  }
}

std::vector<std::string> definitions_of(const Sweep& sweep) {
  std::vector<std::string> tables = sweep_tables();
  tables.push_back(runs_table(sweep_columns(sweep)));
  if (sweep.searched) tables.push_back(size_table());
  return tables;
}

// "32 x 40G": rates of ports and how many have them, the fastest first.
std::string rates_text(const std::map<std::uint64_t, std::size_t>& ports) {
  constexpr std::uint64_t giga = 1'000'000'000;
  std::string text;
  for (auto rate = ports.rbegin(); rate != ports.rend(); ++rate)
    text += (text.empty() ? "" : ", ") + std::to_string(rate->second) + " x " +
            (rate->first % giga == 0 ? std::to_string(rate->first / giga) + "G"
                                     : std::to_string(rate->first) + " bps");
  return text;
}

// "tor is an Arista 7050QX-32": switches of one chip together.
std::string chips_text(const Scenario& scenario) {
  std::map<std::string, std::size_t> chips;
  for (const SwitchSpec& node : scenario.switches) ++chips[node.chip.name];
  std::string text;
  for (const auto& [chip, count] : chips)
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " x " + chip;
  return text;
}

// "300 ns": one-way delays of cables, from the shortest to the longest.
std::string cables_text(const Scenario& scenario) {
  if (scenario.links.empty()) return "none";
  const auto [least, most] =
      std::minmax_element(scenario.links.begin(), scenario.links.end(),
                          [](const LinkSpec& a, const LinkSpec& b) { return a.delay < b.delay; });
  const auto text = [](Picoseconds delay) {
    std::string digits = std::to_string(delay.count() % 1000 + 1000).substr(1);
    digits.erase(digits.find_last_not_of('0') + 1);
    return std::to_string(delay.count() / 1000) + (digits.empty() ? "" : "." + digits) + " ns";
  };
  return least->delay == most->delay ? text(least->delay)
                                     : text(least->delay) + " to " + text(most->delay);
}

// "seeds 1 to 8", "seeds 3, 7, 1, 12 and 4 more"
std::string seeds_text(const std::vector<std::uint64_t>& seeds) {
  constexpr std::size_t max_shown = 4;
  if (seeds.size() == 1) return "seed " + std::to_string(seeds.front());
  bool run = 2 < seeds.size();
  for (std::size_t i = 1; i < seeds.size(); ++i) run = run && seeds[i] == seeds[i - 1] + 1;
  if (run) return "seeds " + std::to_string(seeds.front()) + " to " + std::to_string(seeds.back());
  std::string text = "seeds ";
  for (std::size_t i = 0; i < std::min(seeds.size(), max_shown); ++i)
    text += (i == 0 ? "" : ", ") + std::to_string(seeds[i]);
  return seeds.size() <= max_shown
             ? text
             : text + " and " + std::to_string(seeds.size() - max_shown) + " more";
}

// What a scenario of the sweep is before axes change it; empty where it does not load without them.
std::string scenario_text(const Sweep& sweep, std::size_t index) {
  try {
    std::vector<std::string> set;
    for (const std::vector<SweepSetting>* const list : {&sweep.set, &sweep.scenarios[index].set})
      for (const SweepSetting& setting : *list)
        set.push_back(setting.key + "=" + setting.value.toml);
    const Scenario scenario = load_scenario(sweep.scenarios[index].file, set);
    std::map<std::uint64_t, std::size_t> rates;
    for (const HostSpec& host : scenario.hosts) ++rates[host.rate.count()];
    std::string text = chips_text(scenario) + "; hosts " + rates_text(rates) + "; cables " +
                       cables_text(scenario) + " one way; traffic ";
    for (std::size_t i = 0; i < scenario.traffic.size(); ++i) {
      const TrafficSpec& traffic = scenario.traffic[i];
      const std::size_t senders = traffic.from.size();
      text += (i == 0 ? "" : ", ") + traffic.name + " (from " + std::to_string(senders) +
              (senders == 1 ? " host to " : " hosts to ") + std::to_string(traffic.to.size()) + ")";
    }
    return text + "; " +
           seeds_text(sweep.seeds.empty() ? std::vector<std::uint64_t>{scenario.seed}
                                          : sweep.seeds);
  } catch (const FileError&) {
    return "";
  } catch (const ConfigError&) {
    return "";
  }
}

std::string insertion(const Sweep& sweep) {
  std::string marks = "?";
  for (std::size_t i = 1; i < sweep_columns(sweep).size(); ++i) marks += ",?";
  return "INSERT INTO runs VALUES (" + marks + ")";
}

void bind(SQLite::Statement& statement, int column, const SweepValue& value) {
  if (value.integer)
    statement.bind(column, *value.integer);
  else
    statement.bind(column, value.text);
}

}  // namespace

std::vector<std::string> sweep_columns(const Sweep& sweep) {
  std::vector<std::string> columns = columns_before_axes();
  for (const SweepAxis& axis : sweep.axes) columns.push_back(axis.name);
  columns.insert(columns.end(), columns_after_axes().begin(), columns_after_axes().end());
  const std::vector<std::string> figures = sweep_figures(sweep);
  columns.insert(columns.end(), figures.begin(), figures.end());
  std::set<std::string> seen;  // SQLite ignores the case of names
  for (const std::string& column : columns) {
    std::string name = column;
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    if (!seen.insert(name).second)
      throw FileError{{sweep.file.string(), 0},
                      "name",
                      "\"" + column + "\"",
                      "would name two columns of the results; give the axis or the figure another"};
  }
  return columns;
}

class SweepDatabase::Tables {
 public:
  Tables(const fs::path& file, const Sweep& sweep, const std::string& digest)
      : database_{file.string(),
                  SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE | SQLite::OPEN_NOMUTEX,
                  longest_wait_ms},
        schema_{database_, sweep, digest},
        insert_{database_, insertion(sweep)} {}

  void add(const Sweep& sweep, const SweepPoint& point, const SweepOutcome& outcome) {
    insert_.reset();
    insert_.clearBindings();
    int column = 0;
    insert_.bind(++column, number(point.index));
    insert_.bind(++column, sweep.scenarios[point.scenario].name);
    ++column;
    if (!sweep.workloads.empty()) insert_.bind(column, sweep.workloads[point.workload].name);
    for (std::size_t i = 0; i < sweep.axes.size(); ++i)
      bind(insert_, ++column, sweep.axes[i].values[point.values[i]]);
    ++column;
    if (outcome.ran() || point.seed)
      insert_.bind(column, number(point.seed ? *point.seed : outcome.seed));
    insert_.bind(++column, outcome.ran() ? "ok" : "failed");
    insert_.bind(++column, outcome.exit_code);
    ++column;
    if (!outcome.ran()) insert_.bind(column, outcome.error);
    ++column;
    if (outcome.ran()) insert_.bind(column, outcome.expect_met ? 1 : 0);
    ++column;
    if (outcome.ran() && !sweep.goal.empty()) insert_.bind(column, outcome.goal_met ? 1 : 0);
    for (const std::uint64_t figure : outcome.figures) insert_.bind(++column, number(figure));
    insert_.exec();
  }

  SQLite::Database& database() { return database_; }

 private:
  // SQLite refuses to begin its log while another process reads the file.
  static constexpr int longest_wait_ms = 30'000;

  // Creates the tables before any statement on them is prepared.
  struct Schema {
    Schema(SQLite::Database& database, const Sweep& sweep, const std::string& digest) {
      distrust_schema(database);
      if (is_complete(database)) return;  // no write at all, not even of the header
      database.exec("PRAGMA page_size = " + std::to_string(page_bytes));
      // A commit writes but does not wait for the disk: it survives the end of this process, not of
      // the machine.
      database.exec("PRAGMA journal_mode = WAL");
      database.exec("PRAGMA synchronous = NORMAL");
      if (database.tableExists("runs")) return;
      SQLite::Transaction transaction{database};
      for (const std::string& table : definitions_of(sweep)) database.exec(table);
      SQLite::Statement insert{database, "INSERT INTO sweep VALUES (?,?)"};
      const auto add = [&](const char* key, const auto& value) {
        insert.bind(1, key);
        insert.bind(2, value);
        insert.exec();
        insert.reset();
      };
      add("complete", 0);
      add("description", sweep.description);
      add("digest", digest);
      add("file", read_text(sweep.file, {}, ""));
      add("name", sweep.name);
      add("points", number(sweep.points));
      add("version", std::string{version});
      for (std::size_t i = 0; i < sweep.scenarios.size(); ++i)
        if (const std::string text = scenario_text(sweep, i); !text.empty())
          add((std::string{scenario_key} + sweep.scenarios[i].name).c_str(), text);
      add_axes(database, sweep);
      add_objectives(database, sweep);
      if (sweep.searched) add_distances(database, *sweep.size);
      transaction.commit();
    }

    static bool is_complete(SQLite::Database& database) {
      return database.tableExists("sweep") &&
             database.execAndGet("SELECT value FROM sweep WHERE key = 'complete'").getInt() != 0;
    }

    static void add_axes(SQLite::Database& database, const Sweep& sweep) {
      SQLite::Statement axes{database, "INSERT INTO axes VALUES (?,?,?,?)"};
      SQLite::Statement values{database, "INSERT INTO axis_values VALUES (?,?,?,?)"};
      for (std::size_t n = 0; n < sweep.axes.size(); ++n) {
        const SweepAxis& axis = sweep.axes[n];
        axes.bind(1, number(n));
        axes.bind(2, axis.name);
        axes.bind(3, joined(axis.keys));
        axes.bind(4, axis.sampled ? 1 : 0);
        axes.exec();
        axes.reset();
        for (std::size_t i = 0; i < axis.values.size(); ++i) {
          values.bind(1, axis.name);
          values.bind(2, number(i));
          bind(values, 3, axis.values[i]);
          values.bind(4, axis.values[i].magnitude);
          values.exec();
          values.reset();
        }
      }
    }

    static void add_distances(SQLite::Database& database, const SweepSize& size) {
      SQLite::Statement insert{database, "INSERT INTO size_distances VALUES (?,?)"};
      for (std::size_t steps = 0; steps < size.distances.size(); ++steps) {
        insert.bind(1, number(steps));
        insert.bind(2, size.distances[steps]);
        insert.exec();
        insert.reset();
      }
    }

    static void add_objectives(SQLite::Database& database, const Sweep& sweep) {
      SQLite::Statement insert{database, "INSERT INTO objectives VALUES (?,?,?,?)"};
      for (std::size_t n = 0; n < sweep.pareto.size(); ++n) {
        insert.bind(1, number(n));
        insert.bind(2, sweep.pareto[n].name);
        insert.bind(3, sweep_column_of(sweep, sweep.pareto[n].name));
        insert.bind(4, sweep.pareto[n].most ? "most" : "least");
        insert.exec();
        insert.reset();
      }
    }
  };

  SQLite::Database database_;
  Schema schema_;
  SQLite::Statement insert_;
};

SweepDatabase::SweepDatabase(fs::path file, const Sweep& sweep, const std::string& digest)
    : file_{std::move(file)}, sweep_{sweep} {
  try {
    errno = 0;
    tables_ = std::make_unique<Tables>(file_, sweep, digest);
  } catch (const SQLite::Exception& error) {  // which does not say why a file cannot be opened
    const std::string why = errno == 0 ? "" : ": " + std::generic_category().message(errno);
    throw ModelError(file_.string() + ": " + error.what() + why);
  }
}

SweepDatabase::~SweepDatabase() = default;

void SweepDatabase::add(const SweepPoint& point, const SweepOutcome& outcome) {
  guarded(file_, [&] { tables_->add(sweep_, point, outcome); });
}

std::vector<std::uint64_t> SweepDatabase::finished() const {
  return guarded(file_, [&] {
    std::vector<std::uint64_t> points;
    SQLite::Statement select{tables_->database(), "SELECT point FROM runs ORDER BY point"};
    while (select.executeStep())
      points.push_back(static_cast<std::uint64_t>(select.getColumn(0).getInt64()));
    return points;
  });
}

SweepDatabase::Counts SweepDatabase::counts() const {
  return guarded(file_, [&] {
    SQLite::Statement select{tables_->database(),
                             "SELECT count(*), coalesce(sum(status = 'failed'), 0),"
                             " coalesce(sum(expect_met = 0), 0), coalesce(sum(goal_met = 1), 0)"
                             " FROM runs"};
    select.executeStep();
    const auto at = [&](int column) {
      return static_cast<std::uint64_t>(select.getColumn(column).getInt64());
    };
    return Counts{at(0), at(1), at(2), at(3)};
  });
}

std::vector<std::pair<std::string, std::uint64_t>> SweepDatabase::errors(unsigned most) const {
  return guarded(file_, [&] {
    std::vector<std::pair<std::string, std::uint64_t>> list;
    SQLite::Statement select{tables_->database(),
                             "SELECT error, count(*) AS times FROM runs WHERE status = 'failed'"
                             " GROUP BY error ORDER BY times DESC, min(point) LIMIT ?"};
    select.bind(1, number(most));
    while (select.executeStep())
      list.emplace_back(select.getColumn(0).getString(),
                        static_cast<std::uint64_t>(select.getColumn(1).getInt64()));
    return list;
  });
}

namespace {

// SQLite would read a log that is left with the file that takes the place of this one. Who has the
// file open keeps both as they are.
void remove_log(const fs::path& file) {
  for (const char* const ending : {result_names::log_ending, result_names::index_ending}) {
    std::error_code none;
    fs::remove(file.string() + ending, none);
  }
}

}  // namespace

void SweepDatabase::close(bool complete) {
  guarded(file_, [&] {
    std::optional<OutputFile> sorted;
    if (complete) {
      sorted.emplace("--out", file_, NamedBy::program);
      SQLite::Database& database = tables_->database();
      database.exec("UPDATE sweep SET value = 1 WHERE key = 'complete'");
      // Rows are in the order in which runs ended; the copy has them in the order of the points.
      SQLite::Statement copy{database, "VACUUM INTO ?"};
      copy.bind(1, sorted->path_for_library().string());
      copy.exec();
      database.exec("PRAGMA wal_checkpoint(TRUNCATE)");  // all in the file before its log goes
    }
    tables_.reset();  // takes the write-ahead log away, unless others have the file open
    if (!sorted) return;
    remove_log(file_);
    sorted->commit();
  });
}

namespace {

// SQLite makes the file before it has any table: a page at most.
// A process that was killed while SQLite made the file: its first page, and how to undo it.
bool is_hardly_begun(const fs::path& file) {
  std::error_code error;
  const bool small = fs::file_size(file, error) <= page_bytes && !error;
  return small && fs::is_regular_file(file.string() + result_names::journal_ending, error);
}

SweepDatabase::Found found_in(UntrustedDatabase& file) {
  return file.query([&](SQLite::Database& database) {
    SweepDatabase::Found found;
    SQLite::Statement select{database, "SELECT key, value FROM sweep"};
    while (select.executeStep()) {
      const std::string key = file.text(select, 0);
      if (key == "digest") found.digest = file.text(select, 1);
      if (key == "complete") found.complete = file.flag(select, 1);
      if (key == "points") found.points = file.count(select, 1);
    }
    SQLite::Statement rows{database, "SELECT count(*) FROM runs"};
    rows.executeStep();
    found.rows = file.count(rows, 0);
    return found;
  });
}

}  // namespace

SweepDatabase::Found SweepDatabase::look_at(const fs::path& file) {
  try {
    UntrustedDatabase database{file, is_sweep_table};
    return found_in(database);
  } catch (const ConfigError&) {
    return {};  // no results of a sweep
  }
}

bool SweepDatabase::may_resume(const fs::path& file, const Sweep& sweep,
                               const std::string& digest) {
  std::error_code ignored;  // rows would go where the link leads
  if (fs::is_symlink(file, ignored))
    throw FileError{{file.string(), 0}, "", "", "must be a regular file, this is a link"};
  if (is_hardly_begun(file)) return false;
  UntrustedDatabase database{file, is_sweep_table};
  if (database.tables().empty()) return false;
  static_cast<void>(read_sweep_table(file));
  const Found found = found_in(database);
  if (found.digest != digest)
    throw FileError{{file.string(), 0},
                    "",
                    "",
                    "holds another sweep: the sweep file, or one that it names, has changed since; "
                    "name another --out, or leave --resume out"};
  if (found.points != sweep.points ||
      columns_of_runs(database.tables().at("runs")) != sweep_columns(sweep))
    database.refuse("has other points or columns than its sweep");
  return true;
}

namespace {

void add_field(std::string& line, const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos)
    line += text;
  else
    line += sql_name(text);  // CSV and SQL quote alike
}

}  // namespace

void export_sweep_csv(const fs::path& database, OutputFile& csv) {
  guarded(database, [&] {
    SQLite::Database results{database.string(), SQLite::OPEN_READONLY};
    SQLite::Statement select{results, "SELECT * FROM runs ORDER BY point"};
    std::string line;
    for (int i = 0; i < select.getColumnCount(); ++i) {
      line += i == 0 ? "" : ",";
      add_field(line, select.getColumnName(i));
    }
    csv.write(line + "\n");
    while (select.executeStep()) {
      line.clear();
      for (int i = 0; i < select.getColumnCount(); ++i) {
        line += i == 0 ? "" : ",";
        add_field(line, select.getColumn(i).getString());
      }
      csv.write(line + "\n");
    }
  });
}

}  // namespace weir
