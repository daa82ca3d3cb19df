// SPDX-License-Identifier: Apache-2.0
#include "weir/trace/summary/series_recorder.hpp"

#include <algorithm>
#include <initializer_list>
#include <optional>

#include "weir/config/format/units.hpp"
#include "weir/core/congestion/ecn_marker.hpp"
#include "weir/core/errors.hpp"
#include "weir/core/host/dcqcn.hpp"
#include "weir/core/mmu.hpp"
#include "weir/model/network/network_events.hpp"

namespace weir {
namespace {

[[noreturn]] void fail(const std::string& name, const std::string& legal) {
  throw ConfigError("series", name, legal);
}

// Takes "<prefix>TEXT<suffix>" off the front of `rest` and returns TEXT.
std::optional<std::string> taken(std::string& rest, const std::string& prefix,
                                 const std::string& suffix) {
  if (rest.compare(0, prefix.size(), prefix) != 0) return std::nullopt;
  const std::size_t end = rest.find(suffix, prefix.size());
  if (end == std::string::npos) return std::nullopt;
  const std::string text = rest.substr(prefix.size(), end - prefix.size());
  rest.erase(0, end + suffix.size());
  return text;
}

bool begins(const std::string& name, const std::string& node) {
  return name.compare(0, node.size() + 1, node + ".") == 0;
}

void append(Series& series, std::initializer_list<std::uint64_t> values) {
  auto column = series.columns.begin();
  for (const std::uint64_t value : values)
    (column++)->values.push_back(static_cast<std::int64_t>(value));
}

std::size_t number_below(const std::string& name, const std::optional<std::string>& text,
                         std::size_t end, const char* what) {
  const std::optional<std::uint64_t> number = text ? parse_count(*text) : std::nullopt;
  if (number && *number < end) return *number;
  fail(name, std::string{"must name a "} + what + " below " + std::to_string(end) +
                 ", as in tor.port[0].pg[3] or tor.pool[lossless].domain[0]");
}

}  // namespace

SeriesRecorder::SeriesRecorder(const Scenario& scenario, const std::vector<std::string>& names,
                               Picoseconds every)
    : every_{every} {
  for (const std::string& name : names) {
    places_.push_back(place_of(scenario, name));
    series_.push_back({name, columns_of(places_.back())});
  }
}

std::vector<SeriesColumn> SeriesRecorder::columns_of(const Place& place) {
  std::vector<std::string_view> names{"private", "shared", "headroom", "threshold", "xoff"};
  if (std::holds_alternative<QueueIndex>(place.index)) names = {"waiting", "min", "max", "marked"};
  if (std::holds_alternative<Sender>(place.index))
    names = {"peer", "connection", "rate_bps", "target_bps", "alpha_ppm", "cnps"};
  std::vector<SeriesColumn> columns;
  for (const std::string_view name : names) columns.push_back({name, name == "xoff", {}});
  return columns;
}

SeriesRecorder::Place SeriesRecorder::place_of(const Scenario& scenario, const std::string& name) {
  const auto node = std::find_if(scenario.switches.begin(), scenario.switches.end(),
                                 [&](const SwitchSpec& spec) { return begins(name, spec.name); });
  return node == scenario.switches.end() ? place_of_rates(scenario, name)
                                         : place_in_switch(*node, name);
}

SeriesRecorder::Place SeriesRecorder::place_in_switch(const SwitchSpec& spec,
                                                      const std::string& name) {
  const Chip& chip = spec.chip;
  std::string rest = name.substr(spec.name.size());
  Place place{times_at(spec.name), {}};
  if (const auto pool_name = taken(rest, ".pool[", "]")) {
    const auto pool = std::find_if(chip.ingress_pools.begin(), chip.ingress_pools.end(),
                                   [&](const Pool& entry) { return entry.name == *pool_name; });
    if (pool == chip.ingress_pools.end()) fail(name, "must name an ingress pool of the chip");
    const std::size_t domain =
        number_below(name, taken(rest, ".domain[", "]"), chip.domains, "domain");
    place.index = pool_index(chip, static_cast<std::size_t>(pool - chip.ingress_pools.begin()),
                             DomainId{static_cast<std::uint8_t>(domain)});
  } else {
    const PortId port{static_cast<PortId::rep>(
        number_below(name, taken(rest, ".port[", "]"), chip.ports.size(), "port"))};
    if (const auto number = taken(rest, ".queue[", "]")) {
      const QueueIndex queue = queue_index(
          port,
          Priority{static_cast<Priority::rep>(number_below(name, number, priorities, "queue"))});
      place.index = queue;
      if (chip.wred_profiles.empty() || !chip.wred_of_queue[queue])
        fail(name, "must name a queue with a WRED profile");
    } else {
      const PgIndex pg = pg_index(port, Priority{static_cast<Priority::rep>(number_below(
                                            name, taken(rest, ".pg[", "]"), priorities, "group"))});
      place.index = pg;
      if (!chip.profile_of_pg[pg]) fail(name, "must name a priority group with a profile");
    }
  }
  if (!rest.empty()) fail(name, "must end after the priority group, the queue or the domain");
  return place;
}

// "h3.rate[incast]"
SeriesRecorder::Place SeriesRecorder::place_of_rates(const Scenario& scenario,
                                                     const std::string& name) {
  const auto host = std::find_if(scenario.hosts.begin(), scenario.hosts.end(),
                                 [&](const HostSpec& spec) { return begins(name, spec.name); });
  if (host == scenario.hosts.end())
    fail(name, "must begin with the name of a switch or host and a dot");
  std::string rest = name.substr(host->name.size());
  const auto text = taken(rest, ".rate[", "]");
  const auto index = static_cast<std::size_t>(host - scenario.hosts.begin());
  const auto entry = std::find_if(
      scenario.traffic.begin(), scenario.traffic.end(), [&](const TrafficSpec& traffic) {
        return text && traffic.name == *text && traffic.dcqcn &&
               std::find(traffic.from.begin(), traffic.from.end(), index) != traffic.from.end();
      });
  if (entry == scenario.traffic.end() || !rest.empty())
    fail(name,
         "must name a traffic entry of the host that has rate control, as in "
         "h3.rate[incast]");
  if (!scenario.monitor.period) fail(name, "needs [monitor] in the scenario, which samples rates");
  return {times_at(name),
          Sender{host->name, static_cast<std::size_t>(entry - scenario.traffic.begin())}};
}

std::size_t SeriesRecorder::times_at(const std::string& switch_name) {
  for (std::size_t i = 0; i < switches_.size(); ++i)
    if (switches_[i].name == switch_name) return i;
  switches_.push_back({switch_name, Picoseconds{0}, {}});
  return switches_.size() - 1;
}

void SeriesRecorder::stepped(const std::string& switch_name, const Mmu& mmu, PgIndex,
                             Picoseconds edge) {
  for (std::size_t at = 0; at < switches_.size(); ++at) {
    SwitchTimes& times = switches_[at];
    if (times.name != switch_name || edge < times.next) continue;
    if (every_ != Picoseconds{0})
      times.next = Picoseconds{(edge.count() / every_.count() + 1) * every_.count()};
    times.times.push_back(edge.count());
    const Cycle now = edge_at_or_after(edge, mmu.chip().clock);
    for (std::size_t i = 0; i < series_.size(); ++i)
      if (places_[i].at == at) add(series_[i], places_[i], mmu, now);
  }
}

void SeriesRecorder::rate_sample(const RateSample& sample, Picoseconds time) {
  constexpr std::uint64_t ppm = 1'000'000;
  const ConnectionRate& rate = sample.rate;
  for (std::size_t at = 0; at < switches_.size(); ++at) {
    bool any = false;
    for (std::size_t i = 0; i < series_.size(); ++i) {
      const Sender* const sender = std::get_if<Sender>(&places_[i].index);
      if (places_[i].at != at || sender == nullptr || sender->host != sample.host ||
          sender->flow != rate.flow)
        continue;
      any = true;
      append(series_[i], {rate.peer, rate.connection, rate.rate.count(), rate.target.count(),
                          rate.alpha * ppm / DcqcnSettings::whole, rate.cnps});
    }
    if (any) switches_[at].times.push_back(time.count());
  }
}

void SeriesRecorder::add(Series& series, const Place& place, const Mmu& mmu, Cycle now) {
  if (const PoolIndex* const row = std::get_if<PoolIndex>(&place.index)) {
    const PoolUse& use = mmu.ingress().pool(*row);
    const std::size_t pool = pool_number(mmu.chip(), *row);
    append(series, {use.private_cells.count(), use.shared.count(), use.headroom.count(),
                    mmu.chip().ingress_pools[pool].shared.count(), 0});
  } else if (const QueueIndex* const queue = std::get_if<QueueIndex>(&place.index)) {
    const EcnMarker& marker = *mmu.marker();
    const WredProfile& profile = mmu.chip().wred_profiles[marker.profile_of(*queue)];
    append(series, {marker.waiting(*queue).count(), profile.min.count(), profile.max.count(),
                    marker.counters(*queue).marked_packets});
  } else {
    const PgIndex pg = std::get<PgIndex>(place.index);
    const Placement& held = mmu.ingress().pg(pg);
    append(series, {held.private_cells.count(), held.shared.count(), held.headroom.count(),
                    mmu.threshold(pg, now).count(),
                    mmu.pfc().xoff(pg) || mmu.port_off(port_of(pg)) ? std::uint64_t{1} : 0});
  }
}

}  // namespace weir
