// SPDX-License-Identifier: Apache-2.0
#include "bounded_series.hpp"

namespace weir {
namespace {

// Of the same bucket, `point` later.
void merge(SeriesPoint& into, const SeriesPoint& point) {
  into.least = std::min(into.least, point.least);
  into.most = std::max(into.most, point.most);
  into.last = point.last;
}

void append(std::vector<SeriesPoint>& points, const SeriesPoint& point) {
  if (points.empty() || points.back().bucket != point.bucket)
    points.push_back(point);
  else
    merge(points.back(), point);
}

}  // namespace

void BoundedSeries::open_bucket(std::uint64_t time) noexcept {
  bucket_ = static_cast<std::uint32_t>(time / width_);
  next_ = (std::uint64_t{bucket_} + 1) * width_;
}

void BoundedSeries::open(Slot& slot) {
  if (slot.past == none) {
    slot.past = static_cast<std::uint32_t>(past_.size());
    past_.emplace_back();
  } else {
    append(past_[slot.past], {slot.bucket, slot.least, slot.most, slot.last});
    if (budget_ < ++used_) halve();
  }
  slot.bucket = bucket_;
  slot.least = slot.most = slot.last;
}

void BoundedSeries::halve() {
  if (end_ / width_ < 2 * fewest) {
    budget_ *= 2;
    return;
  }
  width_ *= 2;
  next_ = (next_ + width_ - 1) / width_ * width_;
  bucket_ /= 2;
  used_ = 0;
  for (std::vector<SeriesPoint>& points : past_) {
    merge_buckets(points, 1);
    used_ += points.size();
  }
  for (Slot& slot : slots_)
    if (slot.bucket != none) slot.bucket /= 2;
}

void BoundedSeries::merge_buckets(std::vector<SeriesPoint>& points, unsigned halvings) {
  auto end = points.begin();  // of those that are merged
  for (SeriesPoint point : points) {
    point.bucket >>= halvings;
    if (end != points.begin() && (end - 1)->bucket == point.bucket)
      merge(*(end - 1), point);
    else
      *end++ = point;
  }
  points.erase(end, points.end());
}

std::uint32_t BoundedSeries::most(std::size_t value) const noexcept {
  std::uint32_t most = 0;
  for_each_point(value, [&](const SeriesPoint& point) { most = std::max(most, point.most); });
  return most;
}

std::vector<SeriesPoint> BoundedSeries::points(std::size_t value, unsigned halvings) const {
  std::vector<SeriesPoint> all;
  if (halvings == 0 && touched(value)) all.reserve(past_[slots_[value].past].size() + 1);
  for_each_point(value, [&](SeriesPoint point) {
    point.bucket >>= halvings;
    append(all, point);
  });
  return all;
}

}  // namespace weir
