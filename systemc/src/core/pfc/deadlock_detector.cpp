// SPDX-License-Identifier: Apache-2.0
#include "weir/core/pfc/deadlock_detector.hpp"

#include <algorithm>
#include <deque>
#include <tuple>

#include "weir/core/pfc/pfc_state.hpp"

namespace weir {
namespace {

using GroupNumber = WaitGraph::GroupNumber;
using QueueNumber = WaitGraph::QueueNumber;
using SharedPool = WaitGraph::SharedPool;

bool any_of(const std::vector<QueueNumber>& queues, const QueueFlags& flags) {
  return std::any_of(queues.begin(), queues.end(), [&](QueueNumber q) { return flags[q]; });
}

// Content of the groups and pools once every queue that is not stuck has drained.
class Remainder {
 public:
  Remainder(const WaitGraph& graph, const QueueFlags& stuck)
      : graph_{graph}, cells_(graph.groups.size()) {
    for (QueueNumber q; q < graph.queues.end_index(); ++q) {
      if (!stuck[q]) continue;
      for (const WaitGraph::Content& content : graph.queues[q].content)
        cells_[content.group] += content.cells;
    }
    for (const WaitGraph::Replica& replica : graph.replicas)
      if (any_of(replica.queues, stuck)) cells_[replica.held.group] += replica.held.cells;
    for (GroupNumber g; g < graph.groups.end_index(); ++g) {
      const SharedPool pool = graph.groups[g].pool;
      if (shared_.size() <= pool.value()) shared_.resize(pool.value() + 1);
      shared_[pool] += placement(g).shared;
    }
  }

  /// Whether group `g` meets its XON rule at a future step.
  [[nodiscard]] bool can_resume(GroupNumber g) const {
    const WaitGraph::Group& group = graph_.groups[g];
    if (cells_[g] == Cells{0}) return true;  // an empty PG is never XOFF
    if (!group.frames_come && group.held.total() <= cells_[g]) return false;  // no step follows
    const Placement left = placement(g);
    const Cells threshold = group.settings.threshold.at(shared_[group.pool]);
    return !PfcState::crossing(group.settings, left, threshold) &&
           PfcState::may_resume(group.settings, left, threshold);
  }

 private:
  // Headroom is released first, then shared, then private.
  [[nodiscard]] Placement placement(GroupNumber g) const {
    const Placement& held = graph_.groups[g].held;
    const Cells in_private = std::min(held.private_cells, cells_[g]);
    const Cells in_shared = std::min(held.shared, cells_[g] - in_private);
    return {in_private, in_shared, cells_[g] - in_private - in_shared};
  }

  const WaitGraph& graph_;
  IndexedVector<GroupNumber, Cells> cells_;
  IndexedVector<SharedPool, Cells> shared_;
};

// Stuck queues, and for which stuck queues each of them waits.
class Waits {
 public:
  Waits(const WaitGraph& graph, const QueueFlags& stuck)
      : next_(graph.queues.size()), previous_(graph.queues.size()) {
    IndexedVector<GroupNumber, Queues> holders(graph.groups.size());
    for (QueueNumber q; q < graph.queues.end_index(); ++q) {
      if (!stuck[q]) continue;
      for (const WaitGraph::Content& content : graph.queues[q].content)
        if (Cells{0} < content.cells) holders[content.group].push_back(q);
    }
    for (const WaitGraph::Replica& replica : graph.replicas)
      for (const QueueNumber q : replica.queues)
        if (stuck[q]) holders[replica.held.group].push_back(q);
    for (QueueNumber q; q < graph.queues.end_index(); ++q) {
      if (!stuck[q]) continue;
      next_[q] = holders[*graph.queues[q].paused_by];
      for (const QueueNumber n : next_[q]) previous_[n].push_back(q);
    }
  }

  /// The shortest circle through `start`, which comes first; empty when there is none.
  [[nodiscard]] std::vector<QueueNumber> circle(QueueNumber start) const {
    From from(next_.size());
    std::deque<QueueNumber> open{start};
    for (; !open.empty(); open.pop_front()) {
      for (const QueueNumber q : next_[open.front()]) {
        if (from[q]) continue;
        from[q] = open.front();
        if (q == start) return path_to(start, from);
        open.push_back(q);
      }
    }
    return {};
  }

  /// Queues for which `start` waits, directly or indirectly; itself, if it does.
  [[nodiscard]] QueueFlags waited_for_by(QueueNumber start) const { return reached(next_, start); }
  /// Queues that wait for `target`.
  [[nodiscard]] QueueFlags waiting_for(QueueNumber target) const {
    return reached(previous_, target);
  }

 private:
  using Queues = std::vector<QueueNumber>;
  using Lists = IndexedVector<QueueNumber, Queues>;
  using From = IndexedVector<QueueNumber, std::optional<QueueNumber>>;

