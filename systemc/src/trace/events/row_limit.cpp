// SPDX-License-Identifier: Apache-2.0
#include "row_limit.hpp"

#include <algorithm>

namespace weir {
namespace {

std::int64_t number_of(SQLite::Statement& statement) {
  statement.executeStep();
  const std::int64_t number = statement.getColumn(0).getInt64();
  statement.reset();
  return number;
}

std::uint64_t page_bytes_of(SQLite::Database& database) {
  SQLite::Statement statement{database, "PRAGMA page_size"};
  return static_cast<std::uint64_t>(number_of(statement));
}

}  // namespace

RowLimit::RowLimit(SQLite::Database& database, Bytes limit)
    : database_{database},
      limit_{limit.count()},
      page_bytes_{page_bytes_of(database)},
      pages_{database, "PRAGMA page_count"},
      free_pages_{database, "PRAGMA freelist_count"} {}

void RowLimit::add_table(std::size_t number, const std::string& name, std::size_t columns) {
  SQLite::Statement remove{database_, "DELETE FROM " + name +
                                          " WHERE rowid BETWEEN ? AND ? AND ? < time_ps AND "
                                          "time_ps <= ?"};
  tables_.emplace(number, Table{name, columns, std::move(remove), {}, 0});
}

bool RowLimit::holds_more_than(std::uint64_t bytes) {
  const std::int64_t used = number_of(pages_) - number_of(free_pages_);
  return bytes / page_bytes_ < static_cast<std::uint64_t>(used);
}

void RowLimit::written(std::size_t number, const Cells64& cells) {
  const auto found = tables_.find(number);
  if (found == tables_.end()) return;
  Table& table = found->second;
  std::int64_t earliest = cells.front(), latest = cells.front();
  for (std::size_t i = 0; i < cells.size(); i += table.columns) {
    earliest = std::min(earliest, cells[i]);
    latest = std::max(latest, cells[i]);
  }
  latest_ = std::max(latest_, latest);
  if (!after_) {
    if (holds_more_than(limit_ / 2)) after_ = latest_;
    return;
  }
  const std::int64_t last_row = database_.getLastInsertRowid();
  const auto rows = static_cast<std::int64_t>(cells.size() / table.columns);
  table.batches.push_back({last_row - rows + 1, last_row, earliest, latest});
  while (holds_more_than(limit_) && remove_oldest()) {
  }
}

// The last batch of a table stays: SQLite numbers the next rows by it.
bool RowLimit::remove_oldest() {
  Table* oldest = nullptr;
  for (auto& [number, table] : tables_) {
    if (table.batches.size() < 2) continue;
    if (oldest == nullptr || table.batches.front().latest < oldest->batches.front().latest)
      oldest = &table;
  }
  if (oldest == nullptr) return false;
  const Batch batch = oldest->batches.front();
  oldest->batches.pop_front();
  until_ = std::max(until_.value_or(batch.latest), batch.latest);
  remove(*oldest, batch);
  return true;
}

void RowLimit::remove(Table& table, const Batch& batch) {
  table.remove.bind(1, batch.first_row);
  table.remove.bind(2, batch.last_row);
  table.remove.bind(3, *after_);
  table.remove.bind(4, *until_);
  table.left_out += static_cast<std::uint64_t>(table.remove.exec());
  table.remove.reset();
}

void RowLimit::finish() {
  if (!until_) return;
  for (auto& [number, table] : tables_)
    for (const Batch& batch : table.batches)
      if (batch.earliest <= *until_) remove(table, batch);
}

std::optional<RowLimit::Interval> RowLimit::left_out() const noexcept {
  if (!until_) return std::nullopt;
  return Interval{*after_, *until_};
}

std::map<std::string, std::uint64_t> RowLimit::rows_left_out() const {
  std::map<std::string, std::uint64_t> rows;
  for (const auto& [number, table] : tables_)
    if (table.left_out != 0) rows.emplace(table.name, table.left_out);
  return rows;
}

}  // namespace weir
