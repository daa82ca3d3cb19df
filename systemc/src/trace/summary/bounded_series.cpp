// SPDX-License-Identifier: Apache-2.0
#include "bounded_series.hpp"

namespace weir {
namespace {

void append(std::vector<SeriesPoint>& points, const SeriesPoint& point) {
  if (points.empty() || points.back().bucket != point.bucket) {
    points.push_back(point);
    return;
  }
  SeriesPoint& back = points.back();
  back.least = std::min(back.least, point.least);
  back.most = std::max(back.most, point.most);
  back.last = point.last;
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
    points = halved(points);
    used_ += points.size();
  }
  for (Slot& slot : slots_)
    if (slot.bucket != none) slot.bucket /= 2;
}

std::vector<SeriesPoint> BoundedSeries::halved(const std::vector<SeriesPoint>& points) {
  std::vector<SeriesPoint> merged;
  for (SeriesPoint point : points) {
    point.bucket /= 2;
    append(merged, point);
  }
  return merged;
}

std::vector<SeriesPoint> BoundedSeries::points(std::size_t value) const {
  const Slot& slot = slots_[value];
  if (slot.bucket == none) return {};
  std::vector<SeriesPoint> all = past_[slot.past];
  append(all, {slot.bucket, slot.least, slot.most, slot.last});
  return all;
}

}  // namespace weir
