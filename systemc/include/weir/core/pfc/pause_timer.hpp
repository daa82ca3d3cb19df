// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>

#include "weir/core/bits.hpp"
#include "weir/core/chip.hpp"
#include "weir/core/scheduling/clock_period.hpp"
#include "weir/core/units.hpp"

namespace weir {

/// Time base of a host: a timer loads with the last bit and runs for exactly its quanta.
class WireTimeBase {
 public:
  /// Range: a rate of which is_exact_rate() holds.
  explicit constexpr WireTimeBase(BitRate rate) noexcept : rate_{rate} {}

  [[nodiscard]] constexpr Picoseconds load_time(Picoseconds last_bit) const noexcept {
    return last_bit;
  }
  /// When a timer that loads `quanta` at `loaded` ends.
  [[nodiscard]] constexpr Picoseconds expiry(Picoseconds loaded, Quanta quanta) const noexcept {
    return loaded + quanta_time(quanta, rate_);
  }
  [[nodiscard]] constexpr Picoseconds response(Picoseconds response) const noexcept {
    return response;
  }

 private:
  BitRate rate_;
};

/// Time base of a switch: a timer is a register of quanta x 2^16 that decreases by `step` per clock
/// edge.
///
/// step = floor(2^16 x clock / 512 bit times), so a pause never ends before its exact time; it may
/// end later by up to 1/step of its length plus two cycles. With the usual rates and a clock of 1
/// GHz the step is an integer and only the rounding to edges remains.
///
/// Range:  step from 1 to 2^32 - 1; every rate of 1 Gbps or more with a clock period of 100 ps or
/// more. Errors: ConfigError when the step would be 0: such a timer would never end. Source:
/// docs/design/contract.md, 3; the RTL counts as such a register.
class CycleTimeBase {
 public:
  CycleTimeBase(BitRate rate, const ClockPeriod& clock);

  /// The edge at or after the last bit; the register is loaded there.
  [[nodiscard]] constexpr Picoseconds load_time(Picoseconds last_bit) const noexcept {
    return time_of(edge_at_or_after(last_bit, clock_), clock_);
  }
  /// Edges until the register of `quanta` is 0: ceil(quanta x 2^16 / step).
  [[nodiscard]] constexpr Cycle lifetime(Quanta quanta) const noexcept {
    return edges_to_lose(std::uint64_t{quanta.count()} << 16);
  }
  /// The edge at which a register that loads `quanta` at edge `loaded` is 0.
  [[nodiscard]] constexpr Picoseconds expiry(Picoseconds loaded, Quanta quanta) const noexcept {
    return later(loaded, lifetime(quanta));
  }
  /// The edge at which a register of half the `quanta` is 0, ceil(quanta x 2^15 / step) edges after
  /// the one that began the cycle of `moment`.
  [[nodiscard]] constexpr Picoseconds half_expiry(Picoseconds moment,
                                                  Quanta quanta) const noexcept {
    const Cycle half = edges_to_lose(std::uint64_t{quanta.count()} << 15);
    return time_of(edge_at_or_before(moment, clock_) + half, clock_);
  }
  /// The response time as timers keep it. Where the period is a fraction, cycles differ by a
  /// picosecond in length; then it is up to 1 ps longer, so that from every edge on it ends within
  /// the same cycle.
  [[nodiscard]] Picoseconds response(Picoseconds response) const noexcept;
  /// Decrement of the register per edge, in 2^-16 quanta.
  [[nodiscard]] constexpr std::uint64_t step() const noexcept { return step_; }

 private:
  [[nodiscard]] constexpr Cycle edges_to_lose(std::uint64_t fixed_point) const noexcept {
    return Cycle{(fixed_point + step_ - 1) / step_};
  }
  [[nodiscard]] constexpr Picoseconds later(Picoseconds edge, Cycle cycles) const noexcept {
    if (clock_.whole()) return edge + clock_.min_time(cycles);
    return time_of(edge_at_or_after(edge, clock_) + cycles, clock_);
  }

  ClockPeriod clock_;
  std::uint64_t step_;
};

/// How often and how long a class was paused. A pause is one interval without a gap, independent of
/// the number of its PFC frames.
struct PauseTimes {
  std::uint64_t pauses{0};  ///< Number of pauses.
  Picoseconds total;        ///< Sum of their lengths.
  Picoseconds longest;      ///< Length of the longest pause.
};

/// The pause timers of one transmitting port: which of its eight classes may not start a frame.
///
/// Units:  wire time in and out. `now` never goes back from call to call (paused_time() apart).
/// Range:  times up to 2^63 ps.
/// Errors: none; every function is total. No work while time passes: everything is computed on
///         demand.
/// Timing: a value loads at TimeBase::load_time(last bit) and runs until TimeBase::expiry(); the
///         class is paused from `response` after the last bit on (not before the load) if the
///         timer still runs. No frame is cut short: the MAC asks between frames.
/// Source: 802.3 Annex 31D, 802.1Qbb; response times docs/design/published-rows.md, 4.
template <class TimeBase>
class PauseTimer {
 public:
  /// `response`: from the last bit of a PFC frame until no new frame of the class starts.
  PauseTimer(TimeBase base, Picoseconds response) noexcept
      : base_{base}, response_{base.response(response)} {}

