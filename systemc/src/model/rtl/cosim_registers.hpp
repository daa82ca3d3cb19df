// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "weir/model/agenda.hpp"
#include "weir/model/mmu/pfc_generator_unit.hpp"
#include "weir/model/mmu/pfc_receiver_unit.hpp"
#include "weir/model/observer.hpp"
#include "weir/model/rtl/cosim.hpp"

namespace weir {

/// What the register map reads next to the core: quanta and counted PFC frames; nothing else
/// changes there.
struct Cosim::Registers {
  explicit Registers(const Chip& chip)
      : generator{"cosim_pfc_generator", {context, chip, counters, name}},
        counters(chip.ports.size()),
        receiver{"cosim_pfc_receiver", {context, chip, counters, name}} {}

  [[nodiscard]] RegisterTarget target(Mmu& mmu, std::uint64_t cycle) {
    return {mmu, generator, receiver, counters, Cycle{cycle}};
  }
  void restore(const Chip& chip) {
    generator.set_quanta(chip.quanta);
    std::fill(counters.begin(), counters.end(), PortCounters{});
  }

  Agenda agenda{"cosim_agenda"};
  FramePool frames;
  Observers nobody;
  const ModelContext context{agenda, frames, nobody, 1};
  std::string name{"cosim"};
  PfcGeneratorUnit generator;
  std::vector<PortCounters> counters;
  PfcReceiverUnit receiver;
};

}  // namespace weir
