// SPDX-License-Identifier: Apache-2.0
#include "weir/model/network/pingmesh.hpp"

#include <algorithm>
#include <deque>
#include <queue>
#include <utility>

#include "weir/config/format/names.hpp"
#include "weir/config/scenario/host_dscp.hpp"
#include "weir/core/random.hpp"

namespace weir {
namespace {

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

}  // namespace

/// Probes of a host in one class: one a way every interval.
class Pingmesh::Requests final : public Source {
 public:
  Requests(Pingmesh& mesh, Priority priority, std::uint8_t dscp)
      : mesh_{mesh}, priority_{priority}, dscp_{dscp} {}

  void add(std::uint32_t way, Picoseconds first) {
    if (!mesh_.spec_.stop || first < *mesh_.spec_.stop) due_.push({first, way});
  }

  [[nodiscard]] Picoseconds ready_at() const noexcept override {
    return due_.empty() ? never : due_.top().first;
  }
  [[nodiscard]] Priority priority() const noexcept override { return priority_; }
  SourcePacket take(Picoseconds) override {
    const auto [when, way] = due_.top();
    due_.pop();
    add(way, when + mesh_.spec_.interval);
    mesh_.log_->requested(way, when);
    return {when, mesh_.spec_.packet, mesh_.ways_[way].destination, priority_, 0, dscp_};
  }

 private:
  using Due = std::pair<Picoseconds, std::uint32_t>;
  Pingmesh& mesh_;
  const Priority priority_;
  const std::uint8_t dscp_;
  std::priority_queue<Due, std::vector<Due>, std::greater<>> due_;
};

/// Answers of a host in one class, in the order in which they are due.
class Pingmesh::Answers final : public Source {
 public:
  Answers(Pingmesh& mesh, HostId host, Priority priority, std::uint8_t dscp)
      : mesh_{mesh}, host_{host}, priority_{priority}, dscp_{dscp} {}

  void add(const PingRequest& request, Picoseconds when) { due_.emplace_back(when, request); }

  [[nodiscard]] Picoseconds ready_at() const noexcept override {
    return due_.empty() ? never : due_.front().first;
  }
  [[nodiscard]] Priority priority() const noexcept override { return priority_; }
  SourcePacket take(Picoseconds) override {
    const auto [when, request] = due_.front();
    due_.pop_front();
    mesh_.log_->answered(host_, request);
    return {when, mesh_.spec_.packet, request.source, priority_, 0, dscp_};
  }

 private:
  Pingmesh& mesh_;
  const HostId host_;
  const Priority priority_;
  const std::uint8_t dscp_;
  std::deque<std::pair<Picoseconds, PingRequest>> due_;
};

Pingmesh::Pingmesh(const ModelContext& context, const Scenario& scenario,
                   std::vector<std::unique_ptr<Nic>>& hosts, FlowHeader header)
    : spec_{*scenario.pingmesh},
      agenda_{context.agenda},
      actor_{context.agenda.enroll(*this)},
      hosts_{hosts},
      first_flow_{static_cast<std::uint32_t>(scenario.traffic.size())},
      ways_{ways_of(scenario)},
      ends_(spec_.classes.size(), std::vector<End>(hosts.size())),
      account_{scenario, ways_, first_flow_} {
  add_sources(scenario, header);
}

Pingmesh::~Pingmesh() = default;

std::vector<PingWay> Pingmesh::ways_of(const Scenario& scenario) const {
  const std::vector<std::size_t> place = switch_of_hosts(scenario);
  std::vector<std::vector<std::size_t>> distance(scenario.switches.size());
  std::vector<PingWay> ways;
  for (const Priority priority : spec_.classes)
    for (const auto& [source, destination] : spec_.pairs) {
      std::vector<std::size_t>& from = distance[place[source]];
      if (from.empty()) from = distances(scenario, place[source]);
      ways.push_back({static_cast<HostId>(source), static_cast<HostId>(destination), priority,
                      level_of(from[place[destination]])});
    }
  return ways;
}

// The source of a host in the class of `number`, unless it is there.
void Pingmesh::add_source(HostId host, std::size_t number, bool answers, std::uint8_t dscp,
                          const FlowHeader& header) {
  const auto flow = static_cast<std::uint32_t>(first_flow_ + 2 * number + (answers ? 1 : 0));
  FlowHeader own = header;
  own.source_port = static_cast<std::uint16_t>(header.source_port + 2 * number + answers);
  End& end = ends_[number][host];
  if (answers && end.answers == nullptr) {
    auto source = std::make_unique<Answers>(*this, host, spec_.classes[number], dscp);
    end.answers = source.get();
    hosts_[host]->add_source(std::move(source), flow, own);
  } else if (!answers && end.requests == nullptr) {
    auto source = std::make_unique<Requests>(*this, spec_.classes[number], dscp);
    end.requests = source.get();
    hosts_[host]->add_source(std::move(source), flow, own);
  }
}

// Where a switch goes by DSCP, probes and answers carry one that maps to their class there; else 0.
void Pingmesh::add_sources(const Scenario& scenario, FlowHeader header) {
  const HostDscp dscps{scenario};
  const auto dscp_of = [&](HostId host, Priority priority) {
    return dscps.table_of(host) != nullptr ? dscps.of(host, priority) : std::uint8_t{0};
  };
  for (std::size_t i = 0; i < ways_.size(); ++i) {
    const PingWay& way = ways_[i];
    const std::size_t number = i / spec_.pairs.size();
    add_source(way.source, number, false, dscp_of(way.source, way.priority), header);
    add_source(way.destination, number, true, dscp_of(way.destination, way.priority), header);
    RandomStream random{
        scenario.seed,
        "pingmesh " + scenario.hosts[way.source].name + " " + scenario.hosts[way.destination].name,
        way.priority.count()};
    const Picoseconds first = spec_.start + Picoseconds{random.uniform(spec_.interval.count())};
    ends_[number][way.source].requests->add(static_cast<std::uint32_t>(i), first);
  }
}

// A request is to be answered.
void Pingmesh::delivered(const std::string&, const Frame& frame, Picoseconds last_bit) {
  const std::uint32_t index = frame.flow - first_flow_;
  if (frame.flow < first_flow_ || 2 * ends_.size() <= index || index % 2 != 0) return;
  due_.push_back({frame.destination, {index / 2, frame.source, frame.sequence}});
  agenda_.post(last_bit + spec_.turnaround, Rank::input, actor_, 0, due_.size() - 1);
}

void Pingmesh::act(Picoseconds now, std::uint32_t, std::uint64_t argument) {
  const AnswerDue& due = due_[argument];
  ends_[due.request.class_number][due.host].answers->add(due.request, now);
  hosts_[due.host]->look_again(now);
}

// They waited longest.
void Pingmesh::finish(Picoseconds now, const std::function<bool(HostId)>& counts) {
  for (const std::vector<End>& of_class : ends_)
    for (HostId host = 0; host < of_class.size(); ++host) {
      Requests* const requests = of_class[host].requests;
      if (requests == nullptr || !counts(host)) continue;
      while (requests->ready_at() <= now) requests->take(now);
    }
}

}  // namespace weir
