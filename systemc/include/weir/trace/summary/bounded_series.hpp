// SPDX-License-Identifier: Apache-2.0
// Values over the time of a run in memory that does not grow with the run.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "weir/core/units.hpp"

namespace weir {

/// Range of a value in one bucket of time. A bucket without a change has no point: the value is
/// still the last one of the previous point.
struct SeriesPoint {
  std::uint32_t bucket, least, most, last;
};

/// Many values over time, in buckets of equal length: least, most and last of each bucket in which
/// a value changed. Buckets are merged in pairs when there are more than `max_buckets` so far, or
/// more points than the budget: no extreme is lost, only resolution.
///
/// Range:  the run has 2^14 of the first buckets; at least `fewest` are kept (then memory grows
///         with the number of values).
/// Timing: some ten instructions a change, some thirty the first of a bucket.
class BoundedSeries {
 public:
  static constexpr std::uint64_t first_buckets = 1U << 14, fewest = 64;
  /// More than a screen has columns. A run that ends early has as many as one that does not.
  static constexpr std::uint64_t max_buckets = 4096;

  /// `end`: of the run. `budget`: points of all values together, 1 or more.
  BoundedSeries(Picoseconds end, std::size_t budget)
      : width_{std::max<std::uint64_t>(1, (end.count() + first_buckets - 1) / first_buckets)},
        next_{width_},
        end_{end.count()},
        budget_{budget} {}

  /// `count` more values, all 0 until set. Returns the number of the first.
  std::size_t add(std::size_t count) {
    slots_.resize(slots_.size() + count);
    return slots_.size() - count;
  }
  /// The following changes happen at `time`, which never goes back.
  void move_to(Picoseconds time) {
    if (time.count() >= next_) open_bucket(time.count());
  }
  /// The value has changed to `now`; the first time it need not be another one.
  void set(std::size_t value, std::uint32_t now) {
    Slot& slot = slots_[value];
    if (slot.bucket != bucket_) open(slot, bucket_);
    put(slot, now);
  }
  /// The same at a `time` that may be later than that of the changes which follow.
  void set_at(std::size_t value, std::uint32_t now, Picoseconds time);
  /// The same of a value of which only the last one of a bucket is looked at.
  void set_last(std::size_t value, std::uint32_t now) {
    Slot& slot = slots_[value];
    if (slot.bucket != bucket_) open(slot, bucket_);
    slot.last = now;
  }
  /// The last value.
  [[nodiscard]] std::uint32_t last(std::size_t value) const noexcept { return slots_[value].last; }

  [[nodiscard]] Picoseconds width() const noexcept { return Picoseconds{width_}; }
  [[nodiscard]] bool was_set(std::size_t value) const noexcept {
    return slots_[value].bucket != none;
  }
  /// The largest that the value has been; 0 where it was not set.
  [[nodiscard]] std::uint32_t peak(std::size_t value) const noexcept;
  /// Each point of a value, buckets ascending.
  template <class Visit>
  void for_each_point(std::size_t value, Visit&& visit) const {
    const Slot& slot = slots_[value];
    if (slot.bucket == none) return;
    for (const SeriesPoint& point : past_[slot.past]) visit(point);
    visit(SeriesPoint{slot.bucket, slot.least, slot.most, slot.last});
  }
  /// The points that another part of the same run has recorded of a value, which was not set here;
  /// empty: nor there. `width`: of the buckets there, a power of two times the first width here.
  /// Parts that are put together have the points of a series that saw all of the run.
  void take(std::size_t value, std::vector<SeriesPoint> points, Picoseconds width);

  /// All points of a value, ascending, each 2^`halvings` buckets merged into one.
  [[nodiscard]] std::vector<SeriesPoint> points(std::size_t value, unsigned halvings) const;

  /// Merges each 2^`halvings` buckets into one.
  static void merge_buckets(std::vector<SeriesPoint>& points, unsigned halvings);

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  struct Slot {
    std::uint32_t bucket{none}, least{0}, most{0}, last{0};
    std::uint32_t past{none};  // into past_
  };

  static void put(Slot& slot, std::uint32_t now) noexcept {
    if (now < slot.least)
      slot.least = now;
    else if (slot.most < now)
      slot.most = now;
    slot.last = now;
  }
  [[nodiscard]] std::uint32_t bucket_at(std::uint64_t time);
  void open_bucket(std::uint64_t time);
  // Unless the slot is in a later bucket already.
  void open(Slot& slot, std::uint32_t bucket);
  void keep_to_budget();
  void halve();

  std::uint64_t width_, next_;  // of a bucket; where the next one begins
  std::uint32_t bucket_{0};
  const std::uint64_t end_;
  std::size_t budget_, used_{0};
  std::vector<Slot> slots_;
  // Of values that were ever set: points of buckets before that of the slot.
  std::vector<std::vector<SeriesPoint>> past_;
};

}  // namespace weir
