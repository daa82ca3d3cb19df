// SPDX-License-Identifier: Apache-2.0
#include "weir/trace/summary/bounded_series.hpp"

#include <utility>

namespace weir {
namespace {

// Room that a value has from the start: it saves the first growths, 128 B a value.
constexpr std::size_t fewest_points = 8;

// Of the same bucket, `point` later.
void merge(SeriesPoint& into, const SeriesPoint& point) {
  into.least = std::min(into.least, point.least);
  into.most = std::max(into.most, point.most);
  into.last = point.last;
}

}  // namespace

std::uint32_t BoundedSeries::bucket_at(std::uint64_t time) {
  while (max_buckets * width_ < time) halve();
  return static_cast<std::uint32_t>(time / width_);
}

void BoundedSeries::open_bucket(std::uint64_t time) {
  bucket_ = bucket_at(time);
  next_ = (std::uint64_t{bucket_} + 1) * width_;
}

void BoundedSeries::set_at(std::size_t value, std::uint32_t now, Picoseconds time) {
  const std::uint32_t bucket = bucket_at(time.count());
  Slot& slot = slots_[value];
  if (slot.bucket != bucket) open(slot, bucket);
  put(slot, now);
}

void BoundedSeries::open(Slot& slot, std::uint32_t bucket) {
  if (slot.past == none) {
    slot.past = static_cast<std::uint32_t>(past_.size());
    past_.emplace_back().reserve(fewest_points);
    slot.bucket = bucket;
    return;
  }
  if (bucket < slot.bucket) return;
  past_[slot.past].push_back({slot.bucket, slot.least, slot.most, slot.last});
  slot.bucket = bucket;
  slot.least = slot.most = slot.last;
  if (budget_ < ++used_) keep_to_budget();
}

// The width that comes out depends on the points alone, not on the order in which values come.
void BoundedSeries::keep_to_budget() {
  while (budget_ < used_) {
    if (end_ / width_ < 2 * fewest)
      budget_ *= 2;
    else
      halve();
  }
}

void BoundedSeries::take(std::size_t value, std::vector<SeriesPoint> points, Picoseconds width) {
  if (points.empty()) return;
  while (width_ < width.count()) halve();
  unsigned halvings = 0;
  while (width.count() << halvings < width_) ++halvings;
  merge_buckets(points, halvings);
  const SeriesPoint& now = points.back();
  slots_[value] = {now.bucket, now.least, now.most, now.last,
                   static_cast<std::uint32_t>(past_.size())};
  points.pop_back();
  used_ += points.size();
  past_.push_back(std::move(points));
  keep_to_budget();
}

void BoundedSeries::halve() {
  width_ *= 2;
  next_ = (next_ + width_ - 1) / width_ * width_;
  bucket_ /= 2;
  used_ = 0;
  for (Slot& slot : slots_) {
    if (slot.bucket == none) continue;
    slot.bucket /= 2;
    std::vector<SeriesPoint>& past = past_[slot.past];
    merge_buckets(past, 1);
    if (!past.empty() && past.back().bucket == slot.bucket) {
      slot.least = std::min(slot.least, past.back().least);
      slot.most = std::max(slot.most, past.back().most);
      past.pop_back();
    }
    used_ += past.size();
  }
}

void BoundedSeries::merge_buckets(std::vector<SeriesPoint>& points, unsigned halvings) {
  if (points.empty()) return;
  auto last = points.begin();  // of those that are merged
  last->bucket >>= halvings;
  for (auto next = last + 1; next != points.end(); ++next) {
    const std::uint32_t bucket = next->bucket >> halvings;
    if (last->bucket == bucket) {
      merge(*last, *next);
    } else {
      *++last = *next;
      last->bucket = bucket;
    }
  }
  points.erase(last + 1, points.end());
}

std::uint32_t BoundedSeries::peak(std::size_t value) const noexcept {
  std::uint32_t most = 0;
  for_each_point(value, [&](const SeriesPoint& point) { most = std::max(most, point.most); });
  return most;
}

std::vector<SeriesPoint> BoundedSeries::points(std::size_t value, unsigned halvings) const {
  std::vector<SeriesPoint> all;
  if (was_set(value)) all.reserve(past_[slots_[value].past].size() + 1);
  for_each_point(value, [&](const SeriesPoint& point) { all.push_back(point); });
  if (halvings != 0) merge_buckets(all, halvings);
  return all;
}

}  // namespace weir
