// SPDX-License-Identifier: Apache-2.0
#include "pause_history.hpp"

#include <algorithm>
#include <utility>

#include "weir/core/index.hpp"

namespace weir {
PauseHistory::PauseHistory(const Scenario& scenario)
    : ends_{scenario},
      width_{std::max<std::uint64_t>(1, (scenario.until.count() + bins - 1) / bins)},
      state_(ends_.size()),
      ends_of_node_(scenario.switches.size() + scenario.hosts.size()) {}

void PauseHistory::sent(const std::string& node, PortId port, const PfcFrame& frame,
                        Picoseconds time) {
  const std::size_t end = ends_.at(node, port);
  for (std::size_t n = 0; (frame.class_enable >> n) != 0; ++n) {
    const auto bit = static_cast<std::uint8_t>(1U << n);
    if ((frame.class_enable & bit) == 0) continue;
    std::uint8_t& pausing = state_[end].pausing;
    if (frame.time[n].count() == 0) {
      pausing = static_cast<std::uint8_t>(pausing & ~bit);
      continue;
    }
    PauseFlow& flow = flows_[{end, priority_id(n)}];
    if (flow.frames++ == 0) flow.first = time;
    if ((pausing & bit) == 0) start(end, priority_id(n), flow, time);
    pausing = static_cast<std::uint8_t>(pausing | bit);
  }
}

// Whether the sender only propagates a pause: its own ports may not send the class now.
void PauseHistory::start(std::size_t end, Priority priority, PauseFlow& flow, Picoseconds time) {
  ++flow.starts;
  bool because = false;
  for (const std::size_t other : ends_of_node_[ends_[end].number]) {
    if (other == end || (ends_.timer(other).paused_mask(time) >> priority.count() & 1U) == 0)
      continue;
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
  for (std::size_t n = 0; (frame.class_enable >> n) != 0; ++n) {
    if ((frame.class_enable >> n & 1U) == 0) continue;
    std::uint32_t& index = state_[end].paused[n];
    if (index == 0) {
      if (frame.time[n].count() == 0) continue;
      if (std::find(known.begin(), known.end(), end) == known.end()) known.push_back(end);
      paused_.push_back({end, priority_id(n), time, std::vector<Picoseconds>(bins)});
      index = static_cast<std::uint32_t>(paused_.size());
    }
    settle(paused_[index - 1], time);
    ends_.timer(end).load(priority_id(n), frame.time[n], time);
  }
}

void PauseHistory::settle(PausedClass& entry, Picoseconds time) {
  if (time <= entry.settled) return;
  const EndPauseTimer& timer = ends_.timer(entry.end);
  const auto paused_until = [&](Picoseconds t) { return timer.paused_time(entry.priority, t); };
  const Picoseconds from = std::exchange(entry.settled, time);
  const Picoseconds before = paused_until(from), paused = paused_until(time) - before;
  if (paused == Picoseconds{0}) return;
  // Nearly always the class was paused without a gap, up to `time` or from `from` on.
  if (paused_until(time - paused) == before) return add(entry, time - paused, time);
  if (paused_until(from + paused) == before + paused) return add(entry, from, from + paused);
  for (Picoseconds start = from; start < time;) {
    const Picoseconds end = end_of_bin(start, time);
    entry.bins[bin_of(start)] += paused_until(end) - paused_until(start);
    start = end;
  }
}

void PauseHistory::add(PausedClass& entry, Picoseconds start, Picoseconds end) const {
  while (start < end) {
    const Picoseconds next = end_of_bin(start, end);
    entry.bins[bin_of(start)] += next - start;
    start = next;
  }
}

std::size_t PauseHistory::bin_of(Picoseconds time) const noexcept {
  return std::min<std::size_t>(bins - 1, time.count() / width_.count());
}

// The end of the bin that `time` is in, or `end` if that is earlier. The last bin has no end.
Picoseconds PauseHistory::end_of_bin(Picoseconds time, Picoseconds end) const noexcept {
  const std::size_t bin = bin_of(time);
  return bin + 1 == bins ? end : std::min(end, Picoseconds{width_.count() * (bin + 1)});
}

void PauseHistory::finish(Picoseconds time) {
  for (PausedClass& entry : paused_) settle(entry, time);
}

}  // namespace weir
