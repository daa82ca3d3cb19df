// SPDX-License-Identifier: Apache-2.0
#include "weir/trace/summary/series_recorder.hpp"

#include <algorithm>
#include <optional>

#include "weir/config/format/units.hpp"
#include "weir/core/errors.hpp"
#include "weir/core/mmu.hpp"

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
    series_.push_back({name, {}, {}, {}, {}, {}});
  }
}

SeriesRecorder::Place SeriesRecorder::place_of(const Scenario& scenario, const std::string& name) {
  const auto node = std::find_if(
      scenario.switches.begin(), scenario.switches.end(), [&](const SwitchSpec& candidate) {
        return name.compare(0, candidate.name.size() + 1, candidate.name + ".") == 0;
      });
  if (node == scenario.switches.end()) fail(name, "must begin with the name of a switch and a dot");
  const Chip& chip = node->chip;
  std::string rest = name.substr(node->name.size());
  Place place{times_at(node->name), {}};
  if (const auto pool_name = taken(rest, ".pool[", "]")) {
    const auto pool = std::find_if(chip.ingress_pools.begin(), chip.ingress_pools.end(),
                                   [&](const Pool& entry) { return entry.name == *pool_name; });
    if (pool == chip.ingress_pools.end()) fail(name, "must name an ingress pool of the chip");
    const std::size_t domain =
        number_below(name, taken(rest, ".domain[", "]"), chip.domains, "domain");
    place.index = pool_index(chip, static_cast<std::size_t>(pool - chip.ingress_pools.begin()),
                             DomainId{static_cast<std::uint8_t>(domain)});
  } else {
    const std::size_t port =
        number_below(name, taken(rest, ".port[", "]"), chip.ports.size(), "port");
    const std::size_t pg = number_below(name, taken(rest, ".pg[", "]"), priorities, "group");
    const PgIndex index =
        pg_index(PortId{static_cast<std::uint16_t>(port)}, Priority{static_cast<std::uint8_t>(pg)});
    place.index = index;
    if (!chip.profile_of_pg[index]) fail(name, "must name a priority group with a profile");
  }
  if (!rest.empty()) fail(name, "must end after the priority group or the domain");
  return place;
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

void SeriesRecorder::add(Series& series, const Place& place, const Mmu& mmu, Cycle now) {
  if (const PoolIndex* const row = std::get_if<PoolIndex>(&place.index)) {
    const PoolUse& use = mmu.ingress().pool(*row);
    series.private_cells.push_back(use.private_cells.count());
    series.shared.push_back(use.shared.count());
    series.headroom.push_back(use.headroom.count());
    const std::size_t pool = pool_number(mmu.chip(), *row);
    series.threshold.push_back(mmu.chip().ingress_pools[pool].shared.count());
    series.xoff.push_back(0);
    return;
  }
  const PgIndex pg = std::get<PgIndex>(place.index);
  const Placement& held = mmu.ingress().pg(pg);
  series.private_cells.push_back(held.private_cells.count());
  series.shared.push_back(held.shared.count());
  series.headroom.push_back(held.headroom.count());
  series.threshold.push_back(mmu.threshold(pg, now).count());
  series.xoff.push_back(mmu.pfc().xoff(pg) || mmu.port_off(port_of(pg)) ? 1 : 0);
}

}  // namespace weir
