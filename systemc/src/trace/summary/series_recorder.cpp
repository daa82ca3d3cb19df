// SPDX-License-Identifier: Apache-2.0
#include "weir/trace/summary/series_recorder.hpp"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string_view>

#include "summary/link_periods.hpp"
#include "summary/shown_values.hpp"
#include "weir/config/format/port_name.hpp"
#include "weir/config/format/units.hpp"
#include "weir/core/congestion/ecn_marker.hpp"
#include "weir/core/errors.hpp"
#include "weir/core/host/dcqcn.hpp"
#include "weir/core/index.hpp"
#include "weir/core/mmu.hpp"
#include "weir/model/network/network_events.hpp"

namespace weir {
namespace {

bool begins(const std::string& name, const std::string& node) {
  return name.compare(0, node.size() + 1, node + ".") == 0;
}

void append(Series& series, std::initializer_list<std::uint64_t> values) {
  auto column = series.columns.begin();
  for (const std::uint64_t value : values)
    (column++)->values.push_back(static_cast<std::int64_t>(value));
}

PgIndex first_group(const Chip& chip) {
  const auto group = [&](bool any) {
    for (std::size_t pg = 0; pg < chip.profile_of_pg.size(); ++pg) {
      const auto& profile = chip.profile_of_pg[PgIndex{pg}];
      if (profile && (any || chip.profiles[*profile].lossless)) return std::optional{PgIndex{pg}};
    }
    return std::optional<PgIndex>{};
  };
  return group(false).value_or(group(true).value_or(PgIndex{0}));
}

// "tor.port[0].pg[3] or tor.pool[lossless].domain[0]": the first ones that there are.
std::string examples_in(const SwitchSpec& spec) {
  const PgIndex pg = first_group(spec.chip);
  std::string text = spec.name + "." + group_name(pg);
  if (!spec.chip.ingress_pools.empty())
    text += " or " + spec.name + ".pool[" + spec.chip.ingress_pools.front().name + "].domain[0]";
  return text;
}

constexpr std::uint64_t max_periods = 100'000'000;

// Pools as the waveform names them: "tor.mmu.ingress_accounting.domain[0].lossless".
constexpr std::string_view pools_of_waveform = ".mmu.ingress_accounting";

bool names_pool(const std::string& rest) {
  return rest.compare(0, 5, ".pool") == 0 ||
         rest.compare(0, pools_of_waveform.size(), pools_of_waveform) == 0;
}

}  // namespace

struct SeriesRecorder::Name {
  const Scenario& scenario;
  const std::string& whole;
  std::string rest;      // what is not yet taken
  std::string examples;  // legal names of the same node

