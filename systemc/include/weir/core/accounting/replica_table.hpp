// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "weir/core/units.hpp"

namespace weir {

/// The readers of a replicated packet, whose cells are stored once.
///
/// Readers leave in the order in which their releases are granted, which may differ from the order
/// in which they started: a fast port that starts later may finish first. Only this table knows
/// which is the last.
///
/// Units:  whole cells. Range: any number of packets; numbers are used again.
/// Errors: leave() throws ModelError when the packet has no reader any more.
/// Source: docs/design/contract.md, 2: a release names its queue and a `last` bit.
class ReplicaTable {
 public:
  struct Left {
    Cells cells;       ///< Of the packet.
    bool last{false};  ///< This reader was the last one.
  };

  /// A packet of `cells` has entered `readers` queues. Returns its number. Range: readers >= 1.
  [[nodiscard]] std::uint32_t enter(Cells cells, std::uint32_t readers);
  /// A reader of packet `number` leaves.
  Left leave(std::uint32_t number);

  /// Cells of all packets that still have a reader, each counted once.
  [[nodiscard]] std::uint64_t cells() const noexcept { return cells_; }
  /// Packets that still have a reader.
  [[nodiscard]] std::size_t packets() const noexcept { return entries_.size() - free_.size(); }
  /// Copies made in addition to the packets themselves, since the start.
  [[nodiscard]] std::uint64_t copies_made() const noexcept { return copies_made_; }
  /// Packets that have entered, since the start.
  [[nodiscard]] std::uint64_t entered() const noexcept { return entered_; }

 private:
  struct Entry {
    Cells cells;
    std::uint32_t readers{0};
  };
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> free_;
  std::uint64_t cells_{0}, copies_made_{0}, entered_{0};
};

}  // namespace weir
