// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <cstdint>

#include "output/progress.hpp"

namespace weir {

/// Prints on stderr how far a sweep is, and how long it will take: one live line on a terminal,
/// else a plain line every few seconds.
class SweepProgress {
 public:
  using Style = Progress::Style;

  /// `points` in all, of which `finished` were there at the start.
  SweepProgress(Style style, std::uint64_t points, std::uint64_t finished);
  ~SweepProgress() { finish(); }
  SweepProgress(const SweepProgress&) = delete;
  SweepProgress& operator=(const SweepProgress&) = delete;

  void add(bool failed) noexcept;
  /// Shows what there is, if it is time for it.
  void update();
  /// Takes the live line away.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;

  const Style style_;
  const std::uint64_t points_, at_start_;
  std::uint64_t done_{0}, failed_{0};
  const Clock::time_point start_{Clock::now()};
  Clock::time_point shown_{start_};
  bool line_stands_{false};
};

}  // namespace weir
