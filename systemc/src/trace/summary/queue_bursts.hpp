// SPDX-License-Identifier: Apache-2.0
// What an egress queue holds, and how much of each burst that came for it the buffer held.
#pragma once
#include <algorithm>
#include <cstdint>

#include "weir/core/units.hpp"

namespace weir {

/// The frames that came for a queue from when it was empty until it is empty again.
struct QueueBurst {
  Picoseconds from, until;
  Bytes came;              ///< All, those included that were refused.
  Bytes refused;           ///< Dropped by the MMU, or by a WRED profile.
  Bytes held;              ///< The most that waited at one time.
  Bytes came_by_then;      ///< What had come when it did; the rest of it had left already.
  std::uint64_t xoffs{0};  ///< Frames with which a priority group, or a port, went to XOFF.

  /// No frame was refused, and none led to a pause.
  [[nodiscard]] bool absorbed() const noexcept { return refused == Bytes{0} && xoffs == 0; }
};

/// One egress queue. A frame waits in it from the clock edge of its verdict until its first bit
/// leaves, or until it is dropped there.
class QueueBursts {
 public:
  /// `xoff`: the frame turned its priority group, or its port, to XOFF.
  void comes(Bytes length, Cells cells, bool xoff, Picoseconds now) noexcept {
    if (frames_++ == 0) begin(now);
    waiting_ += cells;
    bytes_ += length;
    burst_.came += length;
    burst_.xoffs += xoff ? 1U : 0U;
    if (burst_.held < bytes_) {
      burst_.held = bytes_;
      burst_.came_by_then = burst_.came;
    }
  }
  /// A burst of its own where the queue is empty.
  void refused(Bytes length, bool xoff, Picoseconds now) noexcept {
    if (frames_ == 0) begin(now);
    burst_.came += length;
    burst_.refused += length;
    burst_.xoffs += xoff ? 1U : 0U;
    if (frames_ == 0) end(now);
  }
  void leaves(Bytes length, Cells cells, Picoseconds now) noexcept {
    waiting_ -= cells;
    bytes_ -= length;
    if (--frames_ == 0) end(now);
  }
  /// The run is over: a burst that goes on ends now.
  void finish(Picoseconds now) noexcept {
    if (frames_ != 0) end(now);
  }

  [[nodiscard]] Cells waiting() const noexcept { return waiting_; }
  [[nodiscard]] std::uint64_t bursts() const noexcept { return bursts_; }
  [[nodiscard]] std::uint64_t absorbed() const noexcept { return absorbed_; }
  /// The most that waited in a burst that was absorbed.
  [[nodiscard]] Bytes max_absorbed() const noexcept { return max_absorbed_; }
  /// The burst of which the queue held the most, the first of equal ones.
  [[nodiscard]] const QueueBurst& largest() const noexcept { return largest_; }

 private:
  void begin(Picoseconds now) noexcept {
    burst_ = {};
    burst_.from = now;
  }
  void end(Picoseconds now) noexcept {
    burst_.until = now;
    if (bursts_++ == 0 || largest_.held < burst_.held) largest_ = burst_;
    if (!burst_.absorbed()) return;
    ++absorbed_;
    max_absorbed_ = std::max(max_absorbed_, burst_.held);
  }

  std::uint64_t frames_{0};
  Cells waiting_;
  Bytes bytes_;
  QueueBurst burst_;
  std::uint64_t bursts_{0}, absorbed_{0};
  Bytes max_absorbed_;
  QueueBurst largest_;
};

}  // namespace weir
