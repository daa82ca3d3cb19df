// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "weir/core/bits.hpp"
#include "weir/core/units.hpp"

namespace weir {

/// Round robin among ports that wait for a lane of the MMU (arrivals, or releases, of one domain).
///
/// The pointer is after the port that was granted last. One cycle grants up to `lanes` requests,
/// each to the first waiting port at or after the pointer. A port with several requests is granted
/// again in the same cycle when the pointer comes back to it. So a waiting port sees every other
/// port at most once before its own turn.
///
/// Range:  1 .. 4096 ports. The order depends on counts and pointer alone, never on the order of
/// add(). Errors: ConfigError from the constructor only. Timing: a grant costs the same for 32 and
/// for 4096 ports: a bitmap of two levels, 64 x 64. Source: docs/design/contract.md, 3.
class ArrivalArbiter {
 public:
  static constexpr std::size_t max_ports = 4096;

  explicit ArrivalArbiter(std::size_t ports);

  /// One more request of `port` waits. Range: a port of this arbiter.
  void add(PortId port) noexcept {
    const std::size_t index = port.count();
    if (pending_[index]++ == 0) {
      waiting_[index >> 6] |= bit_mask(index & 63U);
      summary_ |= bit_mask(static_cast<unsigned>(index >> 6));
    }
  }

  /// Grants one cycle: calls `f(PortId)` for each request in order; returns their number. `f` must
  /// not call add(): its consequences belong to a later cycle.
  template <class F>
  unsigned grant(unsigned lanes, F&& f) {
    unsigned granted = 0;
    while (granted < lanes && summary_ != 0) {
      const std::size_t index = next_waiting();
      take(index);
      ++granted;
      f(PortId{static_cast<std::uint16_t>(index)});
    }
    return granted;
  }

  /// Moves the pointer as add() and the grant of that request would. Range: empty().
  void pass(PortId port) noexcept { move_pointer_past(port.count()); }

  /// Number of ports from the pointer to `port`, from 0. Of ports with one request each, the one
  /// with the smaller number is granted first.
  [[nodiscard]] std::size_t turns_to(PortId port) const noexcept {
    const std::size_t index = port.count();
    return index < pointer_ ? index + ports_ - pointer_ : index - pointer_;
  }

  [[nodiscard]] bool empty() const noexcept { return summary_ == 0; }

  /// Number of waiting requests of `port`.
  [[nodiscard]] std::uint32_t pending(PortId port) const noexcept { return pending_[port.count()]; }

 private:
  /// The first waiting port at or after the pointer, cyclic. Range: some port waits.
  [[nodiscard]] std::size_t next_waiting() const noexcept {
    const std::size_t word = pointer_ >> 6;
    const std::uint64_t here = waiting_[word] & (~std::uint64_t{0} << (pointer_ & 63U));
    if (here != 0) return word << 6 | lowest_bit(here);
    // Two shifts: a shift by 64 would be undefined when this is the last word.
    const std::uint64_t later = summary_ & (~std::uint64_t{0} << word << 1);
    const std::size_t found = lowest_bit(later != 0 ? later : summary_);
    return found << 6 | lowest_bit(waiting_[found]);
  }

  void take(std::size_t index) noexcept {
    if (--pending_[index] == 0) {
      std::uint64_t& word = waiting_[index >> 6];
      word &= ~bit_mask(index & 63U);
      if (word == 0) summary_ &= ~bit_mask(static_cast<unsigned>(index >> 6));
    }
    move_pointer_past(index);
  }

  void move_pointer_past(std::size_t index) noexcept {
    pointer_ = index + 1 == ports_ ? 0 : index + 1;
  }

  std::vector<std::uint32_t> pending_;
  std::vector<std::uint64_t> waiting_;  // bit p & 63 of word p >> 6: port p waits
  std::uint64_t summary_{0};            // bit w: some port of waiting_[w] waits
  std::size_t ports_, pointer_{0};
};

}  // namespace weir
