// SPDX-License-Identifier: Apache-2.0
#include "weir/model/rtl/rtl_mmu_unit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace weir {
namespace {

constexpr std::uint32_t due_task = 0, early_task = 1;

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
      engine_{library_.shape(), DomainId{static_cast<std::uint8_t>(core.chip().domains)},
              PortId{static_cast<std::uint16_t>(core.chip().ports.size())}, rtl_->pins()},
      marks_{rtl_->pins(), core.chip().mark_latency},
      entering_(core.chip().ports.size()),
      domains_(core.chip().domains),
      queues_{core.chip()},
      held_{core.chip()} {
  step.bind(*this);
  if (core.chip().wred_profiles.empty()) rtl_->start(registers_);
  for (PgIndex pg; pg < PgIndex{core.chip().ports.size() * priorities}; ++pg)
    shown_.pgs.push_back(core.ingress().pg(pg));
  shown_.xoff.resize(shown_.pgs.size());
  shown_.pools.resize(core.chip().ingress_pools.size() * core.chip().domains);
}

// The registers of the marker are there from now on.
void RtlMmuUnit::follow(EcnMarkerUnit& marker) {
  marker_ = &marker;
  marker.set_twin(*this);
  rtl_->start(registers_);
}

void RtlMmuUnit::require_copies(std::size_t copies) const {
  if (copies <= rtl_->shape().copies) return;
  throw ConfigError(
      switch_name_ + ": linked ports", std::to_string(copies + 1),
      fmt::format(
          "a flooded frame goes to {} queues, and the RTL of {} takes {} (chip.neighbours); "
          "make one with: scripts/rtl/make-backend --copies {} ..., and name it by --rtl",
          copies, library_.path(), rtl_->shape().copies, copies));
}

// Requests come in the order of their edges; the newest entry is that of this edge or earlier.
RtlMmuUnit::Inputs& RtlMmuUnit::inputs_at(Picoseconds edge) {
  const std::uint64_t cycle = edges_.cycle_at_or_after(edge).count();
  if (pending_.empty() || pending_.back().cycle != cycle) {
    pending_.emplace_back();
    pending_.back().cycle = cycle;
    // A port may ask right after the edge before a verdict: the marker knows of it by then.
    if (marker_ != nullptr)
      agenda_.post(edges_.time(Cycle{cycle + admit_ - 1}), Rank::look, actor_, early_task);
    else
      agenda_.post(edges_.time(Cycle{cycle + admit_}), Rank::input, actor_, due_task);
  }
  return pending_.back();
}

void RtlMmuUnit::requests_wait(DomainId domain, const ArrivalArbiter& releases,
                               const ArrivalArbiter& arrivals, Picoseconds edge) {
  if (releases.empty() && arrivals.empty()) return;
  Inputs& inputs = inputs_at(edge);
  inputs.waiting_known = true;
  for (std::size_t port = 0; port < core_.chip().ports.size(); ++port) {
    const PortId id{static_cast<std::uint16_t>(port)};
    if (releases.pending(id) + arrivals.pending(id) != 0)
      inputs.waiting.push_back({domain, id, releases.pending(id), arrivals.pending(id)});
  }
}

// Copy c of a packet is bit c of its mask: by rising port.
void RtlMmuUnit::arrive(Frame& frame, Picoseconds edge) {
  frame.cells = admission_.cells_of(frame);
  ArrivalStep request{pg_of(frame), Cells{frame.cells}, Bytes{frame.length}, {queue_of(frame)}};
  if (frame.marked(copy_mark)) admission_.queues_of(frame, request.queues);
  Inputs& inputs = inputs_at(edge);
  const DomainId domain = core_.domain_of_pg(request.pg);
  inputs.arrivals.push_back({domain, frame.ingress_port, request_for(frame, request)});
  RtlArrivalVerdict expected{request.pg, {}, 0};
  if (in_lockstep()) {
    std::vector<QueueIndex> taken;
    expected = decide(core_, request, taken, Cycle{inputs.cycle});
    admission_.report_step(request.pg, edge);
  }
  expect(domain, inputs.cycle, expected);
  domains_[domain.count()].arrivals.push_back({&frame, request.pg, std::move(request.queues)});
}

// Without a core to judge it, the verdict is the RTL's.
template <class Verdict>
void RtlMmuUnit::expect(DomainId domain, std::uint64_t cycle, const Verdict& verdict) {
  if (in_lockstep())
    engine_.expect(domain, cycle + admit_, verdict);
  else
    engine_.expect_any<Verdict>(domain, cycle + admit_, verdict.pg);
}

void RtlMmuUnit::take_copies(const AskedArrival& asked, const RtlArrivalVerdict& actual) {
  std::vector<QueueIndex> taken;
  for (std::size_t copy = 0; copy < asked.queues.size(); ++copy)
    if ((actual.mask >> copy & 1U) != 0) taken.push_back(asked.queues[copy]);
  if (!actual.verdict.admitted()) taken.clear();
  admission_.take_copies(*asked.frame, actual.verdict, taken, edges_.time(Cycle{rtl_->cycle()}));
}

void RtlMmuUnit::release(const ReleaseTicket& ticket, Picoseconds edge) {
  Inputs& inputs = inputs_at(edge);
  const DomainId domain = core_.domain_of_pg(ticket.pg);
  const ReleaseStep request{ticket.pg, Cells{ticket.cells}, ticket.queue, ticket.last};
  inputs.releases.push_back({domain, port_of(ticket.queue), request_of(request)});
  domains_[domain.count()].releases.push_back(
      {ticket.pg, ticket.last ? request.cells : Cells{}, ticket.queue, request.cells});
  RtlReleaseVerdict expected{ticket.pg, {}, false};
  if (in_lockstep()) {
    expected = decide_legal(core_, request, Cycle{inputs.cycle});
    admission_.report_step(ticket.pg, edge);
  }
  expect(domain, inputs.cycle, expected);
}

void RtlMmuUnit::act(Picoseconds now, std::uint32_t what, std::uint64_t) {
  run_to(edges_.cycle_at_or_after(now).count() + (what == early_task ? 1 : 0));
}

void RtlMmuUnit::run_to(std::uint64_t cycle) {
  while (rtl_->cycle() < cycle) run_one_cycle();
}

// Clocks this cycle, then takes what the next one begins with.
void RtlMmuUnit::run_one_cycle() {
  if (!pending_.empty() && pending_.front().cycle == rtl_->cycle()) {
    drive(pending_.front());
    engine_.compare_grants([this](const LockstepValue& value) { same(value); });
    engine_.clear_grants();
    pending_.pop_front();
  }
  if (!departures_.empty()) present_departures();
  rtl_->clock();
  take_verdicts();
  if (marker_ != nullptr || in_lockstep()) compare_marks();
  if (in_lockstep() && !engine_.same_levels())
    engine_.compare_levels([this](const LockstepValue& value) { same(value); });
}

void RtlMmuUnit::drive(const Inputs& inputs) {
  std::vector<Waiting> waiting = inputs.waiting;
  const auto add = [&](DomainId domain, PortId port, std::uint32_t releases,
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
    rtl_->set_waiting(entry.domain, entry.port, entry.releases, entry.arrivals);
  for (const auto& granted : inputs.releases)
    engine_.present(rtl_->requests(), granted.domain, granted.port, granted.request);
  for (const auto& granted : inputs.arrivals)
    engine_.present(rtl_->requests(), granted.domain, granted.port, granted.request);
  rtl_->settle();
}

void RtlMmuUnit::take_verdicts() {
  if (engine_.quiet(rtl_->cycle())) return;
  for (Domain& domain : domains_) domain.lane = 0;
  engine_.compare_verdicts(
      rtl_->cycle(), [this](const LockstepValue& value) { same(value); },
      [this](DomainId domain, const auto& verdict) { take(domain, verdict); });
}

void RtlMmuUnit::take(DomainId domain, const RtlReleaseVerdict& actual) {
  std::deque<AskedRelease>& releases = domains_[domain.count()].releases;
  const AskedRelease asked = releases.front();
  releases.pop_front();
  if (queues_.limited(asked.queue)) queues_.release(asked.queue, domain, asked.cells);
  if (!in_lockstep()) show_release(asked.pg, asked.freed, actual.level);
  if (actual.level.changed)
    admission_.report_level(asked.pg, actual.level, edges_.time(Cycle{rtl_->cycle()}));
}

void RtlMmuUnit::take(DomainId domain, const RtlArrivalVerdict& actual) {
  Domain& there = domains_[domain.count()];
  const AskedArrival asked = std::move(there.arrivals.front());
  there.arrivals.pop_front();
  const std::size_t slot = domain.count() * rtl_->shape().lanes + there.lane++;
  if (asked.refused)
    return admission_.take_verdict(*asked.frame, *asked.refused, edges_.time(Cycle{rtl_->cycle()}));
  if (actual.verdict.reason == Reason::wred)
    differ(
        {fmt::format("port {}, PG {}", port_of(asked.pg).count(), number_in_port(asked.pg).count()),
         "arr_reason_o", "not wred", "wred"});
  count_arrival(asked, actual, domain);
  if (marker_ != nullptr) note_entries(asked, actual, slot);
  if (!in_lockstep()) show_arrival(asked.pg, actual.verdict);
  if (asked.frame->marked(copy_mark))
    take_copies(asked, actual);
  else
    admission_.take_verdict(*asked.frame, actual.verdict, edges_.time(Cycle{rtl_->cycle()}));
}

void RtlMmuUnit::count_arrival(const AskedArrival& asked, const RtlArrivalVerdict& actual,
                               DomainId domain) {
  if (!actual.verdict.admitted()) return;
  for (std::size_t copy = 0; copy < asked.queues.size(); ++copy)
    if ((actual.mask >> copy & 1U) != 0 && queues_.limited(asked.queues[copy]))
      queues_.charge(asked.queues[copy], domain, Cells{asked.frame->cells});
}

// A user's RTL may drive anything on a pin whose valid bit is 0.
void RtlMmuUnit::same(const LockstepValue& value) {
  if (value.counts && value.expected != value.actual) differ(engine_.describe(value));
}

void RtlMmuUnit::differ(const LockstepDifference& difference) {
  const std::uint64_t cycle = rtl_->cycle();
  if (rtl_->waving()) run_on();
  difference_.emplace(
      fmt::format("{}: first difference of {} at {} {}", in_lockstep() ? "lockstep" : "rtl",
                  library_.path(), switch_name_, difference.in_cycle(cycle)),
      edges_.time(Cycle{cycle}));
  throw *difference_;
}

}  // namespace weir
