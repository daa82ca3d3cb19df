// SPDX-License-Identifier: Apache-2.0
#include "summary/link_periods.hpp"

#include <algorithm>

#include "weir/core/bits.hpp"
#include "weir/model/network/frame.hpp"

namespace weir {

LinkPeriods::LinkPeriods(const Scenario& scenario, Picoseconds every)
    : ends_{scenario}, every_{every}, wires_(ends_.size()), pauses_(ends_.size()) {}

std::optional<std::size_t> LinkPeriods::find(const std::string& node, PortId port) const {
  for (std::size_t end = 0; end < ends_.size(); ++end)
    if (ends_[end].node == node && ends_[end].port == port) return end;
  return std::nullopt;
}

std::size_t LinkPeriods::watch_wire(std::size_t end) {
  wires_[end].push_back(watched_.size());
  watched_.push_back({end, std::nullopt, {}, {}, {}, {}, {}});
  return watched_.size() - 1;
}

std::size_t LinkPeriods::watch_pause(std::size_t end, Priority priority) {
  pauses_[end].push_back(watched_.size());
  watched_.push_back({end, priority, {}, {}, {}, {}, {}});
  return watched_.size() - 1;
}

// The slot is added with the next one: the end of the run may cut it.
void LinkPeriods::frame_started(const std::string& node, PortId port, std::uint64_t length,
                                Picoseconds start) {
  const std::size_t end = ends_.at(node, port);
  for (const std::size_t number : wires_[end]) {
    Watched& wire = watched_[number];
    add_slot(wire);
    wire.from = start;
    wire.to = start + slot_time(length, byte_time(ends_[end].rate));
  }
}

void LinkPeriods::add_slot(Watched& wire) {
  Values& sums = wire.columns.sums;
  while (wire.from < wire.to) {
    const std::uint64_t period = wire.from.count() / every_.count();
    const Picoseconds until = std::min(wire.to, Picoseconds{every_.count() * (period + 1)});
    if (sums.size() <= period) sums.resize(period + 1);
    sums[period] += static_cast<std::int64_t>((until - wire.from).count());
    wire.from = until;
  }
}

void LinkPeriods::pfc_received(const std::string& node, PortId port, const PfcFrame& frame,
                               Picoseconds time) {
  const std::size_t end = ends_.at(node, port);
  if (!ends_[end].obeys || pauses_[end].empty()) return;
  for (const std::size_t number : pauses_[end]) settle(watched_[number], time);
  for (std::size_t n = 0; n < priorities; ++n)
    if ((frame.class_enable >> n & 1U) != 0)
      ends_.timer(end).load(priority_id(n), frame.time[n], time);
}

// Periods that begin before that moment; at it, a frame may still change the state.
void LinkPeriods::settle(Watched& pause, Picoseconds before) const {
  const EndPauseTimer& timer = ends_.timer(pause.end);
  Columns& columns = pause.columns;
  for (; pause.next < before; pause.next += every_) {
    const Picoseconds total = timer.paused_time(*pause.priority, pause.next);
    if (!columns.state.empty())
      columns.sums.push_back(static_cast<std::int64_t>((total - pause.paused).count()));
    columns.state.push_back(timer.paused_since(*pause.priority, pause.next) ? 1 : 0);
    pause.paused = total;
  }
}

void LinkPeriods::finish(Picoseconds time) {
  end_ = time;
  for (Picoseconds begin{0}; begin < end_; begin += every_) begins_.push_back(begin.count());
  for (Watched& watched : watched_) {
    if (!watched.priority) {
      finish_wire(watched);
      continue;
    }
    settle(watched, time);
    if (watched.columns.state.empty()) continue;
    const Picoseconds total = ends_.timer(watched.end).paused_time(*watched.priority, time);
    watched.columns.sums.push_back(static_cast<std::int64_t>((total - watched.paused).count()));
  }
}

void LinkPeriods::finish_wire(Watched& wire) {
  constexpr std::uint64_t ppm = 1'000'000;
  wire.to = std::min(wire.to, end_);
  add_slot(wire);
  wire.columns.sums.resize(begins_.size());
  for (std::size_t i = 0; i < begins_.size(); ++i) {
    const std::uint64_t length = std::min(every_.count(), end_.count() - begins_[i]);
    const auto busy = static_cast<std::uint64_t>(wire.columns.sums[i]);
    wire.columns.state.push_back(static_cast<std::int64_t>(Wide{busy} * ppm / length));
  }
}

}  // namespace weir
