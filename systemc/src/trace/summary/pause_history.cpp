// SPDX-License-Identifier: Apache-2.0
#include "pause_history.hpp"

#include <algorithm>

#include "summary/priority_of.hpp"

namespace weir {
PauseHistory::PauseHistory(const Scenario& scenario)
    : ends_{scenario},
      width_{std::max<std::uint64_t>(1, (scenario.until.count() + bins - 1) / bins)},
      state_(ends_.size()),
      ends_of_node_(scenario.switches.size() + scenario.hosts.size()) {}

void PauseHistory::sent(const std::string& node, PortId port, const PfcFrame& frame,
                        Picoseconds time) {
  const std::size_t end = ends_.at(node, port);
  for (std::size_t n = 0; n < priorities; ++n) {
    const auto bit = static_cast<std::uint8_t>(1U << n);
    if ((frame.class_enable & bit) == 0) continue;
    std::uint8_t& pausing = state_[end].pausing;
    if (frame.time[n].count() == 0) {
      pausing = static_cast<std::uint8_t>(pausing & ~bit);
      continue;
    }
    PauseFlow& flow = flows_[{end, n}];
    if (flow.frames++ == 0) flow.first = time;
    if ((pausing & bit) == 0) start(end, n, flow, time);
    pausing = static_cast<std::uint8_t>(pausing | bit);
  }
}

// Whether the sender only propagates a pause: its own ports may not send the class now.
void PauseHistory::start(std::size_t end, std::size_t priority, PauseFlow& flow, Picoseconds time) {
  ++flow.starts;
  bool because = false;
  for (const std::size_t other : ends_of_node_[ends_[end].number]) {
    if (other == end || (ends_.timer(other).blocked_mask(time) >> priority & 1U) == 0) continue;
    ++flow.because[other];
    because = true;
  }
  if (!because) ++flow.origins;
}

void PauseHistory::received(const std::string& node, PortId port, const PfcFrame& frame,
                            Picoseconds time) {
  const std::size_t end = ends_.at(node, port);
  if (!ends_[end].obeys) return;
  std::vector<std::size_t>& known = ends_of_node_[ends_[end].number];
  for (std::size_t n = 0; n < priorities; ++n) {
    if ((frame.class_enable >> n & 1U) == 0) continue;
    std::uint32_t& index = state_[end].paused[n];
    if (index == 0) {
      if (frame.time[n].count() == 0) continue;
      if (std::find(known.begin(), known.end(), end) == known.end()) known.push_back(end);
      paused_.push_back({end, priority_of(n), time, std::vector<Picoseconds>(bins)});
      index = static_cast<std::uint32_t>(paused_.size());
    }
    settle(paused_[index - 1], time);
    ends_.timer(end).load(priority_of(n), frame.time[n], time);
  }
}

void PauseHistory::settle(PausedClass& entry, Picoseconds time) {
  const EndPauseTimer& timer = ends_.timer(entry.end);
  Picoseconds before = timer.paused_time(entry.priority, entry.settled);
  if (before == timer.paused_time(entry.priority, time)) {
    entry.settled = time;
    return;
  }
  while (entry.settled < time) {
    const std::size_t bin = std::min<std::size_t>(bins - 1, entry.settled.count() / width_.count());
    const Picoseconds until =
        bin + 1 == bins ? time : std::min(time, Picoseconds{width_.count() * (bin + 1)});
    const Picoseconds now = timer.paused_time(entry.priority, until);
    entry.bins[bin] += now - before;
    before = now;
    entry.settled = until;
  }
}

void PauseHistory::finish(Picoseconds time) {
  for (PausedClass& entry : paused_) settle(entry, time);
}

}  // namespace weir
