// SPDX-License-Identifier: Apache-2.0
#include "weir/core/latency.hpp"

namespace weir {

Latency::Latency(const Latency& other)
    : packets{other.packets}, sum{other.sum}, longest{other.longest} {
  const auto end = other.buckets_.begin() + static_cast<std::ptrdiff_t>(other.used());
  const auto begin =
      std::find_if(other.buckets_.begin(), end, [](std::uint64_t count) { return count != 0; });
  buckets_.assign(begin, end);
  if (packets != 0)
    first_ = other.first_ + static_cast<std::size_t>(begin - other.buckets_.begin());
}

void Latency::widen() {
  std::vector<std::uint64_t> all(bucket_count);
  std::copy(buckets_.begin(), buckets_.end(), all.begin() + static_cast<std::ptrdiff_t>(first_));
  buckets_ = std::move(all);
  first_ = 0;
}

void Latency::merge(const Latency& other) {
  if (other.packets == 0) return;
  if (buckets_.size() != bucket_count) widen();
  const std::size_t used = other.used();
  packets += other.packets;
  sum += other.sum;
  longest = std::max(longest, other.longest);
  for (std::size_t i = 0; i < used; ++i) buckets_[other.first_ + i] += other.buckets_[i];
}

Picoseconds Latency::end_of(std::size_t bucket) noexcept {
  constexpr std::size_t parts = std::size_t{1} << part_bits;
  const std::size_t shift = bucket < 2 * parts ? 0 : bucket / parts - 1;
  const std::uint64_t units = (std::uint64_t{bucket - shift * parts} + 1) << shift;
  return Picoseconds{(units << unit_bits) - 1};
}

Picoseconds Latency::percentile(std::uint64_t thousandths) const noexcept {
  if (packets == 0) return {};
  // ceil(packets x thousandths / 1000), the whole part first, as the product may not fit.
  const std::uint64_t rank =
      packets / 1000 * thousandths + (packets % 1000 * thousandths + 999) / 1000;
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i < buckets_.size(); ++i) {
    seen += buckets_[i];
    const std::size_t bucket = first_ + i;
    if (rank <= seen)
      return bucket + 1 == bucket_count ? longest : std::min(end_of(bucket), longest);
  }
  return longest;
}

}  // namespace weir
