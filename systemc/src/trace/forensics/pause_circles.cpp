// SPDX-License-Identifier: Apache-2.0
#include "weir/trace/forensics/pause_circles.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace weir {
namespace {

using Numbers = std::vector<std::size_t>;

/// The pauses that last, by the node that waits.
class PauseGraph {
 public:
  explicit PauseGraph(const std::vector<LongPause>& pauses) : pauses_{pauses} {}

  void add(std::size_t number) { of_[pauses_[number].waits].insert(number); }
  void drop(std::size_t number) {
    const auto waits = of_.find(pauses_[number].waits);
    if (waits != of_.end()) waits->second.erase(number);
  }

  /// The pauses from `number` to the node that waits in it, if there is such a circle.
  [[nodiscard]] Numbers circle_of(std::size_t number) const {
    std::map<std::string, std::size_t> came_by;
    Numbers left{number};
    while (!left.empty()) {
      const std::size_t pause = left.back();
      left.pop_back();
      const std::string& node = pauses_[pause].for_whom;
      if (!came_by.emplace(node, pause).second) continue;
      if (node == pauses_[number].waits) return path(came_by, number);
      const auto next = of_.find(node);
      if (next != of_.end()) left.insert(left.end(), next->second.begin(), next->second.end());
    }
    return {};
  }

 private:
  [[nodiscard]] Numbers path(const std::map<std::string, std::size_t>& came_by,
                             std::size_t first) const {
    Numbers back{came_by.at(pauses_[first].waits)};
    while (back.back() != first) back.push_back(came_by.at(pauses_[back.back()].waits));
    std::reverse(back.begin(), back.end());
    return back;
  }

  const std::vector<LongPause>& pauses_;
  std::map<std::string, std::set<std::size_t>> of_;
};

template <typename Time>
Numbers sorted_by(std::size_t count, const Time& time_of) {
  Numbers order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return time_of(a) < time_of(b); });
  return order;
}

// Pauses that may be part of a circle: the sender waits itself in one that may be, too. Of a tree
// nothing is left, so that the search below is short.
std::vector<bool> candidates(const std::vector<LongPause>& pauses) {
  std::map<std::string, Numbers> by_cause;
  std::map<std::string, std::size_t> waits;
  for (std::size_t i = 0; i < pauses.size(); ++i) {
    by_cause[pauses[i].for_whom].push_back(i);
    ++waits[pauses[i].waits];
  }
  std::vector<bool> left(pauses.size(), true);
  std::vector<std::string> free;
  for (const auto& [node, numbers] : by_cause)
    if (waits.count(node) == 0) free.push_back(node);
  while (!free.empty()) {
    const auto found = by_cause.find(free.back());
    free.pop_back();
    if (found == by_cause.end()) continue;
    for (const std::size_t number : found->second) {
      left[number] = false;
      const std::string& waiting = pauses[number].waits;
      if (--waits[waiting] == 0) free.push_back(waiting);
    }
  }
  return left;
}

}  // namespace

std::optional<PauseCircle> first_circle(const std::vector<LongPause>& pauses) {
  const std::vector<bool> candidate = candidates(pauses);
  const Numbers ends = sorted_by(pauses.size(), [&](std::size_t i) { return pauses[i].end; });
  PauseGraph graph{pauses};
  auto ended = ends.begin();
  for (const std::size_t number :
       sorted_by(pauses.size(), [&](std::size_t i) { return pauses[i].counts_from; })) {
    if (!candidate[number]) continue;
    for (; ended != ends.end() && pauses[*ended].end < pauses[number].counts_from; ++ended)
      graph.drop(*ended);
    graph.add(number);
    const Numbers circle = graph.circle_of(number);
    if (circle.empty()) continue;
    PauseCircle found{circle, pauses[number].start, pauses[number].end};
    for (const std::size_t i : circle) {
      found.start = std::max(found.start, pauses[i].start);
      found.end = std::min(found.end, pauses[i].end);
    }
    return found;
  }
  return std::nullopt;
}

}  // namespace weir
