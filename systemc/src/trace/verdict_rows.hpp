// SPDX-License-Identifier: Apache-2.0
// Every verdict as a row of events.sqlite, at the least cost.
#pragma once
#include <SQLiteCpp/SQLiteCpp.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "weir/config/scenario.hpp"
#include "weir/core/mmu.hpp"
#include "weir/model/frame.hpp"

namespace weir {

/// The columns of a row, several things packed into each: a column costs more than what is in it.
/// The view `verdicts` takes them apart. A departure of 0 stands for none.
struct VerdictRow {
  std::int64_t time, place, packet, sequence, cells, departed;
};

/// Rows of packets that are in a switch, by frame. Open addressing: a row is found in its cache
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
  void insert(const Frame* frame, const VerdictRow& row);  ///< It has none.
  void erase(const Entry* found) noexcept;                 ///< As find() gave it.
  /// All that are left, in the order of their verdicts.
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

/// Writes rows in batches that SQLite reads by itself through a virtual table: one statement for
/// thousands of rows.
///
/// Errors: ConfigError (key "--events") when the network is larger than the columns hold;
///         SQLite::Exception.
class VerdictRows {
 public:
  VerdictRows(SQLite::Database& database, const Scenario& scenario);
  ~VerdictRows();

  void add(const std::string& node, const Frame& frame, const Verdict& verdict, Picoseconds time);
  /// The first bit of the frame leaves a node, be it a switch that has its row or a host. No time:
  /// it leaves for nowhere.
  void depart(const Frame& frame, std::optional<Picoseconds> time);
  /// Whoever is still in a switch has no departure.
  void finish();

 private:
  class Feed;
  [[nodiscard]] std::int64_t number_of(const std::string& node);
  void write(const VerdictRow& row);
  void flush();

  SQLite::Database& database_;
  const std::unique_ptr<Feed> feed_;
  std::unordered_map<std::string, std::int64_t> numbers_;
  const std::string* last_name_{nullptr};
  std::int64_t last_number_{0};
  RowsInSwitch in_switch_;
  std::int64_t written_{0};
};

}  // namespace weir
