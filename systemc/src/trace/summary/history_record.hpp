// SPDX-License-Identifier: Apache-2.0
// What a History has noted.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "pause_history.hpp"
#include "queue_bursts.hpp"
#include "rate_history.hpp"
#include "traffic_history.hpp"
#include "weir/core/mmu.hpp"
#include "weir/model/network/frame.hpp"
#include "weir/model/network/network.hpp"
#include "weir/model/ranks/rank_message.hpp"
#include "weir/trace/summary/bounded_series.hpp"
#include "weir/trace/summary/history.hpp"

namespace weir {

/// How much headroom was taken each time that some was: a time lasts from the first cell until all
/// is free again.
struct HeadroomUse {
  Cells limit;  ///< eta
  std::uint64_t times{0};
  std::map<Cells, std::uint64_t> by_peak;  ///< Times by the most that was taken: up to eta.
};

/// Drops of one kind at one place.
struct DropCount {
  std::uint64_t packets{0}, bytes{0};
  Picoseconds first, last;
};

/// What a watchdog did.
struct WatchdogAct {
  Picoseconds time;
  std::string node;
  PortId port;
  std::uint8_t classes;  ///< Bit n: class n.
  WatchdogEvent event;
};

/// A priority group when it went to XOFF for the first time.
struct FirstXoff {
  Picoseconds time;  ///< When the level was visible.
  PgIndex pg;
  Cells threshold;  ///< T
  Placement held;
};

/// A pool at the first XOFF of its groups.
struct PoolAtXoff {
  PoolIndex pool;
  FirstXoff first;
  PoolUse use;
  std::vector<std::pair<PgIndex, Placement>> holders;  ///< Groups with cells, the largest first.
};

class HistoryRecord {
 public:
  explicit HistoryRecord(const Scenario& scenario);

  void step(const std::string& name, const Mmu& mmu, PgIndex pg, Picoseconds edge) {
    series_.move_to(now_ = edge);
    Node& node = node_of(name);
    Group& group = node.groups[pg];
    if (!group.has_stepped) first_step(node, group, mmu, pg);
    const Placement& held = mmu.ingress().pg(pg);
    const PoolUse& use = mmu.ingress().pool(group.row);
    if (held.shared != group.held.shared) {
      group.held.shared = held.shared;
      series_.set(group.shared, held.shared.count());
      series_.set(group.pool, use.shared.count());
    }
    if (held.private_cells != group.held.private_cells) {
      group.held.private_cells = held.private_cells;
      series_.set_last(group.pool_private, use.private_cells.count());
    }
    if (held.headroom != group.held.headroom)
      headroom(node, group, pg, held.headroom, use.headroom);
  }
  // The step of an admitted frame was the last one.
  void verdict(const std::string& name, const Frame& frame, const Verdict& verdict,
               Picoseconds visible) {
    Node& node = node_of(name);
    const PfcLevel& level = verdict.pfc;
    const bool xoff = (level.changed && level.xoff) ||
                      (level.port_changed && node.mmu->port_off(frame.ingress_port));
    Queue& queue = queue_at(node, queue_of(frame));
    if (!verdict.admitted()) return queue.bursts.refused(Bytes{frame.length}, xoff, visible);
    queue.bursts.comes(Bytes{frame.length}, Cells{frame.cells}, xoff, now_);
    series_.set(queue.series, queue.bursts.waiting().count());
  }
  void copy_queued(const std::string& name, const Frame& copy) {
    Queue& queue = queue_at(node_of(name), queue_of(copy));
    queue.bursts.comes(Bytes{copy.length}, Cells{copy.cells}, false, now_);
    series_.set(queue.series, queue.bursts.waiting().count());
  }
  void started(const std::string& name, PortId port, const Frame& frame, Picoseconds time) {
    Node* const node = frame.kind == FrameKind::pfc ? nullptr : switch_at(name);
    if (node == nullptr) return;
    leaves(*node, queue_index(port, Priority{frame.queue}), frame, time);
  }
  void xoff(const std::string& name, PgIndex pg, Picoseconds time) {
    Node& node = node_of(name);
    if (++node.xoffs[pg] == 1 && node.mmu != nullptr) first_xoff(node, pg, time);
  }
  void drop(const std::string& name, const Frame& frame, PortId port, std::string_view reason,
            Picoseconds time);
  // A frame that was in an egress queue. A watchdog drops one as it enters; `time` is when its
  // verdict is visible, which is still to come then.
  void drop_queued(const std::string& name, const Frame& frame, PortId port, Picoseconds time) {
    leaves(node_of(name), queue_index(port, Priority{frame.queue}), frame, time);
  }
  void watchdog(const WatchdogAct& act) {
    if (watchdog_acts_.size() < watchdog_acts_kept) watchdog_acts_.push_back(act);
    ++watchdog_count_;
  }
  // What was recorded of the switches that this rank of the network runs, and the same of another.
  void write_part(const Network& network, RankMessage& message);
  void read_part(const Network& network, RankReader& in);
  [[nodiscard]] ReportText finish(const Summary& summary,
                                  const std::vector<ConfiguredValue>& configuration);

  [[nodiscard]] FirstThresholds first_thresholds() const;

