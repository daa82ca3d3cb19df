// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <string>

namespace weir {

/// What stderr shows of how far a command is: one live line on a terminal, else a plain line every
/// few seconds (none at all when the command is shorter).
class ProgressLine {
 public:
  enum class Style { none, live, plain };

  explicit ProgressLine(Style style) : style_{style} {}
  ~ProgressLine() { finish(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Whether it is time for another line; then show() has to follow.
  [[nodiscard]] bool is_due();
  /// `share`: how much is done, 0 to 1.
  void show(double share, const std::string& figures);
  /// Removes the live line.
  void finish();

  /// Seconds of real time since it was made.
  [[nodiscard]] double seconds() const;
  /// live where stderr is a terminal.
  [[nodiscard]] static Style style_of_stderr();

 private:
  using Clock = std::chrono::steady_clock;

  const Style style_;
  const Clock::time_point start_{Clock::now()};
  Clock::time_point shown_{start_};
  bool line_is_shown_{false};
};

/// "59 s left", "2:05 min left", "1:15 h left".
[[nodiscard]] std::string format_left(double seconds);

}  // namespace weir
