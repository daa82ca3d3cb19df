// SPDX-License-Identifier: Apache-2.0
// What one rank of a network has recorded of its switches, as bytes, both ways.
#include <cstdint>
#include <utility>
#include <vector>

#include "history_record.hpp"

namespace weir {
namespace {

constexpr std::uint64_t no_more = ~std::uint64_t{0};

void write_use(RankWriter& out, const HeadroomUse& use) {
  out.raw(use.limit);
  out.raw(use.times);
  out.list(use.by_peak);
}

HeadroomUse read_use(RankReader& in) {
  HeadroomUse use;
  use.limit = in.raw<Cells>();
  use.times = in.raw<std::uint64_t>();
  for (const auto& peak : in.pairs<Cells, std::uint64_t>()) use.by_peak.insert(peak);
  return use;
}

void write_pool(RankWriter& out, const PoolAtXoff& pool) {
  out.raw(pool.pool);
  out.raw(pool.first);
  out.raw(pool.use);
  out.list(pool.holders);
}

PoolAtXoff read_pool(RankReader& in) {
  PoolAtXoff pool;
  pool.pool = in.raw<PoolIndex>();
  pool.first = in.raw<FirstXoff>();
  pool.use = in.raw<PoolUse>();
  pool.holders = in.pairs<PgIndex, Placement>();
  return pool;
}

}  // namespace

void HistoryRecord::write_part(const Network& network, RankMessage& message) {
  RankWriter out{message};
  out.raw(series_.width());
  for (std::size_t number = 0; number < nodes_.size(); ++number) {
    if (!network.runs_switch(number)) continue;
    out.raw(std::uint64_t{number});
    write_node(out, nodes_[number]);
  }
  out.raw(no_more);
}

void HistoryRecord::read_part(const Network& network, RankReader& in) {
  const auto width = in.raw<Picoseconds>();
  for (auto number = in.raw<std::uint64_t>(); number != no_more; number = in.raw<std::uint64_t>()) {
    nodes_[number].mmu = &network.switch_at(number).mmu.core();
    read_node(in, nodes_[number], width);
  }
}

void HistoryRecord::write_node(RankWriter& out, Node& node) {
  end_episodes(node);
  for (std::size_t value = node.shared; value < node.values_end; ++value) {
    if (!series_.was_set(value)) continue;
    out.raw(std::uint64_t{value});
    write_points(out, value);
  }
  out.raw(no_more);
  for (QueueIndex queue; queue < node.queues.end_index(); ++queue) {
    if (node.queues[queue] == 0) continue;
    const Queue& recorded = queues_[node.queues[queue] - 1];
    out.raw(std::uint64_t{queue.value()});
    out.raw(recorded.bursts);
    write_points(out, recorded.series);
  }
  out.raw(no_more);
  out.list(node.xoffs);
  out.raw(std::uint64_t{node.headroom_use.size()});
  for (const auto& [profile, use] : node.headroom_use) {
    out.raw(profile);
    write_use(out, use);
  }
  out.list(node.first_xoffs);
  out.raw(std::uint64_t{node.pools_at_xoff.size()});
  for (const PoolAtXoff& pool : node.pools_at_xoff) write_pool(out, pool);
}

void HistoryRecord::read_node(RankReader& in, Node& node, Picoseconds width) {
  for (auto value = in.raw<std::uint64_t>(); value != no_more; value = in.raw<std::uint64_t>())
    read_points(in, value, width);
  for (auto queue = in.raw<std::uint64_t>(); queue != no_more; queue = in.raw<std::uint64_t>()) {
    Queue& recorded = queue_at(node, QueueIndex{queue});
    recorded.bursts = in.raw<QueueBursts>();
    read_points(in, recorded.series, width);
  }
  node.xoffs = IndexedVector<PgIndex, std::uint32_t>{in.list<std::uint32_t>()};
  for (auto left = in.raw<std::uint64_t>(); left != 0; --left) {
    const auto profile = in.raw<ProfileIndex>();
    node.headroom_use.emplace(profile, read_use(in));
  }
  node.first_xoffs = in.list<FirstXoff>();
  for (auto left = in.raw<std::uint64_t>(); left != 0; --left)
    node.pools_at_xoff.push_back(read_pool(in));
}

void HistoryRecord::write_points(RankWriter& out, std::size_t value) const {
  out.list(series_.points(value, 0));
}

void HistoryRecord::read_points(RankReader& in, std::size_t value, Picoseconds width) {
  series_.take(value, in.list<SeriesPoint>(), width);
}

}  // namespace weir
