// SPDX-License-Identifier: Apache-2.0
#include "weir/trace/forensics/pfc_history.hpp"

namespace weir {

void PfcHistoryPolls::frame(Picoseconds last_bit) {
  const std::uint64_t period = period_.count();
  const std::uint64_t poll = last_bit.count() / period + (last_bit.count() % period != 0 ? 1 : 0);
  if (next_ != 0 && next_ < poll) look(next_);
  next_ = poll == 0 ? 1 : poll;  // what came before the first poll
}

// A poll that sees more frames than the one before.
void PfcHistoryPolls::look(std::uint64_t poll) {
  if (was_paused_ && paused_ + 1 < poll) {
    count_until(paused_ + 1);
    was_paused_ = false;
  }
  if (was_paused_) {
    count_until(poll);
  } else {
    ++history_.transitions;
    history_.recent = Picoseconds{};
    history_.recent_start = period_ * poll;
  }
  was_paused_ = true;
  paused_ = poll;
}

void PfcHistoryPolls::count_until(std::uint64_t poll) {
  const Picoseconds recent = period_ * poll - history_.recent_start;
  history_.total = history_.total - history_.recent + recent;
  history_.recent = recent;
}

PfcHistory PfcHistoryPolls::at(Picoseconds end) const {
  PfcHistoryPolls last = *this;
  const std::uint64_t polls = end.count() / period_.count();
  if (last.next_ != 0 && last.next_ <= polls) last.look(last.next_);
  if (last.was_paused_ && last.paused_ + 1 <= polls) last.count_until(last.paused_ + 1);
  return last.history_;
}

}  // namespace weir
