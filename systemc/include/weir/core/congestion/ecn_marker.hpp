// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "weir/core/accounting/stats_counters.hpp"
#include "weir/core/chip.hpp"
#include "weir/core/congestion/ecn.hpp"
#include "weir/core/index.hpp"
#include "weir/core/units.hpp"

namespace weir {

/// The line of a WRED profile between its thresholds: P(q) = probability x (q - min) / (max - min).
///
/// Units:  2^-16; the slope has 25 more bits of fraction and is rounded to nearest.
/// Range:  min <= q < max. P is within 2^-16 of the exact value, never falls with q, and never
///         exceeds `probability`.
class WredLine {
 public:
  WredLine() = default;
  explicit WredLine(const WredProfile& profile) noexcept;

  /// P(q) in 2^-16.
  [[nodiscard]] std::uint32_t at(Cells q) const noexcept {
    const std::uint64_t product = std::uint64_t{(q - min_).count()} * slope_;
    return static_cast<std::uint32_t>((product + half) >> fraction_bits);
  }

  /// P per cell in 2^-41, as the RTL takes it: at most 2^41.
  [[nodiscard]] std::uint64_t slope() const noexcept { return slope_; }

  static constexpr unsigned fraction_bits = 25;

 private:
  static constexpr std::uint64_t half = std::uint64_t{1} << (fraction_bits - 1);
  Cells min_;
  std::uint64_t slope_{0};
};

/// One shift of a Galois LFSR of 32 bits that shifts right.
[[nodiscard]] constexpr std::uint32_t draw_shift(std::uint32_t state,
                                                 std::uint32_t polynomial) noexcept {
  return (state >> 1) ^ ((state & 1U) != 0 ? polynomial : 0U);
}

/// The step that the register of a port makes for a draw: sixteen shifts at once, so that no bit of
/// a draw is a bit of the one before. The draw is the low 16 bits of the state after the step.
///
/// Range: a state is never 0, and passes through all others where the polynomial is primitive; a
///        draw is 0 to 65535.
class DrawStep {
 public:
  explicit DrawStep(std::uint32_t polynomial) noexcept;

  [[nodiscard]] std::uint32_t operator()(std::uint32_t state) const noexcept {
    return byte_shifted(byte_shifted(state));
  }

 private:
  // A shift is linear: eight of them move the upper bytes down and add what the lowest makes.
  [[nodiscard]] std::uint32_t byte_shifted(std::uint32_t state) const noexcept {
    return (state >> 8) ^ of_byte_[state & 0xffU];
  }
  std::array<std::uint32_t, 256> of_byte_;  // a state of one byte, after eight shifts
};

/// The draw of a state that a DrawStep has made.
[[nodiscard]] constexpr std::uint32_t drawn(std::uint32_t state) noexcept {
  return state & 0xffffU;
}

/// Whether a register of this polynomial passes through all 2^32 - 1 states.
[[nodiscard]] bool is_primitive_polynomial(std::uint32_t polynomial) noexcept;

/// State in which the register of a port begins: a fixed function of `seed` and port, never 0.
[[nodiscard]] std::uint32_t first_draw_state(std::uint64_t seed, PortId port) noexcept;

/// Whether a WRED profile of the chip drops, so that arrivals must be judged.
[[nodiscard]] inline bool drops_early(const Chip& chip) noexcept {
  return std::any_of(chip.wred_profiles.begin(), chip.wred_profiles.end(),
                     [](const WredProfile& profile) { return profile.drop; });
}

/// Counters of a queue with a WRED profile.
struct WredCounters {
  std::uint64_t marked_packets{0};  ///< Packets marked CE here, at dequeue or at enqueue.
  Bytes marked_bytes;
  std::uint64_t dropped{0};  ///< Packets that the profile refused at enqueue.

  WredCounters& operator+=(const WredCounters& other) noexcept {
    marked_packets += other.marked_packets;
    marked_bytes += other.marked_bytes;
    dropped += other.dropped;
    return *this;
  }
};

/// The rows of WredCounters: registers, SAI statistics and summary.json walk them.
inline constexpr std::array wred_counter_table{
    CounterOf<&WredCounters::marked_packets>::row(
        "marked_packets", offsetof(WredCounters, marked_packets),
        "packets of the queue that its WRED profile marked CE", CounterPart::traffic,
        "marked_packets", {"SAI_QUEUE_STAT_WRED_ECN_MARKED_PACKETS", 6}),
    CounterOf<&WredCounters::marked_bytes>::row(
        "marked_bytes", offsetof(WredCounters, marked_bytes), "their bytes", CounterPart::traffic,
        "marked_bytes", {"SAI_QUEUE_STAT_WRED_ECN_MARKED_BYTES", 7}),
    CounterOf<&WredCounters::dropped>::row("wred_dropped", offsetof(WredCounters, dropped),
                                           "packets that the WRED profile of the queue refused",
                                           CounterPart::traffic, "wred_drops",
                                           {"SAI_QUEUE_STAT_WRED_DROPPED_PACKETS", 5}),
};

/// Marking and early drop at egress queues (RED with ECN).
///
/// q is the number of cells that wait in a queue, over all memory domains: those of packets that
/// have entered and have not begun to leave. At enqueue a packet sees the q before it, at dequeue
/// the q that it leaves. q < min: pass. q >= max: mark, or drop. Between: the port draws r, and the
/// packet is marked, or dropped, iff r < P(q). Only a packet that can be marked or dropped at that
/// point draws.
///
/// A profile with `mark` marks ECT packets, at dequeue or at enqueue. One with `drop` drops the
/// others at enqueue, all alike where it does not mark. Lossless packets are never dropped.
///
/// Units:   whole cells.
/// Errors:  ModelError when more cells leave a queue than wait in it.
/// Timing:  none: calls come in the order in which packets count, which the owner decides.
/// Source:  RFC 3168, RFC 7567; SAI [SAI] saiwred.h for the names.
class EcnMarker {
 public:
  /// `seed`: of the draws, where the chip has no draw_seed. Range: a chip that was checked.
  EcnMarker(const Chip& chip, std::uint64_t seed);

