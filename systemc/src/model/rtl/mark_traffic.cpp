// SPDX-License-Identifier: Apache-2.0
#include "weir/model/rtl/mark_traffic.hpp"

namespace weir {

void MarkTraffic::reset() {
  entering_.clear();
  waiting_.assign(waiting_.size(), {});
  held_.assign(held_.size(), 0);
  filling_ = false;
}

bool MarkTraffic::full() const noexcept {
  return std::any_of(held_.begin(), held_.end(),
                     [&](std::uint64_t cells) { return max_held_ < cells; });
}

void MarkTraffic::admitted(const ArrivalStep& step, const RtlArrival& request, std::uint8_t mask,
                           std::size_t part, std::uint64_t verdict) {
  std::vector<Packet>& packets = entering_[verdict];
  for (std::size_t copy = 0; copy < step.queues.size(); ++copy)
    if ((mask >> copy & 1U) != 0)
      packets.push_back({step.queues[copy], step.cells, step.length, ecn_of(request), part + copy});
}

void MarkTraffic::remove(std::size_t port, std::size_t index) {
  std::deque<Packet>& waiting = waiting_[port];
  held_[port] -= waiting[index].cells.count();
  waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(index));
}

}  // namespace weir
