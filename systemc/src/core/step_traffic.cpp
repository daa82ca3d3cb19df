// SPDX-License-Identifier: Apache-2.0
#include "weir/core/step_traffic.hpp"

#include <algorithm>
#include <utility>

namespace weir {

StepTraffic::StepTraffic(const Chip& chip, std::uint64_t seed, unsigned copies,
                         std::uint32_t longest)
    : random_{seed, "step_traffic"},
      queues_{chip.ports.size() * priorities},
      copies_{copies},
      longest_{std::min(longest, chip.cells(chip.mtu).count())},
      cell_{chip.cell.count()},
      overhead_{chip.cell_overhead.count()},
      mtu_{chip.mtu.count()},
      domain_of_pg_(chip.profile_of_pg.size()),
      domains_(chip.domains) {
  for (PgIndex pg; pg < domain_of_pg_.end_index(); ++pg) {
    domain_of_pg_[pg] = chip.ports[port_of(pg).count()].domain.count();
    if (chip.profile_of_pg[pg]) domains_[domain_of_pg_[pg]].pgs.push_back(pg);
  }
  for (QueueIndex queue; queue < chip.profile_of_queue.end_index(); ++queue)
    if (chip.profile_of_queue[queue]) limited_.push_back(queue);
}

void StepTraffic::reset() {
  for (Domain& domain : domains_) {
    domain.held.clear();
    domain.cycles_left = 0;
  }
}

void StepTraffic::redraw(Domain& domain) {
  constexpr std::uint32_t shares[]{0, 5, 30, 60, 90, 100};
  constexpr std::uint32_t lengths[]{1, 1, 2, 4, 16, 1U << 30};
  domain.cycles_left = 1 + random_.uniform(percent(30) ? 20 : 400);
  domain.arrive = shares[random_.uniform(6)];
  domain.leave = shares[random_.uniform(6)];
  domain.longest = std::min(lengths[random_.uniform(6)], longest_);
  domain.newest_first = shares[random_.uniform(6)];
  domain.on_hot = shares[random_.uniform(6)];
  if (!domain.pgs.empty()) domain.hot_pg = domain.pgs[random_.uniform(domain.pgs.size())];
  domain.hot_queue = QueueIndex{random_.uniform(queues_)};
  if (waves_) redraw_wave(domain);
}

void StepTraffic::redraw_wave(Domain& domain) {
  const bool fills = percent(50);
  domain.cycles_left = 100 + random_.uniform(900);
  domain.arrive = fills ? 100 : static_cast<std::uint32_t>(random_.uniform(20));
  domain.leave = fills ? static_cast<std::uint32_t>(random_.uniform(20)) : 100;
  if (percent(80)) domain.longest = longest_;
  if (percent(50)) domain.on_hot = percent(50) ? 100 : 50;
  domain.multicast = percent(50) ? 90 : usual_multicast;
  if (percent(70) && !limited_.empty())
    domain.hot_queue = limited_[random_.uniform(limited_.size())];
}

std::vector<ReleaseStep> StepTraffic::releases(DomainId id, std::size_t most) {
  Domain& domain = domains_[id.count()];
  if (domain.cycles_left-- == 0) redraw(domain);
  std::vector<ReleaseStep> steps;
  for (std::size_t k = 0; k < most && !domain.held.empty(); ++k) {
    if (!percent(domain.leave)) continue;
    const std::size_t at = percent(domain.newest_first)
                               ? domain.held.size() - 1
                               : (percent(50) ? 0 : random_.uniform(domain.held.size()));
    Held& packet = domain.held[at];
    const std::size_t copy = random_.uniform(packet.queues.size());
    const QueueIndex queue = packet.queues[copy];
    packet.queues.erase(packet.queues.begin() + static_cast<std::ptrdiff_t>(copy));
    steps.push_back({packet.pg, packet.cells, queue, packet.queues.empty()});
    if (!packet.queues.empty()) continue;
    if (at + 1 != domain.held.size()) std::swap(packet, domain.held.back());
    domain.held.pop_back();
  }
  return steps;
}

std::vector<ArrivalStep> StepTraffic::arrivals(DomainId id, std::size_t most) {
  Domain& domain = domains_[id.count()];
  std::vector<ArrivalStep> steps;
  for (std::size_t k = 0; k < most && !domain.pgs.empty(); ++k) {
    if (!percent(domain.arrive)) continue;
    ArrivalStep step;
    step.pg =
        percent(domain.on_hot) ? domain.hot_pg : domain.pgs[random_.uniform(domain.pgs.size())];
    const std::uint64_t cells = 1 + random_.uniform(domain.longest);
    const std::uint64_t max_bytes =
        std::min(cells * cell_ - std::min(overhead_, cells * cell_ - 1), mtu_);
    step.length = Bytes{max_bytes - random_.uniform(std::min<std::uint64_t>(cell_, max_bytes))};
    step.cells = cells_for(step.length, Bytes{overhead_}, Bytes{cell_});
    const std::size_t copies = percent(100 - domain.multicast) ? 1 : 1 + random_.uniform(copies_);
    for (std::size_t c = 0; c < copies; ++c) {
      const QueueIndex queue =
          percent(domain.on_hot) ? domain.hot_queue : QueueIndex{random_.uniform(queues_)};
      if (std::find(step.queues.begin(), step.queues.end(), queue) == step.queues.end())
        step.queues.push_back(queue);
    }
    if (waves_) std::swap(step.queues[random_.uniform(step.queues.size())], step.queues.back());
    steps.push_back(std::move(step));
  }
  return steps;
}

void StepTraffic::admitted(const ArrivalStep& step, const std::vector<QueueIndex>& queues) {
  domains_[domain_of_pg_[step.pg]].held.push_back({step.pg, step.cells, queues});
}

}  // namespace weir