  /// Whether the queue has a profile. Range of the calls below: queues with a profile.
  [[nodiscard]] bool has_profile(QueueIndex queue) const noexcept {
    return queue.value() < profile_of_queue_.size() && profile_of_queue_[queue] != no_profile;
  }
  /// Whether one of the port's queues has a profile.
  [[nodiscard]] bool has_profile_at(PortId port) const noexcept;

  /// Whether the queue has a profile that drops; without one drops() is false.
  [[nodiscard]] bool may_drop(QueueIndex queue) const noexcept {
    return has_profile(queue) && setting_of(queue).drop;
  }
  /// Whether the profile drops an arriving packet. Call it before admission, and skip admission
  /// then.
  [[nodiscard]] bool drops(QueueIndex queue, Ecn ecn, bool lossless) noexcept;
  /// A packet was admitted with `n` cells, which wait from now on. Returns whether it is marked.
  [[nodiscard]] bool enters(QueueIndex queue, Cells n, Bytes length, Ecn ecn) noexcept {
    const bool marked = setting_of(queue).marks_at_enqueue && marks_entry(queue, length, ecn);
    queues_[queue].waiting += n;
    return marked;
  }
  /// A packet of `n` cells begins to leave. Returns whether it is marked.
  [[nodiscard]] bool leaves(QueueIndex queue, Cells n, Bytes length, Ecn ecn);
  /// A packet of `n` cells leaves without being sent; nothing is drawn.
  void discards(QueueIndex queue, Cells n);

  /// q: the cells that wait now.
  [[nodiscard]] Cells waiting(QueueIndex queue) const noexcept { return queues_[queue].waiting; }
  [[nodiscard]] const WredCounters& counters(QueueIndex queue) const noexcept {
    return queues_[queue].counters;
  }
  /// Index of the queue's profile in Chip::wred_profiles. Range: a queue that has one.
  [[nodiscard]] WredProfileIndex profile_of(QueueIndex queue) const noexcept {
    return WredProfileIndex{profile_of_queue_[queue]};
  }
  /// Sums over the queues of a port that have a profile.
  [[nodiscard]] WredCounters of_port(PortId port) const noexcept;
  /// Sums over all queues that have a profile.
  [[nodiscard]] WredCounters total() const noexcept;
  /// State of the LFSR of a port.
  [[nodiscard]] std::uint32_t draw_state(PortId port) const { return draws_[port.count()]; }
  /// State in which the LFSR of a port began.
  [[nodiscard]] std::uint32_t first_draw_state_of(PortId port) const {
    return firsts_[port.count()];
  }
  /// Clears the counters; what waits is not touched.
  void clear() noexcept;

 private:
  static constexpr std::uint16_t no_profile = 0xffff;
  struct Setting {
    Cells min, max;
    bool mark{false}, marks_at_enqueue{false}, marks_at_dequeue{false}, drop{false};
    WredLine line;
  };
  struct Queue {
    Cells waiting;
    WredCounters counters;
  };

  [[nodiscard]] const Setting& setting_of(QueueIndex queue) const noexcept {
    return settings_[profile_of_queue_[queue]];
  }
  /// Whether a packet is hit while `q` cells wait; draws where chance decides.
  [[nodiscard]] bool hits(QueueIndex queue, const Setting& setting, Cells q) noexcept;
  [[nodiscard]] bool marks_entry(QueueIndex queue, Bytes length, Ecn ecn) noexcept;
  void count_mark(Queue& queue, Bytes length) noexcept {
    ++queue.counters.marked_packets;
    queue.counters.marked_bytes += length;
  }

  std::vector<Setting> settings_;
  IndexedVector<QueueIndex, std::uint16_t> profile_of_queue_;
  IndexedVector<QueueIndex, Queue> queues_;
  const DrawStep step_;
  std::vector<std::uint32_t> draws_;   // states, by port
  std::vector<std::uint32_t> firsts_;  // states, by port
};

/// Owner of a marker, which knows of packets that are still to enter. It brings the marker up to
/// now before its counters are read.
class MarkerOwner {
 public:
  MarkerOwner() = default;
  MarkerOwner(const MarkerOwner&) = delete;
  MarkerOwner& operator=(const MarkerOwner&) = delete;
  virtual ~MarkerOwner() = default;
  [[nodiscard]] virtual const EcnMarker& marker_now() = 0;
  /// Clears the counters as of now.
  virtual void clear_marker() = 0;
};

/// An owner whose packets enter at once. It borrows `marker`.
class PlainMarkerOwner final : public MarkerOwner {
 public:
  explicit PlainMarkerOwner(EcnMarker& marker) noexcept : marker_{marker} {}
  [[nodiscard]] const EcnMarker& marker_now() override { return marker_; }
  void clear_marker() override { marker_.clear(); }

 private:
  EcnMarker& marker_;
};

}  // namespace weir
