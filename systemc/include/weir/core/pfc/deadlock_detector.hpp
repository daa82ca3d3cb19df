// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "weir/core/accounting/admission.hpp"
#include "weir/core/accounting/ingress_accounting.hpp"
#include "weir/core/index.hpp"
#include "weir/core/units.hpp"

namespace weir {

/// The dependencies in a network at one time: paused egress queues, and the priority groups that
/// hold the cells of their frames.
struct WaitGraph {
  using GroupNumber = Index<struct WaitGroupTag>;
  using QueueNumber = Index<struct WaitQueueTag>;
  /// Number of a (switch, pool, domain), in any order.
  using SharedPool = Index<struct WaitPoolTag>;

  /// A priority group (PG) that holds frames of waiting queues.
  struct Group {
    PgSettings settings;
    Placement held;
    SharedPool pool;          ///< Groups with the same number share its cells.
    bool frames_come{false};  ///< A frame is in flight to it, so it takes one more step.
  };
  /// Cells of a group that a queue holds.
  struct Content {
    GroupNumber group;
    Cells cells;
  };
  /// Frames that wait at an egress port: the first paused one, and all after it.
  struct Queue {
    std::uint64_t id{0};                   ///< The same in every graph; ascending in the list.
    std::optional<GroupNumber> paused_by;  ///< It is XOFF; none: the queue is not paused.
    std::vector<Content> content;          ///< At most one entry a group.
    Picoseconds since;                     ///< None of its frames has left since then.
  };
  /// A packet that is held once and has copies in several queues: the last one to leave frees it.
  struct Replica {
    Content held;
    std::vector<QueueNumber> queues;
  };

  IndexedVector<GroupNumber, Group> groups;
  IndexedVector<QueueNumber, Queue> queues;
  std::vector<Replica> replicas;
};

/// A circle of queues that can never drain.
struct Deadlock {
  std::vector<WaitGraph::QueueNumber> members;  ///< Each waits for the next, the last for the
                                                ///< first; the first one has been paused longest.
  std::vector<WaitGraph::QueueNumber>
      caught;          ///< Members and all queues that wait for them, ascending.
  Picoseconds formed;  ///< Since when all members are paused.
};

/// A flag for each queue of a graph.
using QueueFlags = IndexedVector<WaitGraph::QueueNumber, bool>;

/// The queues that can never drain.
///
/// A queue drains when it is not paused, or when the PG that pauses it can resume. A PG can resume
/// when it takes another step of its own and meets its XON rule then, after everything that drains
/// has drained. The function computes the least set of draining queues under these rules, so the
/// other queues are stuck in any order of events.
///
/// Units:  cells. Errors: none; total for every graph whose indices are in range.
/// Timing: rounds over all queues, at most as many as there are queues.
/// Source: docs/design/contract.md, 2 for the XON rule; [Cof71] for the circle.
[[nodiscard]] QueueFlags stuck_queues(const WaitGraph& graph);

/// Finds deadlocks in a sequence of graphs, and reports each once.
///
/// Of circles that depend on each other one is reported: the shortest, then the one with the
/// smallest id. A deadlock whose members send again (after a watchdog or a repair) is discarded,
/// and reported again if it comes back.
class DeadlockDetector {
 public:
  /// Deadlocks that were not in the previous graph, in the order of their first member's id.
  [[nodiscard]] std::vector<Deadlock> look(const WaitGraph& graph);

 private:
  using StuckQueues = std::map<std::uint64_t, Picoseconds>;  // id -> since when

  [[nodiscard]] std::vector<Deadlock> report(const WaitGraph& graph, const QueueFlags& stuck);
  [[nodiscard]] static bool is_in(const StuckQueues& list, const WaitGraph::Queue& queue);

  StuckQueues stuck_;     // stuck at the last look
  StuckQueues reported_;  // in a reported circle, or connected with one
};

}  // namespace weir
