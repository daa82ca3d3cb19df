// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <cstdint>

#include "weir/core/units.hpp"

namespace weir {

/// Prints on stderr how far a run is: one live line on a terminal, else a plain line every few
/// seconds (none at all when the run is shorter).
class Progress {
 public:
  enum class Style { none, live, plain };

  Progress(Style style, Picoseconds end);
  ~Progress() { finish(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// `packets` delivered so far, at `now`.
  void update(Picoseconds now, std::uint64_t packets);
  /// Takes the live line away.
  void finish();

  /// live where stderr is a terminal.
  [[nodiscard]] static Style style_of_stderr();

 private:
  using Clock = std::chrono::steady_clock;

  const Style style_;
  const Picoseconds end_;
  const Clock::time_point start_{Clock::now()};
  Clock::time_point shown_{start_};
  bool line_stands_{false};
};

}  // namespace weir
