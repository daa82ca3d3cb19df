// SPDX-License-Identifier: Apache-2.0
// What link ends did in each period of a run: how long the wire was taken, how long a class was
// paused.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "events/link_ends.hpp"
#include "weir/core/pfc/pfc_frame.hpp"
#include "weir/core/units.hpp"

namespace weir {

/// Watches some link ends. Periods begin at 0, `every`, 2 x `every` ...
///
/// Memory:  8 to 16 bytes for each period of what is watched.
class LinkPeriods {
 public:
  using Values = std::vector<std::int64_t>;
  /// Of each period, in the order in which they are shown.
  struct Columns {
    Values sums;   ///< Picoseconds: taken, or paused.
    Values state;  ///< Of a wire its load in millionths; of a class 1 if it is paused at the start.
  };

  /// Range: `every` above 0.
  LinkPeriods(const Scenario& scenario, Picoseconds every);

  /// The link end; none: no link is there.
  [[nodiscard]] std::optional<std::size_t> find(const std::string& node, PortId port) const;
  /// Numbers of what is watched, in the order of the calls.
  std::size_t watch_wire(std::size_t end);
  std::size_t watch_pause(std::size_t end, Priority priority);

  /// `length` in bytes.
  void frame_started(const std::string& node, PortId port, std::uint64_t length, Picoseconds start);
  void pfc_received(const std::string& node, PortId port, const PfcFrame& frame, Picoseconds time);
  /// The run is over: what comes later does not count.
  void finish(Picoseconds time);

  /// When the periods begin, after finish().
  [[nodiscard]] const std::vector<std::uint64_t>& times() const noexcept { return begins_; }
  [[nodiscard]] const Columns& columns(std::size_t watched) const {
    return watched_[watched].columns;
  }

 private:
  struct Watched {
    std::size_t end{0};
    std::optional<Priority> priority;  // none: the wire
    Columns columns;
    Picoseconds from, to;  // of a wire: the slot of the last frame, not yet added
    Picoseconds next;      // of a class: the first period that has not begun
    Picoseconds paused;    // of a class: how long until the last one began
  };

  void add_slot(Watched& wire);
  void settle(Watched& pause, Picoseconds before) const;
  void finish_wire(Watched& wire);

  LinkEnds ends_;
  const Picoseconds every_;
  Picoseconds end_;                    // of the run, after finish()
  std::vector<std::uint64_t> begins_;  // of the periods, after finish()
  std::vector<Watched> watched_;
  std::vector<std::vector<std::size_t>> wires_, pauses_;  // into watched_, by link end
};

}  // namespace weir
