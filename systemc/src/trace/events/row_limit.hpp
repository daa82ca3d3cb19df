// SPDX-License-Identifier: Apache-2.0
// A bound for a database that grows as long as a run does.
#pragma once
#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "weir/core/units.hpp"

namespace weir {

/// Cells of rows, one after the other.
using Cells64 = std::vector<std::int64_t>;

/// Keeps the first and the last rows of a database that would become too large, and leaves out one
/// interval of time between them, the same for all tables of events.
///
/// What fills the first half of the limit stays. Then, whenever the limit is reached, the oldest
/// rows after that half go, a batch at a time: so the cost of a row is constant, and no call takes
/// long. Pages that become free are used again.
///
/// Range:  the limit is more than the last two batches of all tables, which always stay. The file
///         may exceed it by a batch, which is written before another one goes.
/// Errors: SQLite::Exception.
class RowLimit {
 public:
  RowLimit(SQLite::Database& database, Bytes limit);

  /// A table of events, as it exists: its first column is the time, `time_ps`, and its rows are
  /// written nearly in that order.
  void add_table(std::size_t number, const std::string& name, std::size_t columns);
  /// Rows that are in the database now. Without effect for a table that was not added.
  void written(std::size_t number, const Cells64& cells);
  /// After the last row: of the interval that is left out nothing remains.
  void finish();

  /// The interval: rows are left out whose time is after `after` and not after `until`.
  struct Interval {
    std::int64_t after, until;
  };
  [[nodiscard]] std::optional<Interval> left_out() const noexcept;
  /// Rows that are left out, by the names of the tables that they are missing in.
  [[nodiscard]] std::map<std::string, std::uint64_t> rows_left_out() const;

 private:
  /// A batch after the first half, as SQLite has numbered its rows.
  struct Batch {
    std::int64_t first_row, last_row, earliest, latest;
  };
  struct Table {
    std::string name;
    std::size_t columns;
    SQLite::Statement remove;
    std::deque<Batch> batches;
    std::uint64_t left_out{0};
  };

  [[nodiscard]] bool holds_more_than(std::uint64_t bytes);
  bool remove_oldest();
  void remove(Table& table, const Batch& batch);

  SQLite::Database& database_;
  const std::uint64_t limit_, page_bytes_;
  SQLite::Statement pages_, free_pages_;
  std::map<std::size_t, Table> tables_;  // by number
  std::int64_t latest_{0};               // of all rows
  std::optional<std::int64_t> after_, until_;
};

}  // namespace weir