  static QueueFlags reached(const Lists& lists, QueueNumber start) {
    QueueFlags flags(lists.size(), false);
    Queues open{start};
    while (!open.empty()) {
      const QueueNumber at = open.back();
      open.pop_back();
      for (const QueueNumber q : lists[at]) {
        if (flags[q]) continue;
        flags[q] = true;
        open.push_back(q);
      }
    }
    return flags;
  }
  static Queues path_to(QueueNumber start, const From& from) {
    Queues path{start};
    for (QueueNumber q = *from[start]; q != start; q = *from[q]) path.push_back(q);
    std::reverse(path.begin() + 1, path.end());
    return path;
  }

  Lists next_, previous_;
};

// The shortest of the circles among the `entangled` queues.
std::vector<QueueNumber> shortest_circle(const Waits& waits, const QueueFlags& entangled) {
  std::vector<QueueNumber> shortest;
  for (QueueNumber q; q < entangled.end_index(); ++q) {
    if (!entangled[q]) continue;
    std::vector<QueueNumber> circle = waits.circle(q);
    if (shortest.empty() || circle.size() < shortest.size()) shortest = std::move(circle);
  }
  return shortest;
}

// Members from the one that has been paused longest, and the queues caught with them.
Deadlock described(const WaitGraph& graph, std::vector<QueueNumber> circle,
                   const QueueFlags& caught) {
  const auto sooner = [&](QueueNumber a, QueueNumber b) {
    return std::tuple{graph.queues[a].since, a} < std::tuple{graph.queues[b].since, b};
  };
  std::rotate(circle.begin(), std::min_element(circle.begin(), circle.end(), sooner), circle.end());
  Deadlock deadlock;
  for (const QueueNumber q : circle)
    deadlock.formed = std::max(deadlock.formed, graph.queues[q].since);
  deadlock.members = std::move(circle);
  for (QueueNumber q; q < caught.end_index(); ++q)
    if (caught[q]) deadlock.caught.push_back(q);
  return deadlock;
}

}  // namespace

QueueFlags stuck_queues(const WaitGraph& graph) {
  QueueFlags stuck(graph.queues.size());
  for (QueueNumber q; q < stuck.end_index(); ++q) stuck[q] = graph.queues[q].paused_by.has_value();
  for (bool changed = true; changed;) {
    changed = false;
    const Remainder rest{graph, stuck};
    for (QueueNumber q; q < stuck.end_index(); ++q) {
      if (!stuck[q] || !rest.can_resume(*graph.queues[q].paused_by)) continue;
      stuck[q] = false;
      changed = true;
    }
  }
  return stuck;
}

std::vector<Deadlock> DeadlockDetector::look(const WaitGraph& graph) {
  const QueueFlags stuck = stuck_queues(graph);
  StuckQueues stuck_now, reported;
  for (QueueNumber q; q < stuck.end_index(); ++q) {
    const WaitGraph::Queue& queue = graph.queues[q];
    if (!stuck[q]) continue;
    stuck_now.emplace(queue.id, queue.since);
    if (is_in(reported_, queue)) reported.emplace(queue.id, queue.since);
  }
  reported_ = std::move(reported);  // circles that move again are removed
  std::vector<Deadlock> found;
  if (stuck_now != stuck_) found = report(graph, stuck);
  stuck_ = std::move(stuck_now);
  return found;
}

std::vector<Deadlock> DeadlockDetector::report(const WaitGraph& graph, const QueueFlags& stuck) {
  const Waits waits{graph, stuck};
  std::vector<Deadlock> found;
  QueueFlags settled(stuck.size(), false);
  for (QueueNumber q; q < stuck.end_index(); ++q) {
    if (!stuck[q] || settled[q]) continue;
    QueueFlags entangled = waits.waited_for_by(q);
    if (!entangled[q]) continue;  // it waits for a circle, but is not in one
    const QueueFlags caught = waits.waiting_for(q);
    bool old = false;
    for (QueueNumber other; other < stuck.end_index(); ++other) {
      entangled[other] = entangled[other] && caught[other];
      if (!entangled[other]) continue;
      settled[other] = true;
      old = old || is_in(reported_, graph.queues[other]);
    }
    if (!old) found.push_back(described(graph, shortest_circle(waits, entangled), caught));
    for (QueueNumber other; other < stuck.end_index(); ++other)
      if (entangled[other]) reported_.emplace(graph.queues[other].id, graph.queues[other].since);
  }
  return found;
}

bool DeadlockDetector::is_in(const StuckQueues& list, const WaitGraph::Queue& queue) {
  const auto entry = list.find(queue.id);
  return entry != list.end() && entry->second == queue.since;
}

}  // namespace weir
