// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>

#include "weir/core/bits.hpp"
#include "weir/core/units.hpp"

namespace weir {

/// Which of a port's eight queues sends its next frame: strict priority, then DWRR.
///
/// The exact order:
/// 1. Of the eligible strict queues, the one with the highest index. The DWRR state does not
///    change.
/// 2. Otherwise the DWRR queue that has the turn, if it is eligible and its deficit covers its head
///    frame.
/// 3. Otherwise the turn moves on. Every DWRR queue that is not eligible now (empty or paused)
///    loses its deficit. Then the queues are visited in rising order from the one after the holder,
///    cyclic, the holder last, round after round. A visit adds weight x quantum to the deficit of
///    an eligible queue, and the first whose deficit then covers its head frame gets the turn.
/// A sent frame is subtracted from the deficit. So some eligible queue always sends, and between
/// queues that stay eligible the bytes of any whole number of rounds are proportional to their
/// weights, within one frame each.
///
/// Units:  bytes, of frames as the caller counts them (weir: FCS included, preamble and gap not).
/// Range:  weight 1 .. 65535, quantum 1 .. 65535 B; deficits stay below head frame + weight x
///         quantum.
/// Errors: ConfigError from the constructor only.
/// Timing: no loop over rounds: the number that a deficit needs is computed, so a quantum of 1 B
///         costs the same as one of 9 kB.
/// Source: Shreedhar and Varghese, SIGCOMM 1995 [SV95]; docs/design/contract.md, 3.
class QueueScheduler {
 public:
  using Heads = std::array<Bytes, priorities>;
  using Weights = std::array<std::uint32_t, priorities>;

  static constexpr Bytes default_quantum{256};  ///< About a cell: weights of 100 still interleave.
  static constexpr int none = -1;

  /// Bit q of `strict_queues`: queue q is strict; 0xff is pure strict priority.
  QueueScheduler(std::uint8_t strict_queues, const Weights& weights,
                 Bytes quantum = default_quantum);

  /// The queue to send from, or `none` when no queue is eligible. Moves the turn; a second call
  /// with the same arguments returns the same queue and changes nothing.
  ///
  /// `eligible`: bit q when queue q has a frame and is not paused; `heads`: lengths of the head
  /// frames, read for eligible queues only.
  [[nodiscard]] int pick(std::uint8_t eligible, const Heads& heads) noexcept {
    const unsigned strict = unsigned{eligible} & strict_;
    if (strict != 0) return static_cast<int>(highest_bit(strict));
    if (eligible == 0) return none;
    const bool holds = (eligible >> turn_ & 1U) != 0 && deficit_[turn_] >= heads[turn_].count();
    if (!holds) move_turn(eligible, heads);
    return static_cast<int>(turn_);
  }

  /// pick() and served() where only `queue` is eligible, the usual case.
  void serve_only(unsigned queue, Bytes head) noexcept {
    if ((strict_ >> queue & 1U) != 0) return;
    if (turn_ != queue || deficit_[queue] < head.count()) keep_turn(queue, head);
    deficit_[queue] -= static_cast<std::uint32_t>(head.count());
  }

  /// The frame of `bytes` that pick() chose from `queue` was sent.
  void served(int queue, Bytes bytes) noexcept {
    const auto index = static_cast<unsigned>(queue) % priorities;
    if ((strict_ >> index & 1U) == 0) {
      const std::uint64_t sent = bytes.count();
      deficit_[index] =
          deficit_[index] < sent ? 0 : static_cast<std::uint32_t>(deficit_[index] - sent);
    }
  }

  /// Bytes that the queue may still send in its turn.
  [[nodiscard]] Bytes deficit(unsigned queue) const noexcept {
    return Bytes{deficit_[queue % priorities]};
  }

 private:
  void keep_turn(unsigned queue, Bytes head) noexcept;
  void move_turn(std::uint8_t eligible, const Heads& heads) noexcept;
  [[nodiscard]] std::uint32_t raised(unsigned queue, std::uint64_t visits) const noexcept;
  [[nodiscard]] std::uint64_t visits_needed(unsigned queue, Bytes head) const noexcept;

  // Bytes, in 32 bits so that both lie in one cache line: enough up to 2^32 - 1 for what the ranges
  // above allow, with frames of up to 64 kB.
  std::array<std::uint32_t, priorities> deficit_{};
  std::array<std::uint32_t, priorities> share_{};  // weight x quantum: what a visit adds
  unsigned turn_{priorities - 1};                  // so that queue 0 is visited first
  std::uint8_t strict_;
};

}  // namespace weir
