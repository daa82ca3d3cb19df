// SPDX-License-Identifier: Apache-2.0
// When each port was paused, and by whom.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "events/link_ends.hpp"
#include "weir/core/pfc/pfc_frame.hpp"
#include "weir/trace/summary/report_shape.hpp"

namespace weir {

/// How long a class of a link end was paused, in each of PauseHistory::bins parts of the run.
struct PausedClass {
  std::size_t end{0};  ///< Into LinkEnds.
  Priority priority;
  Picoseconds settled;  ///< Up to here it is counted.
  std::vector<Picoseconds> bins;
  [[nodiscard]] Picoseconds total() const noexcept {
    Picoseconds sum;
    for (const Picoseconds bin : bins) sum += bin;
    return sum;
  }
};

/// PAUSE frames that one link end sends for a class.
struct PauseFlow {
  std::uint64_t frames{0};   ///< PAUSE frames, refreshes included.
  std::uint64_t starts{0};   ///< Frames that paused a class which this end did not pause yet.
  std::uint64_t origins{0};  ///< Starts while the sender itself was not paused in the class.
  Picoseconds first;
  /// Starts by each end of the sender that was paused then.
  std::map<std::size_t, std::uint64_t> because;
};

/// Watches PFC frames. Memory: per class that was ever paused.
class PauseHistory {
 public:
  static constexpr std::size_t bins = report_bins;

  explicit PauseHistory(const Scenario& scenario);

  void sent(const std::string& node, PortId port, const PfcFrame& frame, Picoseconds time);
  void received(const std::string& node, PortId port, const PfcFrame& frame, Picoseconds time);
  /// The run is over.
  void finish(Picoseconds time);

  [[nodiscard]] const LinkEnds& ends() const noexcept { return ends_; }
  [[nodiscard]] Picoseconds bin_width() const noexcept { return width_; }
  [[nodiscard]] const std::vector<PausedClass>& paused() const noexcept { return paused_; }
  /// How long this class of a link end was paused, up to where it is settled.
  [[nodiscard]] Picoseconds paused_time(std::size_t end, Priority priority) const noexcept {
    const std::uint32_t index = state_[end].paused[priority.count()];
    return index == 0 ? Picoseconds{} : paused_[index - 1].total();
  }
  /// By link end and class.
  [[nodiscard]] const std::map<std::pair<std::size_t, Priority>, PauseFlow>& flows()
      const noexcept {
    return flows_;
  }

 private:
  struct End {
    std::array<std::uint32_t, priorities> paused{};  // into paused_, plus one
    std::uint8_t pausing{0};                         // classes that this end has paused at its peer
  };

  void settle(PausedClass& entry, Picoseconds time);
  /// It was paused from `start` to `end`.
  void add(PausedClass& entry, Picoseconds start, Picoseconds end) const;
  [[nodiscard]] std::size_t bin_of(Picoseconds time) const noexcept;
  [[nodiscard]] Picoseconds end_of_bin(Picoseconds time, Picoseconds end) const noexcept;
  void start(std::size_t end, Priority priority, PauseFlow& flow, Picoseconds time);

  LinkEnds ends_;
  const Picoseconds width_;
  std::vector<End> state_;
  std::vector<std::vector<std::size_t>> ends_of_node_;  // those that were ever paused
  std::vector<PausedClass> paused_;
  std::map<std::pair<std::size_t, Priority>, PauseFlow> flows_;
};

}  // namespace weir
