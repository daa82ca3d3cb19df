// SPDX-License-Identifier: Apache-2.0
#include "weir/core/latency.hpp"

namespace weir {

void Latency::merge(const Latency& other) {
  if (other.packets == 0) return;
  const std::size_t used = other.used();
  if (buckets_.size() < used) buckets_.resize(bucket_count);
  packets += other.packets;
  sum += other.sum;
  longest = std::max(longest, other.longest);
  for (std::size_t i = 0; i < used; ++i) buckets_[i] += other.buckets_[i];
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
    if (rank <= seen) return i + 1 == bucket_count ? longest : std::min(end_of(i), longest);
  }
  return longest;
}

}  // namespace weir
