// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "output/progress_line.hpp"

namespace weir {

/// Shows how far a sweep is, and how long it will take.
class SweepProgress {
 public:
  /// `points` in all, of which `finished` were there at the start.
  SweepProgress(ProgressLine::Style style, std::uint64_t points, std::uint64_t finished)
      : line_{style}, points_{points}, at_start_{finished} {}

  void add(bool failed) noexcept;
  /// Shows what there is, if it is time for it.
  void update();
  /// Removes the live line.
  void finish() { line_.finish(); }

 private:
  ProgressLine line_;
  const std::uint64_t points_, at_start_;
  std::uint64_t done_{0}, failed_{0};
};

}  // namespace weir
