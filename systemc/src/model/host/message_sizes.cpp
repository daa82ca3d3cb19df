// SPDX-License-Identifier: Apache-2.0
#include "weir/model/host/message_sizes.hpp"

#include <algorithm>

#include "weir/core/bits.hpp"
#include "weir/core/ethernet.hpp"
#include "weir/model/network/frame.hpp"

namespace weir {
namespace {

constexpr std::uint64_t whole = 1'000'000;  // SizePoint::share_ppm of everything

}  // namespace

Bytes draw_message_size(const std::vector<SizePoint>& points, RandomStream& random) {
  const std::uint64_t share = random.uniform(whole);
  const auto above = std::find_if(points.begin(), points.end(),
                                  [&](const SizePoint& p) { return share < p.share_ppm; });
  if (above == points.begin() || above == points.end())
    return std::max(Bytes{1}, (above == points.end() ? points.back() : *above).size);
  const SizePoint& low = *(above - 1);
  const std::uint64_t span = above->size.count() - low.size.count();
  const std::uint64_t part = (share - low.share_ppm) * span / (above->share_ppm - low.share_ppm);
  return std::max(Bytes{1}, low.size + Bytes{part});
}

Bytes mean_message_size(const std::vector<SizePoint>& points) {
  Wide twice_ppm_bytes = 0;
  SizePoint low{points.front().size, 0};
  for (const SizePoint& point : points) {
    twice_ppm_bytes +=
        Wide{point.share_ppm - low.share_ppm} * (low.size.count() + point.size.count());
    low = point;
  }
  return Bytes{static_cast<std::uint64_t>(twice_ppm_bytes / (2 * whole))};
}

MessageFrames MessageFrames::of(Bytes size, Bytes packet) noexcept {
  const std::uint64_t count =
      std::max<std::uint64_t>((size.count() + packet.count() - 1) / packet.count(), 1);
  const Bytes before = packet * (count - 1);
  return {count, packet, std::max(min_frame_bytes, size - before)};
}

Bytes MessageFrames::wire_bytes() const noexcept {
  return packet * (count - 1) + last + slot_overhead_bytes * count;
}

}  // namespace weir
