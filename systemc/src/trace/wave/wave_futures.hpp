// SPDX-License-Identifier: Apache-2.0
// Changes of a waveform that follow without a further event: ends of frames, timers that expire.
#pragma once
#include <algorithm>
#include <cstdint>
#include <queue>
#include <vector>

namespace weir {

struct WaveFuture {
  enum class Due : std::uint8_t { frame_end, timer_load, timer_end, pause_change, threshold };

  std::uint64_t time, order;
  std::uint32_t port, number;  ///< Number: a class, or S.
  std::uint32_t generation;    ///< Of the timer: a later load cancels it.
  Due due;
  /// For a std::priority_queue: the latest last.
  friend bool operator<(const WaveFuture& a, const WaveFuture& b) noexcept {
    return a.time != b.time ? a.time > b.time : a.order > b.order;
  }
};

/// Returned in the order of time; at equal times in the order of insertion.
///
/// Frames end soon, and mostly in the order in which they began: a list in which the right place is
/// near. Timers expire much later, and most are cancelled before: they wait in a heap.
class WaveFutures {
 public:
  WaveFutures() { soon_.reserve(max_soon); }

  void add(std::uint64_t time, WaveFuture::Due due, std::uint32_t port, std::uint32_t number = 0,
           std::uint32_t generation = 0) {
    const WaveFuture future{time, order_++, port, number, generation, due};
    const bool timer = due == WaveFuture::Due::timer_end || due == WaveFuture::Due::pause_change;
    if (timer || !add_soon(future)) late_.push(future);
    next_ = std::min(next_, time);
  }
  /// Whether one is at or before `time`.
  [[nodiscard]] bool any_until(std::uint64_t time) const noexcept { return next_ <= time; }
  /// Removes and returns the next one. Range: there is one.
  WaveFuture take() {
    const bool soon =
        first_ != soon_.size() && (late_.empty() || late_.top() < soon_[first_]);  // latest last
    const WaveFuture next = soon ? soon_[first_] : late_.top();
    if (!soon) {
      late_.pop();
    } else if (++first_ == soon_.size()) {
      soon_.clear();
      first_ = 0;
    }
    next_ = std::min(first_ == soon_.size() ? never : soon_[first_].time,
                     late_.empty() ? never : late_.top().time);
    return next;
  }

 private:
  static constexpr std::uint64_t never = ~std::uint64_t{0};
  static constexpr std::size_t max_soon = 4096, longest_way = 16;

  bool add_soon(const WaveFuture& future) {
    if (soon_.size() == max_soon) {
      if (first_ < max_soon / 2) return false;
      soon_.erase(soon_.begin(), soon_.begin() + static_cast<std::ptrdiff_t>(first_));
      first_ = 0;
    }
    std::size_t at = soon_.size();
    const std::size_t stop = at - first_ < longest_way ? first_ : at - longest_way;
    while (at != stop && future.time < soon_[at - 1].time) --at;
    if (at == stop && at != first_ && future.time < soon_[at - 1].time) return false;
    soon_.insert(soon_.begin() + static_cast<std::ptrdiff_t>(at), future);
    return true;
  }

  std::vector<WaveFuture> soon_;  // ascending, from first_ on
  std::size_t first_{0};
  std::priority_queue<WaveFuture> late_;
  std::uint64_t order_{0}, next_{never};
};

}  // namespace weir
