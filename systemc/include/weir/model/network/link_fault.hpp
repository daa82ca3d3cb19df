// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "weir/config/scenario/scenario.hpp"
#include "weir/core/random.hpp"
#include "weir/model/network/frame.hpp"

namespace weir {

/// What faults did to frames on one direction of a link.
struct FaultCounters {
  std::uint64_t lost_pfc{0}, lost_data{0};
  std::uint64_t corrupted{0}, delayed{0};
  std::optional<Picoseconds> first, last;  ///< First bits of such frames.
};

/// The faults of one direction of a link: says of each frame what happens to it.
///
/// Each fault counts its own frames. Where several faults hit one frame, delays add up, and a loss
/// wins over delay and corruption.
///
/// Range:  draws depend on the seed, the number of the fault and the direction alone.
/// Timing: a delayed frame does not delay those after it; they may overtake it.
class LinkFaults {
 public:
  /// What is left of a frame.
  struct Fate {
    bool lost{false};
    Picoseconds delay;
  };

  /// `number` is the index of the fault in the scenario; `backwards`: from b to a.
  void add(const FaultSpec& fault, std::uint64_t seed, std::size_t number, bool backwards);

  [[nodiscard]] bool empty() const noexcept { return faults_.empty(); }
  /// Marks the frame if it is corrupted, and counts. `now`: of its first bit; never goes back.
  [[nodiscard]] Fate strike(Frame& frame, Picoseconds now);
  [[nodiscard]] const FaultCounters& counters() const noexcept { return counters_; }

 private:
  struct Fault {
    FaultSpec spec;
    RandomStream draws;
    std::uint64_t seen{0};    // frames it is meant for
    std::size_t next_nth{0};  // index into spec.nth
  };
  [[nodiscard]] static bool strikes(Fault& fault, const Frame& frame);

  std::vector<Fault> faults_;
  FaultCounters counters_;
};

}  // namespace weir
