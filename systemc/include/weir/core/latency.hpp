// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "weir/core/bits.hpp"
#include "weir/core/units.hpp"

namespace weir {

/// Delays of packets, in integers: their number, sum and maximum, and a histogram. Buckets are
/// 1.024 ns wide up to 131 ns; above, every doubling has 64 of them, so that none is wider than
/// 1/64 of the delays in it. All delays from 2^50 ps (19 minutes) on share the last one.
///
/// Cost:   constant per packet; 18 kB from the first packet on, none before. A copy has only the
///         buckets from the shortest delay to the longest.
/// Source: the log-linear buckets of HDR histograms [HDR].
struct Latency {
  std::uint64_t packets{0};
  Picoseconds sum, longest;

  Latency() = default;
  Latency(const Latency& other);
  Latency(Latency&&) noexcept = default;
  Latency& operator=(const Latency& other) { return *this = Latency{other}; }
  Latency& operator=(Latency&&) noexcept = default;
  ~Latency() = default;

  /// Whether all buckets exist, so that add() allocates no memory.
  [[nodiscard]] bool is_wide() const noexcept { return buckets_.size() == bucket_count; }
  void add(Picoseconds taken) {
    if (!is_wide()) widen();
    ++packets;
    sum += taken;
    longest = std::max(longest, taken);
    ++buckets_[bucket_of(taken)];
  }

  /// As if each packet of `other` had been added, in any order.
  void merge(const Latency& other);

  /// The average delay, rounded down; 0 without packets.
  [[nodiscard]] Picoseconds average() const noexcept {
    return Picoseconds{packets == 0 ? 0 : sum.count() / packets};
  }

  /// The least delay that at least `thousandths` of 1000 packets did not exceed; 0 without packets.
  /// Range: thousandths 1 to 1000. Rounding: up to the end of its bucket, but not above the
  ///        maximum: never below the exact value, and above it by at most 1/64 of it or 1.024 ns.
  [[nodiscard]] Picoseconds percentile(std::uint64_t thousandths) const noexcept;

  /// Packets in each bucket from first_bucket() on, at least up to the bucket of the longest delay;
  /// empty without packets.
  [[nodiscard]] const std::vector<std::uint64_t>& buckets() const noexcept { return buckets_; }
  /// The bucket that buckets() begins with.
  [[nodiscard]] std::size_t first_bucket() const noexcept { return first_; }
  /// Rebuilds a Latency that another process sent. Range: the values of one copy of it.
  [[nodiscard]] static Latency of_parts(std::uint64_t packets, Picoseconds sum, Picoseconds longest,
                                        std::size_t first, std::vector<std::uint64_t> buckets) {
    Latency latency;
    latency.packets = packets;
    latency.sum = sum;
    latency.longest = longest;
    latency.first_ = first;
    latency.buckets_ = std::move(buckets);
    return latency;
  }

  static constexpr unsigned part_bits = 6;    ///< 64 buckets a doubling.
  static constexpr unsigned unit_bits = 10;   ///< The narrowest bucket: 2^10 ps.
  static constexpr unsigned range_bits = 50;  ///< Longer delays share the last bucket.
  static constexpr std::size_t bucket_count = (range_bits - unit_bits - part_bits + 1) << part_bits;

  /// Bucket of a delay: its first 7 bits, and their position.
  [[nodiscard]] static std::size_t bucket_of(Picoseconds taken) noexcept {
    constexpr std::uint64_t last = (std::uint64_t{1} << (range_bits - unit_bits)) - 1;
    const std::uint64_t units = std::min(taken.count() >> unit_bits, last);
    const unsigned shift = highest_bit(units | bit_mask(part_bits)) - part_bits;
    return (std::size_t{shift} << part_bits) + static_cast<std::size_t>(units >> shift);
  }
  /// The longest delay of a bucket.
  [[nodiscard]] static Picoseconds end_of(std::size_t bucket) noexcept;

 private:
  // To all buckets.
  void widen();
  // How many of buckets_ there are up to that of the longest delay.
  [[nodiscard]] std::size_t used() const noexcept {
    return packets == 0 ? 0 : bucket_of(longest) + 1 - first_;
  }

  std::vector<std::uint64_t> buckets_;  // all, or those from `first_` to that of the longest delay
  std::size_t first_{0};
};

}  // namespace weir
