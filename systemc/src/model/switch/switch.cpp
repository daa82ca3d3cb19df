// SPDX-License-Identifier: Apache-2.0
#include "weir/model/switch/switch.hpp"

#include "weir/config/format/port_name.hpp"
#include "weir/core/errors.hpp"
#include "weir/model/mmu/ecn_marker_unit.hpp"

namespace weir {

Switch::Switch(const sc_core::sc_module_name& name, const ModelContext& context, const Chip& chip,
               const MmuBackend& backend, const std::vector<PfcWatchdogSpec>& watchdogs)
    : sc_core::sc_module{name},
      label_{this->name()},
      agenda_{context.agenda},
      counters_(chip.ports.size()),
      forwarding{"forwarding"},
      mmu{"mmu", {context, chip, counters_, label_, backend.blocks.through_interfaces}, backend} {
  // The chip of the MMU: what software changes while the model runs, the other parts see.
  const SwitchContext parts{context, mmu.core().chip(), counters_, label_,
                            backend.blocks.through_interfaces};
  if (chip.neighbours) add_neighbour_tables(parts);
  if (!watchdogs.empty()) add_watchdogs(parts, watchdogs);
  for (std::size_t i = 0; i < chip.ports.size(); ++i)
    add_port(parts, PortId{static_cast<std::uint16_t>(i)});
}

void Switch::add_neighbour_tables(const SwitchContext& context) {
  neighbour_tables = std::make_unique<NeighbourTablesUnit>("neighbour_tables", context);
  neighbour_tables->mmu.bind(mmu.arrival_arbiter.request);
  mmu.admission.flood.bind(neighbour_tables->flood);
}

// They are between the receiving MACs of their ports and the module that takes frames otherwise.
void Switch::add_watchdogs(const SwitchContext& context,
                           const std::vector<PfcWatchdogSpec>& watchdogs) {
  pfc_watchdog =
      std::make_unique<PfcWatchdogUnit>("pfc_watchdog", context, watchdogs, *mmu.pfc_receiver);
  pfc_watchdog->mmu.bind(neighbour_tables ? neighbour_tables->request
                                          : mmu.arrival_arbiter.request);
  mmu.pfc_receiver->watchdog.bind(pfc_watchdog->pauses);
}

void Switch::add_port(const SwitchContext& context, PortId id) {
  const std::string name = "port[" + std::to_string(id.count()) + "]";
  ports_.push_back(std::make_unique<SwitchPort>(name.c_str(), context, id));
  SwitchPort& port = *ports_.back();
  const bool watched = pfc_watchdog && pfc_watchdog->watches(id);
  if (watched) pfc_watchdog->attach(id, port.tx);
  port.rx.mmu.bind(watched            ? pfc_watchdog->request
                   : neighbour_tables ? neighbour_tables->request
                                      : mmu.arrival_arbiter.request);
  port.rx.pfc_receiver.bind(mmu.pfc_receiver->receiver);
  port.rx.forwarding.bind(forwarding);
  port.tx.mmu.bind(mmu.arrival_arbiter.request);
  port.tx.pfc_generator.bind(mmu.pfc_generator->transmit);
  port.tx.pfc_receiver.bind(mmu.pfc_receiver->pause);
  if (mmu.ecn_marker) {
    mmu.admission.egress.bind(mmu.ecn_marker->entry(id));
    mmu.ecn_marker->egress.bind(port.tx.egress);
    port.tx.ecn_marker.bind(mmu.ecn_marker->marking);
  } else {
    mmu.admission.egress.bind(port.tx.egress);
  }
  mmu.pfc_generator->mac.bind(port.tx.transmitter);
  mmu.pfc_receiver->mac.bind(port.tx.transmitter);
}

void Switch::end_of_elaboration() {
  const Chip& chip = mmu.core().chip();
  for (std::size_t i = 0; i < ports_.size(); ++i) {
    if (ports_[i]->rx.wire.size() == 0 || ports_[i]->tx.wire.size() != 0) continue;
    const PortId port = port_id(i);
    const PgIndex first = pg_index(port, Priority{0});
    for (PgIndex pg = first; pg < PgIndex{first.value() + priorities}; ++pg)
      if (chip.profile_of_pg[pg] && chip.profiles[*chip.profile_of_pg[pg]].lossless)
        throw ModelError(port_name(label_, port) +
                         ": frames come in at rx.wire, but tx.wire is bound to nothing: PAUSE of "
                         "its lossless classes would go nowhere");
  }
}

void Switch::refuse_port(PortId port) const {
  throw ModelError(label_ + " has port[0] to port[" + std::to_string(ports_.size() - 1) +
                   "], but no port[" + std::to_string(port.count()) + "]");
}

void Switch::clear_counters() noexcept {
  for (PortCounters& counters : counters_) counters = {};
  mmu.clear_stats();
}

void Switch::restart_marks(Picoseconds now) {
  mmu.pfc_receiver->restart_longest(now);
  mmu.arrival_arbiter.restart_marks();
  if (neighbour_tables) neighbour_tables->restart_marks();
}

}  // namespace weir
