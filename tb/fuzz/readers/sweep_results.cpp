// SPDX-License-Identifier: Apache-2.0
// sweep.sqlite: the octets of the file, where they begin as SQLite's do; else SQL that changes the
// results of a small sweep, as one may with a database of one's own.
#include <SQLiteCpp/SQLiteCpp.h>
#include <sqlite3.h>

#include <array>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/oracle.hpp"
#include "fuzz/reader_table.hpp"
#include "fuzz/scratch.hpp"
#include "html/sweep_page.hpp"
#include "sweep/sweep_schema.hpp"
#include "weir/trace/sweep/sweep_table.hpp"

namespace weir::fuzz {
namespace {

namespace fs = std::filesystem;

// Four runs of an axis with two values and two seeds.
constexpr const char* rows = R"(
INSERT INTO sweep VALUES ('complete', 1), ('description', 'small'), ('digest', '0123'),
  ('file', ''), ('name', 'small'), ('points', 4), ('version', '0');
INSERT INTO axes VALUES (0, 'alpha', 'switch.tor.profile.lossless.alpha', 0);
INSERT INTO axis_values VALUES ('alpha', 0, '1/16', 0), ('alpha', 1, '1/4', 0);
INSERT INTO objectives VALUES (0, 'memory', 'memory_bytes', 'least'), (1, 'drops', 'drops', 'least');
INSERT INTO runs VALUES
  (0, 's', NULL, '1/16', 1, 'ok', 0, NULL, 1, 1, 1000000, 12000000, 0, 40000),
  (1, 's', NULL, '1/16', 2, 'ok', 0, NULL, 1, 0, 1000000, 12000000, 3, 50000),
  (2, 's', NULL, '1/4', 1, 'ok', 0, NULL, 0, 1, 1000000, 12000000, 0, 0),
  (3, 's', NULL, '1/4', 2, 'failed', 2, 'no pool', NULL, NULL, NULL, NULL, NULL, NULL);
)";

std::string bytes_of(const fs::path& file) {
  std::ifstream in{file, std::ios::binary};
  return {std::istreambuf_iterator<char>{in}, {}};
}

std::string make_sweep() {
  const fs::path file = Scratch::folder().file("made.sqlite", "");
  {
    SQLite::Database database{file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE};
    database.exec("PRAGMA page_size = 512");
    for (const std::string& table : sweep_tables()) database.exec(table);
    std::vector<std::string> columns = columns_before_axes();
    columns.emplace_back("alpha");
    columns.insert(columns.end(), columns_after_axes().begin(), columns_after_axes().end());
    columns.insert(columns.end(), {"time_ps", "memory_bytes", "drops", "pause_time_ps"});
    database.exec(runs_table(columns));
    database.exec(rows);
  }
  return bytes_of(file);
}

// SQL of an input reaches this one database only, and its settings that a file keeps.
int authorize(void*, int action, const char* first, const char*, const char*, const char*) {
  if (action == SQLITE_ATTACH || action == SQLITE_DETACH) return SQLITE_DENY;
  if (action != SQLITE_PRAGMA) return SQLITE_OK;
  const std::string_view pragma = first == nullptr ? "" : first;
  for (const std::string_view kept : {"writable_schema", "user_version", "application_id"})
    if (pragma == kept) return SQLITE_OK;
  return SQLITE_DENY;
}

// Ends the statements of an input, not those of the reader.
int give_up(void*) { return 1; }

void change(const fs::path& file, const std::string& sql) {
  constexpr int max_steps = 200'000, longest = 100'000;
  try {
    SQLite::Database database{file.string(), SQLite::OPEN_READWRITE};
    sqlite3* const handle = database.getHandle();
    sqlite3_set_authorizer(handle, authorize, nullptr);
    sqlite3_progress_handler(handle, max_steps, give_up, nullptr);
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, longest);
    database.exec(sql);
  } catch (const SQLite::Exception&) {
    // What was changed before the error is what is read.
  }
}

fs::path database_of(std::string_view input) {
  static const std::string made = make_sweep();
  constexpr std::string_view magic = "SQLite format 3";
  if (input.substr(0, magic.size()) == magic) return Scratch::folder().file("sweep.sqlite", input);
  fs::path file = Scratch::folder().file("sweep.sqlite", made);
  change(file, std::string{input});
  return file;
}

}  // namespace

void read_sweep_results(std::string_view input) {
  const fs::path file = database_of(input);
  std::optional<SweepTable> table;
  if (taken([&] { table = read_sweep_table(file); })) {
    const SweepPage page = make_sweep_page({*table});
    require(page.html.find("</html>") != std::string::npos, "a page without an end");
    for (const auto& [name, picture] : page.pictures)
      require(picture.find("</svg>") != std::string::npos, "a picture without an end: " + name);
  }
  for (const char* const left : {"-wal", "-shm", "-journal"}) fs::remove(file.string() + left);
}

}  // namespace weir::fuzz
