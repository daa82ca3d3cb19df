// SPDX-License-Identifier: Apache-2.0
#include "weir/trace/summary/history.hpp"

#include "history_record.hpp"
#include "weir/trace/events/event_database.hpp"

namespace weir {

History::History(const Scenario& scenario) : record_{std::make_unique<HistoryRecord>(scenario)} {}

History::~History() = default;

void History::stepped(const std::string& switch_name, const Mmu& mmu, PgIndex pg,
                      Picoseconds edge) {
  record_->step(switch_name, mmu, pg, edge);
}

void History::waiting(const std::string& switch_name, QueueIndex queue, Cells q, Picoseconds time) {
  record_->waiting(switch_name, queue, q, time);
}

void History::level(const std::string& switch_name, PortId port, Priority pg, bool xoff,
                    Picoseconds time) {
  if (xoff) record_->xoff(switch_name, pg_index(port, pg), time);
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

std::string History::finish(const Summary& summary,
                            const std::vector<ConfiguredValue>& configuration) {
  return record_->finish(summary, configuration);
}

}  // namespace weir
