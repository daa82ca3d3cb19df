// SPDX-License-Identifier: Apache-2.0
// Fast insertion of rows into SQLite: in batches, by a separate thread.
#pragma once
#include <SQLiteCpp/SQLiteCpp.h>

#include <array>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_set>
#include <vector>

#include "row_limit.hpp"
#include "weir/core/units.hpp"

namespace weir {

/// SQLite's integers are signed.
[[nodiscard]] constexpr std::int64_t sqlite_integer(std::uint64_t value) noexcept {
  return static_cast<std::int64_t>(value);
}
template <class Tag, class Rep>
[[nodiscard]] constexpr std::int64_t sqlite_integer(Quantity<Tag, Rep> quantity) noexcept {
  return sqlite_integer(std::uint64_t{quantity.count()});
}

/// The type of a column. The cell of an integer is its value; that of a text is its address.
enum class Column : std::uint8_t { integer, text };

/// A cell that holds nothing.
constexpr std::int64_t no_cell = std::numeric_limits<std::int64_t>::min();

/// Fills existing tables, up to a limit (RowLimit). The simulation's thread collects rows; a second
/// one lets SQLite read whole batches through a virtual table: one statement for thousands of rows.
///
/// The same rows give the same bytes: a batch is written when it is full, in the order in which
/// batches fill, and the rest by table.
///
/// Errors: SQLite::Exception, from insert() or finish(), also for earlier errors of the thread.
/// Timing: insert() copies the row; it waits when too many batches are waiting.
class RowWriter {
 public:
  /// Until finish() no other code may use `database`, which shall not be larger than `limit`.
  RowWriter(SQLite::Database& database, Bytes limit);
  ~RowWriter();
  RowWriter(const RowWriter&) = delete;
  RowWriter& operator=(const RowWriter&) = delete;

  /// Adds a table for rows; returns its number.
  [[nodiscard]] std::size_t add_table(const std::string& name, std::vector<Column> columns);
  /// The same for a table that the limit is for: see RowLimit::add_table().
  [[nodiscard]] std::size_t add_events(const std::string& name, std::vector<Column> columns);

  /// A row of `table`: as many cells as it has columns.
  template <class... Values>
  void insert(std::size_t table, const Values&... values) {
    Cells64& cells = tables_[table].filling;
    (cells.push_back(cell(values)), ...);
    if (tables_[table].batch_cells <= cells.size()) hand_over(table);
  }
  /// Writes all remaining rows and ends the thread.
  void finish();
  /// What the limit has left out. Range: after finish().
  [[nodiscard]] const RowLimit& limit() const noexcept { return limit_; }

  [[nodiscard]] std::int64_t cell(std::int64_t value) const noexcept { return value; }
  [[nodiscard]] std::int64_t cell(std::optional<std::int64_t> value) const noexcept {
    return value.value_or(no_cell);
  }
  template <class Tag, class Rep>
  [[nodiscard]] std::int64_t cell(Quantity<Tag, Rep> quantity) const noexcept {
    return static_cast<std::int64_t>(quantity.count());
  }
  /// Texts are few and repeated; each is stored once. Most are names that stay where they are.
  [[nodiscard]] std::int64_t cell(std::string_view text) {
    const auto address = reinterpret_cast<std::uintptr_t>(text.data());
    const std::string*& known =
        known_texts_[address * 0x9e37'79b9'7f4a'7c15ULL >> (64 - known_bits)];
    if (known == nullptr || *known != text) known = &*texts_.emplace(text).first;
    return reinterpret_cast<std::int64_t>(known);
  }

 private:
  class Feed;
  struct Table {
    std::unique_ptr<Feed> feed;
    std::size_t batch_cells;
    Cells64 filling;
  };
  struct Batch {
    std::size_t table;
    Cells64 cells;
  };

  void hand_over(std::size_t table);
  void write_batches() noexcept;
  void write(const Batch& batch);
  void join();

  SQLite::Database& database_;
  std::deque<Table> tables_;
  std::unordered_set<std::string> texts_;  // their addresses stay
  static constexpr unsigned known_bits = 8;
  // The last ones, by a hash of where they came from.
  std::array<const std::string*, 1U << known_bits> known_texts_{};
  RowLimit limit_;
  std::optional<SQLite::Transaction> transaction_;
  std::uint64_t rows_{0};  // of the transaction

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Batch> queue_;
  std::vector<Cells64> spare_;
  bool last_{false};
  std::exception_ptr failure_;
  std::thread thread_;
};

}  // namespace weir
