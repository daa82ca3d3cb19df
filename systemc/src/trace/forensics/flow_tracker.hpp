// SPDX-License-Identifier: Apache-2.0
// Follows the pause timer of one class at one paused station.
#pragma once
#include <cstdint>
#include <optional>

#include "events/link_ends.hpp"
#include "weir/trace/forensics/pfc_forensics.hpp"

namespace weir {

/// Times in ascending order, as they are at the paused station.
class FlowTracker {
 public:
  /// `poll`: period of the PFC history, if there is one.
  FlowTracker(const PfcStation& paused, Priority priority, std::optional<Picoseconds> poll);

  /// A PFC frame that has the class enabled: its last bit is in.
  void received(PfcFlow& flow, Quanta quanta, Picoseconds last_bit, bool passed_on);
  /// A data frame of the class starts, `length` with its FCS.
  void started(PfcFlow& flow, std::uint32_t length, Picoseconds start);
  /// The captures end.
  void finish(PfcFlow& flow, Picoseconds end, Picoseconds storm);

  /// Whether the timer runs.
  [[nodiscard]] bool running(Picoseconds now) const { return now < end_; }
  /// Whether the class may not start a frame.
  [[nodiscard]] bool is_paused(Picoseconds now) const {
    return timer_.paused_since(priority_, now).has_value();
  }

 private:
  struct ExpectedEnd {
    Picoseconds end;  ///< Of the timer that an XON stopped.
  };

  void close(PfcFlow& flow, Picoseconds now);
  void paused(PfcFlow& flow, Quanta quanta, Picoseconds last_bit, bool passed_on);
  void resumed(PfcFlow& flow, Picoseconds last_bit);

  EndPauseTimer timer_, limit_;  // as configured, as the standard says
  Priority priority_;
  BitRate rate_;
  Picoseconds last_pause_, end_, pause_asked_;  // of the running timer
  Picoseconds counted_;                         // of past pauses
  PauseEnd how_{PauseEnd::timer};
  bool open_{false}, passed_on_{false};
  std::optional<ExpectedEnd> after_xon_;
  std::optional<PfcHistoryPolls> polls_;
  std::uint32_t longest_frame_{0};
};

}  // namespace weir
