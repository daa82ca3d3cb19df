// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "weir/model/agenda.hpp"
#include "weir/model/mmu/pfc_generator_unit.hpp"
#include "weir/model/mmu/pfc_receiver_unit.hpp"
#include "weir/model/observer.hpp"
#include "weir/model/registers/register_map.hpp"

namespace weir {

/// The units that the register map reads next to the core, for a lockstep without a switch. Only
/// the quanta and the counted PFC frames change. At most one per process: SystemC elaborates once.
struct RegisterShelf {
  explicit RegisterShelf(const Chip& chip)
      : generator{"lockstep_pfc_generator", {context, chip, counters, name}},
        counters(chip.ports.size()),
        receiver{"lockstep_pfc_receiver", {context, chip, counters, name}} {}

  [[nodiscard]] RegisterTarget target(Mmu& mmu, std::uint64_t cycle) {
    return {mmu, generator, receiver, counters, Cycle{cycle}};
  }
  void restore(const Chip& chip) {
    generator.set_quanta(chip.quanta);
    counters.assign(chip.ports.size(), PortCounters{});
  }

  Agenda agenda{"lockstep_agenda"};
  FramePool frames;
  Observers no_observers;
  const ModelContext context{agenda, frames, no_observers, 1};
  std::string name{"lockstep"};
  PfcGeneratorUnit generator;
  std::vector<PortCounters> counters;
  PfcReceiverUnit receiver;
};

}  // namespace weir
