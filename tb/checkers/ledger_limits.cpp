// SPDX-License-Identifier: Apache-2.0
// How many shared cells a PG or queue may hold, by each policy, as in
// docs/blocks/dynamic_threshold.md and docs/blocks/sharing_policy.md.
#include <algorithm>

#include "ledger.hpp"

namespace ledger {

// alpha x (B - S), or the line of a policy without alpha.
Count Ledger::line_of(const Sight& sight) {
  const Limit& limit = sight.limit;
  switch (limit.policy) {
    case Policy::fixed:
      return limit.fixed;
    case Policy::complete_sharing:
      return sight.pool;
    case Policy::complete_partitioning:
      return sight.pool / std::max<Count>(sight.sharers, 1);
    default:
      return sight.used >= sight.pool
                 ? 0
                 : limit.numerator * (sight.pool - sight.used) / (Count{1} << limit.shift);
  }
}

Count Ledger::limit_of(const Sight& sight) {
  const Count line = line_of(sight);
  switch (sight.limit.policy) {
    case Policy::two_level: {
      const Count free = std::max<Count>(sight.pool - sight.used, 0);
      const Count of_port = sight.limit.port_numerator * free >> sight.limit.port_shift;
      return std::min(line, sight.own + std::max<Count>(of_port - sight.of_port, 0));
    }
    case Policy::dsh:
      return std::max<Count>(line - sight.headroom, 0);
    case Policy::abm:
      return line * drained_of(sight) /
             (sight.limit.line_cells * std::max<Count>(sight.congested, 1));
    case Policy::edt: {
      if (phase_of(sight, line) != Memory::Phase::burst) return line;
      const bool counted = sight.memory.phase == Memory::Phase::burst;
      return std::max(line, sight.pool / (sight.bursts + (counted ? 0 : 1)));
    }
    default:
      return line;
  }
}

// Cells that left in the last whole window, at most as many as the line carries; that maximum for a
// slot that was not backlogged since before that window.
Count Ledger::drained_of(const Sight& sight) {
  const Count window = sight.limit.window;
  const Count end = sight.cycle / window * window;
  const Count start = end - window;
  if (sight.own == 0 || start < 0 || sight.memory.busy_since > start) return sight.limit.line_cells;
  Count cells = 0;
  for (const auto& [cycle, left] : sight.memory.left)
    if (start <= cycle && cycle < end) cells += left;
  return std::min(cells, sight.limit.line_cells);
}

Ledger::Memory::Phase Ledger::phase_of(const Sight& sight, Count line) {
  using Phase = Memory::Phase;
  const Memory& memory = sight.memory;
  if (sight.own == 0) return Phase::ready;
  if (memory.phase == Phase::burst && sight.cycle - memory.burst_start >= sight.limit.burst)
    return Phase::spent;
  if (memory.phase == Phase::ready && sight.own >= line) return Phase::burst;
  return memory.phase;
}

Ledger::Sight Ledger::sight_of(std::size_t pg, Count cycle) const {
  const Pg& settings = *chip_.pgs[pg];
  const std::size_t domain = domain_of(pg);
  Sight sight{settings.limit, memories_[pg]};
  sight.pool = chip_.ingress_pools[settings.pool].shared;
  sight.used = shared_at(settings.pool, domain, cycle);
  sight.own = this->pg(pg).shared;
  sight.headroom = settings.headroom;
  sight.cycle = cycle;
  for (std::size_t other = 0; other < chip_.pgs.size(); ++other) {
    if (!chip_.pgs[other] || chip_.pgs[other]->pool != settings.pool || domain_of(other) != domain)
      continue;
    ++sight.sharers;
    if (other / 8 == pg / 8 && settings.limit.policy == Policy::two_level)
      sight.of_port += this->pg(other).shared;
    if (other % 8 == pg % 8) sight.congested += memories_[other].congested ? 1 : 0;
    sight.bursts += memories_[other].phase == Memory::Phase::burst ? 1 : 0;
  }
  return sight;
}

Ledger::Sight Ledger::sight_of_queue(std::size_t queue, std::size_t domain, Count cycle) const {
  const Queue& settings = *chip_.queues[queue];
  Sight sight{settings.limit, queue_memories_[slot_of(queue, domain)]};
  sight.pool = chip_.egress_pools[settings.pool].shared;
  sight.used = egress_shared(settings.pool, domain);
  sight.own = this->queue(queue, domain).shared;
  sight.cycle = cycle;
  for (std::size_t other = 0; other < chip_.queues.size(); ++other) {
    if (!chip_.queues[other] || chip_.queues[other]->pool != settings.pool) continue;
    const Memory& memory = queue_memories_[slot_of(other, domain)];
    ++sight.sharers;
    if (other / 8 == queue / 8 && settings.limit.policy == Policy::two_level)
      sight.of_port += this->queue(other, domain).shared;
    if (other % 8 == queue % 8) sight.congested += memory.congested ? 1 : 0;
    sight.bursts += memory.phase == Memory::Phase::burst ? 1 : 0;
  }
  return sight;
}

Count Ledger::threshold(std::size_t pg, Count cycle) const { return limit_of(sight_of(pg, cycle)); }

Count Ledger::queue_threshold(std::size_t queue, std::size_t domain, Count cycle) const {
  return limit_of(sight_of_queue(queue, domain, cycle));
}

// Update of the slot itself, before T is computed.
void Ledger::note(Memory& memory, Count left, Count cycle) {
  if (memory.held == 0) memory.busy_since = cycle;
  if (left > 0) memory.left.emplace_back(cycle, left);
}

// Changes that follow from the state after the move.
void Ledger::settle(Memory& memory, const Sight& after) {
  memory.held = after.own;
  if (after.limit.policy == Policy::abm) {
    memory.congested = after.own > 0 && 10 * after.own >= 9 * limit_of(after);
  } else if (after.limit.policy == Policy::edt) {
    const Memory::Phase phase = phase_of(after, line_of(after));
    if (phase == Memory::Phase::burst && memory.phase != phase) memory.burst_start = after.cycle;
    memory.phase = phase;
  }
}

void Ledger::move_pg(std::size_t pg, Count left, Count cycle) {
  note(memories_[pg], left, cycle);
  settle(memories_[pg], sight_of(pg, cycle));
}

void Ledger::move_queue(std::size_t queue, std::size_t domain, Count left, Count cycle) {
  Memory& memory = queue_memories_[slot_of(queue, domain)];
  note(memory, left, cycle);
  settle(memory, sight_of_queue(queue, domain, cycle));
}

Ledger::Port Ledger::port_of(std::size_t pg) const {
  Port port;
  const std::size_t first = pg / 8 * 8;
  for (std::size_t other = first; other < first + 8; ++other) {
    const auto& settings = chip_.pgs[other];
    if (!settings || settings->pool != chip_.pgs[pg]->pool || settings->limit.policy != Policy::dsh)
      continue;
    const Held held = this->pg(other);
    ++port.groups;
    port.insurance = std::max(port.insurance, settings->headroom);
    port.shared += held.shared;
    port.headroom += held.headroom;
    port.total += held.total();
  }
  return port;
}

// The port goes XOFF when its part of the pool is full or its insurance is used, and XON when the
// insurance is empty and it is far enough below.
void Ledger::judge_port(std::size_t pg, bool arrival, bool pressed, Count cycle) {
  const Pg& settings = *chip_.pgs[pg];
  if (settings.limit.policy != Policy::dsh) return;
  const Port port = port_of(pg);
  const Count limit = port.groups * line_of(sight_of(pg, cycle));
  const std::size_t row = pg / 8 * chip_.ingress_pools.size() + settings.pool;
  const bool full = this->pg(pg).reserved == settings.reserved && port.shared >= limit;
  if (port.total == 0) {
    off_[row] = false;
  } else if (pressed || full) {
    if (arrival) off_[row] = true;
  } else if (port.headroom == 0 && port.shared <= std::max<Count>(limit - settings.xon_offset, 0)) {
    off_[row] = false;
  }
}

bool Ledger::port_off(std::size_t port) const {
  const std::size_t pools = chip_.ingress_pools.size();
  for (std::size_t pool = 0; pool < pools; ++pool)
    if (off_[port * pools + pool]) return true;
  return false;
}

}  // namespace ledger
