// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <systemc>
#include <vector>

#include "weir/core/clock_edges.hpp"
#include "weir/core/mmu.hpp"
#include "weir/model/interfaces.hpp"
#include "weir/model/observer.hpp"

namespace weir {

/// Shell of the MMU's decision: takes granted requests to the core, adds the latency of the
/// verdict.
///
/// Timing:  a verdict, and a changed XOFF level, is visible `admit` cycles after the edge of the
///          request; so is the level after a release.
/// Source:  DESIGN sections 2 and 3; core/mmu.hpp decides.
class AdmissionUnit final : public sc_core::sc_module, public MmuStepIf {
 public:
  sc_core::sc_export<MmuStepIf> step{"step"};
  sc_core::sc_port<EgressIf, 0> egress{"egress"};  ///< One per port, in order.
  sc_core::sc_port<PfcLevelIf> pfc_generator{"pfc_generator"};

  AdmissionUnit(const sc_core::sc_module_name& name, Mmu& mmu, const Observers& observers,
                const std::string& switch_name);

  /// The verdict on `frame` is known; it takes effect at `visible`.
  void take_verdict(Frame& frame, const Verdict& verdict, Picoseconds visible);
  /// The level of a PG has changed; visible from `visible` on.
  void tell_level(std::uint32_t pg, bool xoff, Picoseconds visible);
  /// Cells of a frame. Range: up to the MTU.
  [[nodiscard]] std::uint32_t cells_of(const Frame& frame) const noexcept {
    return cells_of_length_[frame.length];
  }

  void arrive(Frame& frame, Picoseconds edge) override;
  void release(const ReleaseTicket& ticket, Picoseconds edge) override;

 private:
  void end_of_elaboration() override {
    for (int port = 0; port < egress.size(); ++port) egress_.push_back(egress[port]);
    pfc_ = pfc_generator[0];
  }
  [[nodiscard]] Cycle cycle_of(Picoseconds edge) const noexcept {
    return lagging_ ? edges_.cycle_at_or_after(edge) : Cycle{0};
  }
  Mmu& mmu_;
  const Observers& observers_;
  const std::string& switch_name_;
  const ClockEdges edges_;
  const Picoseconds admit_;
  const bool lagging_;
  std::vector<std::uint16_t> cells_of_length_;  // [bytes], up to the MTU
  std::vector<EgressIf*> egress_;
  PfcLevelIf* pfc_{nullptr};
};

}  // namespace weir
