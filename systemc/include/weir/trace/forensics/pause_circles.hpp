// SPDX-License-Identifier: Apache-2.0
// Circles of nodes that pause each other in one class.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "weir/core/units.hpp"

namespace weir {

/// A pause without a gap that lasts at least as long as a storm.
struct LongPause {
  std::string waits, for_whom;  ///< Nodes: the paused one, and the sender of PAUSE.
  Picoseconds start;
  Picoseconds counts_from;  ///< From here on it is as long as a storm.
  Picoseconds end;
};

/// Pauses of a circle, at a time when each of them had lasted as long as a storm.
struct PauseCircle {
  std::vector<std::size_t>
      pauses;              ///< Numbers, along the circle; the first is the one that closed it.
  Picoseconds start, end;  ///< When all of them last at the same time.
};

/// The first circle among the pauses of a class, by `counts_from`; then by their order.
[[nodiscard]] std::optional<PauseCircle> first_circle(const std::vector<LongPause>& pauses);

}  // namespace weir
