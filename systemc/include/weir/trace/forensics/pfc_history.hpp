// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "weir/core/units.hpp"

namespace weir {

/// What SONiC's PFC history says of a class of a port.
struct PfcHistory {
  std::uint64_t transitions{0};  ///< Changes from not paused to paused.
  Picoseconds total;             ///< Time that the class was paused in all.
  Picoseconds recent;            ///< The part of `total` since `recent_start`.
  Picoseconds recent_start;      ///< Poll at which the last pause was noticed.
};

/// PFC history by polls of the counter of received PFC frames, as SONiC keeps it: at a poll the
/// class counts as paused where its counter has grown since the one before. A pause begins at the
/// first such poll, and lasts to the first one without a frame.
///
/// Units:   polls are at 1, 2, 3, ... periods; a frame counts at its last bit.
/// Range:   frames in ascending order; a period above 0.
/// Timing:  polls without a frame cost nothing.
/// Source:  sonic-net/SONiC, PFC Historical Statistics.
class PfcHistoryPolls {
 public:
  explicit PfcHistoryPolls(Picoseconds period) : period_{period} {}

  void frame(Picoseconds last_bit);
  /// After the last poll up to `end`.
  [[nodiscard]] PfcHistory at(Picoseconds end) const;

 private:
  void look(std::uint64_t poll);
  void count_until(std::uint64_t poll);

  Picoseconds period_;
  std::uint64_t next_{0};    // poll that sees the frames since the one before; 0: there are none
  std::uint64_t paused_{0};  // last poll that saw frames; 0: none
  bool was_paused_{false};   // at that poll, and the one after it has not been counted
  PfcHistory history_;
};

}  // namespace weir
