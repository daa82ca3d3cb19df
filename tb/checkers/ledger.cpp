// SPDX-License-Identifier: Apache-2.0
#include "ledger.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace ledger {
namespace {

template <class Cell>
Count count_of(const std::vector<Cell>& cells, Cell kind) {
  return std::count(cells.begin(), cells.end(), kind);
}

}  // namespace

Ledger::Ledger(Chip chip)
    : chip_{std::move(chip)},
      xoff_(chip_.pgs.size(), false),
      memories_(chip_.pgs.size()),
      queue_memories_(chip_.queues.size() * chip_.domains),
      off_(chip_.domain_of_port.size() * chip_.ingress_pools.size(), false) {}

Held Ledger::pg(std::size_t pg) const {
  Held held;
  for (const Packet& packet : packets_) {
    if (packet.pg != pg) continue;
    held.reserved += count_of(packet.cells, Place::reserved);
    held.shared += count_of(packet.cells, Place::shared);
    held.headroom += count_of(packet.cells, Place::headroom);
  }
  return held;
}

Held Ledger::pool(std::size_t pool, std::size_t domain) const {
  Held held;
  for (const Packet& packet : packets_) {
    if (chip_.pgs[packet.pg]->pool != pool || domain_of(packet.pg) != domain) continue;
    held.reserved += count_of(packet.cells, Place::reserved);
    held.shared += count_of(packet.cells, Place::shared);
    held.headroom += count_of(packet.cells, Place::headroom);
  }
  return held;
}

QueueHeld Ledger::queue(std::size_t queue, std::size_t domain) const {
  QueueHeld held;
  for (const Packet& packet : packets_) {
    if (domain_of(packet.pg) != domain) continue;
    for (const Copy& copy : packet.copies) {
      if (copy.queue != queue) continue;
      held.minimum += count_of(copy.cells, Share::minimum);
      held.shared += count_of(copy.cells, Share::shared);
    }
  }
  return held;
}

Count Ledger::egress_shared(std::size_t pool, std::size_t domain) const {
  Count shared = 0;
  for (const Packet& packet : packets_) {
    if (domain_of(packet.pg) != domain) continue;
    for (const Copy& copy : packet.copies)
      if (chip_.queues[copy.queue]->pool == pool) shared += count_of(copy.cells, Share::shared);
  }
  return shared;
}

Census Ledger::census() const {
  Census census{std::vector<Held>(chip_.pgs.size()),
                std::vector<Held>(chip_.ingress_pools.size() * chip_.domains),
                std::vector<QueueHeld>(chip_.queues.size() * chip_.domains),
                std::vector<Count>(chip_.egress_pools.size() * chip_.domains)};
  for (const Packet& packet : packets_) {
    const std::size_t domain = domain_of(packet.pg);
    for (const Place place : packet.cells)
      for (Held* held : {&census.pgs[packet.pg],
                         &census.pools[chip_.pgs[packet.pg]->pool * chip_.domains + domain]})
        ++(place == Place::reserved ? held->reserved
           : place == Place::shared ? held->shared
                                    : held->headroom);
    for (const Copy& copy : packet.copies) {
      QueueHeld& queue = census.queues[domain * chip_.queues.size() + copy.queue];
      const Count shared = count_of(copy.cells, Share::shared);
      queue.shared += shared;
      queue.minimum += static_cast<Count>(copy.cells.size()) - shared;
      census.egress[chip_.queues[copy.queue]->pool * chip_.domains + domain] += shared;
    }
  }
  return census;
}

// S as T uses it: current, or at the end of cycle `cycle - lag`.
Count Ledger::shared_at(std::size_t pool, std::size_t domain, Count cycle) const {
  if (chip_.lag == 0) return this->pool(pool, domain).shared;
  Count seen = 0;
  for (const Moment& moment : history_)
    if (moment.cycle <= cycle - chip_.lag) seen = moment.shared[pool * chip_.domains + domain];
  return seen;
}

