// SPDX-License-Identifier: Apache-2.0
#include "weir/core/accounting/replica_table.hpp"

#include <string>

#include "weir/core/errors.hpp"

namespace weir {

std::uint32_t ReplicaTable::enter(Cells cells, std::uint32_t readers) {
  std::uint32_t number = 0;
  if (free_.empty()) {
    number = static_cast<std::uint32_t>(entries_.size());
    entries_.emplace_back();
  } else {
    number = free_.back();
    free_.pop_back();
  }
  entries_[number] = {cells, readers};
  cells_ += cells.count();
  copies_made_ += readers - 1;
  ++entered_;
  return number;
}

ReplicaTable::Left ReplicaTable::leave(std::uint32_t number) {
  if (entries_.size() <= number || entries_[number].readers == 0)
    throw ModelError("replica_table: no reader is left for packet " + std::to_string(number));
  Entry& entry = entries_[number];
  --entry.readers;
  if (entry.readers != 0) return {entry.cells, false};
  cells_ -= entry.cells.count();
  free_.push_back(number);
  return {entry.cells, true};
}

}  // namespace weir
