// SPDX-License-Identifier: Apache-2.0
#include "row_writer.hpp"

#include <sqlite3.h>

#include <utility>

namespace weir {
namespace {

constexpr std::size_t rows_per_batch = 8192;
constexpr std::size_t batches_ahead = 8;  // ahead of the writer; then the simulation waits
constexpr std::uint64_t rows_per_transaction = 100'000;

}  // namespace

/// A batch as a table that SQLite can read: sqlite.org/vtab.html.
class RowWriter::Feed {
 public:
  Feed(sqlite3* handle, const std::string& name, std::size_t number, std::vector<Column> columns)
      : handle_{handle}, name_{"feed_" + std::to_string(number)}, columns_{std::move(columns)} {
    check(sqlite3_create_module_v2(handle, name_.c_str(), &module(), this, nullptr));
    const std::string insert = "INSERT INTO " + name + " SELECT * FROM " + name_;
    check(sqlite3_prepare_v3(handle, insert.c_str(), -1, SQLITE_PREPARE_PERSISTENT, &insert_,
                             nullptr));
  }
  ~Feed() {
    sqlite3_finalize(insert_);
    sqlite3_create_module_v2(handle_, name_.c_str(), nullptr, nullptr, nullptr);  // removes it
  }
  Feed(const Feed&) = delete;
  Feed& operator=(const Feed&) = delete;

  [[nodiscard]] std::size_t columns() const noexcept { return columns_.size(); }
  void write(const Cells64& cells) {
    cells_ = &cells;
    const int result = sqlite3_step(insert_);
    if (result != SQLITE_DONE) throw SQLite::Exception(handle_, result);
    check(sqlite3_reset(insert_));
  }

 private:
  struct Virtual {
    sqlite3_vtab base;
    Feed* feed;
  };
  struct Cursor {
    sqlite3_vtab_cursor base;
    const Feed* feed;
    const std::int64_t *row, *end;
  };
  static Cursor* at(sqlite3_vtab_cursor* cursor) { return reinterpret_cast<Cursor*>(cursor); }
  void check(int result) const {
    if (result != SQLITE_OK) throw SQLite::Exception(handle_, result);
  }
  [[nodiscard]] std::string declaration() const {
    std::string text;
    for (std::size_t i = 0; i < columns_.size(); ++i)
      text += (i == 0 ? "c" : ", c") + std::to_string(i);
    return "CREATE TABLE feed (" + text + ")";
  }
  // One for all, and constant: SQLite calls xDisconnect of a dropped table at the next statement or
  // at close, after its feed is gone.
  static const sqlite3_module& module() {
    static const sqlite3_module functions = [] {
      sqlite3_module m{};
      m.iVersion = 1;
      m.xConnect = [](sqlite3* db, void* feed, int, const char* const*, sqlite3_vtab** table,
                      char**) {
        *table = &(new Virtual{{}, static_cast<Feed*>(feed)})->base;
        return sqlite3_declare_vtab(db, static_cast<Feed*>(feed)->declaration().c_str());
      };
      m.xBestIndex = [](sqlite3_vtab*, sqlite3_index_info*) { return SQLITE_OK; };
      m.xDisconnect = [](sqlite3_vtab* table) {
        delete reinterpret_cast<Virtual*>(table);
        return SQLITE_OK;
      };
      m.xOpen = [](sqlite3_vtab* table, sqlite3_vtab_cursor** cursor) {
        *cursor =
            &(new Cursor{{}, reinterpret_cast<Virtual*>(table)->feed, nullptr, nullptr})->base;
        return SQLITE_OK;
      };
      m.xClose = [](sqlite3_vtab_cursor* cursor) {
        delete at(cursor);
        return SQLITE_OK;
      };
      m.xFilter = filter;
      m.xNext = [](sqlite3_vtab_cursor* cursor) {
        at(cursor)->row += at(cursor)->feed->columns_.size();
        return SQLITE_OK;
      };
      m.xEof = [](sqlite3_vtab_cursor* cursor) {
        return at(cursor)->row == at(cursor)->end ? 1 : 0;
      };
      m.xColumn = column;
      m.xRowid = [](sqlite3_vtab_cursor* cursor, sqlite3_int64* id) {
        *id = at(cursor)->row - at(cursor)->feed->cells_->data();
        return SQLITE_OK;
      };
      return m;
    }();
    return functions;
  }
  static int filter(sqlite3_vtab_cursor* cursor, int, const char*, int, sqlite3_value**) {
    const Cells64& cells = *at(cursor)->feed->cells_;
    at(cursor)->row = cells.data();
    at(cursor)->end = cells.data() + cells.size();
    return SQLITE_OK;
  }
  static int column(sqlite3_vtab_cursor* cursor, sqlite3_context* context, int index) {
    const std::int64_t cell = at(cursor)->row[index];
    if (cell == no_cell) return SQLITE_OK;  // null
    if (at(cursor)->feed->columns_[static_cast<std::size_t>(index)] == Column::integer) {
      sqlite3_result_int64(context, cell);
      return SQLITE_OK;
    }
    const auto& text = *reinterpret_cast<const std::string*>(cell);
    sqlite3_result_text(context, text.data(), static_cast<int>(text.size()), SQLITE_STATIC);
    return SQLITE_OK;
  }

