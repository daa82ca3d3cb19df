// SPDX-License-Identifier: Apache-2.0
#include "weir/trace/summary/history.hpp"

#include <algorithm>

#include "events/queued_drop.hpp"
#include "history_record.hpp"
#include "weir/trace/events/event_database.hpp"

namespace weir {

// Records steps and XOFF of the switches of this process: over ranks, each rank records its own.
class History::StepObserver final : public Observer {
 public:
  explicit StepObserver(HistoryRecord& record) : record_{record} {}

  [[nodiscard]] bool wants_steps() const override { return true; }
  void stepped(const std::string& switch_name, const Mmu& mmu, PgIndex pg,
               Picoseconds edge) override {
    record_.step(switch_name, mmu, pg, edge);
  }
  void level(const std::string& switch_name, PortId port, Priority pg, bool xoff,
             Picoseconds time) override {
    if (xoff) record_.xoff(switch_name, pg_index(port, pg), time);
  }

 private:
  HistoryRecord& record_;
};

// Records the queues of these switches. It is an observer of its own because a run that needs no
// queues does without it, and so without the cost of these calls.
class History::QueueObserver final : public Observer {
 public:
  explicit QueueObserver(HistoryRecord& record) : record_{record} {}

  [[nodiscard]] bool wants_details() const override { return true; }
  [[nodiscard]] bool wants_steps() const override { return false; }
  [[nodiscard]] bool wants_verdicts() const override { return true; }
  void verdict(const std::string& switch_name, const Frame& frame, const Verdict& verdict,
               Picoseconds time) override {
    record_.verdict(switch_name, frame, verdict, time);
  }
  void copy_queued(const std::string& switch_name, const Frame& copy, Picoseconds) override {
    record_.copy_queued(switch_name, copy);
  }
  void frame_started(const std::string& node, PortId port, const Frame& frame,
                     Picoseconds start) override {
    record_.started(node, port, frame, start);
  }
  void mac_drop(const std::string& switch_name, const Frame& frame, PortId port, MacDrop reason,
                Picoseconds time) override {
    if (is_queued_drop(reason)) record_.drop_queued(switch_name, frame, port, time);
  }

 private:
  HistoryRecord& record_;
};

History::History(const Scenario& scenario, Queues queues)
    : record_{std::make_unique<HistoryRecord>(scenario)},
      steps_{std::make_unique<StepObserver>(*record_)} {
  const bool profiles =
      std::any_of(scenario.switches.begin(), scenario.switches.end(),
                  [](const SwitchSpec& one) { return !one.chip.wred_profiles.empty(); });
  if (queues == Queues::all || profiles) queues_ = std::make_unique<QueueObserver>(*record_);
}

History::~History() = default;

FirstThresholds History::first_thresholds() const { return record_->first_thresholds(); }

void History::watch(Network& network) {
  network.watch(*this);
  watch_part(network);
}

void History::watch_part(Network& network) {
  network.watch_here(*steps_);
  if (queues_) network.watch_here(*queues_);
}

void History::write_part(const Network& network, RankMessage& message) {
  record_->write_part(network, message);
}

void History::read_part(const Network& network, RankReader& message) {
  record_->read_part(network, message);
}

void History::refused(const std::string& switch_name, const Frame& frame, const Verdict& verdict,
                      Picoseconds time) {
  record_->drop(switch_name, frame, frame.ingress_port, to_string(verdict.reason), time);
}

void History::mac_drop(const std::string& switch_name, const Frame& frame, PortId port,
                       MacDrop reason, Picoseconds time) {
  if (reason == MacDrop::stray_copy) return;  // its packet is delivered by another copy
  record_->drop(switch_name, frame, port, to_string(reason), time);
}

void History::watchdog(const std::string& node, PortId port, std::uint8_t classes,
                       WatchdogEvent event, Picoseconds time) {
  record_->watchdog({time, node, port, classes, event});
}

void History::pfc_sent(const std::string& node, PortId port, const PfcFrame& frame,
                       Picoseconds time) {
  record_->pauses.sent(node, port, frame, time);
}

void History::pfc_received(const std::string& node, PortId port, const PfcFrame& frame,
                           Picoseconds time) {
  record_->pauses.received(node, port, frame, time);
}

void History::port_sample(const PortSample& sample, Picoseconds time) {
  record_->traffic.sample(sample, time);
}

void History::rate_sample(const RateSample& sample, Picoseconds time) {
  record_->rates.sample(sample, time);
}

ReportText History::finish(const Summary& summary,
                           const std::vector<ConfiguredValue>& configuration) {
  return record_->finish(summary, configuration);
}

}  // namespace weir
