// SPDX-License-Identifier: Apache-2.0
#include "summary/traffic_history.hpp"

#include <algorithm>

#include "weir/core/bits.hpp"
#include "weir/core/ethernet.hpp"

namespace weir {

TrafficHistory::TrafficHistory(const Scenario& scenario)
    : width_{std::max<std::uint64_t>(1, (scenario.until.count() + bins - 1) / bins)},
      period_{scenario.monitor.period.value_or(Picoseconds{})} {}

// The bytes are of the last period: without a change there is no sample. They are spread evenly
// over it.
void TrafficHistory::add_bytes(Bins& to, std::uint64_t bytes, Picoseconds time) const {
  const std::uint64_t end = time.count();
  const std::uint64_t begin = saturating_subtract(time, period_).count();
  if (end <= begin) return;
  const std::uint64_t span = end - begin;
  const auto until = [&](std::uint64_t moment) {
    return static_cast<std::uint64_t>(Wide{bytes} * (moment - begin) / span);
  };
  std::uint64_t from = begin;
  while (from < end) {
    const std::uint64_t bin = std::min<std::uint64_t>(from / width_.count(), bins - 1);
    const std::uint64_t next = bin + 1 == bins ? end : std::min(end, (bin + 1) * width_.count());
    to[bin] += until(next) - until(from);
    from = next;
  }
}

void TrafficHistory::sample(const PortSample& sample, Picoseconds time) {
  const std::uint16_t port = sample.port.count();
  const std::tuple key{sample.node, port, sample.priority.count()};
  const std::uint64_t bytes =
      (sample.counts.tx_bytes + slot_overhead_bytes * sample.counts.tx_packets).count();
  std::uint64_t& before = seen_[key];
  if (before != bytes) add_bytes(sent_[{sample.node, port}], bytes - before, time);
  before = bytes;
  const bool known = depths_.count(key) != 0;
  if (!known && sample.queue_frames == 0) return;
  const auto [entry, added] = depths_.try_emplace(key);
  Depth& depth = entry->second;
  const std::size_t bin = bin_of(time);
  if (!added) depth.hold_until(bin);
  depth.most[bin] = std::max(depth.most[bin], sample.queue_frames);
  depth.last = sample.queue_frames;
  depth.bin = bin;
}

// Bins after that of the last sample: nothing is known of them but that.
void TrafficHistory::Depth::hold_until(std::size_t end) noexcept {
  for (std::size_t i = bin + 1; i < end; ++i) most[i] = last;
}

TrafficHistory::Depths TrafficHistory::depths(Picoseconds end) const {
  Depths depths;
  for (const auto& [place, depth] : depths_) {
    Depth held = depth;
    held.hold_until(bin_of(end) + 1);
    depths.emplace(place, held.most);
  }
  return depths;
}

}  // namespace weir
