// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/scoreboard.hpp"
#include "weir/core/chip.hpp"
#include "weir/core/congestion/ecn_marker.hpp"

namespace weir::test {

/// The marker of the core, and what a weir_mmu shows of it while packets are on their way through
/// its stages: what a packet counts is there some cycles after the packet.
///
/// Timing:  in each cycle the packets that enter, then what leaves, then end_of_cycle(), then the
///          packets that ask, which the RTL judges in the next cycle.
class MarkReference final : public MarkerOwner {
 public:
  MarkReference(const Chip& chip, std::uint64_t seed) : marker_{chip, seed} {
    for (std::size_t port = 0; port < chip.ports.size(); ++port)
      states_.push_back(marker_.draw_state(port_id(port)));
  }

  [[nodiscard]] const EcnMarker& marker_now() override { return marker_; }
  void clear_marker() override {
    marker_.clear();
    late_.clear();
  }

  bool enters(QueueIndex queue, Cells n, Bytes length, Ecn ecn, std::uint64_t now) {
    if (!marker_.has_profile(queue)) return false;
    return counted(marker_.enters(queue, n, length, ecn), {now, queue, {1, length, 0}});
  }
  bool leaves(QueueIndex queue, Cells n, Bytes length, Ecn ecn, std::uint64_t now) {
    if (!marker_.has_profile(queue)) return false;
    return counted(marker_.leaves(queue, n, length, ecn), {now, queue, {1, length, 0}});
  }
  void discards(QueueIndex queue, Cells n) {
    if (marker_.has_profile(queue)) marker_.discards(queue, n);
  }
  bool drops(QueueIndex queue, Ecn ecn, bool lossless, std::uint64_t now) {
    if (!marker_.has_profile(queue)) return false;
    return counted(marker_.drops(queue, ecn, lossless), {now + 1, queue, {0, Bytes{}, 1}});
  }
  void end_of_cycle(std::uint64_t now) {
    for (std::size_t port = 0; port < states_.size(); ++port)
      states_[port] = marker_.draw_state(port_id(port));
    while (!late_.empty() && late_.front().cycle + stages < now) late_.pop_front();
  }

  /// Value of a register of block queue_wred, read in cycle `now` before anything happens there.
  [[nodiscard]] std::uint64_t counter(std::string_view name, QueueIndex queue,
                                      std::uint64_t now) const {
    if (name == "waiting") return marker_.waiting(queue).count();
    for (const auto& row : wred_counter_table) {
      if (row.name != name) continue;
      std::uint64_t value = row.read(marker_.counters(queue));
      for (const Late& late : late_)
        if (late.queue == queue && late.cycle + stages >= now) value -= row.read(late.counts);
      return value;
    }
    throw Difference{"queue_wred has no counter " + std::string{name}};
  }
  /// State of the draws of a port, as the cycle before left it.
  [[nodiscard]] std::uint32_t state(std::size_t port) const { return states_[port]; }

 private:
  static constexpr std::uint64_t stages = 2;  // from a packet to its answer, which is counted then
  struct Late {
    std::uint64_t cycle;
    QueueIndex queue;
    WredCounters counts;
  };

  bool counted(bool hit, const Late& late) {
    if (hit) late_.push_back(late);
    return hit;
  }

  EcnMarker marker_;
  std::vector<std::uint32_t> states_;
  std::deque<Late> late_;
};

}  // namespace weir::test