  [[noreturn]] void fail(const std::string& legal) const {
    throw ConfigError("series", whole, legal);
  }
  /// Takes "<prefix>TEXT<suffix>" off the front of the rest and returns TEXT.
  std::optional<std::string> taken(const std::string& prefix, const std::string& suffix) {
    if (rest.compare(0, prefix.size(), prefix) != 0) return std::nullopt;
    const std::size_t end = rest.find(suffix, prefix.size());
    if (end == std::string::npos) return std::nullopt;
    std::string text = rest.substr(prefix.size(), end - prefix.size());
    rest.erase(0, end + suffix.size());
    return text;
  }
  /// Takes ".TEXT" off the front, up to the next dot, and returns TEXT.
  std::optional<std::string> level() {
    if (rest.empty() || rest.front() != '.') return std::nullopt;
    const std::size_t end = std::min(rest.find('.', 1), rest.size());
    std::string text = rest.substr(1, end - 1);
    rest.erase(0, end);
    return text;
  }
  /// All of a name is taken. What is left may be an array, as the waveform has it in the name.
  void end(const std::vector<SeriesColumn>& columns) const {
    if (rest.empty()) return;
    const bool array = std::any_of(
        columns.begin(), columns.end(),
        [this](const SeriesColumn& column) { return rest == "." + std::string{column.name}; });
    if (array)
      fail("must end before " + rest + ", which is one of the arrays of " +
           whole.substr(0, whole.size() - rest.size()));
    fail("must end where a name does, as in " + examples);
  }
  [[nodiscard]] std::size_t number_below(const std::optional<std::string>& text, std::size_t end,
                                         const std::string& what) const {
    const std::optional<std::uint64_t> number = text ? parse_count(*text) : std::nullopt;
    if (number && *number < end) return *number;
    fail("must name a " + what + " below " + std::to_string(end) + ", as in " + examples);
  }
};

SeriesRecorder::SeriesRecorder(const Scenario& scenario, const std::vector<std::string>& names,
                               Picoseconds every)
    : every_{every} {
  for (const std::string& name : names) {
    places_.push_back(place_of(scenario, name));
    series_.push_back({name, columns_of(places_.back())});
  }
}

SeriesRecorder::~SeriesRecorder() = default;

std::string SeriesRecorder::examples(const Scenario& scenario) {
  std::string text;
  if (!scenario.switches.empty()) text = examples_in(scenario.switches.front());
  if (!scenario.hosts.empty())
    text += (text.empty() ? "" : " or ") + scenario.hosts.front().name + ".tx";
  return text;
}

std::vector<SeriesColumn> SeriesRecorder::columns_of(const Place& place) {
  std::vector<std::string_view> names{"private", "shared", "headroom", "threshold", "xoff"};
  if (std::holds_alternative<QueueIndex>(place.index)) names = {"waiting", "min", "max", "marked"};
  if (std::holds_alternative<Sender>(place.index))
    names = {"peer", "connection", "rate_bps", "target_bps", "alpha_ppm", "cnps"};
  if (const Periods* const periods = std::get_if<Periods>(&place.index)) {
    if (periods->is_wire)
      names = {"busy_ps", "load_ppm"};
    else
      names = {"paused_ps", "paused"};
  }
  std::vector<SeriesColumn> columns;
  columns.reserve(names.size());
  for (const std::string_view name : names)
    columns.push_back({name, name == "xoff" || name == "paused", {}});
  return columns;
}

SeriesRecorder::Place SeriesRecorder::place_of(const Scenario& scenario, const std::string& text) {
  for (const SwitchSpec& spec : scenario.switches) {
    if (!begins(text, spec.name)) continue;
    Name name{scenario, text, text.substr(spec.name.size()), examples_in(spec)};
    Place place = names_pool(name.rest) ? place_of_pool(spec, name) : place_at_port(spec, name);
    name.end(columns_of(place));
    return place;
  }
  for (const HostSpec& spec : scenario.hosts) {
    if (!begins(text, spec.name)) continue;
    Name name{scenario, text, text.substr(spec.name.size()),
              spec.name + ".tx or " + spec.name + ".tx.pause[3]"};
    return place_at_host(spec, name);
  }
  throw ConfigError(
      "series", text,
      "must begin with the name of a switch or host and a dot, as in " + examples(scenario));
}

SeriesRecorder::Place SeriesRecorder::place_of_pool(const SwitchSpec& spec, Name& name) {
  const Chip& chip = spec.chip;
  // The waveform has the domain first, and the pool as a level of the hierarchy.
  const bool of_waveform = name.rest.compare(0, 5, ".pool") != 0;
  std::optional<std::string> domain, pool;
  if (of_waveform) {
    domain = name.taken(std::string{pools_of_waveform} + ".domain[", "]");
    pool = name.level();
  } else {
    pool = name.taken(".pool[", "]");
    domain = name.taken(".domain[", "]");
  }
  const auto found = std::find_if(chip.ingress_pools.begin(), chip.ingress_pools.end(),
                                  [&](const Pool& entry) { return pool && entry.name == *pool; });
  if (found == chip.ingress_pools.end())
    name.fail("must name an ingress pool of the chip, as in " + name.examples);
  return {
      times_at(spec.name),
      pool_index(
          chip, PoolNumber{static_cast<std::size_t>(found - chip.ingress_pools.begin())},
          DomainId{static_cast<std::uint8_t>(name.number_below(domain, chip.domains, "domain"))})};
}

SeriesRecorder::Place SeriesRecorder::place_at_port(const SwitchSpec& spec, Name& name) {
  const PortId port = port_id(name.number_below(name.taken(std::string{port_name_middle}, "]"),
                                                spec.chip.ports.size(), "port"));
  if (name.rest.compare(0, 3, ".tx") == 0) return place_of_link(spec.name, port, name);
  if (name.rest.compare(0, 6, ".queue") == 0) return place_of_queue(spec, port, name);
  const PgIndex pg =
      pg_index(port, priority_id(name.number_below(name.taken(".pg[", "]"), priorities, "group")));
  if (!spec.chip.profile_of_pg[pg]) name.fail("must name a priority group with a profile");
  return {times_at(spec.name), pg};
}

SeriesRecorder::Place SeriesRecorder::place_of_queue(const SwitchSpec& spec, PortId port,
                                                     Name& name) {
  const Chip& chip = spec.chip;
  const QueueIndex queue = queue_index(
      port, priority_id(name.number_below(name.taken(".queue[", "]"), priorities, "queue")));
  if (chip.wred_profiles.empty() || !chip.wred_of_queue[queue])
    name.fail("must name a queue with a WRED profile");
  return {times_at(spec.name), queue};
}

// "h3.tx", "h3.tx.pause[3]", "h3.rate[incast]"
SeriesRecorder::Place SeriesRecorder::place_at_host(const HostSpec& spec, Name& name) {
  if (name.rest.compare(0, 3, ".tx") == 0) {
    Place place = place_of_link(spec.name, PortId{0}, name);
    name.end(columns_of(place));
    return place;
  }
  const std::optional<std::string> traffic = name.taken(".rate[", "]");
  if (!traffic || !name.rest.empty())
    name.fail("must be a wire, a class of it, or the rates of a traffic entry, as in " +
              name.examples + " or " + spec.name + ".rate[incast]");
  return place_of_rates(spec, name, *traffic);
}

SeriesRecorder::Place SeriesRecorder::place_of_rates(const HostSpec& spec, const Name& name,
                                                     const std::string& traffic) {
  const Scenario& scenario = name.scenario;
  const auto index = static_cast<std::size_t>(&spec - scenario.hosts.data());
  const auto entry =
      std::find_if(scenario.traffic.begin(), scenario.traffic.end(), [&](const TrafficSpec& one) {
        return one.name == traffic && one.dcqcn &&
               std::find(one.from.begin(), one.from.end(), index) != one.from.end();
      });
  if (entry == scenario.traffic.end())
    name.fail("must name a traffic entry of the host that has rate control, as in " + spec.name +
              ".rate[incast]");
  if (!scenario.monitor.period) name.fail("needs [monitor] in the scenario, which samples rates");
  return {times_at(name.whole),
          Sender{spec.name, static_cast<std::size_t>(entry - scenario.traffic.begin())}};
}

// ".tx" or ".tx.pause[3]" is left of the name.
SeriesRecorder::Place SeriesRecorder::place_of_link(const std::string& node, PortId port,
                                                    Name& name) {
  name.rest.erase(0, 3);
  const bool is_wire = name.rest.compare(0, 6, ".pause") != 0;
  const Priority priority =
      is_wire ? Priority{0}
              : priority_id(name.number_below(name.taken(".pause[", "]"), priorities, "class"));
  LinkPeriods& periods = periods_for(name);
  const std::optional<std::size_t> end = periods.find(node, port);
  if (!end) name.fail("must name a port with a link");
  return {
      times_at(""),
      Periods{is_wire ? periods.watch_wire(*end) : periods.watch_pause(*end, priority), is_wire}};
}

LinkPeriods& SeriesRecorder::periods_for(const Name& name) {
  const std::uint64_t until = name.scenario.until.count();
  const auto refuse = [&](const std::string& legal) {
    throw ConfigError("every", std::to_string(every_.count()) + " ps", legal);
  };
  if (every_ == Picoseconds{0}) refuse("must be above zero with " + name.whole);
  if (max_periods < until / every_.count())
    refuse("must be at least " + std::to_string(until / max_periods + 1) + " ps with " +
           name.whole + ", which has a value for each period");
  if (!periods_) periods_ = std::make_unique<LinkPeriods>(name.scenario, every_);
  return *periods_;
}

std::size_t SeriesRecorder::times_at(const std::string& name) {
  for (std::size_t i = 0; i < times_.size(); ++i)
    if (times_[i].name == name) return i;
  times_.push_back({name, Picoseconds{0}, {}});
  return times_.size() - 1;
}

void SeriesRecorder::stepped(const std::string& switch_name, const Mmu& mmu, PgIndex,
                             Picoseconds edge) {
  for (std::size_t at = 0; at < times_.size(); ++at) {
    Times& times = times_[at];
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
  for (std::size_t at = 0; at < times_.size(); ++at) {
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
    if (any) times_[at].times.push_back(time.count());
  }
}

void SeriesRecorder::frame_started(const std::string& node, PortId port, const Frame& frame,
                                   Picoseconds start) {
  if (periods_) periods_->frame_started(node, port, frame.length, start);
}

void SeriesRecorder::pfc_received(const std::string& node, PortId port, const PfcFrame& frame,
                                  Picoseconds time) {
  if (periods_) periods_->pfc_received(node, port, frame, time);
}

void SeriesRecorder::finish(Picoseconds time) {
  if (!periods_) return;
  periods_->finish(time);
  times_[times_at("")].times = periods_->times();
  for (std::size_t i = 0; i < series_.size(); ++i) {
    const Periods* const periods = std::get_if<Periods>(&places_[i].index);
    if (periods == nullptr) continue;
    const LinkPeriods::Columns& columns = periods_->columns(periods->number);
    series_[i].columns[0].values = columns.sums;
    series_[i].columns[1].values = columns.state;
  }
}

void SeriesRecorder::add(Series& series, const Place& place, const Mmu& mmu, Cycle now) {
  if (const PoolIndex* const row = std::get_if<PoolIndex>(&place.index)) {
    const PoolUse& use = mmu.ingress().pool(*row);
    const PoolNumber pool = pool_number(mmu.chip(), *row);
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
