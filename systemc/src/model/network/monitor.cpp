// SPDX-License-Identifier: Apache-2.0
#include "weir/model/network/monitor.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "weir/config/format/names.hpp"
#include "weir/core/index.hpp"
#include "weir/model/network/network.hpp"
#include "weir/model/ranks/network_rank.hpp"

namespace weir {
namespace {

// Changes whenever a counter does; counters only grow, unless software clears them.
std::uint64_t digest(const PortCounters::ByPriority& counters, const PauseTimes& pause) {
  std::uint64_t sum = pause.pauses + pause.total.count();
  for_each_class_counter([&](const auto& row) { sum += count_of(row, counters); });
  return sum;
}

bool same(const ConnectionRate& a, const ConnectionRate& b) {
  return a.rate == b.rate && a.target == b.target && a.cnps == b.cnps;
}

bool same(const PoolUse& a, const PoolUse& b) {
  return a.shared == b.shared && a.headroom == b.headroom && a.private_cells == b.private_cells;
}

}  // namespace

Monitor::Monitor(const ModelContext& context, Network& network, bool mmu_is_live)
    : network_{network},
      agenda_{context.agenda},
      observers_{context.observers},
      mmu_is_live_{mmu_is_live},
      actor_{context.agenda.enroll(*this)} {
  const Scenario& scenario = network.scenario();
  for (const SwitchSpec& spec : scenario.switches) names_.push_back(spec.name);
  for (const HostSpec& spec : scenario.hosts) names_.push_back(spec.name);
  add_places();
  for (const SwitchSpec& spec : scenario.switches) {
    pools_.emplace_back(spec.chip.ingress_pools.size() * spec.chip.domains);
    queues_.emplace_back(spec.chip.wred_of_queue.size());
  }
  if (scenario.monitor.period) agenda_.post(*scenario.monitor.period, Rank::look, actor_, 0);
  compare_chips(Picoseconds{0});
}

// In an order that does not depend on the order of the file.
void Monitor::add_places() {
  const Scenario& scenario = network_.scenario();
  for (const LinkSpec& link : scenario.links)
    for (const LinkEnd& end : {link.a, link.b})
      for (std::size_t n = 0; n < priorities; ++n)
        places_.push_back(
            {end.node + (end.is_host ? scenario.switches.size() : 0), end.port, priority_id(n), 0});
  std::sort(places_.begin(), places_.end(), [&](const Place& a, const Place& b) {
    if (a.node != b.node) return natural_less(names_[a.node], names_[b.node]);
    return a.port != b.port ? a.port < b.port : a.priority < b.priority;
  });
  order_.resize(scenario.switches.size());
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::sort(order_.begin(), order_.end(),
            [&](std::size_t a, std::size_t b) { return natural_less(names_[a], names_[b]); });
  host_order_.resize(scenario.hosts.size());
  std::iota(host_order_.begin(), host_order_.end(), std::size_t{0});
  std::sort(host_order_.begin(), host_order_.end(), [&](std::size_t a, std::size_t b) {
    return natural_less(scenario.hosts[a].name, scenario.hosts[b].name);
  });
  rates_.resize(scenario.hosts.size());
}

void Monitor::act(Picoseconds now, std::uint32_t, std::uint64_t) {
  look(now);
  agenda_.post(now + *network_.scenario().monitor.period, Rank::look, actor_, 0);
}

void Monitor::finish(Picoseconds now) {
  if (network_.scenario().monitor.period)
    look(now);
  else
    compare_chips(now);
  for (const DriftReport& report : drifts_)
    observers_.notify([&](Observer& o) { o.drift(report); });
}

void Monitor::look(Picoseconds now) {
  if (network_.rank() != nullptr) network_.rank()->meet();
  for (Place& place : places_)
    (place.node < order_.size() ? sample_switch_port(place, now) : sample_host(place, now));
  if (mmu_is_live_) {
    sample_pools(now);
    sample_queues(now);
  }
  sample_rates(now);
  compare_chips(now);
}

void Monitor::sample_switch_port(Place& place, Picoseconds now) {
  const Switch& node = network_.switch_at(place.node);
  const std::size_t priority = place.priority.count();
  const PortCounters::ByPriority& counts = node.counters(place.port).priority[priority];
  PortSample sample{names_[place.node],
                    place.port,
                    place.priority,
                    counts,
                    node.mmu.pfc_receiver->pause_times(place.port, place.priority, now),
                    node.port(place.port).tx.depth(node.chip().queue_of_priority[priority]),
                    {}};
  if (mmu_is_live_) {
    const Priority pg{node.chip().pg_of_priority[priority]};
    sample.held = node.mmu.core().ingress().pg(pg_index(place.port, pg)).total();
  }
  report(place, sample, now);
}

void Monitor::sample_host(Place& place, Picoseconds now) {
  const Nic& nic = network_.host(place.node - order_.size());
  report(place,
         {names_[place.node],
          place.port,
          place.priority,
          nic.counters().priority[place.priority.count()],
          nic.pause_times(place.priority, now),
          0,
          {}},
         now);
}

void Monitor::report(Place& place, const PortSample& sample, Picoseconds now) {
  const std::uint64_t seen = digest(sample.counts, sample.pause);
  if (seen == place.seen) return;
  place.seen = seen;
  observers_.notify([&](Observer& o) { o.port_sample(sample, now); });
}

void Monitor::sample_pools(Picoseconds now) {
  for (const std::size_t index : order_) {
    const Chip& chip = network_.scenario().switches[index].chip;
    for (PoolIndex row; row < pools_[index].end_index(); ++row) {
      const PoolUse& use = network_.switch_at(index).mmu.core().ingress().pool(row);
      if (same(use, pools_[index][row])) continue;
      pools_[index][row] = use;
      const PoolSample sample{names_[index], chip.ingress_pools[pool_number(chip, row)].name,
                              domain_of(chip, row), use};
      observers_.notify([&](Observer& o) { o.pool_sample(sample, now); });
    }
  }
}

void Monitor::sample_queues(Picoseconds now) {
  for (const std::size_t index : order_) {
    const EcnMarker* const marker = network_.switch_at(index).mmu.core().marker();
    if (marker == nullptr) continue;
    const Chip& chip = network_.scenario().switches[index].chip;
    for (QueueIndex queue; queue < queues_[index].end_index(); ++queue) {
      if (!marker->has_profile(queue)) continue;
      MarkedQueue& seen = queues_[index][queue];
      const WredCounters& counters = marker->counters(queue);
      const MarkedQueue is{marker->waiting(queue), counters.marked_packets, counters.dropped};
      if (is.waiting == seen.waiting && is.marked == seen.marked && is.dropped == seen.dropped)
        continue;
      seen = is;
      const QueueSample sample{names_[index], queue, chip.wred_profiles[marker->profile_of(queue)],
                               is.waiting, counters};
      observers_.notify([&](Observer& o) { o.queue_sample(sample, now); });
    }
  }
}

// The first sample of a connection is that of the first period.
void Monitor::sample_rates(Picoseconds now) {
  const std::vector<HostSpec>& hosts = network_.scenario().hosts;
  for (const std::size_t host : host_order_) {
    std::vector<ConnectionRate> rates = network_.host(host).rates(now);
    for (std::size_t i = 0; i < rates.size(); ++i) {
      if (i < rates_[host].size() && same(rates[i], rates_[host][i])) continue;
      const RateSample sample{hosts[host].name, hosts[rates[i].peer].name, rates[i]};
      observers_.notify([&](Observer& o) { o.rate_sample(sample, now); });
    }
    rates_[host] = std::move(rates);
  }
}

// Settings are written out only where something may have changed since the last time.
void Monitor::compare_chips(Picoseconds now) {
  const std::vector<DesiredChip>& desired = network_.scenario().monitor.desired;
  for (std::size_t i = 0; i < desired.size(); ++i) {
    const Chip& running = network_.switch_at(desired[i].node).mmu.core().chip();
    if (i < running_.size() && same_running_settings(running_[i], running)) continue;
    if (i < running_.size())
      running_[i] = running;
    else
      running_.push_back(running);
    note(desired[i].node, drift_between(desired[i].chip, running), now);
  }
}

void Monitor::note(std::size_t node, const std::vector<Drift>& found, Picoseconds now) {
  const auto is_open = [&](const DriftReport& report) {
    return report.node == names_[node] && !report.repaired;
  };
  for (DriftReport& report : drifts_) {
    if (!is_open(report) || std::find(found.begin(), found.end(), report.drift) != found.end())
      continue;
    report.repaired = now;
  }
  for (const Drift& drift : found) {
    const bool known = std::any_of(drifts_.begin(), drifts_.end(), [&](const DriftReport& report) {
      return is_open(report) && report.drift == drift;
    });
    if (!known) drifts_.push_back({names_[node], drift, now, std::nullopt});
  }
}

}  // namespace weir
