// SPDX-License-Identifier: Apache-2.0
#include "weir/model/rtl/rtl_mmu_unit.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "rtl_compare.hpp"

namespace weir {
namespace {

RtlLibrary library_of(const MmuBackend& backend, const Chip& chip) {
  return backend.library.empty() ? RtlLibrary::for_chip(chip) : RtlLibrary{backend.library};
}

}  // namespace

RtlMmuUnit::RtlMmuUnit(const sc_core::sc_module_name& name, Mmu& core,
                       const RegisterTarget& registers, AdmissionUnit& admission, Agenda& agenda,
                       const MmuBackend& backend, const std::string& switch_name)
    : sc_core::sc_module{name},
      core_{core},
      registers_{registers},
      admission_{admission},
      agenda_{agenda},
      actor_{agenda.enroll(*this)},
      backend_{backend},
      switch_name_{switch_name},
      edges_{core.chip().clock},
      admit_{core.chip().admit_latency},
      library_{library_of(backend, core.chip())},
      rtl_{std::make_unique<RtlMmu>(library_, core.chip(), "weir_mmu")},
      domains_(core.chip().domains),
      queues_{core.chip()},
      levels_(core.chip().ports.size()),
      held_{core.chip()} {
  step.bind(*this);
  rtl_->start(registers_);
  for (std::size_t pg = 0; pg < levels_.size() * priorities; ++pg)
    shown_.pgs.push_back(core.ingress().pg(pg));
  shown_.xoff.resize(shown_.pgs.size());
  shown_.pools.resize(core.chip().ingress_pools.size() * core.chip().domains);
}

void RtlMmuUnit::require_copies(std::size_t copies) const {
  if (copies <= rtl_->shape().copies) return;
  throw ConfigError(
      switch_name_ + ": linked ports", std::to_string(copies + 1),
      fmt::format(
          "a flooded frame goes to {} queues, and the RTL of {} takes {} (chip.neighbours); "
          "make one with: scripts/rtl/make-backend --copies {} ..., which has at most 8, "
          "and name it by --rtl",
          copies, library_.path(), rtl_->shape().copies, copies));
}

// Requests come in the order of their edges; the newest entry is that of this edge or earlier.
RtlMmuUnit::Inputs& RtlMmuUnit::inputs_at(Picoseconds edge) {
  const std::uint64_t cycle = edges_.cycle_at_or_after(edge).count();
  if (pending_.empty() || pending_.back().cycle != cycle) {
    pending_.emplace_back();
    pending_.back().cycle = cycle;
    agenda_.post(edges_.time(Cycle{cycle + admit_}), Rank::input, actor_, 0);
  }
  return pending_.back();
}

void RtlMmuUnit::requests_wait(DomainId domain, const ArrivalArbiter& releases,
                               const ArrivalArbiter& arrivals, Picoseconds edge) {
  if (releases.empty() && arrivals.empty()) return;
  Inputs& inputs = inputs_at(edge);
  inputs.waiting_known = true;
  for (std::size_t port = 0; port < levels_.size(); ++port) {
    const PortId id{static_cast<std::uint16_t>(port)};
    if (releases.pending(id) + arrivals.pending(id) != 0)
      inputs.waiting.push_back({domain.count(), port, releases.pending(id), arrivals.pending(id)});
  }
}

void RtlMmuUnit::arrive(Frame& frame, Picoseconds edge) {
  frame.cells = admission_.cells_of(frame);
  const std::size_t port = frame.ingress_port.count();
  RtlArrival request;
  request.pg = static_cast<std::uint32_t>(port * priorities + frame.pg);
  request.cells = frame.cells;
  request.bytes = frame.length;
  request.queue[0] =
      static_cast<std::uint32_t>(frame.egress_port.count() * priorities + frame.queue);
  Inputs& inputs = inputs_at(edge);
  if (frame.marked(copy_mark)) return arrive_copies(frame, request, inputs);
  const std::size_t domain = core_.domain_of_pg(request.pg).count();
  inputs.arrivals.push_back({domain, port, request});
  ExpectedArrival expected{inputs.cycle + admit_, &frame, request.pg, {}};
  if (backend_.kind == BackendKind::lockstep)
    expected.verdict = core_.arrive(request.pg, Cells{request.cells}, Bytes{request.bytes},
                                    request.queue[0], Cycle{inputs.cycle});
  if (backend_.kind == BackendKind::lockstep) admission_.report_step(request.pg, edge);
  domains_[domain].arrivals.push_back(expected);
}

// Copy c of a packet is bit c of its mask: by rising port.
void RtlMmuUnit::arrive_copies(Frame& frame, RtlArrival& request, Inputs& inputs) {
  ExpectedArrival expected{inputs.cycle + admit_, &frame, request.pg, {}};
  admission_.queues_of(frame, expected.queues);
  for (std::size_t copy = 0; copy < expected.queues.size(); ++copy)
    request.queue[copy] = static_cast<std::uint32_t>(expected.queues[copy]);
  request.mask = static_cast<std::uint8_t>((1U << expected.queues.size()) - 1);
  const std::size_t domain = core_.domain_of_pg(request.pg).count();
  inputs.arrivals.push_back({domain, frame.ingress_port.count(), request});
  if (backend_.kind == BackendKind::lockstep) {
    expected.taken = expected.queues;
    expected.verdict = core_.arrive(request.pg, Cells{request.cells}, Bytes{request.bytes},
                                    expected.taken, Cycle{inputs.cycle});
    admission_.report_step(request.pg, edges_.time(Cycle{inputs.cycle}));
  }
  domains_[domain].arrivals.push_back(std::move(expected));
}

void RtlMmuUnit::take_copies(const ExpectedArrival& expected, const RtlArrivalVerdict& actual) {
  std::vector<std::size_t> taken;
  for (std::size_t copy = 0; copy < expected.queues.size(); ++copy)
    if ((actual.mask >> copy & 1U) != 0) taken.push_back(expected.queues[copy]);
  if (!actual.verdict.admitted()) taken.clear();
  admission_.take_copies(*expected.frame, actual.verdict, taken, edges_.time(Cycle{rtl_->cycle()}));
}

void RtlMmuUnit::release(const ReleaseTicket& ticket, Picoseconds edge) {
  Inputs& inputs = inputs_at(edge);
  const std::size_t domain = core_.domain_of_pg(ticket.pg).count();
  inputs.releases.push_back(
      {domain, ticket.queue / priorities, {ticket.pg, ticket.cells, ticket.queue, ticket.last}});
  ExpectedRelease expected{
      inputs.cycle + admit_, ticket.pg,          Cells{ticket.last ? ticket.cells : 0U}, {},
      ticket.queue,          Cells{ticket.cells}};
  if (backend_.kind == BackendKind::lockstep) {
    expected.level = core_.release(ticket.pg, Cells{ticket.cells}, ticket.queue, ticket.last,
                                   Cycle{inputs.cycle});
    admission_.report_step(ticket.pg, edge);
  }
  domains_[domain].releases.push_back(expected);
}

void RtlMmuUnit::act(Picoseconds now, std::uint32_t, std::uint64_t) {
  run_to(edges_.cycle_at_or_after(now).count());
}

void RtlMmuUnit::run_to(std::uint64_t cycle) {
  while (rtl_->cycle() < cycle) run_one_cycle();
}

// Clocks the present cycle, then takes what the next one begins with.
void RtlMmuUnit::run_one_cycle() {
  if (!pending_.empty() && pending_.front().cycle == rtl_->cycle()) {
    drive(*rtl_, pending_.front());
    check_grants(pending_.front());
    pending_.pop_front();
  }
  rtl_->clock();
  take_verdicts();
  if (backend_.kind == BackendKind::lockstep) check_levels();
}

void RtlMmuUnit::drive(RtlMmu& rtl, const Inputs& inputs) const {
  std::vector<Waiting> waiting = inputs.waiting;
  const auto add = [&](std::size_t domain, std::size_t port, std::uint32_t releases,
                       std::uint32_t arrivals) {
    for (Waiting& entry : waiting)
      if (entry.domain == domain && entry.port == port) {
        entry.releases += releases;
        entry.arrivals += arrivals;
        return;
      }
    waiting.push_back({domain, port, releases, arrivals});
  };
  if (!inputs.waiting_known) {  // none else waits
    for (const auto& granted : inputs.releases) add(granted.domain, granted.port, 1, 0);
    for (const auto& granted : inputs.arrivals) add(granted.domain, granted.port, 0, 1);
  }
  for (const Waiting& entry : waiting)
    rtl.set_waiting(entry.domain, entry.port, entry.releases, entry.arrivals);
  std::vector<std::size_t> lane(domains_.size(), 0);
  for (const auto& granted : inputs.releases)
    rtl.present(granted.domain, lane[granted.domain]++, granted.request);
  std::fill(lane.begin(), lane.end(), 0);
  for (const auto& granted : inputs.arrivals)
    rtl.present(granted.domain, lane[granted.domain]++, granted.request);
  rtl.settle();
}

// The arbiters of the RTL must have granted what was presented, lane by lane, and nothing else.
void RtlMmuUnit::check_grants(const Inputs& inputs) const {
  const std::size_t none = rtl_->shape().ports;
  const auto check = [&](const auto& granted, auto&& grant_of, const char* what) {
    for (std::size_t domain = 0; domain < domains_.size(); ++domain) {
      std::size_t lane = 0;
      const auto check_lane = [&](std::size_t expected) {
        const std::size_t actual = grant_of(domain, lane).value_or(none);
        if (actual != expected)
          differ(place_of_lane(domain, lane), what, format_grant(expected, none),
                 format_grant(actual, none));
        ++lane;
      };
      for (const auto& request : granted)
        if (request.domain == domain) check_lane(request.port);
      while (lane < rtl_->shape().lanes) check_lane(none);
    }
  };
  check(
      inputs.releases, [&](auto d, auto l) { return rtl_->granted_release(d, l); },
      "grant of a release");
  check(
      inputs.arrivals, [&](auto d, auto l) { return rtl_->granted_arrival(d, l); },
      "grant of an arrival");
}

void RtlMmuUnit::take_verdicts() {
  const auto due = [&](const auto& expected) {
    return !expected.empty() && expected.front().cycle == rtl_->cycle();
  };
  bool any = rtl_->any_verdict();
  for (const Domain& domain : domains_) any = any || due(domain.releases) || due(domain.arrivals);
  if (!any) return;
  for (std::size_t domain = 0; domain < domains_.size(); ++domain) {
    take_releases(domain);
    take_arrivals(domain);
  }
}

RtlArrivalVerdict RtlMmuUnit::verdict_of(const ExpectedArrival& expected) {
  std::uint8_t mask = expected.verdict.admitted() ? 1 : 0;
  if (!expected.queues.empty()) mask = mask_of(expected.queues, expected.taken);
  return {expected.pg, expected.verdict, mask};
}

template <class Expected>
void RtlMmuUnit::compare(const Expected& expected, std::size_t domain, std::size_t lane) const {
  compare_verdict(expected, rtl_->pins(), domain * rtl_->shape().lanes + lane,
                  [&](const char* pin, std::uint64_t core, std::uint64_t rtl) {
                    require(core == rtl, expected.pg, pin, core, rtl);
                  });
}

void RtlMmuUnit::take_releases(std::size_t domain) {
  auto& queue = domains_[domain].releases;
  for (std::size_t lane = 0; lane < rtl_->shape().lanes; ++lane) {
    const std::optional<RtlReleaseVerdict> actual = rtl_->released(domain, lane);
    const bool due = !queue.empty() && queue.front().cycle == rtl_->cycle();
    if (!actual && !due) continue;
    const ExpectedRelease expected = due ? queue.front() : ExpectedRelease{};
    require(due == actual.has_value(), due ? expected.pg : actual->pg, "rel_valid_o", due,
            actual.has_value());
    queue.pop_front();
    require(expected.pg == actual->pg, expected.pg, "rel_pg_o", expected.pg, actual->pg);
    require(!actual->error, expected.pg, "rel_error_o", 0, actual->error);
    if (backend_.kind == BackendKind::lockstep)
      compare(RtlReleaseVerdict{expected.pg, expected.level, false}, domain, lane);
    if (queues_.limited(expected.queue))
      queues_.release(expected.queue, DomainId{static_cast<std::uint8_t>(domain)}, expected.cells);
    if (backend_.kind == BackendKind::rtl) show_release(expected.pg, expected.freed, actual->level);
    if (actual->level.changed) {
      RtlPin{levels_.data(), levels_.size()}.set(expected.pg, 1, actual->level.xoff);
      admission_.report_level(expected.pg, actual->level, edges_.time(Cycle{rtl_->cycle()}));
    }
  }
}

void RtlMmuUnit::take_arrivals(std::size_t domain) {
  auto& queue = domains_[domain].arrivals;
  for (std::size_t lane = 0; lane < rtl_->shape().lanes; ++lane) {
    const std::optional<RtlArrivalVerdict> actual = rtl_->arrived(domain, lane);
    const bool due = !queue.empty() && queue.front().cycle == rtl_->cycle();
    if (!actual && !due) continue;
    const ExpectedArrival expected = due ? queue.front() : ExpectedArrival{};
    require(due == actual.has_value(), due ? expected.pg : actual->pg, "arr_valid_o", due,
            actual.has_value());
    queue.pop_front();
    require(expected.pg == actual->pg, expected.pg, "arr_pg_o", expected.pg, actual->pg);
    if (backend_.kind == BackendKind::lockstep) compare(verdict_of(expected), domain, lane);
    count_arrival(expected, *actual, DomainId{static_cast<std::uint8_t>(domain)});
    if (backend_.kind == BackendKind::rtl) show_arrival(expected.pg, actual->verdict);
    const PfcLevel level = actual->verdict.pfc;
    if (level.changed) RtlPin{levels_.data(), levels_.size()}.set(expected.pg, 1, level.xoff);
    if (!expected.queues.empty())
      take_copies(expected, *actual);
    else
      admission_.take_verdict(*expected.frame, actual->verdict, edges_.time(Cycle{rtl_->cycle()}));
  }
}

void RtlMmuUnit::count_arrival(const ExpectedArrival& expected, const RtlArrivalVerdict& actual,
                               DomainId domain) {
  if (!actual.verdict.admitted()) return;
  const Frame& frame = *expected.frame;
  std::vector<std::size_t> queues = expected.queues;
  if (queues.empty()) queues.push_back(frame.egress_port.count() * priorities + frame.queue);
  for (std::size_t copy = 0; copy < queues.size(); ++copy)
    if ((actual.mask >> copy & 1U) != 0 && queues_.limited(queues[copy]))
      queues_.charge(queues[copy], domain, Cells{frame.cells});
}

void RtlMmuUnit::check_levels() const {
  compare_levels(*rtl_, levels_, [&](std::uint32_t pg, bool expected, bool actual) {
    require(false, pg, "xoff_o", expected, actual);
  });
}

void RtlMmuUnit::require(bool same, std::uint32_t pg, const char* what, std::uint64_t expected,
                         std::uint64_t actual) const {
  if (!same) differ(place_of_pg(pg), what, std::to_string(expected), std::to_string(actual));
}

void RtlMmuUnit::differ(const std::string& where, const std::string& what,
                        const std::string& expected, const std::string& actual) const {
  const std::uint64_t cycle = rtl_->cycle();
  if (rtl_->waving()) run_on();
  difference_.emplace(
      fmt::format("{}: first difference of {} at {} in cycle {}, {}: {}: expected {}, actual {}",
                  backend_.kind == BackendKind::lockstep ? "lockstep" : "rtl", library_.path(),
                  switch_name_, cycle, where, what, expected, actual),
      edges_.time(Cycle{cycle}));
  throw *difference_;
}

}  // namespace weir
