// SPDX-License-Identifier: Apache-2.0
#include "weir/model/admission_unit.hpp"

namespace weir {

AdmissionUnit::AdmissionUnit(const sc_core::sc_module_name& name, Mmu& mmu,
                             const Observers& observers, const std::string& switch_name)
    : sc_core::sc_module{name},
      mmu_{mmu},
      observers_{observers},
      switch_name_{switch_name},
      edges_{mmu.chip().clock},
      admit_{mmu.chip().clock * mmu.chip().admit_latency},
      lagging_{mmu.chip().threshold_lag != 0} {
  for (std::uint64_t length = 0; length <= mmu.chip().mtu.count(); ++length)
    cells_of_length_.push_back(static_cast<std::uint16_t>(mmu.chip().cells(Bytes{length}).count()));
  step.bind(*this);
}

void AdmissionUnit::arrive(Frame& frame, Picoseconds edge) {
  frame.cells = cells_of_length_[frame.length];
  const auto pg = static_cast<std::uint32_t>(frame.ingress_port.count() * priorities + frame.pg);
  const std::size_t queue = frame.egress_port.count() * priorities + frame.queue;
  const Verdict verdict =
      mmu_.arrive(pg, Cells{frame.cells}, Bytes{frame.length}, queue, cycle_of(edge));
  observers_.tell_detail_readers([&](Observer& o) { o.stepped(switch_name_, mmu_, pg, edge); });
  take_verdict(frame, verdict, edge + admit_);
}

void AdmissionUnit::take_verdict(Frame& frame, const Verdict& verdict, Picoseconds visible) {
  const auto pg = static_cast<std::uint32_t>(frame.ingress_port.count() * priorities + frame.pg);
  observers_.tell_verdict_readers(
      [&](Observer& o) { o.verdict(switch_name_, frame, verdict, visible); });
  if (verdict.pfc.changed) tell_level(pg, verdict.pfc.xoff, visible);
  if (verdict.admitted()) {
    frame.visible = visible;
    egress_[frame.egress_port.count()]->enqueue(frame);
    return;
  }
  observers_.tell([&](Observer& o) { o.refused(switch_name_, frame, verdict, visible); });
  frame.release();
}

void AdmissionUnit::release(const ReleaseTicket& ticket, Picoseconds edge) {
  const PfcLevel level =
      mmu_.release(ticket.pg, Cells{ticket.cells}, ticket.queue, ticket.last, cycle_of(edge));
  observers_.tell_detail_readers(
      [&](Observer& o) { o.stepped(switch_name_, mmu_, ticket.pg, edge); });
  if (level.changed) tell_level(ticket.pg, level.xoff, edge + admit_);
}

void AdmissionUnit::tell_level(std::uint32_t pg, bool xoff, Picoseconds visible) {
  pfc_->level(PortId{static_cast<std::uint16_t>(pg / priorities)},
              Priority{static_cast<std::uint8_t>(pg % priorities)}, xoff, visible);
}

}  // namespace weir
