// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "weir/core/units.hpp"

namespace weir {

/// A sum that is seen `lag` cycles late.
///
/// Timing:  at(c) is the value at the end of cycle c - lag; before that, zero.
/// Range:   lag >= 1; record() takes cycles in ascending order.
/// Source:  docs/design/contract.md, 3, `threshold_lag`.
class LaggedSum {
 public:
  explicit LaggedSum(std::uint32_t lag) : lag_{lag}, ring_(lag + 2) {}

  /// The sum is `value` from cycle `now` on (a later record of the same cycle replaces it).
  void record(Cycle now, Cells value) noexcept {
    if (count_ != 0 && newest().cycle == now) {
      newest().value = value;
      return;
    }
    drop_superseded(now);
    ring_[(first_ + count_) % ring_.size()] = {now, value};
    ++count_;
  }

  /// The sum as it is seen in cycle `now`.
  [[nodiscard]] Cells at(Cycle now) const noexcept {
    Cells seen = before_;
    for (std::size_t i = 0; i < count_; ++i) {
      const Entry& entry = ring_[(first_ + i) % ring_.size()];
      if (entry.cycle + Cycle{lag_} > now) break;
      seen = entry.value;
    }
    return seen;
  }

 private:
  struct Entry {
    Cycle cycle;
    Cells value;
  };

  Entry& newest() noexcept { return ring_[(first_ + count_ - 1) % ring_.size()]; }

  // Merges into before_ the entries that no reader from `now` on distinguishes: at most lag + 1
  // remain.
  void drop_superseded(Cycle now) noexcept {
    while (count_ != 0 && ring_[first_].cycle + Cycle{lag_} <= now) {
      before_ = ring_[first_].value;
      first_ = (first_ + 1) % ring_.size();
      --count_;
    }
  }

  std::uint32_t lag_;
  std::vector<Entry> ring_;
  std::size_t first_{0}, count_{0};
  Cells before_;
};

}  // namespace weir
