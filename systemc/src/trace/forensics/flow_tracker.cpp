// SPDX-License-Identifier: Apache-2.0
#include "forensics/flow_tracker.hpp"

#include <algorithm>

#include "weir/core/chip.hpp"
#include "weir/core/ethernet.hpp"
#include "weir/core/pfc/pfc_frame.hpp"

namespace weir {
namespace {

// Two clocks of 100 ppm each [802.3]: one may count a pause as so much shorter than the other.
constexpr std::uint64_t clock_tolerance = 5'000;

void widen(std::optional<Picoseconds>& least, std::optional<Picoseconds>& most, Picoseconds value) {
  least = least ? std::min(*least, value) : value;
  most = most ? std::max(*most, value) : value;
}

// Whether the last pause is open, and none that ended was as long: a capture may end in any pause.
bool stays_paused(const std::vector<PauseInterval>& intervals) {
  const PauseInterval& last = intervals.back();
  return last.how == PauseEnd::open &&
         std::all_of(intervals.begin(), intervals.end() - 1, [&](const PauseInterval& ended) {
           return ended.end - ended.start < last.end - last.start;
         });
}

}  // namespace

FlowTracker::FlowTracker(const PfcStation& paused, Priority priority,
                         std::optional<Picoseconds> poll)
    : timer_{paused.rate, paused.response, paused.clock},
      limit_{paused.rate, paused.limit, paused.clock},
      priority_{priority},
      rate_{paused.rate} {
  if (poll) polls_.emplace(*poll);
}

void FlowTracker::received(PfcFlow& flow, Quanta quanta, Picoseconds last_bit, bool passed_on) {
  ++flow.frames;
  if (polls_) polls_->frame(last_bit);
  if (quanta.count() == 0)
    resumed(flow, last_bit);
  else
    paused(flow, quanta, last_bit, passed_on);
  timer_.load(priority_, quanta, last_bit);
  limit_.load(priority_, quanta, last_bit);
}

void FlowTracker::paused(PfcFlow& flow, Quanta quanta, Picoseconds last_bit, bool passed_on) {
  ++flow.pauses;
  after_xon_.reset();
  if (running(last_bit)) {
    ++flow.refreshes;
    widen(flow.min_refresh, flow.max_refresh, last_bit - last_pause_);
    passed_on_ = passed_on_ || passed_on;
  } else {
    close(flow, last_bit);
    flow.asked_quanta += quanta.count();
    passed_on_ = passed_on;
    open_ = true;
  }
  how_ = PauseEnd::timer;
  last_pause_ = last_bit;
  end_ = timer_.end_of(quanta, last_bit);
  pause_asked_ = quanta_time(quanta, rate_);
}

void FlowTracker::resumed(PfcFlow& flow, Picoseconds last_bit) {
  ++flow.xons;
  if (!running(last_bit)) return;
  flow.unused_quanta += (end_ - last_bit).count() / quanta_time(Quanta{1}, rate_).count();
  if (is_paused(last_bit)) after_xon_ = ExpectedEnd{end_};
  end_ = std::min(end_, timer_.end_of(Quanta{0}, last_bit));
  how_ = PauseEnd::xon;
}

// The pause whose timer has ended by `now`, or is cut off there.
void FlowTracker::close(PfcFlow& flow, Picoseconds now) {
  if (!open_) return;
  open_ = false;
  const Picoseconds total = timer_.pause_times(priority_, now).total;
  const Picoseconds length = total - counted_;
  counted_ = total;
  if (length == Picoseconds{0}) return;  // it ended within the response time
  const Picoseconds end = std::min(now, end_);
  const PauseInterval interval{end - length, end, now < end_ ? PauseEnd::open : how_, passed_on_};
  if (!flow.intervals.empty())
    widen(flow.min_gap, flow.max_gap, interval.start - flow.intervals.back().end);
  flow.by_xon += interval.how == PauseEnd::xon ? 1U : 0U;
  flow.by_timer += interval.how == PauseEnd::timer ? 1U : 0U;
  flow.open += interval.how == PauseEnd::open ? 1U : 0U;
  flow.intervals.push_back(interval);
}

void FlowTracker::started(PfcFlow& flow, std::uint32_t length, Picoseconds start) {
  longest_frame_ = std::max(longest_frame_, length);
  if (flow.pauses == 0) return;
  ++flow.data_frames;
  flow.data += Bytes{length};
  if (after_xon_) {
    // A port that waits for its timer is late by one frame of another class at most.
    const Picoseconds slack = byte_time(rate_) * (preamble_bytes.count() + longest_frame_);
    if (after_xon_->end <= start && start <= after_xon_->end + slack) ++flow.unheeded_xons;
    after_xon_.reset();
  }
  const std::optional<Picoseconds> since = limit_.paused_since(priority_, start);
  if (!since || end_ - start < Picoseconds{pause_asked_.count() / clock_tolerance}) return;
  ++flow.late_frames;
  flow.late += Bytes{length};
  flow.worst_late = std::max(flow.worst_late, start - *since);
}

void FlowTracker::finish(PfcFlow& flow, Picoseconds end, Picoseconds storm) {
  flow.pause = timer_.pause_times(priority_, end);
  if (polls_) flow.history = polls_->at(end);
  close(flow, end);
  if (flow.intervals.empty()) return;
  flow.verdict = stays_paused(flow.intervals) ? PfcVerdict::open : PfcVerdict::congestion;
  for (const PauseInterval& interval : flow.intervals) {
    if (interval.how == PauseEnd::xon || interval.end - interval.start < storm) continue;
    if (!interval.passed_on) {
      flow.verdict = PfcVerdict::storm;
      return;
    }
    flow.verdict = PfcVerdict::passed_on;
  }
}

}  // namespace weir
