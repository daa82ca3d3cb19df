// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "lockstep/domain_chip.hpp"
#include "lockstep/mark_reference.hpp"
#include "weir/core/mmu.hpp"
#include "weir/core/scheduling/arrival_arbiter.hpp"
#include "weir/core/step_traffic.hpp"
#include "weir/model/rtl/pfc_reference.hpp"
#include "weir/model/rtl/register_shelf.hpp"

namespace weir::test {

/// The blocks of the core that make up a weir_mmu, from its reset on: a core MMU and two arbiters
/// for each memory domain, PFC generator and receiver of each port, and the marker if the chip has
/// WRED profiles.
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

  MmuReference(const Chip& from, const RtlShape& shape, RegisterShelf& registers,
               const RtlPins& pins, std::uint64_t seed)
      : chip{from}, shelf{registers}, pfc{shape.built(), chip.ports.size(), pins} {
    for (unsigned d = 0; d < shape.domains; ++d) domains.push_back(std::make_unique<Domain>(chip));
    pfc.reset(chip);
    shelf.restore(chip);
    if (chip.wred_profiles.empty()) return;
    marks = std::make_unique<MarkReference>(chip, seed);
    for (const auto& domain : domains) domain->mmu.set_marker_owner(*marks);
  }

  [[nodiscard]] RegisterTarget target(std::size_t domain, std::uint64_t cycle) {
    return shelf.target(domains[domain]->mmu, cycle);
  }
  [[nodiscard]] std::size_t domain_of(std::size_t port) const {
    return chip.ports[port].domain.count();
  }
  const Chip chip;
  RegisterShelf& shelf;
  std::vector<std::unique_ptr<Domain>> domains;
  PfcReference pfc;
  std::unique_ptr<MarkReference> marks;
};

}  // namespace weir::test