  /// Loads an enabled class of a PFC frame whose last bit came in at `now`; 0 quanta is XON.
  void load(Priority priority, Quanta quanta, Picoseconds now) noexcept {
    Pause& pause = pauses_[priority.count() % priorities];
    const bool running = now < pause.end;
    const Picoseconds loaded = base_.load_time(now);
    if (quanta.count() == 0) {
      if (running) pause.end = std::min(pause.end, loaded);
    } else {
      // While the timer runs the pause is continuous: the time at which it started is kept.
      if (!running) begin(pause, std::max(loaded, now + response_));
      pause.end = base_.expiry(loaded, quanta);
      active_ = static_cast<std::uint8_t>(active_ | class_bit(priority.count() % priorities));
    }
    update(now);
  }

  /// Classes that may not start a frame now, bit n = priority n. O(1) while nothing changes.
  [[nodiscard]] std::uint8_t paused_mask(Picoseconds now) noexcept {
    if (now >= change_) update(now);
    return mask_;
  }

  [[nodiscard]] bool paused(Priority priority, Picoseconds now) noexcept {
    return (paused_mask(now) >> priority.count() % priorities & 1U) != 0;
  }

  /// The next time after `now` at which paused_mask() changes unless a value is loaded; none when
  /// it no longer changes.
  [[nodiscard]] std::optional<Picoseconds> next_change(Picoseconds now) noexcept {
    if (now >= change_) update(now);
    if (change_ == never) return std::nullopt;
    return change_;
  }

  /// How often and how long the class has been paused, up to `now`; at least the time of the last
  /// load. A pause in progress counts up to `now`.
  [[nodiscard]] PauseTimes pause_times(Priority priority, Picoseconds now) const noexcept {
    const Pause& pause = pauses_[priority.count() % priorities];
    const Picoseconds last = length_of(pause, now);
    return {pause.past.pauses + (last == Picoseconds{0} ? 0U : 1U), pause.past.total + last,
            std::max(pause.past.longest, last)};
  }
  /// The total of pause_times().
  [[nodiscard]] Picoseconds paused_time(Priority priority, Picoseconds now) const noexcept {
    return pause_times(priority, now).total;
  }
  /// pause_times() start at zero at `now`; paused classes stay paused.
  void clear_times(Picoseconds now) noexcept {
    counted_from_ = now;
    for (Pause& pause : pauses_) pause.past = {};
  }

  /// The longest of pause_times() begins again at `now`: a pause that goes on then counts whole.
  void restart_longest(Picoseconds now) noexcept {
    for (Pause& pause : pauses_) {
      if (pause.end <= now) begin(pause, pause.end);  // over: its length is in the past
      pause.past.longest = {};
    }
  }

  /// Since when the class has been paused without a gap; none: it is not paused now.
  [[nodiscard]] std::optional<Picoseconds> paused_since(Priority priority,
                                                        Picoseconds now) const noexcept {
    const Pause& pause = pauses_[priority.count() % priorities];
    if (now < pause.start || pause.end <= now) return std::nullopt;
    return pause.start;
  }

  [[nodiscard]] const TimeBase& time_base() const noexcept { return base_; }

 private:
  static constexpr Picoseconds never{std::numeric_limits<std::uint64_t>::max()};

  /// The class is paused in [start, end); its timer runs until `end`.
  struct Pause {
    Picoseconds start, end;
    PauseTimes past;  // all pauses before this one
  };

  [[nodiscard]] Picoseconds length_of(const Pause& pause, Picoseconds now) const noexcept {
    return saturating_subtract(std::min(now, pause.end), std::max(pause.start, counted_from_));
  }
  void begin(Pause& pause, Picoseconds start) noexcept {
    const Picoseconds length = length_of(pause, pause.end);
    pause.past.total += length;
    pause.past.longest = std::max(pause.past.longest, length);
    if (length != Picoseconds{0}) ++pause.past.pauses;
    pause.start = start;
  }

  void update(Picoseconds now) noexcept {
    mask_ = 0;
    change_ = never;
    for (unsigned left = active_; left != 0; left &= left - 1) {
      const unsigned index = lowest_bit(left);
      const Pause& pause = pauses_[index];
      if (pause.end <= now) {
        active_ = static_cast<std::uint8_t>(active_ & ~class_bit(index));
      } else if (pause.start <= now) {
        mask_ = static_cast<std::uint8_t>(mask_ | class_bit(index));
        change_ = std::min(change_, pause.end);
      } else if (pause.start < pause.end) {
        change_ = std::min(change_, pause.start);
      }  // else the timer ends within the response time: no change
    }
  }

  TimeBase base_;
  Picoseconds response_;
  Picoseconds change_{never};  // mask_ holds until before this time
  std::uint8_t mask_{0};
  Picoseconds counted_from_;  // start of pause_times()
  std::uint8_t active_{0};    // classes whose timer may still run
  std::array<Pause, priorities> pauses_{};
};

using HostPauseTimer = PauseTimer<WireTimeBase>;
using SwitchPauseTimer = PauseTimer<CycleTimeBase>;

}  // namespace weir
