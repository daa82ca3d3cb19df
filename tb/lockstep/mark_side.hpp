// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>

#include "lockstep/domain_chip.hpp"
#include "lockstep/mmu_reference.hpp"
#include "lockstep/pins.hpp"
#include "lockstep/scoreboard.hpp"
#include "lockstep/verdicts.hpp"
#include "weir/core/congestion/ecn.hpp"
#include "weir/core/random.hpp"
#include "weir/core/step_traffic.hpp"
#include "weir/model/rtl/mark_engine.hpp"
#include "weir/model/rtl/mark_traffic.hpp"
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
      : board_{board},
        shape_{shape},
        pins_{pins},
        engine_{pins, shape.mark},
        traffic_{shape.ports, shape.cell_w, shape.len_w} {
    for (const MmuPin pin : MarkEngine::answer_pins) pin_board.add(pin);
  }

  void reset(MmuReference& mmu) {
    mmu_ = &mmu;
    engine_.reset();
    traffic_.reset();
  }
  /// Whether arrivals are to wait.
  [[nodiscard]] bool full() const { return traffic_.full(); }

  /// What enters and leaves in cycle `now`.
  void drive(RandomStream& random, std::uint64_t now) {
    MarkReference& marks = *mmu_->marks;
    traffic_.enter(now, [&](const MarkTraffic::Packet& packet) {
      const bool marked = marks.enters(packet.queue, packet.cells, packet.length, packet.ecn, now);
      engine_.expect_entry(now, packet.part, marked);
      board_.hit_if(marked, marked_entry_);
    });
    for (std::size_t port = 0; port < shape_.ports; ++port) pins_.set(MmuPin::dep_valid_i, port, 0);
    const auto cells_in = [&](QueueIndex queue) {
      return mmu_->chip.wred_of_queue[queue]
                 ? std::optional<std::uint64_t>{marks.counter("waiting", queue, now)}
                 : std::nullopt;
    };
    traffic_.leave(random, cells_in,
                   [&](std::size_t port, const MarkTraffic::Departure& departure) {
                     leave(departure, port, now);
                   });
    marks.end_of_cycle(now);
  }
  void compare(std::uint64_t now, PinBoard& pin_board) {
    engine_.compare(now, [&](const LockstepValue& value) { pin_board(value); });
  }

  /// What a granted arrival says about marking.
  void draw(RandomStream& random, const ArrivalStep& step, RtlArrival& request) const {
    MarkTraffic::draw_ect(random, request);
    const bool lossless = mmu_->domains.front()->mmu.settings_of(step.pg).lossless;
    request.asks = shape_.wred_drops != 0 && step.queues.size() == 1 && !lossless;
  }
  bool drops(const ArrivalStep& step, const RtlArrival& request, std::uint64_t now) {
    const bool dropped =
        request.asks &&
        mmu_->marks->drops(step.queues.front(), MarkTraffic::ecn_of(request), false, now);
    board_.hit_if(dropped, dropped_);
    return dropped;
  }
  /// `mask`: which of its queues have taken it.
  void admitted(const ArrivalStep& step, const RtlArrival& request, std::uint8_t mask,
                std::size_t slot, std::uint64_t verdict) {
    traffic_.admitted(step, request, mask, slot * shape_.copies, verdict);
  }

 private:
  void leave(const MarkTraffic::Departure& departure, std::size_t port, std::uint64_t now) {
    const MarkTraffic::Packet& packet = departure.packet;
    const bool sent = departure.request.sent;
    MarkReference& marks = *mmu_->marks;
    bool marked = false;
    if (!departure.error) {
      if (sent)
        marked = marks.leaves(packet.queue, packet.cells, packet.length, packet.ecn, now);
      else
        marks.discards(packet.queue, packet.cells);
    }
    board_.hit_if(marked, marked_departure_);
    board_.hit_if(!sent, discarded_);
    present(pins_, departure.request);
    engine_.expect_departure(now, port, marked, departure.error);
  }

  Scoreboard& board_;
  const RtlShape& shape_;
  RtlPins& pins_;
  MarkEngine engine_;
  MmuReference* mmu_{nullptr};
  MarkTraffic traffic_;

  using Point = Scoreboard::Point;
  const Point dropped_{board_.point("packet dropped by WRED")},
      marked_entry_{board_.point("packet marked at enqueue")},
      marked_departure_{board_.point("packet marked at dequeue")},
      discarded_{board_.point("packet discarded")};
};

}  // namespace weir::test
