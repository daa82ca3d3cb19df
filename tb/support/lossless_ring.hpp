// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "support/small_chip.hpp"
#include "weir/core/mmu.hpp"
#include "weir/core/pfc/deadlock_detector.hpp"
#include "weir/core/random.hpp"

namespace weir::test {

/// Switches in a ring, each with the core's MMU and one host, and frames that travel some hops
/// around it, in either direction, before they leave. No time: a step moves one frame over one
/// link, chosen at random among those that may move; a PAUSE takes effect at once.
///
/// Port 0 is the host's, port 1 leads to the next switch, port 2 to the one before.
class LosslessRing {
 public:
  explicit LosslessRing(std::uint64_t seed)
      : random_{seed, "ring"},
        frames_left_{100 + random_.uniform(300)},
        longest_way_{1 + random_.uniform(8)} {
    const std::size_t switches = 2 + random_.uniform(4);
    Chip chip = small_chip(ports, Cells{static_cast<std::uint32_t>(60 + random_.uniform(60))});
    Profile& profile = chip.profiles.front();
    profile.threshold.alpha = Alpha::power_of_two(static_cast<int>(random_.uniform(5)) - 3);
    profile.private_cells = Cells{static_cast<std::uint32_t>(random_.uniform(4))};
    profile.xon_offset = Cells{static_cast<std::uint32_t>(random_.uniform(12))};
    profile.headroom = Cells{40};
    for (std::size_t i = 0; i < switches; ++i) mmus_.emplace_back(chip);
    queues_.resize(switches * ports);
    sent_.resize(queues_.size(), 0);
  }

  /// Moves one frame; false when none may move.
  bool move() {
    std::vector<std::size_t> may;  // queues, then hosts
    for (std::size_t q = 0; q < queues_.size(); ++q)
      if (!queues_[q].empty() && !paused(q)) may.push_back(q);
    for (std::size_t s = 0; s < mmus_.size() && frames_left_ != 0; ++s)
      if (!mmus_[s].pfc().xoff(pg(0))) may.push_back(queues_.size() + s);
    if (may.empty()) return false;
    const std::size_t choice = may[random_.uniform(may.size())];
    if (choice < queues_.size())
      forward(choice);
    else
      inject(choice - queues_.size());
    return true;
  }

  [[nodiscard]] WaitGraph wait_graph() const {
    WaitGraph graph;
    for (std::size_t g = 0; g < mmus_.size() * ports; ++g) {
      const Mmu& mmu = mmus_[g / ports];
      graph.groups.push_back({mmu.settings_of(pg(g % ports)), mmu.ingress().pg(pg(g % ports)),
                              WaitGraph::SharedPool{g / ports}, false});
    }
    for (std::size_t q = 0; q < queues_.size(); ++q) {
      std::vector<Cells> held(ports);
      for (const Packet& packet : queues_[q]) held[packet.ingress] += packet.cells;
      WaitGraph::Queue queue;
      queue.id = q;
      if (paused(q) && !queues_[q].empty())
        queue.paused_by = WaitGraph::GroupNumber{group_after(q)};
      queue.since = Picoseconds{sent_[q]};
      for (std::size_t port = 0; port < ports; ++port)
        if (Cells{0} < held[port])
          queue.content.push_back({WaitGraph::GroupNumber{q / ports * ports + port}, held[port]});
      graph.queues.push_back(queue);
    }
    return graph;
  }

  /// Whether paused queues wait for each other in a circle, even if other queues can drain.
  [[nodiscard]] static bool has_circle(const WaitGraph& graph) {
    QueueFlags waits(graph.queues.size(), true);
    for (bool changed = true; changed;) {
      changed = false;
      for (WaitGraph::QueueNumber q; q < waits.end_index(); ++q) {
        if (!waits[q] || waits_for_one(graph, q, waits)) continue;
        waits[q] = false;
        changed = true;
      }
    }
    return std::find(waits.begin(), waits.end(), true) != waits.end();
  }

  [[nodiscard]] const std::vector<std::uint64_t>& sent_by_queue() const { return sent_; }
  [[nodiscard]] std::size_t depth(std::size_t queue) const { return queues_[queue].size(); }
  [[nodiscard]] bool holds_frames() const {
    return std::any_of(queues_.begin(), queues_.end(), [](const auto& q) { return !q.empty(); });
  }

 private:
  static constexpr std::size_t ports = 3;
  struct Packet {
    Cells cells;
    std::size_t ingress{0}, direction{1}, hops{0};
  };

  static PgIndex pg(std::size_t port) {
    return pg_index(PortId{static_cast<std::uint16_t>(port)}, Priority{0});
  }
  static QueueIndex queue_of(std::size_t port) {
    return queue_index(PortId{static_cast<std::uint16_t>(port)}, Priority{0});
  }
  [[nodiscard]] std::size_t neighbour(std::size_t at, std::size_t port) const {
    return (at + (port == 1 ? 1 : mmus_.size() - 1)) % mmus_.size();
  }
  // The group at the other end of the link of a queue. Range: not a host's.
  [[nodiscard]] std::size_t group_after(std::size_t queue) const {
    return neighbour(queue / ports, queue % ports) * ports + 3 - queue % ports;
  }
  [[nodiscard]] bool paused(std::size_t queue) const {
    if (queue % ports == 0) return false;
    const std::size_t group = group_after(queue);
    return mmus_[group / ports].pfc().xoff(pg(group % ports));
  }
  static bool waits_for_one(const WaitGraph& graph, WaitGraph::QueueNumber q,
                            const QueueFlags& waits) {
    if (!graph.queues[q].paused_by) return false;
    for (WaitGraph::QueueNumber other; other < waits.end_index(); ++other)
      for (const WaitGraph::Content& content : graph.queues[other].content)
        if (waits[other] && content.group == *graph.queues[q].paused_by) return true;
    return false;
  }

  void inject(std::size_t at) {
    --frames_left_;
    arrive(at, {Cells{static_cast<std::uint32_t>(1 + random_.uniform(4))}, 0,
                1 + random_.uniform(2), random_.uniform(longest_way_ + 1)});
  }
  void forward(std::size_t queue) {
    const std::size_t at = queue / ports, port = queue % ports;
    Packet packet = queues_[queue].front();
    queues_[queue].pop_front();
    ++sent_[queue];
    mmus_[at].release(pg(packet.ingress), packet.cells, queue_of(port), true, Cycle{0});
    if (port == 0) return;
    packet.ingress = 3 - port;
    --packet.hops;
    arrive(neighbour(at, port), packet);
  }
  void arrive(std::size_t at, const Packet& packet) {
    const std::size_t port = packet.hops == 0 ? 0 : packet.direction;
    const Verdict verdict = mmus_[at].arrive(pg(packet.ingress), packet.cells,
                                             packet_of(packet.cells), queue_of(port), Cycle{0});
    if (verdict.admitted()) queues_[at * ports + port].push_back(packet);
  }

  RandomStream random_;
  std::uint64_t frames_left_;
  std::uint64_t longest_way_;
  std::vector<Mmu> mmus_;
  std::vector<std::deque<Packet>> queues_;  // [switch * ports + port]
  std::vector<std::uint64_t> sent_;         // likewise
};

}  // namespace weir::test
