// SPDX-License-Identifier: Apache-2.0
// The part of a run that is written.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>

#include "wave_record.hpp"
#include "wave_signals.hpp"
#include "weir/trace/wave/wave_recorder.hpp"

namespace weir {

/// Times worth a marker: the first occurrence of each trigger; `never` if there is none.
class WaveMarks {
 public:
  static constexpr std::uint64_t never = ~std::uint64_t{0};

  WaveMarks() { first_.fill(never); }
  [[nodiscard]] std::uint64_t at(WaveTrigger trigger) const noexcept {
    return first_[static_cast<std::size_t>(trigger)];
  }
  void note(WaveTrigger trigger, std::uint64_t time) noexcept {
    std::uint64_t& first = first_[static_cast<std::size_t>(trigger)];
    first = std::min(first, time);
  }

 private:
  std::array<std::uint64_t, static_cast<std::size_t>(WaveTrigger::mismatch) + 1> first_;
};

/// Takes records in ascending order and writes those of the window. Before a trigger it keeps the
/// last ones; memory is bounded by the time before the trigger and by `max_kept`.
class WaveWindow {
 public:
  static constexpr std::size_t max_kept = std::size_t{1} << 22;  ///< 128 MiB

  WaveWindow(const WaveOptions& options, WaveSignals& signals);

  void take(const WaveRecord& record);
  /// The run has ended at `end`. Returns the last written time.
  std::uint64_t finish(std::uint64_t end);
  /// Whether no further record is written.
  [[nodiscard]] bool over() const noexcept { return state_ == State::over; }
  [[nodiscard]] bool triggered() const noexcept { return state_ != State::armed; }
  /// The first moment that is written.
  [[nodiscard]] std::uint64_t begin() const noexcept { return from_; }
  [[nodiscard]] const WaveMarks& marks() const noexcept { return marks_; }

 private:
  enum class State : std::uint8_t { armed, ahead, writing, over };

  void note(const WaveRecord& record) noexcept;
  void keep(const WaveRecord& record);
  void fire(std::uint64_t time);
  void pass(const WaveRecord& record);

  WaveSignals& signals_;
  const WaveTrigger trigger_;
  const std::uint64_t before_, after_;
  const std::uint64_t kept_for_;  // before_, plus the largest delay of the trigger
  std::uint64_t from_, to_;       // the window
  std::uint64_t kept_since_{0};
  State state_;
  std::deque<WaveRecord> kept_;
  WaveMarks marks_;
};

}  // namespace weir
