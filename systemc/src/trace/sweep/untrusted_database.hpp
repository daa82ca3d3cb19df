// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>

namespace weir {

/// A database that this program wrote once and that others may have changed since, opened for
/// reading: it is a regular file, holds nothing but tables that `is_ours` knows (so no view,
/// trigger, virtual table or other code), and its pages are whole. Queries end after a number of
/// steps that grows with the size of the file. A file without any table is an empty database.
///
/// Errors: FileError about the file when it is anything else.
class UntrustedDatabase {
 public:
  /// Whether the program writes a table of this name by this text (CREATE TABLE ...).
  using IsOurs = std::function<bool(const std::string& name, const std::string& text)>;

  UntrustedDatabase(const std::filesystem::path& file, const IsOurs& is_ours);
  UntrustedDatabase(const UntrustedDatabase&) = delete;
  UntrustedDatabase& operator=(const UntrustedDatabase&) = delete;

  /// Text of each table, by name.
  [[nodiscard]] const std::map<std::string, std::string>& tables() const { return tables_; }
  /// Calls `read` with the connection; what SQLite throws becomes an error of the file.
  template <class F>
  auto query(F&& read) {
    return guarded([&] { return read(database_); });
  }

  // Values of the current row, of the type that the program writes.
  [[nodiscard]] std::string text(SQLite::Statement& row, int column) const;
  [[nodiscard]] std::int64_t integer(SQLite::Statement& row, int column) const;
  /// Not negative.
  [[nodiscard]] std::uint64_t count(SQLite::Statement& row, int column) const;
  /// 0 or 1.
  [[nodiscard]] bool flag(SQLite::Statement& row, int column) const;

  /// The file is not what the program writes: `what` says in which way.
  [[noreturn]] void refuse(const std::string& what) const;

 private:
  template <class F>
  auto guarded(F&& f) {
    try {
      return f();
    } catch (const SQLite::Exception& error) {
      refuse_because(error);
    }
  }
  [[noreturn]] void refuse_because(const SQLite::Exception& error) const;
  SQLite::Database opened() const;
  void limit_work();
  void check_tables(const IsOurs& is_ours);
  void check_pages();

  const std::filesystem::path file_;
  std::uint64_t steps_left_{0};  // in units of steps_between_looks
  SQLite::Database database_;
  std::map<std::string, std::string> tables_;
};

/// For a connection that writes: no code of the schema runs that could reach beyond the database.
void distrust_schema(SQLite::Database& database);

}  // namespace weir
