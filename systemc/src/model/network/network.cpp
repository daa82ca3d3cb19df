// SPDX-License-Identifier: Apache-2.0
#include "weir/model/network/network.hpp"

#include <algorithm>
#include <new>
#include <string_view>
#include <utility>

#include "network/network_wiring.hpp"
#include "weir/config/format/addresses.hpp"
#include "weir/core/errors.hpp"
#include "weir/model/ranks/network_rank.hpp"
#include "weir/model/rtl/rtl_mmu_unit.hpp"

namespace weir {
namespace {

// SystemC replaces characters and adds numbers, but modules, results and routes of a node are found
// by its own name. Scenario files have no such names.
void check_module_name(const sc_core::sc_module& module, const std::string& name) {
  if (name != module.name())
    throw ConfigError("name", name, "is not a name for a module, or another module has it");
}

}  // namespace

Network::Network(const Scenario& scenario, std::uint64_t permutation, const MmuBackend& backend)
    : scenario_{scenario},
      agenda_{"agenda[0]"},  // no node has a bracket in its name
      context_{agenda_, frames_, observers_, scenario_.seed} {
  agenda_.permute_ties(permutation);
  agenda_.stop_at(scenario_.until);
  add_switches(backend);
  add_hosts();
  const NetworkModules modules{scenario_, switches_, hosts_, links_};
  add_links(modules);
  add_routes(modules);
  introduce_neighbours(modules);
  add_message_meter();
  const FlowHeader next = add_sources(modules, messages_ ? &relay_ : nullptr);
  if (scenario_.pingmesh) {
    pingmesh_ = std::make_unique<Pingmesh>(context_, scenario_, hosts_, next);
    observers_.add(*pingmesh_);
    observers_.add(pingmesh_->account());
  }
  add_watchers(backend);
}

void Network::add_switches(const MmuBackend& backend) {
  for (std::size_t i = 0; i < scenario_.switches.size(); ++i) {
    const SwitchSpec& spec = scenario_.switches[i];
    first_actor_.push_back(agenda_.enrolled());
    std::vector<PfcWatchdogSpec> watchdogs;
    for (const PfcWatchdogSpec& watchdog : scenario_.watchdogs)
      if (watchdog.node == i) watchdogs.push_back(watchdog);
    switches_.push_back(
        std::make_unique<Switch>(spec.name.c_str(), context_, spec.chip, backend, watchdogs));
    check_module_name(*switches_.back(), spec.name);
  }
}

void Network::add_hosts() {
  const AddressPlan plan = plan_addresses(scenario_);
  for (std::size_t i = 0; i < scenario_.hosts.size(); ++i) {
    HostSpec spec = scenario_.hosts[i];
    spec.address = plan.hosts[i];
    first_actor_.push_back(agenda_.enrolled());
    hosts_.push_back(
        std::make_unique<Nic>(spec.name.c_str(), context_, spec, static_cast<HostId>(i)));
    check_module_name(*hosts_.back(), spec.name);
  }
  first_actor_.push_back(agenda_.enrolled());
  for (const HostFaultSpec& fault : scenario_.host_faults) hosts_[fault.host]->add_fault(fault);
}

void Network::finish_account(const Observers& observers) {
  if (!pingmesh_) return;
  pingmesh_->account().finish(reached(), [&](const PingResult& result) {
    observers.notify([&](Observer& o) { o.probe(result); });
  });
}

void Network::divert(Observers& all) {
  observers_ = {};
  if (messages_ && messages_->wants_packets()) all.add(*messages_);
  if (pingmesh_) {
    all.add(pingmesh_->account());
    observers_.add(*pingmesh_);
  }
  diverted_ = &all;
}

void Network::report_to(MessageLog& messages, PingLog& probes) noexcept {
  relay_.hand_to(messages);
  if (pingmesh_) pingmesh_->report_to(probes);
}

bool Network::runs_switch(std::size_t i) const { return rank_ == nullptr || rank_->runs_switch(i); }
bool Network::runs_host(std::size_t i) const { return rank_ == nullptr || rank_->runs_host(i); }

void Network::silence(std::size_t node) {
  for (Agenda::ActorId actor = first_actor_[node]; actor != first_actor_[node + 1]; ++actor)
    agenda_.silence(actor);
}

Network::~Network() = default;

void Network::add_message_meter() {
  if (!MessageMeter::has_work(scenario_)) return;
  messages_ = std::make_unique<MessageMeter>(scenario_, switches_);
  relay_.hand_to(*messages_);
  if (messages_->wants_packets()) observers_.add(*messages_);
}

// What an MMU holds cannot be read while RTL decides.
void Network::add_watchers(const MmuBackend& backend) {
  const bool mmu_is_live = backend.kind != BackendKind::rtl;
  if (scenario_.stop_on_deadlock && !mmu_is_live)
    throw ConfigError("--backend", "rtl", "cannot stop on a deadlock; model and lockstep can");
  if (mmu_is_live && DeadlockDetectorUnit::has_work(scenario_))
    deadlock_detector_ =
        std::make_unique<DeadlockDetectorUnit>(context_, *this, scenario_.stop_on_deadlock);
  if (scenario_.monitor.period || !scenario_.monitor.desired.empty())
    monitor_ = std::make_unique<Monitor>(context_, *this, mmu_is_live);
}

void Network::finish() {
  const Picoseconds end = reached();
  std::uint64_t step = 0;
  const auto next_step = [&] {
    if (rank_ != nullptr) rank_->order().begin_end_step(step++);
  };
  next_step();
  for (const auto& node : switches_) node->mmu.finish(end);
  next_step();
  if (deadlock_detector_) deadlock_detector_->finish(end);
  next_step();
  if (monitor_) monitor_->finish(end);
  next_step();
  if (!pingmesh_) return;
  pingmesh_->finish(end, [this](HostId host) { return runs_host(host); });
  if (rank_ == nullptr) finish_account(observers_);
}

Picoseconds Network::reached() const {
  if (agenda_.interrupted_at()) return *agenda_.interrupted_at();
  // The agenda runs ahead of the kernel, but not past the end.
  return stopped_.value_or(std::max(now(), agenda_.now()));
}

void Network::stop(Picoseconds now) {
  stopped_ = now;
  agenda_.stop();
}

std::vector<DeadlockReport> Network::deadlocks() const {
  return deadlock_detector_ ? deadlock_detector_->reports() : std::vector<DeadlockReport>{};
}

std::vector<DriftReport> Network::drifts() const {
  return monitor_ ? monitor_->drifts() : std::vector<DriftReport>{};
}

Picoseconds Network::now() const { return Picoseconds{sc_core::sc_time_stamp().value()}; }

void Network::elaborate() {
  agenda_.hold();
  start(sc_core::SC_ZERO_TIME);
  agenda_.let_go();
}

void Network::interrupt_when(std::function<bool()> wanted) {
  if (!sc_core::sc_start_of_simulation_invoked())
    throw ModelError("network: interrupt_when() before elaborate(), which nothing interrupts");
  agenda_.interrupt_when(std::move(wanted));
}

void Network::run_until(Picoseconds end) {
  const Picoseconds until = std::min(end, scenario_.until);
  if (!stopped() && now() < until) start(sc_core::sc_time::from_value((until - now()).count()));
}

void Network::start(const sc_core::sc_time& duration) {
  try {
    sc_core::sc_start(duration);
  } catch (const sc_core::sc_report& report) {  // how the kernel wraps what a process threw
    for (const auto& node : switches_)
      if (const auto difference = node->mmu.difference()) throw *difference;
    if (report.get_msg() == std::string_view{std::bad_alloc{}.what()}) throw std::bad_alloc{};
    throw ModelError(std::string{report.get_msg()} + " (at " + std::to_string(now().count()) +
                     " ps)");
  }
}

}  // namespace weir
