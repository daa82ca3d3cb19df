// SPDX-License-Identifier: Apache-2.0
#include "cosim_marks.hpp"

#include <algorithm>

#include "weir/core/congestion/ecn.hpp"

namespace weir {
namespace {

constexpr std::uint64_t cycles_a_turn = 512;  // from filling to draining, on average

}  // namespace

CosimMarks::CosimMarks(const Chip& chip, Mmu& mmu, RtlMmu& rtl, std::uint64_t seed)
    : chip_{chip},
      mmu_{mmu},
      rtl_{rtl},
      marker_{chip, seed},
      engine_{rtl.pins(), chip.mark_latency},
      random_{seed, "cosim marks"},
      waiting_(chip.ports.size()),
      held_(chip.ports.size()) {
  mmu.set_marker_owner(owner_);
}

void CosimMarks::cycle(bool drawing) {
  const std::uint64_t now = rtl_.cycle();
  if (const auto due = entering_.find(now); due != entering_.end()) {
    for (const Entry& entry : due->second) enter(entry, now);
    entering_.erase(due);
  }
  if (!drawing) return;
  if (random_.uniform(cycles_a_turn) == 0) holds_ = !holds_;
  for (std::size_t port = 0; port < waiting_.size(); ++port)
    if (!waiting_[port].empty() && random_.uniform(holds_ && !full() ? 16 : 2) == 0)
      leave(port, now);
}

// Half of what a queue may hold in the RTL: the rest is for what has been requested by now.
bool CosimMarks::full() const noexcept {
  const std::uint64_t most = std::uint64_t{1} << (rtl_.shape().cell_width - 1);
  return std::any_of(held_.begin(), held_.end(), [&](std::uint64_t cells) { return most < cells; });
}

void CosimMarks::enter(const Entry& entry, std::uint64_t now) {
  const bool marked = marker_.has_profile(entry.queue) &&
                      marker_.enters(entry.queue, entry.cells, entry.length, entry.ecn);
  engine_.expect_entry(now, entry.part, marked);
  waiting_[port_of(entry.queue).count()].push_back(entry);
  held_[port_of(entry.queue).count()] += entry.cells.count();
}

// Any of those that wait, and now and then a packet that does not: the RTL must say so.
void CosimMarks::leave(std::size_t port, std::uint64_t now) {
  std::deque<Entry>& waiting = waiting_[port];
  const std::size_t index = random_.uniform(waiting.size());
  const Entry entry = waiting[index];
  RtlDeparture packet{entry.queue, entry.cells.count(),
                      static_cast<std::uint32_t>(entry.length.count()), is_ect(entry.ecn),
                      random_.uniform(8) != 0};
  bool marked = false, error = false;
  if (marker_.has_profile(entry.queue)) {
    const std::uint32_t most = (1U << rtl_.shape().len_width) - 1;
    const std::uint32_t q = marker_.waiting(entry.queue).count();
    error = q < most && random_.uniform(64) == 0;
    if (error) packet.cells = q + 1;
    if (!error && packet.sent)
      marked = marker_.leaves(entry.queue, entry.cells, entry.length, entry.ecn);
    else if (!error)
      marker_.discards(entry.queue, entry.cells);
  }
  if (!error) {
    waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(index));
    held_[port] -= entry.cells.count();
  }
  present(rtl_.requests(), packet);
  engine_.expect_departure(now, port, marked, error);
}

bool CosimMarks::drops(const ArrivalStep& step, RtlArrival& request) {
  const Ecn ecn = random_.uniform(2) == 0 ? Ecn::not_ect : Ecn::ect0;
  request.ect = is_ect(ecn);
  const QueueIndex queue = step.queues.front();
  const bool lossless = mmu_.settings_of(step.pg).lossless;
  request.asks = step.queues.size() == 1 && !lossless;
  return request.asks && marker_.has_profile(queue) && marker_.drops(queue, ecn, lossless);
}

void CosimMarks::admitted(const ArrivalStep& step, const RtlArrival& request, std::uint8_t mask,
                          std::size_t slot) {
  std::vector<Entry>& entries = entering_[rtl_.cycle() + chip_.admit_latency];
  for (std::size_t copy = 0; copy < step.queues.size(); ++copy)
    if ((mask >> copy & 1U) != 0)
      entries.push_back({step.queues[copy], step.cells, step.length,
                         request.ect ? Ecn::ect0 : Ecn::not_ect,
                         slot * rtl_.shape().copies + copy});
}

}  // namespace weir
