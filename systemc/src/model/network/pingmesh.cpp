// SPDX-License-Identifier: Apache-2.0
#include "weir/model/network/pingmesh.hpp"

#include <algorithm>
#include <deque>
#include <queue>
#include <tuple>
#include <utility>

#include "weir/config/format/names.hpp"
#include "weir/config/scenario/host_dscp.hpp"
#include "weir/core/random.hpp"

namespace weir {
namespace {

enum Task : std::uint32_t { answer_due, answer_came };

// Switches on the shortest way from each switch to the one at `from`; 0: no way.
std::vector<std::size_t> distances(const Scenario& scenario, std::size_t from) {
  std::vector<std::vector<std::size_t>> neighbours(scenario.switches.size());
  for (const LinkSpec& link : scenario.links) {
    if (link.a.is_host || link.b.is_host) continue;
    neighbours[link.a.node].push_back(link.b.node);
    neighbours[link.b.node].push_back(link.a.node);
  }
  std::vector<std::size_t> distance(scenario.switches.size(), 0);
  distance[from] = 1;
  std::deque<std::size_t> open{from};
  for (; !open.empty(); open.pop_front())
    for (const std::size_t next : neighbours[open.front()]) {
      if (distance[next] != 0) continue;
      distance[next] = distance[open.front()] + 1;
      open.push_back(next);
    }
  return distance;
}

PingLevel level_of(std::size_t switches) {
  if (switches == 1) return PingLevel::tor;
  return switches == 2 || switches == 3 ? PingLevel::podset : PingLevel::data_centre;
}

// The switch that each host is on.
std::vector<std::size_t> switch_of_hosts(const Scenario& scenario) {
  std::vector<std::size_t> place(scenario.hosts.size(), 0);
  for (const LinkSpec& link : scenario.links) {
    if (link.a.is_host) place[link.a.node] = link.b.node;
    if (link.b.is_host) place[link.b.node] = link.a.node;
  }
  return place;
}

std::string text_of(const std::string& node, PortId port, std::string_view reason) {
  return node + ".port[" + std::to_string(port.count()) + "] " + std::string{reason};
}

}  // namespace

Picoseconds nearest_rank(const std::vector<Picoseconds>& ascending, unsigned per_mille) noexcept {
  if (ascending.empty()) return {};
  return ascending[(ascending.size() * per_mille + 999) / 1000 - 1];
}

std::string_view to_string(PingLevel level) noexcept {
  constexpr std::array<std::string_view, ping_levels> names{"tor", "podset", "data_centre"};
  return names[static_cast<std::size_t>(level)];
}

std::string_view to_string(PingCode code) noexcept {
  constexpr std::array<std::string_view, ping_codes> names{"ok", "timeout", "request_dropped",
                                                           "answer_dropped", "pending"};
  return names[static_cast<std::size_t>(code)];
}

/// Probes of a host in one class: one a way every interval.
class Pingmesh::Requests final : public Source {
 public:
  Requests(Pingmesh& mesh, Priority priority, std::uint8_t dscp)
      : mesh_{mesh}, priority_{priority}, dscp_{dscp} {}

  void add(std::uint32_t way, Picoseconds first) {
    if (!mesh_.spec_.stop || first < *mesh_.spec_.stop) due_.push({first, way});
  }
  [[nodiscard]] std::uint32_t probe(std::uint64_t sequence) const { return sent_.at(sequence); }

  [[nodiscard]] Picoseconds ready_at() const noexcept override {
    return due_.empty() ? never : due_.top().first;
  }
  [[nodiscard]] Priority priority() const noexcept override { return priority_; }
  SourcePacket take(Picoseconds) override {
    const auto [when, way] = due_.top();
    due_.pop();
    add(way, when + mesh_.spec_.interval);
    sent_.push_back(static_cast<std::uint32_t>(mesh_.probes_.size()));
    Probe probe;
    probe.way = way;
    probe.sent = when;
    mesh_.probes_.push_back(std::move(probe));
    return {when, mesh_.spec_.packet, mesh_.ways_[way].destination, priority_, 0, dscp_};
  }

 private:
  using Due = std::pair<Picoseconds, std::uint32_t>;
  Pingmesh& mesh_;
  const Priority priority_;
  const std::uint8_t dscp_;
  std::priority_queue<Due, std::vector<Due>, std::greater<>> due_;
  std::vector<std::uint32_t> sent_;  // by sequence number: which probe it was
};

/// Answers of a host in one class, in the order in which they are due.
class Pingmesh::Answers final : public Source {
 public:
  Answers(Pingmesh& mesh, Priority priority, std::uint8_t dscp)
      : mesh_{mesh}, priority_{priority}, dscp_{dscp} {}