void Ledger::remember(Count cycle) {
  if (chip_.lag == 0) return;
  Moment moment{cycle, {}};
  for (std::size_t p = 0; p < chip_.ingress_pools.size(); ++p)
    for (std::size_t d = 0; d < chip_.domains; ++d) moment.shared.push_back(pool(p, d).shared);
  history_.push_back(std::move(moment));
}

bool Ledger::queue_takes(std::size_t queue, std::size_t domain, Count cells, Count cycle) const {
  if (!chip_.queues[queue]) return true;
  const QueueHeld held = this->queue(queue, domain);
  return held.minimum + cells <= chip_.queues[queue]->minimum ||
         held.shared < queue_threshold(queue, domain, cycle);
}

// Places every cell of an arriving packet, one after the other; returns the reason.
std::string Ledger::place(const Pg& settings, std::size_t pg, Count cells, Count threshold,
                          Count cycle, std::vector<Place>& places) const {
  const Held own = this->pg(pg);
  const Held all = pool(settings.pool, domain_of(pg));
  const IngressPool& limits = chip_.ingress_pools[settings.pool];
  while (cells > 0 && own.reserved + static_cast<Count>(places.size()) < settings.reserved) {
    places.push_back(Place::reserved);
    --cells;
  }
  const auto rest = static_cast<std::size_t>(cells);
  if (cells == 0) return "admitted";
  const bool dsh = settings.limit.policy == Policy::dsh;
  const Port port = port_of(pg);
  const bool below = dsh ? !off_[pg / 8 * chip_.ingress_pools.size() + settings.pool] &&
                               port.shared < port.groups * line_of(sight_of(pg, cycle))
                         : own.shared < threshold;
  if (below && all.shared + cells <= limits.shared) {
    places.insert(places.end(), rest, Place::shared);
    return "admitted";
  }
  if (!settings.lossless || settings.headroom == 0)
    return below ? "shared_pool" : "shared_threshold";
  if (own.headroom + cells > settings.headroom) return "headroom_limit";
  if (dsh && port.headroom + cells > port.insurance) return "headroom_pool";
  if (!limits.dedicated && all.headroom + cells > limits.headroom) return "headroom_pool";
  places.insert(places.end(), rest, Place::headroom);
  return "admitted";
}

Ledger::Copy Ledger::copy_in(std::size_t queue, std::size_t domain, Count cells) const {
  Copy copy{queue, {}};
  const QueueHeld held = this->queue(queue, domain);
  for (Count taken = held.minimum; cells > 0; --cells, ++taken)
    copy.cells.push_back(taken < chip_.queues[queue]->minimum ? Share::minimum : Share::shared);
  return copy;
}

Outcome Ledger::arrive(std::size_t pg, Count cells, const std::vector<std::size_t>& queues,
                       Count cycle) {
  const Pg& settings = *chip_.pgs[pg];
  Outcome outcome;
  outcome.threshold = threshold(pg, cycle);
  for (const std::size_t queue : queues)
    (queue_takes(queue, domain_of(pg), cells, cycle) ? outcome.queues : outcome.refused_queues)
        .push_back(queue);
  std::vector<Place> places;
  outcome.reason = outcome.queues.empty()
                       ? "egress_queue"
                       : place(settings, pg, cells, outcome.threshold, cycle, places);
  const bool admitted = outcome.reason == "admitted";
  if (admitted) {
    const Packet packet{next_name_++, pg, places, {}};
    outcome.packet = packet.name;
    outcome.placed = {count_of(places, Place::reserved), count_of(places, Place::shared),
                      count_of(places, Place::headroom)};
    packets_.push_back(packet);
    for (const std::size_t queue : outcome.queues) {
      if (!chip_.queues[queue]) continue;
      packets_.back().copies.push_back(copy_in(queue, domain_of(pg), cells));
      move_queue(queue, domain_of(pg), 0, cycle);
    }
  } else {
    outcome.queues.clear();
  }
  remember(cycle);
  if (admitted) move_pg(pg, 0, cycle);
  judge(pg, true, !admitted || outcome.placed.headroom > 0, cycle);
  judge_port(pg, true,
             outcome.placed.headroom > 0 || (!admitted && outcome.reason != "egress_queue"), cycle);
  outcome.xoff = xoff_[pg];
  return outcome;
}

