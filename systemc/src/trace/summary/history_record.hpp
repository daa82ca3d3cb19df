// SPDX-License-Identifier: Apache-2.0
// What a History has noted.
#pragma once
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "bounded_series.hpp"
#include "pause_history.hpp"
#include "rate_history.hpp"
#include "traffic_history.hpp"
#include "weir/core/mmu.hpp"
#include "weir/trace/summary/history.hpp"

namespace weir {

/// How much headroom was taken each time that some was: a time lasts from the first cell until all
/// is free again.
struct HeadroomUse {
  static constexpr std::size_t bins = 20;
  std::string profile;
  Cells limit;  ///< eta
  std::uint64_t times{0};
  Cells most;
  std::array<std::uint64_t, bins> by_peak{};  ///< Of equal width up to eta.
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
    series_.move_to(edge);
    Node& node = node_of(name);
    if (node.mmu == nullptr) node.mmu = &mmu;
    const Placement& held = mmu.ingress().pg(pg);
    series_.touch(node.shared + pg.value(), held.shared.count());
    const PoolIndex row = mmu.settings_of(pg).pool_domain;
    const PoolUse& use = mmu.ingress().pool(row);
    series_.touch(node.pools + row.value(), use.shared.count());
    if (use.private_cells.count() != series_.last(node.pool_private + row.value()))
      series_.touch(node.pool_private + row.value(), use.private_cells.count());
    if (held.headroom.count() != series_.last(node.headroom + pg.value()))
      headroom(node, pg, row, held.headroom, use.headroom);
  }
  void waiting(const std::string& name, QueueIndex queue, Cells q, Picoseconds time) {
    series_.move_to(time);
    series_.touch(node_of(name).waiting + queue.value(), q.count());
  }
  void xoff(const std::string& name, PgIndex pg, Picoseconds time) {
    Node& node = node_of(name);
    if (++node.xoffs[pg] == 1 && node.mmu != nullptr) first_xoff(node, pg, time);
  }
  void drop(const std::string& name, const Frame& frame, PortId port, std::string_view reason,
            Picoseconds time);
  void watchdog(const WatchdogAct& act) {
    if (watchdog_acts_.size() < watchdog_acts_kept) watchdog_acts_.push_back(act);
    ++watchdog_count_;
  }
  [[nodiscard]] std::string finish(const Summary& summary,
                                   const std::vector<ConfiguredValue>& configuration);

  PauseHistory pauses;
  TrafficHistory traffic;
  RateHistory rates;

 private:
  struct Node {
    const SwitchSpec* spec{nullptr};
    const Mmu* mmu{nullptr};  // once it has stepped
    // First numbers of its values: of PGs, and of (pool, domain) rows.
    std::size_t shared{0}, headroom{0}, pools{0}, pool_headroom{0}, pool_private{0};
    std::size_t waiting{0};  // likewise, of egress queues; where the chip has WRED profiles
    IndexedVector<PgIndex, std::uint32_t> xoffs;
    IndexedVector<PgIndex, std::uint64_t> drops;
    IndexedVector<PgIndex, std::uint32_t> episode_peak;  // most headroom since it was last free
    std::map<std::size_t, HeadroomUse> headroom_use;     // by profile
    std::vector<FirstXoff> first_xoffs;                  // in the order of time
    std::vector<PoolAtXoff> pools_at_xoff;
  };
  struct GroupPlace {
    std::size_t node;
    PgIndex pg;
  };
  struct QueuePlace {
    std::size_t node;
    QueueIndex queue;
  };
  struct PoolPlace {
    std::size_t node;
    PoolIndex pool;
  };

  [[nodiscard]] Node& node_of(const std::string& name) {
    if (&name != last_name_) {
      last_node_ = &nodes_[number_of(name)];
      last_name_ = &name;
    }
    return *last_node_;
  }
  [[nodiscard]] std::size_t number_of(const std::string& name);
  [[nodiscard]] const std::string& name_of(std::size_t number) const;
  void headroom(Node& node, PgIndex pg, PoolIndex row, Cells held, Cells in_pool);
  void end_episode(Node& node, PgIndex pg);
  static void first_xoff(Node& node, PgIndex pg, Picoseconds time);
  // The priority groups that a reader looks for first.
  [[nodiscard]] std::vector<GroupPlace> groups_to_show() const;
  // The queues with a WRED profile that were deepest.
  [[nodiscard]] std::vector<QueuePlace> queues_to_show() const;
  // The pools likewise.
  [[nodiscard]] std::vector<PoolPlace> pools_to_show() const;

  const Scenario& scenario_;
  BoundedSeries series_;
  std::vector<Node> nodes_;
  std::map<std::string, std::size_t> numbers_;  // of switches, then of hosts
  std::unordered_map<const std::string*, std::size_t> by_address_;
  const std::string* last_name_{nullptr};
  Node* last_node_{nullptr};
  // By switch, port, priority and reason (its name is a constant of the program).
  std::map<std::tuple<std::size_t, std::uint16_t, std::uint8_t, std::string_view>, DropCount>
      drops_;
  static constexpr std::size_t watchdog_acts_kept = 1000;
  std::vector<WatchdogAct> watchdog_acts_;  // the first ones
  std::uint64_t watchdog_count_{0};

  friend class HistoryJson;  // report.json
};

}  // namespace weir