  sqlite3* const handle_;
  const std::string name_;
  const std::vector<Column> columns_;
  sqlite3_stmt* insert_{nullptr};
  const Cells64* cells_{nullptr};
};

RowWriter::RowWriter(SQLite::Database& database, Bytes limit)
    : database_{database}, limit_{database, limit} {
  transaction_.emplace(database_);
}

RowWriter::~RowWriter() { join(); }

std::size_t RowWriter::add_table(const std::string& name, std::vector<Column> columns) {
  Table table;
  table.batch_cells = rows_per_batch * columns.size();
  table.feed =
      std::make_unique<Feed>(database_.getHandle(), name, tables_.size(), std::move(columns));
  tables_.push_back(std::move(table));
  return tables_.size() - 1;
}

std::size_t RowWriter::add_events(const std::string& name, std::vector<Column> columns) {
  limit_.add_table(tables_.size(), name, columns.size());
  return add_table(name, std::move(columns));
}

void RowWriter::hand_over(std::size_t table) {
  std::unique_lock<std::mutex> lock{mutex_};
  if (!thread_.joinable()) thread_ = std::thread{[this] { write_batches(); }};
  changed_.wait(lock, [this] { return queue_.size() < batches_ahead; });
  if (failure_) std::rethrow_exception(failure_);
  Cells64 next;
  if (!spare_.empty()) {
    next = std::move(spare_.back());
    spare_.pop_back();
  }
  queue_.push_back({table, std::move(tables_[table].filling)});
  next.clear();
  next.reserve(tables_[table].batch_cells);
  tables_[table].filling = std::move(next);
  changed_.notify_all();
}

void RowWriter::write_batches() noexcept {
  for (;;) {
    std::unique_lock<std::mutex> lock{mutex_};
    changed_.wait(lock, [this] { return !queue_.empty() || last_; });
    if (queue_.empty()) return;
    Batch batch = std::move(queue_.front());
    queue_.pop_front();
    const bool failed = failure_ != nullptr;
    changed_.notify_all();
    lock.unlock();
    std::exception_ptr failure;
    try {
      if (!failed) write(batch);
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    if (failure) failure_ = failure;
    spare_.push_back(std::move(batch.cells));
  }
}

void RowWriter::write(const Batch& batch) {
  Table& table = tables_[batch.table];
  table.feed->write(batch.cells);
  limit_.written(batch.table, batch.cells);
  rows_ += batch.cells.size() / table.feed->columns();
  if (rows_ < rows_per_transaction) return;
  rows_ = 0;
  transaction_->commit();
  transaction_.emplace(database_);
}

void RowWriter::join() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard<std::mutex> lock{mutex_};
    last_ = true;
    changed_.notify_all();
  }
  thread_.join();
}

void RowWriter::finish() {
  join();
  if (failure_) std::rethrow_exception(failure_);
  for (std::size_t i = 0; i < tables_.size(); ++i)
    if (!tables_[i].filling.empty()) write({i, std::move(tables_[i].filling)});
  limit_.finish();
  transaction_->commit();
  transaction_.reset();
}

}  // namespace weir