  PauseHistory pauses;
  TrafficHistory traffic;
  RateHistory rates;

 private:
  // What a priority group held after its last step, and the numbers of the values that a step of it
  // changes.
  struct Group {
    Placement held;
    std::uint32_t shared, pool, pool_private;
    Packed<PoolIndex> row;
    bool has_stepped{false};
  };
  struct Node {
    const SwitchSpec* spec{nullptr};
    const Mmu* mmu{nullptr};  // once it has stepped
    // First numbers of its values, of PGs and of (pool, domain) rows, and the end of the last.
    std::size_t shared{0}, headroom{0}, pools{0}, pool_headroom{0}, pool_private{0}, values_end{0};
    IndexedVector<PgIndex, Group> groups;
    IndexedVector<QueueIndex, std::uint32_t> queues;  // into queues_, after one; 0: not yet used
    IndexedVector<PgIndex, std::uint32_t> xoffs;
    IndexedVector<PgIndex, std::uint64_t> drops;
    IndexedVector<PgIndex, std::uint32_t> episode_peak;  // most headroom since it was last free
    std::map<ProfileIndex, HeadroomUse> headroom_use;
    std::vector<FirstXoff> first_xoffs;  // in the order of time
    std::vector<PoolAtXoff> pools_at_xoff;
  };
  struct Queue {
    std::size_t series;
    QueueBursts bursts;
  };
  // The switch that has its name at an address; nullptr: a host.
  struct SwitchAt {
    const std::string* name{nullptr};
    Node* node{nullptr};
  };
  struct GroupPlace {
    std::size_t node;
    PgIndex pg;
  };
  struct QueuePlace {
    std::size_t node;
    QueueIndex queue;
    std::size_t number;  // into queues_
  };
  struct PoolPlace {
    std::size_t node;
    PoolIndex pool;
  };

  // Names of modules live as long as the network: the address of one identifies it.
  [[nodiscard]] Node& node_of(const std::string& name) { return *switch_at(name); }
  [[nodiscard]] Node* switch_at(const std::string& name) {
    const auto address = reinterpret_cast<std::uintptr_t>(&name);
    SwitchAt& known = known_[address * 0x9e37'79b9'7f4a'7c15ULL >> (64 - known_bits)];
    if (known.name != &name) {
      const std::size_t number = number_of(name);
      known = {&name, number < nodes_.size() ? &nodes_[number] : nullptr};
    }
    return known.node;
  }
  [[nodiscard]] Queue& queue_at(Node& node, QueueIndex queue) {
    std::uint32_t& number = node.queues[queue];
    if (number == 0) {
      queues_.push_back({series_.add(1), {}});
      number = static_cast<std::uint32_t>(queues_.size());
    }
    return queues_[number - 1];
  }
  void leaves(Node& node, QueueIndex index, const Frame& frame, Picoseconds time) {
    Queue& queue = queue_at(node, index);
    queue.bursts.leaves(Bytes{frame.length}, Cells{frame.cells}, time);
    series_.set_at(queue.series, queue.bursts.waiting().count(), time);
  }
  [[nodiscard]] std::size_t number_of(const std::string& name);
  [[nodiscard]] const std::string& name_of(std::size_t number) const;
  void first_step(Node& node, Group& group, const Mmu& mmu, PgIndex pg);
  void headroom(Node& node, Group& group, PgIndex pg, Cells held, Cells in_pool);
  void end_episode(Node& node, PgIndex pg);
  void end_episodes(Node& node) {
    for (PgIndex pg; pg < node.episode_peak.end_index(); ++pg) end_episode(node, pg);
  }
  void write_points(RankWriter& out, std::size_t value) const;
  void read_points(RankReader& in, std::size_t value, Picoseconds width);
  void write_node(RankWriter& out, Node& node);
  void read_node(RankReader& in, Node& node, Picoseconds width);
  static void first_xoff(Node& node, PgIndex pg, Picoseconds time);
  // The priority groups that a reader looks for first.
  [[nodiscard]] std::vector<GroupPlace> groups_to_show() const;
  // The queues that were deepest.
  [[nodiscard]] std::vector<QueuePlace> queues_to_show() const;
  // The pools likewise.
  [[nodiscard]] std::vector<PoolPlace> pools_to_show() const;

  const Scenario& scenario_;
  BoundedSeries series_;
  std::vector<Node> nodes_;
  std::vector<Queue> queues_;                   // in the order of their first frames
  Picoseconds now_;                             // the edge of the last step
  std::map<std::string, std::size_t> numbers_;  // of switches, then of hosts
  std::unordered_map<const std::string*, std::size_t> by_address_;
  static constexpr unsigned known_bits = 8;
  std::array<SwitchAt, 1U << known_bits> known_{};  // the last ones, by a hash of the address
  // By switch, port, priority and reason (its name is a constant of the program).
  std::map<std::tuple<std::size_t, std::uint16_t, std::uint8_t, std::string_view>, DropCount>
      drops_;
  static constexpr std::size_t watchdog_acts_kept = 1000;
  std::vector<WatchdogAct> watchdog_acts_;  // the first ones
  std::uint64_t watchdog_count_{0};

  friend class HistoryJson;  // report.json
  friend class ShownValues;
};

}  // namespace weir
