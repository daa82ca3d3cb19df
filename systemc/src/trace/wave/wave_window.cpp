// SPDX-License-Identifier: Apache-2.0
#include "wave_window.hpp"

#include <algorithm>

#include "weir/model/network/deadlock_detector_unit.hpp"

namespace weir {
namespace {

// A deadlock is found up to two looks after it has formed.
std::uint64_t report_lag(WaveTrigger trigger) noexcept {
  return trigger == WaveTrigger::deadlock ? 2 * DeadlockDetectorUnit::period.count() : 0;
}

}  // namespace

WaveWindow::WaveWindow(const WaveOptions& options, WaveSignals& signals)
    : signals_{signals},
      trigger_{options.trigger},
      before_{options.before.count()},
      after_{options.after.count()},
      kept_for_{before_ + report_lag(trigger_)},
      from_{options.from.count()},
      to_{options.to ? options.to->count() : WaveMarks::never},
      state_{trigger_ == WaveTrigger::none ? State::ahead : State::armed} {}

void WaveWindow::note(const WaveRecord& record) noexcept {
  switch (record.event) {
    case WaveEvent::step:
      if (record.flag) marks_.note(WaveTrigger::first_xoff, record.time);
      return;
    case WaveEvent::drop:
      return marks_.note(WaveTrigger::first_drop, record.time);
    case WaveEvent::deadlock:
      return marks_.note(WaveTrigger::deadlock, std::uint64_t{record.b} << 32 | record.a);
    case WaveEvent::watchdog:
      return marks_.note(WaveTrigger::watchdog, record.time);
    case WaveEvent::mismatch:
      return marks_.note(WaveTrigger::mismatch, record.time);
    default:
      return;
  }
}

void WaveWindow::take(const WaveRecord& record) {
  if (record.flag || record.event >= WaveEvent::drop) note(record);
  if (state_ != State::armed) return pass(record);
  keep(record);
  if (marks_.at(trigger_) != WaveMarks::never) fire(marks_.at(trigger_));
}

// A record that is too old for the window is applied to the state at its beginning.
void WaveWindow::keep(const WaveRecord& record) {
  kept_.push_back(record);
  while (kept_.front().time + kept_for_ <= record.time || max_kept < kept_.size()) {
    kept_since_ = kept_.front().time;
    signals_.apply(kept_.front());
    kept_.pop_front();
    if (kept_.empty()) break;
  }
}

void WaveWindow::fire(std::uint64_t time) {
  from_ = std::max(kept_since_, time - std::min(time, before_));
  to_ = time + after_;
  state_ = State::ahead;
  std::deque<WaveRecord> kept;
  kept.swap(kept_);
  for (const WaveRecord& record : kept) pass(record);
}

void WaveWindow::pass(const WaveRecord& record) {
  if (state_ == State::writing && record.time <= to_) return signals_.apply(record);  // nearly all
  if (state_ == State::over) return;
  if (state_ == State::ahead && from_ < record.time) {
    signals_.start_writing(from_);
    state_ = State::writing;
  }
  if (state_ == State::writing && to_ < record.time) {
    signals_.stop_writing(to_);
    state_ = State::over;
    return;
  }
  signals_.apply(record);
}

std::uint64_t WaveWindow::finish(std::uint64_t end) {
  const std::uint64_t last = std::min(end, to_);
  for (const WaveRecord& record : kept_) signals_.apply(record);
  kept_.clear();
  // Nothing came after the beginning of the window, or no trigger: the state at the end.
  if (state_ == State::ahead || state_ == State::armed)
    signals_.start_writing(from_ = state_ == State::ahead && from_ < last ? from_ : last);
  if (state_ != State::over) signals_.stop_writing(last);
  return last;
}

}  // namespace weir
