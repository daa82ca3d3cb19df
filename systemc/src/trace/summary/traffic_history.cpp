// SPDX-License-Identifier: Apache-2.0
#include "summary/traffic_history.hpp"

#include <algorithm>

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
  __extension__ using Wide = unsigned __int128;
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
  constexpr std::uint64_t overhead = preamble_bytes.count() + interframe_gap_bytes.count();
  const std::uint16_t port = sample.port.count();
  const std::tuple key{sample.node, port, sample.priority.count()};
  const std::uint64_t bytes = sample.counts.tx_bytes.count() + sample.counts.tx_packets * overhead;
  std::uint64_t& before = seen_[key];
  if (before != bytes) add_bytes(sent_[{sample.node, port}], bytes - before, time);
  before = bytes;
  const bool known = depths_.count(key) != 0;
  if (!known && sample.queue_frames == 0) return;
  std::uint64_t& deepest =
      depths_[key][std::min<std::uint64_t>(time.count() / width_.count(), bins - 1)];
  deepest = std::max(deepest, sample.queue_frames);
}

}  // namespace weir
