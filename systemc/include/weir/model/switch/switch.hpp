// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "weir/core/chip.hpp"
#include "weir/model/agenda.hpp"
#include "weir/model/mmu/mmu_model.hpp"
#include "weir/model/model_context.hpp"
#include "weir/model/switch/forwarding.hpp"
#include "weir/model/switch/mac_rx.hpp"
#include "weir/model/switch/mac_tx.hpp"
#include "weir/model/switch/neighbour_tables_unit.hpp"
#include "weir/model/switch/pfc_watchdog_unit.hpp"
#include "weir/model/switch/port_counters.hpp"
#include "weir/model/switch/switch_context.hpp"

namespace weir {

/// A port of a switch: receiving and transmitting MAC. Module names are `switch.port[3].rx` and
/// `.tx`.
class SwitchPort final : public sc_core::sc_module {
 public:
  SwitchPort(const sc_core::sc_module_name& name, const SwitchContext& parent, PortId port)
      : sc_core::sc_module{name}, rx{"rx", parent, port}, tx{"tx", parent, port} {}

  MacRx rx;
  MacTx tx;
};

/// A switch: MMU, ports, forwarding; one agenda drives it all.
///
/// Its outside are the frame sockets port(i).rx.wire and port(i).tx.wire; a user's own module may
/// sit on them. A port may be left unbound.
///
/// Errors:  ConfigError from the constructor when the chip is impossible. ModelError when
/// elaboration
///          ends and a port with lossless classes has a sender at rx.wire, but nothing at tx.wire:
///          its PAUSE would go nowhere.
/// Timing:  a module of the user's that sends into a port is found when elaboration ends; the
/// agenda
///          then runs ahead of the kernel by less than a shortest frame, so nothing comes too late.
/// Source:  docs/design/contract.md, 4.
class Switch final : public sc_core::sc_module {
 public:
  /// `context` is that of all modules of the simulation.
  Switch(const sc_core::sc_module_name& name, const ModelContext& context, const Chip& chip,
         const MmuBackend& backend = {}, const std::vector<PfcWatchdogSpec>& watchdogs = {});

  /// Errors: ModelError when the switch has no such port.
  [[nodiscard]] SwitchPort& port(PortId port) { return *ports_[checked(port)]; }
  [[nodiscard]] const SwitchPort& port(PortId port) const { return *ports_[checked(port)]; }
  [[nodiscard]] std::size_t port_count() const noexcept { return ports_.size(); }
  [[nodiscard]] const PortCounters& counters(PortId port) const { return counters_[checked(port)]; }
  [[nodiscard]] const Chip& chip() const noexcept { return mmu.core().chip(); }
  [[nodiscard]] Agenda& agenda() noexcept { return agenda_; }
  void clear_counters() noexcept;
  /// Watermarks outside the MMU's counters begin again, from what there is at `now`.
  void restart_marks(Picoseconds now);

  /// Frames for `host` leave through `port`, whatever else is configured.
  void add_route(HostId host, PortId port) { forwarding.add_route(host, port); }

 private:
  void end_of_elaboration() override;
  [[nodiscard]] std::size_t checked(PortId port) const {
    if (ports_.size() <= port.count()) refuse_port(port);
    return port.count();
  }
  [[noreturn]] void refuse_port(PortId port) const;
  void add_neighbour_tables(const SwitchContext& context);
  void add_watchdogs(const SwitchContext& context, const std::vector<PfcWatchdogSpec>& watchdogs);
  void add_port(const SwitchContext& context, PortId id);

  const std::string label_;
  Agenda& agenda_;
  std::vector<PortCounters> counters_;

 public:
  Forwarding forwarding;
  MmuModel mmu;
  /// The ARP and the MAC table; none when the chip has none.
  std::unique_ptr<NeighbourTablesUnit> neighbour_tables;
  std::unique_ptr<PfcWatchdogUnit> pfc_watchdog;  ///< None: no port is watched.

 private:
  std::vector<std::unique_ptr<SwitchPort>> ports_;
};

}  // namespace weir
