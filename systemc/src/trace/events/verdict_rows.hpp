// SPDX-License-Identifier: Apache-2.0
// Fast recording of every verdict as a row of events.sqlite.
#pragma once
#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "row_writer.hpp"
#include "weir/config/scenario/scenario.hpp"
#include "weir/core/mmu.hpp"
#include "weir/model/network/frame.hpp"

namespace weir {

/// The columns of a row, with several values packed into each, because the cost is per column. The
/// view `verdicts` unpacks them. A departure of 0 means none.
struct VerdictRow {
  std::int64_t time, place, packet, sequence, cells, departed;
};

/// Rows of packets in a switch, by frame. Open addressing: a row is usually found in one cache
/// line.
class RowsInSwitch {
 public:
  struct Entry {
    const Frame* frame{nullptr};
    VerdictRow row{};
  };

  RowsInSwitch() : entries_(64) {}

  /// The row of the frame; null when it has none.
  [[nodiscard]] Entry* find(const Frame* frame) noexcept;
  void insert(const Frame* frame, const VerdictRow& row);  ///< Range: it has no row yet.
  void erase(const Entry* found) noexcept;                 ///< As find() gave it.
  /// All remaining rows, in the order of their verdicts.
  [[nodiscard]] std::vector<VerdictRow> take_all();

 private:
  [[nodiscard]] std::size_t home(const Frame* frame) const noexcept {
    return (reinterpret_cast<std::uintptr_t>(frame) / alignof(Frame) * 0x9e3779b97f4a7c15U >> 20) &
           (entries_.size() - 1);
  }
  void grow();

  std::vector<Entry> entries_;  // a power of two, at most half full
  std::size_t used_{0};
};

/// Makes the rows and hands them to a RowWriter.
///
/// Errors: ConfigError (key "--events") when the network is larger than the columns hold;
///         SQLite::Exception.
class VerdictRows {
 public:
  /// Also creates the tables.
  VerdictRows(SQLite::Database& database, RowWriter& writer, const Scenario& scenario);

  void add(const std::string& node, const Frame& frame, const Verdict& verdict, Picoseconds time);
  /// The first bit of the frame leaves a node: a switch that has its row, or a host. No time: it is
  /// discarded.
  void depart(const Frame& frame, std::optional<Picoseconds> time);
  /// Packets that are still in a switch have no departure.
  void finish();
  /// Removes the blocks of the index whose rows are all in the interval that was left out
  /// (RowLimit). Range: after RowWriter::finish().
  static void remove_blocks(SQLite::Database& database, std::int64_t after, std::int64_t until);

 private:
  /// An index: which rows may be of a time.
  struct Block {
    std::int64_t first{1}, rows{0}, earliest{0}, latest{0};
  };

  [[nodiscard]] std::int64_t number_of(const std::string& node);
  void write(const VerdictRow& row);
  void end_block();

  RowWriter& writer_;
  const std::size_t rows_, blocks_;  // tables
  std::unordered_map<std::string, std::int64_t> numbers_;
  const std::string* last_name_{nullptr};
  std::int64_t last_number_{0};
  RowsInSwitch in_switch_;
  Block block_;
};

}  // namespace weir
