// SPDX-License-Identifier: Apache-2.0
#include "verdict_rows.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "weir/core/errors.hpp"

namespace weir {
namespace {

constexpr std::int64_t rows_per_block = 8192;
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

// Cells that do not fit in private go to shared or to headroom, all of them to one.
std::int64_t cells_of(const Verdict& verdict) {
  const Placement& cells = verdict.placement;
  const bool headroom = Cells{0} < cells.headroom;
  const std::int64_t rest = (headroom ? cells.headroom : cells.shared).count();
  return std::int64_t{cells.private_cells.count()} << 48 | rest << 33 |
         std::int64_t{headroom ? 1 : 0} << 32 | std::int64_t{verdict.threshold.count()};
}

std::int64_t sequence_of(const Frame& frame) {
  return std::int64_t{frame.flow} << 43 |
         sqlite_integer(frame.sequence & ((std::uint64_t{1} << 43) - 1));
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

// Moves up later entries that would no longer be found.
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

namespace {

void make_tables(SQLite::Database& database, const Scenario& scenario) {
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
}

// The tables first.
std::size_t row_table(SQLite::Database& database, RowWriter& writer, const Scenario& scenario) {
  make_tables(database, scenario);
  return writer.add_events("verdict_rows", std::vector<Column>(6, Column::integer));
}

}  // namespace

VerdictRows::VerdictRows(SQLite::Database& database, RowWriter& writer, const Scenario& scenario)
    : writer_{writer},
      rows_{row_table(database, writer, scenario)},
      blocks_{writer.add_table("verdict_blocks", std::vector<Column>(4, Column::integer))} {
  for (std::size_t i = 0; i < scenario.switches.size(); ++i)
    numbers_.emplace(scenario.switches[i].name, static_cast<std::int64_t>(i));
}

std::int64_t VerdictRows::number_of(const std::string& node) {
  if (&node != last_name_) {
    last_number_ = numbers_.at(node);
    last_name_ = &node;
  }
  return last_number_;
}

void VerdictRows::add(const std::string& node, const Frame& frame, const Verdict& verdict,
                      Picoseconds time) {
  const VerdictRow row{sqlite_integer(time.count()),
                       place_of(number_of(node), frame, verdict),
                       std::int64_t{frame.source} << 36 | std::int64_t{frame.destination} << 16 |
                           std::int64_t{frame.length & 65535U},
                       sequence_of(frame),
                       cells_of(verdict),
                       0};
  if (!verdict.admitted()) return write(row);
  // Left by a packet that never departed: its frame is used again.
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
    entry->row.departed = sqlite_integer(time->count());
  write(entry->row);
  in_switch_.erase(entry);
}

void VerdictRows::write(const VerdictRow& row) {
  writer_.insert(rows_, row.time, row.place, row.packet, row.sequence, row.cells,
                 row.departed == 0 ? no_cell : row.departed);
  block_.earliest = block_.rows == 0 ? row.time : std::min(block_.earliest, row.time);
  block_.latest = std::max(block_.latest, row.time);
  if (++block_.rows == rows_per_block) end_block();
}

void VerdictRows::end_block() {
  if (block_.rows == 0) return;
  const std::int64_t next = block_.first + block_.rows;
  writer_.insert(blocks_, block_.first, next - 1, block_.earliest, block_.latest);
  block_ = {next, 0, 0, 0};
}

void VerdictRows::finish() {
  for (const VerdictRow& row : in_switch_.take_all()) write(row);
  end_block();
}

void VerdictRows::remove_blocks(SQLite::Database& database, std::int64_t after,
                                std::int64_t until) {
  SQLite::Statement remove{database,
                           "DELETE FROM verdict_blocks WHERE ? < earliest_ps AND latest_ps <= ?"};
  remove.bind(1, after);
  remove.bind(2, until);
  remove.exec();
}

}  // namespace weir
