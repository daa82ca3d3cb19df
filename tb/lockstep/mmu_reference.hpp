// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "lockstep/domain_chip.hpp"
#include "weir/core/mmu.hpp"
#include "weir/core/scheduling/arrival_arbiter.hpp"
#include "weir/core/step_traffic.hpp"
#include "weir/model/agenda.hpp"
#include "weir/model/mmu/pfc_generator_unit.hpp"
#include "weir/model/mmu/pfc_receiver_unit.hpp"
#include "weir/model/registers/register_map.hpp"
#include "weir/model/rtl/generator_reference.hpp"
#include "weir/model/rtl/lockstep_engine.hpp"
#include "weir/model/rtl/receiver_reference.hpp"

namespace weir::test {

/// The other values that the register map reads. Only the quanta change. Once per process, because
/// SystemC elaborates only once.
class RegisterShelf {
 public:
  explicit RegisterShelf(const Chip& chip)
      : generator{"pfc_generator", {context_, chip, counters, name_}},
        counters(chip.ports.size()),
        receiver{"pfc_receiver", {context_, chip, counters, name_}} {}

 private:
  Agenda agenda_{"agenda"};
  FramePool frames_;
  Observers nobody_;
  const ModelContext context_{agenda_, frames_, nobody_, 1};
  std::string name_{"lockstep"};

 public:
  PfcGeneratorUnit generator;
  std::vector<PortCounters> counters;
  PfcReceiverUnit receiver;
};

/// The blocks of the core that make up a weir_mmu, from its reset on: a core MMU and two arbiters
/// for each memory domain, PFC generator and receiver of each port.
///
/// Each domain has a core of its own, which gets the steps of this domain only, so that the
/// counters of a queue are known by domain: csr reads one domain after the other.
///
/// Range: up to 64 ports.
struct MmuReference {
  struct Domain {
    Domain(const Chip& chip) : mmu{chip}, releases{chip.ports.size()}, arrivals{chip.ports.size()} {
      leaving.resize(chip.ports.size());
      arriving.resize(chip.ports.size());
    }
    Mmu mmu;
    ArrivalArbiter releases, arrivals;
    std::vector<std::deque<ReleaseStep>> leaving;   ///< By egress port.
    std::vector<std::deque<ArrivalStep>> arriving;  ///< By ingress port.
    std::size_t waiting{0};
  };

  MmuReference(const Chip& from, const RtlShape& shape, RegisterShelf& beside,
               const LockstepEngine& lockstep)
      : chip{from}, shelf{beside}, engine{lockstep} {
    for (unsigned d = 0; d < shape.domains; ++d) domains.push_back(std::make_unique<Domain>(chip));
    for (std::size_t p = 0; p < chip.ports.size(); ++p) {
      const CycleTimeBase base{chip.ports[p].rate, chip.clock};
      generators.emplace_back(base, chip.clock, chip.quanta, PfcGeneratorUnit::address_of(p),
                              shape.axis_w, shape.pfc);
      receivers.emplace_back(base, chip.clock, chip.ports[p].response);
    }
    shelf.generator.set_quanta(chip.quanta);
    shelf.counters.assign(chip.ports.size(), PortCounters{});
    for (unsigned pgs = 0; pgs < classes_of_.size(); ++pgs)
      for (unsigned n = 0; n < priorities; ++n)
        classes_of_[pgs] =
            static_cast<std::uint8_t>(classes_of_[pgs] | (pgs >> chip.pg_of_priority[n] & 1U) << n);
  }

  [[nodiscard]] RegisterTarget target(std::size_t domain, std::uint64_t cycle) {
    return {domains[domain]->mmu, shelf.generator, shelf.receiver, shelf.counters, Cycle{cycle}};
  }
  [[nodiscard]] std::size_t domain_of(std::size_t port) const {
    return chip.ports[port].domain.count();
  }
  /// XOFF of the classes of a port, from the levels of its PGs.
  [[nodiscard]] std::uint8_t classes(std::size_t port) const {
    return classes_of_[engine.levels()[port]];
  }
  /// Bit p: a verdict of this cycle changed a level of port p.
  [[nodiscard]] std::uint64_t changed() const { return engine.changed()[0]; }

  const Chip chip;
  RegisterShelf& shelf;
  std::vector<std::unique_ptr<Domain>> domains;
  std::vector<GeneratorReference> generators;
  std::vector<ReceiverReference> receivers;
  const LockstepEngine& engine;  ///< Levels as of the verdicts so far.

 private:
  std::array<std::uint8_t, 256> classes_of_{};
};

}  // namespace weir::test
