// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "output/progress_line.hpp"
#include "weir/core/units.hpp"

namespace weir {

/// Shows how far a run is.
class Progress {
 public:
  Progress(ProgressLine::Style style, Picoseconds end) : line_{style}, end_{end} {}

  /// `packets` delivered so far, at `now`.
  void update(Picoseconds now, std::uint64_t packets);
  /// Removes the live line.
  void finish() { line_.finish(); }

 private:
  ProgressLine line_;
  const Picoseconds end_;
};

}  // namespace weir
