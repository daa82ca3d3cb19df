// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "weir/core/accounting/admission.hpp"
#include "weir/core/accounting/ingress_accounting.hpp"
#include "weir/core/units.hpp"

namespace weir {

/// Who waits for whom in a network, at one moment: paused egress queues, and the priority groups in
/// whose cells their frames lie.
struct WaitGraph {
  static constexpr std::size_t none = ~std::size_t{0};

  /// A priority group (PG) that holds frames of waiting queues.
  struct Group {
    PgSettings settings;
    Placement held;
    std::size_t pool{0};  ///< (switch, pool, domain), numbered in any way: groups share its cells.
    bool frames_come{false};  ///< A frame is on its way to it, so it takes one more step.
  };
  /// What a queue holds of a group.
  struct Content {
    std::size_t group{0};
    Cells cells;
  };
  /// Frames that wait at an egress port: the first one that is paused, and all behind it.
  struct Queue {
    std::uint64_t id{0};           ///< The same in every graph; ascending in the list.
    std::size_t paused_by{none};   ///< Group that is XOFF; none: the queue is not paused.
    std::vector<Content> content;  ///< At most one entry a group.
    Picoseconds since;             ///< No frame of it has left since then.
  };
  /// A packet that is held once and has copies in several queues: the last one to leave frees it.
  struct Replica {
    Content held;
    std::vector<std::size_t> queues;
  };

  std::vector<Group> groups;
  std::vector<Queue> queues;
  std::vector<Replica> replicas;
};

/// A circle of queues that can never drain. Numbers are indices into WaitGraph::queues.
struct Deadlock {
  std::vector<std::size_t> members;  ///< Each waits for the next, the last for the first; begins
                                     ///< with the one that has stood still longest.
  std::vector<std::size_t> caught;   ///< Members and all who wait for them, ascending.
  Picoseconds formed;                ///< Since when all members stand still.
};

/// Which queues can never drain: [i] of WaitGraph::queues.
///
/// A queue drains when nobody pauses it, or when the PG that pauses it can resume. A PG can resume
/// when it takes another step of its own and meets its XON rule then, after everything that drains
/// has drained. The least set of draining queues that this allows is computed, so what is left is
/// stuck whatever else happens, in whatever order.
///
/// Units:  cells. Errors: none; total for every graph whose indices are in range.
/// Timing: rounds over all queues, at most as many as there are queues.
/// Source: docs/design/contract.md, 2 for the XON rule; [Cof71] for the circle.
[[nodiscard]] std::vector<bool> stuck_queues(const WaitGraph& graph);

/// Finds deadlocks in graphs taken one after another, and tells each once.
///
/// Of the circles that are entangled (each reaches the others) one is told: the shortest, then the
/// one with the smallest id. A deadlock whose members move again (a watchdog, a repair) is
/// forgotten, and told anew if it comes back.
class DeadlockDetector {
 public:
  /// Deadlocks that were not there in the graph before, in the order of their first member's id.
  [[nodiscard]] std::vector<Deadlock> look(const WaitGraph& graph);

 private:
  using Standing = std::map<std::uint64_t, Picoseconds>;  // id -> since when

  [[nodiscard]] std::vector<Deadlock> tell(const WaitGraph& graph, const std::vector<bool>& stuck);
  [[nodiscard]] static bool is_in(const Standing& list, const WaitGraph::Queue& queue);

  Standing standing_;  // stuck at the last look
  Standing told_;      // in a circle, or entangled with one, that was told
};

}  // namespace weir