// A copy in `queue` that holds a cell of kind `share`.
Ledger::Copy* Ledger::find_cell(std::size_t queue, std::size_t domain, Share share) {
  for (Packet& packet : packets_)
    if (domain_of(packet.pg) == domain)
      for (Copy& copy : packet.copies)
        if (copy.queue == queue && count_of(copy.cells, share) > 0) return &copy;
  return nullptr;
}

// The queue's shared cells are released before its minimum: where the leaving copy is in the
// minimum and another copy in the shared part, the two cells are exchanged first.
void Ledger::vacate_queue(Packet& packet, std::size_t queue) {
  const auto leaving = std::find_if(packet.copies.begin(), packet.copies.end(),
                                    [&](const Copy& copy) { return copy.queue == queue; });
  if (leaving == packet.copies.end()) return;
  const std::vector<Share> cells = std::exchange(leaving->cells, {});
  packet.copies.erase(leaving);
  for (const Share left : cells) {
    if (left == Share::shared) continue;
    if (Copy* other = find_cell(queue, domain_of(packet.pg), Share::shared))
      *std::find(other->cells.begin(), other->cells.end(), Share::shared) = Share::minimum;
  }
}

// Headroom is released first, then shared, then private. A cell that the packet would release from
// a later segment is exchanged with one of the same PG in a segment that must empty sooner.
void Ledger::vacate_ingress(Packet& packet) {
  std::vector<Place> left = std::exchange(packet.cells, {});
  std::sort(left.begin(), left.end());
  for (const Place vacant : left) {
    for (const Place sooner : {Place::headroom, Place::shared}) {
      if (sooner <= vacant) break;
      const auto owner = std::find_if(packets_.begin(), packets_.end(), [&](const Packet& other) {
        return other.pg == packet.pg && count_of(other.cells, sooner) > 0;
      });
      if (owner == packets_.end()) continue;
      *std::find(owner->cells.begin(), owner->cells.end(), sooner) = vacant;
      break;
    }
  }
}

bool Ledger::release(std::size_t packet, std::size_t queue, bool last, Count cycle) {
  const auto found = std::find_if(packets_.begin(), packets_.end(),
                                  [&](const Packet& other) { return other.name == packet; });
  if (found == packets_.end()) throw std::logic_error("ledger: release of a packet not held");
  const std::size_t pg = found->pg;
  const auto cells = static_cast<Count>(found->cells.size());
  vacate_queue(*found, queue);
  if (chip_.queues[queue]) move_queue(queue, domain_of(pg), cells, cycle);
  if (last) {
    vacate_ingress(*found);
    packets_.erase(found);
  }
  remember(cycle);
  if (last) move_pg(pg, cells, cycle);
  judge(pg, false, false, cycle);
  judge_port(pg, false, false, cycle);
  return xoff_[pg];
}

// XOFF and XON of the PG that the step touched, from the state after it.
void Ledger::judge(std::size_t pg, bool arrival, bool pressed, Count cycle) {
  const Pg& settings = *chip_.pgs[pg];
  if (!settings.lossless) return;
  const Held held = this->pg(pg);
  const Count limit = threshold(pg, cycle);
  const bool crossed =
      (settings.trigger == Trigger::on_crossing || settings.limit.policy == Policy::dsh) &&
      held.reserved == settings.reserved && held.shared >= limit;
  const bool condition = pressed || crossed;
  if (held.total() == 0) {
    xoff_[pg] = false;
  } else if (condition) {
    if (arrival) xoff_[pg] = true;
  } else if (held.headroom == 0) {
    const bool resume = settings.resume == Resume::sai
                            ? held.shared <= std::max(settings.xon, limit - settings.xon_offset)
                            : held.shared < settings.xon || held.shared == 0;
    if (resume) xoff_[pg] = false;
  }
}

}  // namespace ledger
