// SPDX-License-Identifier: Apache-2.0
#include "weir/trace/summary/conservation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "weir/core/errors.hpp"
#include "weir/trace/summary/summary.hpp"

namespace weir {

void check_packets(const Totals& totals, Picoseconds time) {
  const std::uint64_t made = totals.sent_packets + totals.flood_copies;
  const std::uint64_t found = totals.delivered_packets + totals.drops() +
                              totals.classes.stray_copies + totals.dead_host_packets +
                              totals.spoiled_packets + totals.in_flight_packets;
  if (made == found) return;
  throw ModelError(fmt::format(
      "packets are not conserved at {} ps: {} sent + {} copies made, but {} delivered + {} dropped "
      "+ {} stray copies dropped + {} to dead hosts + {} spoiled on links + {} in flight",
      time.count(), totals.sent_packets, totals.flood_copies, totals.delivered_packets,
      totals.drops(), totals.classes.stray_copies, totals.dead_host_packets, totals.spoiled_packets,
      totals.in_flight_packets));
}

namespace {

// Cells of the frames in all queues of a switch, counted frame by frame, without those of copies. A
// frame of each queue in turn: the frames lie anywhere, so that one queue alone waits for memory at
// every frame.
std::uint64_t queued_cells(const Switch& node) {
  std::vector<const Frame*> next;
  for (std::size_t port = 0; port < node.port_count(); ++port)
    for (std::size_t queue = 0; queue < priorities; ++queue)
      next.push_back(node.port(PortId{static_cast<std::uint16_t>(port)}).tx.first(queue));
  std::uint64_t cells = 0;
  for (;;) {
    next.erase(std::remove(next.begin(), next.end(), nullptr), next.end());
    if (next.empty()) return cells;
    for (const Frame*& frame : next) {
      if (!frame->marked(copy_mark)) cells += frame->cells;
      frame = frame->next;
    }
  }
}

}  // namespace

void check_cells(const Switch& node, Picoseconds time) {
  const Mmu& mmu = node.mmu.core();
  IndexedVector<PoolIndex, PoolUse> pools{mmu.chip().ingress_pools.size() * mmu.chip().domains};
  std::uint64_t held = 0;
  for (PgIndex pg; pg < PgIndex{node.port_count() * priorities}; ++pg) {
    if (!mmu.has_profile(pg)) continue;
    const Placement& cells = mmu.ingress().pg(pg);
    PoolUse& pool = pools[mmu.settings_of(pg).pool_domain];
    pool.private_cells += cells.private_cells;
    pool.shared += cells.shared;
    pool.headroom += cells.headroom;
    held += cells.total().count();
  }
  const std::uint64_t in_frames =
      node.mmu.arrival_arbiter.releasing() + node.mmu.replicas().cells() + queued_cells(node);
  if (held != in_frames)
    throw ModelError(
        fmt::format("cells are not conserved in {} at {} ps: the MMU holds {}, the "
                    "frames in the switch take {}",
                    node.name(), time.count(), held, in_frames));
  for (PoolIndex i; i < pools.end_index(); ++i) {
    const PoolUse& sum = mmu.ingress().pool(i);
    if (sum.shared != pools[i].shared || sum.headroom != pools[i].headroom ||
        sum.private_cells != pools[i].private_cells)
      throw ModelError(fmt::format(
          "pool sums of {} at {} ps differ from their priority groups: "
          "row {}, S = {}, sum of w = {}",
          node.name(), time.count(), i.value(), sum.shared.count(), pools[i].shared.count()));
  }
}

void check_conservation(const Network& network) {
  check_packets(packet_totals(network), time_reached(network));
  for (std::size_t i = 0; i < network.switch_count(); ++i)
    check_cells(network.switch_at(i), time_reached(network));
}

}  // namespace weir
