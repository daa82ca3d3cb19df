// SPDX-License-Identifier: Apache-2.0
#include "sweep/untrusted_database.hpp"

#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "weir/config/files/result_names.hpp"
#include "weir/config/format/node.hpp"

namespace weir {
namespace {

constexpr std::uintmax_t max_database_bytes = std::uintmax_t{64} << 30;
constexpr int max_value_bytes = 1 << 28;
constexpr int max_schema_rows = 64;
constexpr int steps_between_looks = 1000;
// Of SQLite's byte code: our queries need a few a value, and a value is a byte or more.
constexpr std::uint64_t steps_for_any_file = 10'000'000, steps_a_byte = 100;

[[noreturn]] void refuse_file(const std::filesystem::path& file, const std::string& what) {
  throw FileError{Origin{file.string(), 0}, "", "", what};
}

// SQLite does not say why it cannot open a file.
void check_readable(const std::filesystem::path& file) {
  const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0)
    refuse_file(file, "cannot be read: " + std::generic_category().message(errno));
  close(descriptor);
}

// SQLite opens these files, too, and a device or a pipe may have no end.
void check_regular(const std::filesystem::path& file) {
  for (const char* const ending :
       {"", result_names::log_ending, result_names::index_ending, result_names::journal_ending}) {
    const std::filesystem::path part{file.string() + ending};
    std::error_code error;
    const auto status = std::filesystem::status(part, error);
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
      refuse_file(part, "must be a regular file");
  }
  check_readable(file);
}

int look(void* steps_left) {
  auto& left = *static_cast<std::uint64_t*>(steps_left);
  if (left == 0) return 1;  // ends the query
  --left;
  return 0;
}

}  // namespace

void distrust_schema(SQLite::Database& database) {
  sqlite3* const handle = database.getHandle();
  for (const int option : {SQLITE_DBCONFIG_TRUSTED_SCHEMA, SQLITE_DBCONFIG_ENABLE_TRIGGER,
                           SQLITE_DBCONFIG_ENABLE_VIEW, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION})
    sqlite3_db_config(handle, option, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
}

UntrustedDatabase::UntrustedDatabase(const std::filesystem::path& file, const IsOurs& is_ours)
    : file_{file}, database_{opened()} {
  limit_work();
  guarded([&] {
    check_tables(is_ours);
    check_pages();
  });
}

SQLite::Database UntrustedDatabase::opened() const {
  check_regular(file_);
  try {
    // From the root: SQLite gives names such as ":memory:" a meaning of their own.
    return SQLite::Database{std::filesystem::absolute(file_).string(), SQLite::OPEN_READONLY};
  } catch (const SQLite::Exception& error) {
    refuse_because(error);
  }
}

void UntrustedDatabase::limit_work() {
  std::error_code error;
  std::uintmax_t bytes = std::filesystem::file_size(file_, error);
  if (error) refuse("cannot be read: " + error.message());
  // Rows of a sweep that was killed are in the write-ahead log.
  const std::uintmax_t log_bytes =
      std::filesystem::file_size(file_.string() + result_names::log_ending, error);
  if (!error) bytes += log_bytes;
  if (max_database_bytes < bytes) refuse("is larger than 64 GiB");
  distrust_schema(database_);
  sqlite3* const handle = database_.getHandle();
  sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, max_value_bytes);
  sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_limit(handle, SQLITE_LIMIT_TRIGGER_DEPTH, 0);
  sqlite3_limit(handle, SQLITE_LIMIT_EXPR_DEPTH, 100);
  steps_left_ = (steps_for_any_file + steps_a_byte * bytes) / steps_between_looks;
  sqlite3_progress_handler(handle, steps_between_looks, look, &steps_left_);
}

void UntrustedDatabase::check_tables(const IsOurs& is_ours) {
  SQLite::Statement row{database_, "SELECT type, name, sql FROM sqlite_schema LIMIT ?"};
  row.bind(1, max_schema_rows);
  while (row.executeStep()) {
    const std::string type = row.getColumn(0).getString(), name = row.getColumn(1).getString();
    std::string text = row.getColumn(2).getString();
    if (type != "table" || !is_ours(name, text))
      refuse("holds the " + type + " \"" + name + "\", which no sweep writes");
    if (!tables_.emplace(name, std::move(text)).second)
      refuse("holds the table \"" + name + "\" twice");
  }
}

void UntrustedDatabase::check_pages() {
  SQLite::Statement check{database_, "PRAGMA quick_check(1)"};
  const std::string found = check.executeStep() ? check.getColumn(0).getString() : "no answer";
  if (found != "ok") refuse("is damaged: " + found);
}

std::string UntrustedDatabase::text(SQLite::Statement& row, int column) const {
  const SQLite::Column value = row.getColumn(column);
  if (!value.isText())
    refuse("holds a value that is not text in the column " + std::string{value.getName()});
  return value.getString();
}

std::int64_t UntrustedDatabase::integer(SQLite::Statement& row, int column) const {
  const SQLite::Column value = row.getColumn(column);
  if (!value.isInteger())
    refuse("holds a value that is not an integer in the column " + std::string{value.getName()});
  return value.getInt64();
}

std::uint64_t UntrustedDatabase::count(SQLite::Statement& row, int column) const {
  const std::int64_t value = integer(row, column);
  if (value < 0)
    refuse("holds " + std::to_string(value) + " in the column " + row.getColumn(column).getName());
  return static_cast<std::uint64_t>(value);
}

bool UntrustedDatabase::flag(SQLite::Statement& row, int column) const {
  const std::uint64_t value = count(row, column);
  if (1 < value)
    refuse("holds " + std::to_string(value) + " in the column " + row.getColumn(column).getName() +
           ", which is 0 or 1");
  return value == 1;
}

void UntrustedDatabase::refuse(const std::string& what) const {
  refuse_file(file_, what + "; must be as weir sweep or weir size of this version writes it");
}

void UntrustedDatabase::refuse_because(const SQLite::Exception& error) const {
  if (error.getErrorCode() == SQLITE_INTERRUPT)
    refuse("takes more steps to read than a file of its size needs");
  refuse(std::string{"cannot be read: "} + error.what());
}

}  // namespace weir
