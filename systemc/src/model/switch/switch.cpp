// SPDX-License-Identifier: Apache-2.0
#include "weir/model/switch/switch.hpp"

namespace weir {

Switch::Switch(const sc_core::sc_module_name& name, const Chip& chip, Agenda& agenda,
               FramePool& frames, const Observers& observers, const MmuBackend& backend,
               const std::vector<PfcWatchdogSpec>& watchdogs)
    : sc_core::sc_module{name},
      label_{this->name()},
      agenda_{agenda},
      counters_(chip.ports.size()),
      forwarding{"forwarding"},
      mmu{"mmu", chip, agenda, frames, counters_, observers, label_, backend} {
  if (chip.neighbours) {
    neighbour_tables = std::make_unique<NeighbourTablesUnit>("neighbour_tables", mmu.core().chip(),
                                                             agenda, counters_, observers, label_);
    neighbour_tables->mmu.bind(mmu.arrival_arbiter.request);
    mmu.admission.flood.bind(neighbour_tables->flood);
  }
  if (!watchdogs.empty()) {
    pfc_watchdog = std::make_unique<PfcWatchdogUnit>(
        "pfc_watchdog", chip, watchdogs, mmu.pfc_receiver, counters_, observers, label_);
    pfc_watchdog->mmu.bind(neighbour_tables ? neighbour_tables->request
                                            : mmu.arrival_arbiter.request);
    mmu.pfc_receiver.watchdog.bind(pfc_watchdog->pauses);
  }
  for (std::size_t i = 0; i < chip.ports.size(); ++i) {
    const std::string port_name = "port[" + std::to_string(i) + "]";
    ports_.push_back(std::make_unique<SwitchPort>(port_name.c_str(), chip,
                                                  PortId{static_cast<std::uint16_t>(i)}, agenda,
                                                  frames, counters_[i], observers, label_));
    SwitchPort& port = *ports_.back();
    const bool watched =
        pfc_watchdog && pfc_watchdog->watches(PortId{static_cast<std::uint16_t>(i)});
    if (watched) pfc_watchdog->attach(PortId{static_cast<std::uint16_t>(i)}, port.tx);
    port.rx.mmu.bind(watched            ? pfc_watchdog->request
                     : neighbour_tables ? neighbour_tables->request
                                        : mmu.arrival_arbiter.request);
    port.rx.pfc_receiver.bind(mmu.pfc_receiver.receiver);
    port.rx.forwarding.bind(forwarding);
    port.tx.mmu.bind(mmu.arrival_arbiter.request);
    port.tx.pfc_generator.bind(mmu.pfc_generator.transmit);
    port.tx.pfc_receiver.bind(mmu.pfc_receiver.pause);
    mmu.admission.egress.bind(port.tx.egress);
    mmu.pfc_generator.mac.bind(port.tx.transmitter);
    mmu.pfc_receiver.mac.bind(port.tx.transmitter);
  }
}

void Switch::clear_counters() noexcept {
  for (PortCounters& counters : counters_) counters = {};
  mmu.clear_stats();
}

}  // namespace weir
