// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "weir/core/congestion/ecn.hpp"
#include "weir/core/random.hpp"
#include "weir/core/step_traffic.hpp"
#include "weir/model/rtl/rtl_request.hpp"

namespace weir {

/// Random traffic for the marker of a weir_mmu in a lockstep: packets enter their queues with their
/// verdicts, wait at their ports, and leave or are discarded. Filling and draining take turns.
///
/// In each cycle: enter(), then leave(), then admitted() for each request that was admitted.
/// Range: 1 <= len_width, 2 <= cell_width. Errors: none. Source: none; a means of tests.
class MarkTraffic {
 public:
  struct Packet {
    QueueIndex queue;
    Cells cells;
    Bytes length;
    Ecn ecn;
    std::size_t part;  ///< Index in arr_mark_o.
  };
  struct Departure {
    Packet packet;
    RtlDeparture request;
    bool error;  ///< More cells than wait, which the RTL must refuse.
  };

  /// `cell_width`, `len_width`: bits of the number of cells of a queue, and of a packet, in the
  /// RTL.
  MarkTraffic(std::size_t ports, unsigned cell_width, unsigned len_width)
      : max_held_{std::uint64_t{1} << (cell_width - 1)},
        max_length_{(std::uint64_t{1} << len_width) - 1},
        waiting_(ports),
        held_(ports) {}

  void reset();
  /// Whether a port holds half of what a queue of the RTL may hold: then draw no more arrivals. The
  /// other half is for those already requested.
  [[nodiscard]] bool full() const noexcept;
  [[nodiscard]] bool nothing_enters() const noexcept { return entering_.empty(); }

  /// Draws whether the transport of an arrival takes marks.
  static void draw_ect(RandomStream& random, RtlArrival& request) noexcept {
    request.ect = random.uniform(2) != 0;
  }
  static Ecn ecn_of(const RtlArrival& request) noexcept {
    return request.ect ? Ecn::ect0 : Ecn::not_ect;
  }
  /// The queues of `mask` have admitted a packet, which enters in cycle `verdict`. `part`: index of
  /// its first queue in arr_mark_o.
  void admitted(const ArrivalStep& step, const RtlArrival& request, std::uint8_t mask,
                std::size_t part, std::uint64_t verdict);

  /// Calls take(packet) for each packet that enters its queue in cycle `now`, in their order.
  template <class Take>
  void enter(std::uint64_t now, Take&& take) {
    const auto due = entering_.find(now);
    if (due == entering_.end()) return;
    for (const Packet& packet : due->second) {
      take(packet);
      const std::size_t port = port_of(packet.queue).count();
      waiting_[port].push_back(packet);
      held_[port] += packet.cells.count();
    }
    entering_.erase(due);
  }
  /// Calls take(departure) for each packet that leaves in this cycle, at most one a port, drawn
  /// from those that wait. `cells_in(queue)`: the cells that wait in a queue with a profile; none:
  /// it has no profile.
  template <class CellsIn, class Take>
  void leave(RandomStream& random, CellsIn&& cells_in, Take&& take) {
    if (random.uniform(cycles_a_turn) == 0) filling_ = !filling_;
    for (std::size_t port = 0; port < waiting_.size(); ++port)
      if (!waiting_[port].empty() && random.uniform(filling_ && !full() ? 16 : 2) == 0)
        take(port, draw_departure(random, port, cells_in));
  }

 private:
  static constexpr std::uint64_t cycles_a_turn = 512;  // from filling to draining, on average

  template <class CellsIn>
  Departure draw_departure(RandomStream& random, std::size_t port, CellsIn&& cells_in) {
    const std::size_t index = random.uniform(waiting_[port].size());
    const Packet packet = waiting_[port][index];
    Departure departure{
        packet,
        {packet.queue, packet.cells.count(), static_cast<std::uint32_t>(packet.length.count()),
         is_ect(packet.ecn), random.uniform(8) != 0},
        false};
    if (const std::optional<std::uint64_t> cells = cells_in(packet.queue)) {
      departure.error = *cells < max_length_ && random.uniform(64) == 0;
      if (departure.error) departure.request.cells = static_cast<std::uint32_t>(*cells + 1);
    }
    if (!departure.error) remove(port, index);
    return departure;
  }
  void remove(std::size_t port, std::size_t index);

  std::uint64_t max_held_, max_length_;
  std::map<std::uint64_t, std::vector<Packet>> entering_;  // by the cycle of their verdict
  std::vector<std::deque<Packet>> waiting_;                // by port
  std::vector<std::uint64_t> held_;                        // cells of them
  bool filling_{false};                                    // packets leave seldom
};

}  // namespace weir
