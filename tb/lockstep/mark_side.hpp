// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include "lockstep/domain_chip.hpp"
#include "lockstep/mmu_reference.hpp"
#include "lockstep/pins.hpp"
#include "lockstep/scoreboard.hpp"
#include "lockstep/verdicts.hpp"
#include "weir/core/congestion/ecn.hpp"
#include "weir/core/random.hpp"
#include "weir/core/step_traffic.hpp"
#include "weir/model/rtl/mark_engine.hpp"
#include "weir/model/rtl/rtl_request.hpp"

namespace weir::test {

/// Marking and early drop of a Verilated weir_mmu with WRED profiles: which arrivals ask, what
/// leaves each port, and what the marker of the core says to it.
///
/// In each cycle: drive(), compare(), then for each request in the order of its slot drops() or
/// admitted(), then end().
class MarkSide {
 public:
  MarkSide(Scoreboard& board, const RtlShape& shape, RtlPins& pins, PinBoard& pin_board)
      : board_{board}, shape_{shape}, pins_{pins}, engine_{pins, shape.mark} {
    for (const MmuPin pin : MarkEngine::answer_pins) pin_board.add(pin);
  }

  void reset(MmuReference& mmu) {
    mmu_ = &mmu;
    engine_.reset();
    entering_.clear();
    waiting_.assign(shape_.ports, {});
    held_.assign(shape_.ports, 0);
    filling_ = true;
  }
  /// Whether arrivals are to wait: queues hold half of what they may.
  [[nodiscard]] bool full() const {
    const std::uint64_t most = std::uint64_t{1} << (shape_.cell_w - 1);
    return std::any_of(held_.begin(), held_.end(), [&](auto cells) { return most < cells; });
  }

  /// What enters and leaves in cycle `now`.
  void drive(RandomStream& random, std::uint64_t now) {
    const auto due = entering_.find(now);
    if (due != entering_.end()) {
      for (const Entry& entry : due->second) enter(entry, now);
      entering_.erase(due);
    }
    if (random.uniform(cycles_a_turn) == 0) filling_ = !filling_;
    for (std::size_t port = 0; port < shape_.ports; ++port) {
      pins_.set(MmuPin::dep_valid_i, port, 0);
      if (!waiting_[port].empty() && random.uniform(filling_ && !full() ? 16 : 2) == 0)
        leave(random, port, now);
    }
    mmu_->marks->end_of_cycle(now);
  }
  void compare(std::uint64_t now, PinBoard& pin_board) {
    engine_.compare(now, [&](const LockstepValue& value) { pin_board(value); });
  }

  /// What a granted arrival says about marking.
  void draw(RandomStream& random, const ArrivalStep& step, RtlArrival& request) const {
    request.ect = random.uniform(2) != 0;
    const bool lossless = mmu_->domains.front()->mmu.settings_of(step.pg).lossless;
    request.asks = shape_.wred_drops != 0 && step.queues.size() == 1 && !lossless;
  }
  bool drops(const ArrivalStep& step, const RtlArrival& request, std::uint64_t now) {
    const bool dropped =
        request.asks && mmu_->marks->drops(step.queues.front(), ecn_of(request), false, now);
    board_.hit_if(dropped, dropped_);
    return dropped;
  }
  /// `mask`: which of its queues have taken it.
  void admitted(const ArrivalStep& step, const RtlArrival& request, std::uint8_t mask,
                std::size_t slot, std::uint64_t verdict) {
    for (std::size_t copy = 0; copy < step.queues.size(); ++copy)
      if ((mask >> copy & 1U) != 0)
        entering_[verdict].push_back({step.queues[copy], step.cells, step.length, ecn_of(request),
                                      slot * shape_.copies + copy});
  }

 private:
  static constexpr std::uint64_t cycles_a_turn = 512;  // from filling to draining, on average
  struct Entry {
    QueueIndex queue;
    Cells cells;
    Bytes length;
    Ecn ecn;
    std::size_t part;  // of arr_mark_o
  };

  static Ecn ecn_of(const RtlArrival& request) { return request.ect ? Ecn::ect0 : Ecn::not_ect; }

  void enter(const Entry& entry, std::uint64_t now) {
    const std::size_t port = port_of(entry.queue).count();
    const bool marked = mmu_->marks->enters(entry.queue, entry.cells, entry.length, entry.ecn, now);
    engine_.expect_entry(now, entry.part, marked);
    board_.hit_if(marked, marked_entry_);
    waiting_[port].push_back(entry);
    held_[port] += entry.cells.count();
  }

  // Any of those that wait; now and then more than waits, which the RTL must refuse.
  void leave(RandomStream& random, std::size_t port, std::uint64_t now) {
    std::deque<Entry>& waiting = waiting_[port];
    const std::size_t index = random.uniform(waiting.size());
    const Entry entry = waiting[index];
    RtlDeparture packet{entry.queue, entry.cells.count(),
                        static_cast<std::uint32_t>(entry.length.count()), is_ect(entry.ecn),
                        random.uniform(8) != 0};
    MarkReference& marks = *mmu_->marks;
    bool marked = false, error = false;
    if (mmu_->chip.wred_of_queue[entry.queue]) {
      const std::uint64_t q = marks.counter("waiting", entry.queue, now);
      error = q < low_bits(shape_.len_w) && random.uniform(64) == 0;
      if (error) packet.cells = static_cast<std::uint32_t>(q + 1);
    }
    if (!error) {
      if (packet.sent)
        marked = marks.leaves(entry.queue, entry.cells, entry.length, entry.ecn, now);
      else
        marks.discards(entry.queue, entry.cells);
      waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(index));
      held_[port] -= entry.cells.count();
    }
    board_.hit_if(marked, marked_departure_);
    board_.hit_if(!packet.sent, discarded_);
    present(pins_, packet);
    engine_.expect_departure(now, port, marked, error);
  }

  Scoreboard& board_;
  const RtlShape& shape_;
  RtlPins& pins_;
  MarkEngine engine_;
  MmuReference* mmu_{nullptr};
  std::map<std::uint64_t, std::vector<Entry>> entering_;  // by the cycle of the verdict
  std::vector<std::deque<Entry>> waiting_;                // by port
  std::vector<std::uint64_t> held_;                       // cells, by port
  bool filling_{true};

  using Point = Scoreboard::Point;
  const Point dropped_{board_.point("packet dropped by WRED")},
      marked_entry_{board_.point("packet marked at enqueue")},
      marked_departure_{board_.point("packet marked at dequeue")},
      discarded_{board_.point("packet discarded")};
};

}  // namespace weir::test
