// SPDX-License-Identifier: Apache-2.0
#include "history_record.hpp"

#include <algorithm>
#include <utility>

namespace weir {
namespace {

constexpr std::size_t budget = 1U << 18;  // points in memory: 4 MiB
constexpr std::size_t groups_shown = 40, pools_shown = 16, queues_shown = 16;

}  // namespace

HistoryRecord::HistoryRecord(const Scenario& scenario)
    : pauses{scenario},
      traffic{scenario},
      rates{scenario},
      scenario_{scenario},
      series_{scenario.until, budget} {
  for (const SwitchSpec& spec : scenario.switches) {
    numbers_.emplace(spec.name, nodes_.size());
    nodes_.emplace_back();
    Node& node = nodes_.back();
    const std::size_t groups = spec.chip.ports.size() * priorities;
    const std::size_t rows = spec.chip.ingress_pools.size() * spec.chip.domains;
    node.spec = &spec;
    node.shared = series_.add(groups);
    node.headroom = series_.add(groups);
    node.pools = series_.add(rows);
    node.pool_headroom = series_.add(rows);
    node.queues.resize(groups);
    node.pool_private = series_.add(rows);
    node.values_end = node.pool_private + rows;
    node.groups.resize(groups);
    node.xoffs.resize(groups);
    node.drops.resize(groups);
    node.episode_peak.resize(groups);
  }
  for (std::size_t i = 0; i < scenario.hosts.size(); ++i)
    numbers_.emplace(scenario.hosts[i].name, nodes_.size() + i);
}

const std::string& HistoryRecord::name_of(std::size_t number) const {
  return number < nodes_.size() ? nodes_[number].spec->name
                                : scenario_.hosts[number - nodes_.size()].name;
}

std::size_t HistoryRecord::number_of(const std::string& name) {
  const auto known = by_address_.find(&name);
  if (known != by_address_.end()) return known->second;
  return by_address_.emplace(&name, numbers_.at(name)).first->second;
}

// From here on the report shows the group, and its pool, if at 0.
void HistoryRecord::first_step(Node& node, Group& group, const Mmu& mmu, PgIndex pg) {
  node.mmu = &mmu;
  const PoolIndex row = mmu.settings_of(pg).pool_domain;
  group.has_stepped = true;
  group.row = row;
  group.shared = static_cast<std::uint32_t>(node.shared + pg.value());
  group.pool = static_cast<std::uint32_t>(node.pools + row.value());
  group.pool_private = static_cast<std::uint32_t>(node.pool_private + row.value());
  series_.set(group.shared, 0);
  if (!series_.was_set(group.pool)) series_.set(group.pool, 0);
}

void HistoryRecord::headroom(Node& node, Group& group, PgIndex pg, Cells held, Cells in_pool) {
  group.held.headroom = held;
  series_.set(node.headroom + pg.value(), held.count());
  series_.set(node.pool_headroom + group.row.value(), in_pool.count());
  node.episode_peak[pg] = std::max(node.episode_peak[pg], held.count());
  if (held == Cells{0}) end_episode(node, pg);
}

void HistoryRecord::end_episode(Node& node, PgIndex pg) {
  const Cells peak{std::exchange(node.episode_peak[pg], 0)};
  if (peak == Cells{0}) return;
  const ProfileIndex profile = *node.spec->chip.profile_of_pg[pg];
  HeadroomUse& use = node.headroom_use[profile];
  if (use.times++ == 0) use.limit = node.mmu->settings_of(pg).headroom_limit;
  ++use.by_peak[peak];
}

void HistoryRecord::first_xoff(Node& node, PgIndex pg, Picoseconds time) {
  const Mmu& mmu = *node.mmu;
  const Cycle now = edge_at_or_after(time, node.spec->chip.clock);
  node.first_xoffs.push_back({time, pg, mmu.threshold(pg, now), mmu.ingress().pg(pg)});
  const PoolIndex row = mmu.settings_of(pg).pool_domain;
  for (const PoolAtXoff& known : node.pools_at_xoff)
    if (known.pool == row) return;
  PoolAtXoff pool{row, node.first_xoffs.back(), mmu.ingress().pool(row), {}};
  for (PgIndex other; other < node.xoffs.end_index(); ++other)
    if (mmu.has_profile(other) && mmu.settings_of(other).pool_domain == row &&
        mmu.ingress().pg(other).total() != Cells{0})
      pool.holders.emplace_back(other, mmu.ingress().pg(other));
  std::stable_sort(pool.holders.begin(), pool.holders.end(), [](const auto& a, const auto& b) {
    return b.second.total() < a.second.total();
  });
  node.pools_at_xoff.push_back(std::move(pool));
}

FirstThresholds HistoryRecord::first_thresholds() const {
  FirstThresholds found;
  for (const Node& node : nodes_)
    for (const FirstXoff& first : node.first_xoffs)
      found[node.spec->name][first.pg] = first.threshold;
  return found;
}

void HistoryRecord::drop(const std::string& name, const Frame& frame, PortId port,
                         std::string_view reason, Picoseconds time) {
  const std::size_t number = number_of(name);
  if (number < nodes_.size())
    ++nodes_[number]
          .drops[pg_index(port, Priority{static_cast<std::uint8_t>(frame.pg % priorities)})];
  DropCount& count = drops_[{number, port.count(), frame.priority.count(), reason}];
  if (count.packets++ == 0) count.first = time;
  count.bytes += frame.length;
  count.last = time;
}

std::vector<HistoryRecord::GroupPlace> HistoryRecord::groups_to_show() const {
  struct Ranked {
    std::uint64_t drops;
    std::uint32_t xoffs, peak;
    GroupPlace place;
  };
  std::vector<Ranked> ranked;
  for (std::size_t n = 0; n < nodes_.size(); ++n)
    for (PgIndex pg; pg < nodes_[n].xoffs.end_index(); ++pg) {
      const Node& node = nodes_[n];
      if (!series_.was_set(node.shared + pg.value())) continue;
      const std::uint32_t peak = series_.peak(node.shared + pg.value());
      ranked.push_back({node.drops[pg], node.xoffs[pg], peak, {n, pg}});
    }
  std::stable_sort(ranked.begin(), ranked.end(), [](const Ranked& a, const Ranked& b) {
    return std::tie(b.xoffs, b.drops, b.peak) < std::tie(a.xoffs, a.drops, a.peak);
  });
  std::vector<GroupPlace> places;
  for (const Ranked& entry : ranked)
    if (places.size() < groups_shown) places.push_back(entry.place);
  return places;
}

std::vector<HistoryRecord::QueuePlace> HistoryRecord::queues_to_show() const {
  std::vector<std::pair<Bytes, QueuePlace>> ranked;
  for (std::size_t n = 0; n < nodes_.size(); ++n)
    for (QueueIndex queue; queue < nodes_[n].queues.end_index(); ++queue)
      if (const std::uint32_t number = nodes_[n].queues[queue])
        ranked.emplace_back(queues_[number - 1].bursts.largest().held,
                            QueuePlace{n, queue, number - 1});
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return b.first < a.first; });
  std::vector<QueuePlace> places;
  for (const auto& entry : ranked)
    if (places.size() < queues_shown) places.push_back(entry.second);
  return places;
}

std::vector<HistoryRecord::PoolPlace> HistoryRecord::pools_to_show() const {
  std::vector<std::pair<std::uint32_t, PoolPlace>> ranked;
  for (std::size_t n = 0; n < nodes_.size(); ++n)
    for (PoolIndex row; nodes_[n].pools + row.value() < nodes_[n].pool_headroom; ++row) {
      if (!series_.was_set(nodes_[n].pools + row.value())) continue;
      ranked.push_back({series_.peak(nodes_[n].pools + row.value()), {n, row}});
    }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return b.first < a.first; });
  std::vector<PoolPlace> places;
  for (const auto& entry : ranked)
    if (places.size() < pools_shown) places.push_back(entry.second);
  return places;
}

}  // namespace weir
