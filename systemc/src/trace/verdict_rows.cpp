// SPDX-License-Identifier: Apache-2.0
#include "verdict_rows.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "weir/core/errors.hpp"

namespace weir {
namespace {

constexpr std::size_t rows_per_batch = 8192;
constexpr unsigned switch_bits = 12, host_bits = 20, flow_bits = 20;

constexpr const char* definitions = R"sql(
CREATE TABLE switches (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE hosts (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE reasons (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE verdict_rows (time_ps INTEGER, place INTEGER, packet INTEGER, sequence INTEGER,
                           cells INTEGER, departed_ps INTEGER);
CREATE TABLE verdict_blocks (first_row INTEGER PRIMARY KEY, last_row INTEGER, earliest_ps INTEGER,
                             latest_ps INTEGER);
CREATE VIEW verdicts AS
  SELECT v.rowid AS id, v.time_ps, w.name AS switch, v.place >> 25 & 4095 AS port,
         v.place >> 10 & 7 AS pg, v.place >> 13 & 4095 AS egress_port, v.place >> 7 & 7 AS queue,
         v.place >> 4 & 7 AS priority, v.packet & 65535 AS length, v.sequence >> 43 AS flow,
         s.name AS source, d.name AS destination, v.sequence & 8796093022207 AS sequence,
         r.name AS reason, v.cells >> 48 AS private,
         iif(v.cells >> 32 & 1, 0, v.cells >> 33 & 32767) AS shared,
         iif(v.cells >> 32 & 1, v.cells >> 33 & 32767, 0) AS headroom,
         v.cells & 4294967295 AS threshold, v.place & 1 AS xoff, v.departed_ps
  FROM verdict_rows v JOIN switches w ON w.id = v.place >> 37
       JOIN hosts s ON s.id = v.packet >> 36 JOIN hosts d ON d.id = v.packet >> 16 & 1048575
       JOIN reasons r ON r.id = v.place >> 1 & 7;
)sql";

std::int64_t number(std::uint64_t value) { return static_cast<std::int64_t>(value); }

void check_size(const char* what, std::size_t count, unsigned bits) {
  const std::size_t most = std::size_t{1} << bits;
  if (most < count)
    throw ConfigError("--events", "all",
                      "holds at most " + std::to_string(most) + " " + what + ", here are " +
                          std::to_string(count));
}

std::int64_t place_of(std::int64_t node, const Frame& frame, const Verdict& verdict) {
  static_assert(reasons <= 8 && priorities <= 8);
  return node << 37 | std::int64_t{frame.ingress_port.count() & 4095U} << 25 |
         std::int64_t{frame.egress_port.count() & 4095U} << 13 | std::int64_t{frame.pg} << 10 |
         std::int64_t{frame.queue} << 7 | std::int64_t{frame.priority.count()} << 4 |
         static_cast<std::int64_t>(verdict.reason) << 1 | (verdict.pfc.xoff ? 1 : 0);
}

// What does not fit in private goes to shared or to headroom, as a whole.
std::int64_t cells_of(const Verdict& verdict) {
  const Placement& cells = verdict.placement;
  const bool headroom = Cells{0} < cells.headroom;
  const std::int64_t rest = (headroom ? cells.headroom : cells.shared).count();
  return std::int64_t{cells.private_cells.count()} << 48 | rest << 33 |
         std::int64_t{headroom ? 1 : 0} << 32 | std::int64_t{verdict.threshold.count()};
}

std::int64_t sequence_of(const Frame& frame) {
  return std::int64_t{frame.flow} << 43 | number(frame.sequence & ((std::uint64_t{1} << 43) - 1));
}

}  // namespace

RowsInSwitch::Entry* RowsInSwitch::find(const Frame* frame) noexcept {
  for (std::size_t i = home(frame);; i = (i + 1) & (entries_.size() - 1)) {
    if (entries_[i].frame == frame) return &entries_[i];
    if (entries_[i].frame == nullptr) return nullptr;
  }
}

void RowsInSwitch::insert(const Frame* frame, const VerdictRow& row) {
  if (entries_.size() < 2 * ++used_) grow();
  std::size_t i = home(frame);
  while (entries_[i].frame != nullptr) i = (i + 1) & (entries_.size() - 1);
  entries_[i] = {frame, row};
}

void RowsInSwitch::grow() {
  std::vector<Entry> old(entries_.size() * 2);
  old.swap(entries_);
  for (const Entry& entry : old) {
    if (entry.frame == nullptr) continue;
    std::size_t i = home(entry.frame);
    while (entries_[i].frame != nullptr) i = (i + 1) & (entries_.size() - 1);
    entries_[i] = entry;
  }
}

// Those behind it that would not be found any more move up.
void RowsInSwitch::erase(const Entry* found) noexcept {
  const std::size_t mask = entries_.size() - 1;
  auto hole = static_cast<std::size_t>(found - entries_.data());
  for (std::size_t i = (hole + 1) & mask; entries_[i].frame != nullptr; i = (i + 1) & mask) {
    if (((i - home(entries_[i].frame)) & mask) < ((i - hole) & mask)) continue;
    entries_[hole] = entries_[i];
    hole = i;
  }
  entries_[hole].frame = nullptr;
  --used_;
}

std::vector<VerdictRow> RowsInSwitch::take_all() {
  std::vector<VerdictRow> rows;
  for (Entry& entry : entries_)
    if (std::exchange(entry.frame, nullptr) != nullptr) rows.push_back(entry.row);
  used_ = 0;
  std::sort(rows.begin(), rows.end(), [](const VerdictRow& a, const VerdictRow& b) {
    return std::tie(a.time, a.place, a.sequence, a.packet) <
           std::tie(b.time, b.place, b.sequence, b.packet);
  });
  return rows;
}

/// The batch as a table that SQLite can read: sqlite.org/vtab.html.
class VerdictRows::Feed {
 public:
  explicit Feed(sqlite3* handle) {
    rows.reserve(rows_per_batch);
    module_.iVersion = 1;
    module_.xConnect = [](sqlite3* db, void* feed, int, const char* const*, sqlite3_vtab** table,
                          char**) {
      *table = &(new Table{{}, static_cast<Feed*>(feed)})->base;
      return sqlite3_declare_vtab(db, "CREATE TABLE feed (a, b, c, d, e, f)");
    };
    module_.xBestIndex = [](sqlite3_vtab*, sqlite3_index_info*) { return SQLITE_OK; };
    module_.xDisconnect = [](sqlite3_vtab* table) {
      delete reinterpret_cast<Table*>(table);
      return SQLITE_OK;
    };
    module_.xOpen = [](sqlite3_vtab* table, sqlite3_vtab_cursor** cursor) {
      *cursor = &(new Cursor{{}, &reinterpret_cast<Table*>(table)->feed->rows, 0})->base;
      return SQLITE_OK;
    };
    module_.xClose = [](sqlite3_vtab_cursor* cursor) {
      delete at(cursor);
      return SQLITE_OK;
    };
    module_.xFilter = [](sqlite3_vtab_cursor* cursor, int, const char*, int, sqlite3_value**) {
      at(cursor)->row = 0;
      return SQLITE_OK;
    };
    module_.xNext = [](sqlite3_vtab_cursor* cursor) {
      ++at(cursor)->row;
      return SQLITE_OK;
    };
    module_.xEof = [](sqlite3_vtab_cursor* cursor) {
      return at(cursor)->rows->size() <= at(cursor)->row ? 1 : 0;
    };
    module_.xColumn = column;
    module_.xRowid = [](sqlite3_vtab_cursor* cursor, sqlite3_int64* id) {
      *id = static_cast<sqlite3_int64>(at(cursor)->row);
      return SQLITE_OK;
    };
    check(handle, sqlite3_create_module_v2(handle, "feed", &module_, this, nullptr));
    check(handle, sqlite3_prepare_v3(handle, "INSERT INTO verdict_rows SELECT * FROM feed", -1,
                                     SQLITE_PREPARE_PERSISTENT, &insert_, nullptr));
  }
  ~Feed() { sqlite3_finalize(insert_); }
  Feed(const Feed&) = delete;
  Feed& operator=(const Feed&) = delete;

  void write() {
    const int result = sqlite3_step(insert_);
    sqlite3* const handle = sqlite3_db_handle(insert_);
    if (result != SQLITE_DONE) throw SQLite::Exception(handle, result);
    check(handle, sqlite3_reset(insert_));
  }

  std::vector<VerdictRow> rows;

 private:
  struct Table {
    sqlite3_vtab base;
    Feed* feed;
  };
  struct Cursor {
    sqlite3_vtab_cursor base;
    const std::vector<VerdictRow>* rows;
    std::size_t row;
  };
  static Cursor* at(sqlite3_vtab_cursor* cursor) { return reinterpret_cast<Cursor*>(cursor); }
  static void check(sqlite3* handle, int result) {
    if (result != SQLITE_OK) throw SQLite::Exception(handle, result);
  }
  static int column(sqlite3_vtab_cursor* cursor, sqlite3_context* context, int index) {
    static constexpr std::array<std::int64_t VerdictRow::*, 6> columns{
        &VerdictRow::time,     &VerdictRow::place, &VerdictRow::packet,
        &VerdictRow::sequence, &VerdictRow::cells, &VerdictRow::departed};
    const VerdictRow& row = (*at(cursor)->rows)[at(cursor)->row];
    if (index == 5 && row.departed == 0) return SQLITE_OK;  // null
    sqlite3_result_int64(context, row.*columns[static_cast<std::size_t>(index)]);
    return SQLITE_OK;
  }

  sqlite3_module module_{};
  sqlite3_stmt* insert_{nullptr};
};

namespace {

SQLite::Database& with_tables(SQLite::Database& database, const Scenario& scenario) {
  check_size("switches", scenario.switches.size(), switch_bits);
  check_size("hosts", scenario.hosts.size(), host_bits);
  check_size("[[traffic]] entries", scenario.traffic.size(), flow_bits);
  database.exec(definitions);
  const auto fill = [&](const char* insert, std::size_t count, auto&& name) {
    SQLite::Statement statement{database, insert};
    for (std::size_t i = 0; i < count; ++i) {
      statement.bind(1, static_cast<std::int64_t>(i));
      statement.bind(2, std::string{name(i)});
      statement.exec();
      statement.reset();
    }
  };
  fill("INSERT INTO switches VALUES (?,?)", scenario.switches.size(),
       [&](std::size_t i) { return scenario.switches[i].name; });
  fill("INSERT INTO hosts VALUES (?,?)", scenario.hosts.size(),
       [&](std::size_t i) { return scenario.hosts[i].name; });
  fill("INSERT INTO reasons VALUES (?,?)", reasons,
       [](std::size_t i) { return to_string(static_cast<Reason>(i)); });
  return database;
}

}  // namespace

VerdictRows::VerdictRows(SQLite::Database& database, const Scenario& scenario)
    : database_{with_tables(database, scenario)},
      feed_{std::make_unique<Feed>(database.getHandle())} {
  for (std::size_t i = 0; i < scenario.switches.size(); ++i)
    numbers_.emplace(scenario.switches[i].name, static_cast<std::int64_t>(i));
}

VerdictRows::~VerdictRows() = default;

std::int64_t VerdictRows::number_of(const std::string& node) {
  if (&node != last_name_) {
    last_number_ = numbers_.at(node);
    last_name_ = &node;
  }
  return last_number_;
}

void VerdictRows::add(const std::string& node, const Frame& frame, const Verdict& verdict,
                      Picoseconds time) {
  const VerdictRow row{number(time.count()),
                       place_of(number_of(node), frame, verdict),
                       std::int64_t{frame.source} << 36 | std::int64_t{frame.destination} << 16 |
                           std::int64_t{frame.length & 65535U},
                       sequence_of(frame),
                       cells_of(verdict),
                       0};
  if (!verdict.admitted()) return write(row);
  // Left behind by a packet that never left: its frame is used again.
  if (const RowsInSwitch::Entry* const old = in_switch_.find(&frame)) {
    write(old->row);
    in_switch_.erase(old);
  }
  in_switch_.insert(&frame, row);
}

void VerdictRows::depart(const Frame& frame, std::optional<Picoseconds> time) {
  RowsInSwitch::Entry* const entry = in_switch_.find(&frame);
  if (entry == nullptr) return;  // leaves a host
  if (time && entry->row.sequence == sequence_of(frame))
    entry->row.departed = number(time->count());
  write(entry->row);
  in_switch_.erase(entry);
}

void VerdictRows::write(const VerdictRow& row) {
  feed_->rows.push_back(row);
  if (feed_->rows.size() == rows_per_batch) flush();
}

// A block is an index: which rows may be of a time.
void VerdictRows::flush() {
  if (feed_->rows.empty()) return;
  const auto [earliest, latest] =
      std::minmax_element(feed_->rows.begin(), feed_->rows.end(),
                          [](const VerdictRow& a, const VerdictRow& b) { return a.time < b.time; });
  SQLite::Statement block{database_, "INSERT INTO verdict_blocks VALUES (?,?,?,?)"};
  block.bind(1, written_ + 1);
  written_ += static_cast<std::int64_t>(feed_->rows.size());
  block.bind(2, written_);
  block.bind(3, earliest->time);
  block.bind(4, latest->time);
  block.exec();
  feed_->write();
  feed_->rows.clear();
}

void VerdictRows::finish() {
  for (const VerdictRow& row : in_switch_.take_all()) write(row);
  flush();
}

}  // namespace weir
