// SPDX-License-Identifier: Apache-2.0
#include "weir/trace/history.hpp"

#include "history_record.hpp"
#include "weir/trace/event_database.hpp"

namespace weir {

History::History(const Scenario& scenario) : record_{std::make_unique<HistoryRecord>(scenario)} {}

History::~History() = default;

void History::stepped(const std::string& switch_name, const Mmu& mmu, std::size_t pg,
                      Picoseconds edge) {
  record_->step(switch_name, mmu, pg, edge);
}

void History::level(const std::string& switch_name, PortId port, Priority pg, bool xoff,
                    Picoseconds) {
  if (xoff) record_->xoff(switch_name, port.count() * priorities + pg.count());
}

void History::refused(const std::string& switch_name, const Frame& frame, const Verdict& verdict,
                      Picoseconds time) {
  record_->drop(switch_name, frame, frame.ingress_port, to_string(verdict.reason), time);
}

void History::mac_drop(const std::string& switch_name, const Frame& frame, PortId port,
                       MacDrop reason, Picoseconds time) {
  record_->drop(switch_name, frame, port, to_string(reason), time);
}

void History::pfc_sent(const std::string& node, PortId port, const PfcFrame& frame,
                       Picoseconds time) {
  record_->pauses.sent(node, port, frame, time);
}

void History::pfc_received(const std::string& node, PortId port, const PfcFrame& frame,
                           Picoseconds time) {
  record_->pauses.received(node, port, frame, time);
}

std::string History::finish(Picoseconds time, const std::vector<ConfiguredValue>& configuration) {
  return record_->finish(time, configuration);
}

}  // namespace weir
