// SPDX-License-Identifier: Apache-2.0
#include "weir/core/scheduling/queue_scheduler.hpp"

#include <limits>
#include <string>

#include "weir/core/chip_limits.hpp"
#include "weir/core/errors.hpp"

namespace weir {
namespace {

constexpr Bytes max_quantum = max_mtu;

}  // namespace

QueueScheduler::QueueScheduler(std::uint8_t strict_queues, const Weights& weights, Bytes quantum)
    : strict_{strict_queues} {
  if (quantum.count() == 0 || quantum > max_quantum) {
    throw ConfigError{"scheduler.quantum", std::to_string(quantum.count()) + " B",
                      "must be from 1 B to " + std::to_string(max_quantum.count()) + " B"};
  }
  for (unsigned queue = 0; queue < priorities; ++queue) {
    if ((strict_ >> queue & 1U) != 0) continue;  // a strict queue has no weight
    if (weights[queue] == 0 || weights[queue] > max_dwrr_weight) {
      throw ConfigError{"scheduler.weights[" + std::to_string(queue) + "]",
                        std::to_string(weights[queue]),
                        "must be from 1 to " + std::to_string(max_dwrr_weight)};
    }
    share_[queue] = static_cast<std::uint32_t>(quantum.count()) * weights[queue];
  }
}

/// Visits until the deficit covers the head: at least one, because only a visit gives the turn.
std::uint64_t QueueScheduler::visits_needed(unsigned queue, Bytes head) const noexcept {
  const std::uint64_t share = share_[queue], deficit = deficit_[queue];
  if (deficit + share >= head.count()) return 1;  // the usual case, without a division
  const std::uint64_t rounded_up = head.count() - deficit + share - 1;
  // The same quotient; a division of 32 bits takes a third of the time of one of 64.
  if (rounded_up >> 32 == 0) {
    return static_cast<std::uint32_t>(rounded_up) / static_cast<std::uint32_t>(share);
  }
  return rounded_up / share;
}

std::uint32_t QueueScheduler::raised(unsigned queue, std::uint64_t visits) const noexcept {
  return static_cast<std::uint32_t>(deficit_[queue] + share_[queue] * visits);
}

// move_turn() where only `queue` is eligible, the usual case at a host-facing port: no comparison
// is needed.
void QueueScheduler::keep_turn(unsigned queue, Bytes head) noexcept {
  const std::uint32_t deficit = raised(queue, visits_needed(queue, head));
  deficit_ = {};
  deficit_[queue] = deficit;
  turn_ = queue;
}

void QueueScheduler::move_turn(std::uint8_t eligible, const Heads& heads) noexcept {
  if ((eligible & (eligible - 1)) == 0) {
    const unsigned queue = lowest_bit(eligible);
    return keep_turn(queue, heads[queue]);
  }
  // The winner needs the fewest visits; of those, it is the first in the order of visiting.
  unsigned winner_place = 0;
  std::uint64_t rounds = std::numeric_limits<std::uint64_t>::max();
  for (unsigned place = 1; place <= priorities; ++place) {
    const unsigned queue = (turn_ + place) % priorities;
    if ((eligible >> queue & 1U) == 0) {
      deficit_[queue] = 0;
      continue;
    }
    const std::uint64_t visits = visits_needed(queue, heads[queue]);
    if (visits < rounds) {
      rounds = visits;
      winner_place = place;
    }
  }
  // All queues up to the winner were visited `rounds` times, the later ones once less.
  for (unsigned place = 1; place <= priorities; ++place) {
    const unsigned queue = (turn_ + place) % priorities;
    if ((eligible >> queue & 1U) == 0) continue;
    deficit_[queue] = raised(queue, place <= winner_place ? rounds : rounds - 1);
  }
  turn_ = (turn_ + winner_place) % priorities;
}

}  // namespace weir
