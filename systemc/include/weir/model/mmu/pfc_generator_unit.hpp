// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "weir/core/chip.hpp"
#include "weir/core/pfc/pfc_generator.hpp"
#include "weir/core/scheduling/clock_edges.hpp"
#include "weir/model/agenda.hpp"
#include "weir/model/interfaces.hpp"
#include "weir/model/observer.hpp"
#include "weir/model/registers/pfc_registers.hpp"
#include "weir/model/switch/switch_context.hpp"

namespace weir {

/// The PFC generator of an MMU as its neighbours see it; a user's own derives from it.
class PfcGeneratorBlock : public sc_core::sc_module,
                          public PfcLevelIf,
                          public PfcTransmitIf,
                          public PfcGeneratorRegisters {
 public:
  sc_core::sc_export<PfcLevelIf> levels{"levels"};
  sc_core::sc_export<PfcTransmitIf> transmit{"transmit"};
  sc_core::sc_port<TransmitterIf, 0> mac{"mac"};  ///< One per port, in order.

  explicit PfcGeneratorBlock(const sc_core::sc_module_name& name) : sc_core::sc_module{name} {
    levels.bind(*this);
    transmit.bind(*this);
  }
};

/// The PFC generators of all ports: adds `pfc` cycles from verdict to request, and
/// refresh.
///
/// Timing:  a level is part of a frame's contents from the moment it is visible; it raises a
///          request `pfc` cycles later. A refresh is requested at the clock edge half of the quanta
///          after the cycle in which the last frame started.
/// Source:  docs/design/contract.md, 3; arithmetic in core/pfc/pfc_generator.hpp.
class PfcGeneratorUnit final : public PfcGeneratorBlock, private Actor {
 public:
  PfcGeneratorUnit(const sc_core::sc_module_name& name, const SwitchContext& parent);

  void level(PortId port, Priority pg, bool xoff, Picoseconds visible) override;
  void port_level(PortId port, bool off, Picoseconds visible) override;
  std::optional<PfcFrame> start_frame(PortId port, Picoseconds now) override;

  void set_quanta(Quanta quanta) override {
    for (Port& port : ports_) port.generator.set_quanta(quanta);
  }
  [[nodiscard]] Quanta quanta() const override { return ports_.front().generator.quanta(); }

 private:
  enum Task : std::uint32_t { level_task, port_level_task, request_task, refresh_task };

  struct Port {
    PfcGenerator generator;
    std::uint8_t xoff_pgs{0};      // levels now visible, bit n = PG n
    std::uint8_t xoff_classes{0};  // the same by priority; all of them while the port is off
    bool off{false};
    bool requested{false};
    bool refresh_armed{false};  // one refresh task is on the agenda
  };

  void act(Picoseconds now, std::uint32_t what, std::uint64_t argument) override;
  void set_port_level(PortId port, bool off);
  void set_level(PortId port, Priority pg, bool xoff, Picoseconds now);
  void request(PortId port, Picoseconds now);
  void refresh(PortId port, Picoseconds now);
  [[nodiscard]] std::uint8_t classes_of(std::uint8_t pgs) const noexcept;

  Agenda& agenda_;
  Agenda::ActorId actor_;
  const Observers& observers_;
  const std::string& switch_name_;
  const ClockEdges edges_;
  const Cycle latency_;
  const std::array<std::uint8_t, priorities> pg_of_priority_;
  std::vector<Port> ports_;
};

}  // namespace weir