  void add(std::uint32_t probe, Picoseconds when) { due_.emplace_back(when, probe); }
  [[nodiscard]] std::uint32_t probe(std::uint64_t sequence) const { return sent_.at(sequence); }

  [[nodiscard]] Picoseconds ready_at() const noexcept override {
    return due_.empty() ? never : due_.front().first;
  }
  [[nodiscard]] Priority priority() const noexcept override { return priority_; }
  SourcePacket take(Picoseconds) override {
    const auto [when, probe] = due_.front();
    due_.pop_front();
    sent_.push_back(probe);
    return {when, mesh_.spec_.packet, mesh_.ways_[mesh_.probes_[probe].way].source, priority_, 0,
            dscp_};
  }

 private:
  Pingmesh& mesh_;
  const Priority priority_;
  const std::uint8_t dscp_;
  std::deque<std::pair<Picoseconds, std::uint32_t>> due_;
  std::vector<std::uint32_t> sent_;
};

Pingmesh::Pingmesh(const ModelContext& context, const Scenario& scenario,
                   std::vector<std::unique_ptr<Nic>>& hosts, FlowHeader header)
    : spec_{*scenario.pingmesh},
      counted_from_{scenario.warm_up},
      agenda_{context.agenda},
      observers_{context.observers},
      actor_{context.agenda.enroll(*this)},
      hosts_{hosts},
      first_flow_{static_cast<std::uint32_t>(scenario.traffic.size())},
      ends_(spec_.classes.size(), std::vector<End>(hosts.size())) {
  for (const HostSpec& host : scenario.hosts) names_.push_back(host.name);
  add_ways(scenario);
  add_sources(scenario, header);
}

Pingmesh::~Pingmesh() = default;

void Pingmesh::add_ways(const Scenario& scenario) {
  const std::vector<std::size_t> place = switch_of_hosts(scenario);
  std::vector<std::vector<std::size_t>> distance(scenario.switches.size());
  for (const Priority priority : spec_.classes)
    for (const auto& [source, destination] : spec_.pairs) {
      std::vector<std::size_t>& from = distance[place[source]];
      if (from.empty()) from = distances(scenario, place[source]);
      ways_.push_back({static_cast<HostId>(source), static_cast<HostId>(destination), priority,
                       level_of(from[place[destination]])});
    }
}

// The source of a host in the class of `number`, unless it is there.
void Pingmesh::add_source(HostId host, std::size_t number, bool answers, std::uint8_t dscp,
                          const FlowHeader& header) {
  const auto flow = static_cast<std::uint32_t>(first_flow_ + 2 * number + (answers ? 1 : 0));
  FlowHeader own = header;
  own.source_port = static_cast<std::uint16_t>(header.source_port + 2 * number + answers);
  End& end = ends_[number][host];
  if (answers && end.answers == nullptr) {
    auto source = std::make_unique<Answers>(*this, spec_.classes[number], dscp);
    end.answers = source.get();
    hosts_[host]->add_source(std::move(source), flow, own);
  } else if (!answers && end.requests == nullptr) {
    auto source = std::make_unique<Requests>(*this, spec_.classes[number], dscp);
    end.requests = source.get();
    hosts_[host]->add_source(std::move(source), flow, own);
  }
}

// Where a switch goes by DSCP, probes and answers carry one that means their class there; else 0.
void Pingmesh::add_sources(const Scenario& scenario, FlowHeader header) {
  const HostDscp dscps{scenario};
  const auto dscp_of = [&](HostId host, Priority priority) {
    return dscps.table_of(host) != nullptr ? dscps.of(host, priority) : std::uint8_t{0};
  };
  for (std::size_t i = 0; i < ways_.size(); ++i) {
    const Way& way = ways_[i];
    const std::size_t number = i / spec_.pairs.size();
    add_source(way.source, number, false, dscp_of(way.source, way.priority), header);
    add_source(way.destination, number, true, dscp_of(way.destination, way.priority), header);
    RandomStream random{scenario.seed,
                        "pingmesh " + names_[way.source] + " " + names_[way.destination],
                        way.priority.count()};
    const Picoseconds first = spec_.start + Picoseconds{random.uniform(spec_.interval.count())};
    ends_[number][way.source].requests->add(static_cast<std::uint32_t>(i), first);
  }
}

bool Pingmesh::is_answer(std::uint32_t flow) const noexcept {
  return (flow - first_flow_) % 2 != 0;
}

// The probe that a frame is, or answers; none: it is not of the mesh.
Pingmesh::Probe* Pingmesh::probe_of(const Frame& frame) {
  const std::uint32_t index = frame.flow - first_flow_;
  if (frame.flow < first_flow_ || 2 * ends_.size() <= index) return nullptr;
  const End& end = ends_[index / 2][frame.source];
  return &probes_[is_answer(frame.flow) ? end.answers->probe(frame.sequence)
                                        : end.requests->probe(frame.sequence)];
}

void Pingmesh::delivered(const std::string&, const Frame& frame, Picoseconds last_bit) {
  const Probe* const probe = probe_of(frame);
  if (probe == nullptr) return;
  const bool answer = is_answer(frame.flow);
  agenda_.post(answer ? last_bit : last_bit + spec_.turnaround, Rank::input, actor_,
               answer ? answer_came : answer_due, static_cast<std::uint64_t>(probe - &probes_[0]));
}

void Pingmesh::act(Picoseconds now, std::uint32_t what, std::uint64_t argument) {
  Probe& probe = probes_[argument];
  const Way& way = ways_[probe.way];
  if (what == answer_came) {
    probe.rtt = now - probe.sent;
    return;
  }
  const std::size_t number = probe.way / spec_.pairs.size();
  ends_[number][way.destination].answers->add(static_cast<std::uint32_t>(argument), now);
  hosts_[way.destination]->look_again(now);
}

void Pingmesh::refused(const std::string& switch_name, const Frame& frame, const Verdict& verdict,
                       Picoseconds) {
  drop(frame, text_of(switch_name, frame.ingress_port, to_string(verdict.reason)));
}

void Pingmesh::mac_drop(const std::string& switch_name, const Frame& frame, PortId port,
                        MacDrop reason, Picoseconds) {
  if (reason == MacDrop::stray_copy) return;  // another copy goes where the address matches
  drop(frame, text_of(switch_name, port, to_string(reason)));
}

void Pingmesh::drop(const Frame& frame, const std::string& where) {
  Probe* const probe = probe_of(frame);
  if (probe == nullptr) return;
  probe->code = is_answer(frame.flow) ? PingCode::answer_dropped : PingCode::request_dropped;
  probe->where = where;
}

void Pingmesh::finish(Picoseconds now) {
  // Probes that were due and still wait in their hosts count too: they waited longest.
  for (const std::vector<End>& of_class : ends_)
    for (const End& end : of_class)
      while (end.requests != nullptr && end.requests->ready_at() <= now) end.requests->take(now);
  for (Probe& probe : probes_) {
    if (probe.rtt)
      probe.code = *probe.rtt <= spec_.timeout ? PingCode::ok : PingCode::timeout;
    else if (probe.code == PingCode::pending && probe.sent + spec_.timeout <= now)
      probe.code = PingCode::timeout;
  }
  std::sort(probes_.begin(), probes_.end(), [&](const Probe& a, const Probe& b) {
    const Way &x = ways_[a.way], &y = ways_[b.way];
    if (a.sent != b.sent) return a.sent < b.sent;
    if (x.source != y.source) return natural_less(names_[x.source], names_[y.source]);
    if (x.destination != y.destination)
      return natural_less(names_[x.destination], names_[y.destination]);
    return x.priority < y.priority;
  });
  for (const Probe& probe : probes_) {
    const Way& way = ways_[probe.way];
    const PingResult result{names_[way.source], names_[way.destination],
                            way.priority,       way.level,
                            probe.code,         probe.sent,
                            probe.rtt,          probe.where};
    observers_.notify([&](Observer& o) { o.probe(result); });
  }
}

PingStatistics Pingmesh::summed(const std::vector<const Probe*>& probes) const {
  PingStatistics sum;
  std::vector<Picoseconds> times;
  for (const Probe* probe : probes) {
    ++sum.by_code[static_cast<std::size_t>(probe->code)];
    if (probe->rtt) times.push_back(*probe->rtt);
  }
  std::sort(times.begin(), times.end());
  sum.rtt = {times.size(),
             nearest_rank(times, 1),
             nearest_rank(times, 500),
             nearest_rank(times, 900),
             nearest_rank(times, 990),
             nearest_rank(times, 999),
             nearest_rank(times, 1000)};
  if (!times.empty()) sum.rtt.least = times.front();
  return sum;
}

std::vector<PingStatistics> Pingmesh::statistics() const {
  std::vector<PingStatistics> rows;
  for (std::size_t level = 0; level < ping_levels; ++level)
    for (const Priority priority : spec_.classes) {
      std::vector<const Probe*> some;
      for (const Probe& probe : probes_) {
        const Way& way = ways_[probe.way];
        if (way.level == static_cast<PingLevel>(level) && way.priority == priority &&
            counted_from_ <= probe.sent)
          some.push_back(&probe);
      }
      if (some.empty()) continue;
      rows.push_back(summed(some));
      rows.back().level = static_cast<PingLevel>(level);
      rows.back().priority = priority;
    }
  return rows;
}

PingStatistics Pingmesh::total() const {
  std::vector<const Probe*> all;
  for (const Probe& probe : probes_)
    if (counted_from_ <= probe.sent) all.push_back(&probe);
  return summed(all);
}

}  // namespace weir
