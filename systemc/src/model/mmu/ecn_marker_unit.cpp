// SPDX-License-Identifier: Apache-2.0
#include "weir/model/mmu/ecn_marker_unit.hpp"

#include "weir/core/random.hpp"

namespace weir {

EcnMarkerUnit::EcnMarkerUnit(const sc_core::sc_module_name& name, const SwitchContext& parent,
                             AdmissionUnit& admission)
    : sc_core::sc_module{name},
      switch_name_{parent.name},
      observers_{parent.model.observers},
      admission_{admission},
      marker_{parent.chip, RandomStream{parent.model.seed, parent.name + " draws"}.next()},
      edges_{parent.chip.clock},
      admit_{parent.chip.admit_latency} {
  for (std::size_t port = 0; port < parent.chip.ports.size(); ++port) entries_.emplace_back(*this);
  step.bind(*this);
  marking.bind(*this);
}

void EcnMarkerUnit::end_of_elaboration() {
  decision_ = decision[0];
  for (int port = 0; port < egress.size(); ++port)
    entries_[static_cast<std::size_t>(port)].connect(egress[port]);
}

void EcnMarkerUnit::arrive(Frame& frame, Picoseconds edge) {
  const QueueIndex queue = queue_of(frame);
  if (marker_.may_drop(queue) && drops(frame, queue, edge)) return;
  decision_->arrive(frame, edge);
}

// Whether the frame was dropped.
bool EcnMarkerUnit::drops(Frame& frame, QueueIndex queue, Picoseconds edge) {
  const PgIndex pg = pg_of(frame);
  if (frame.marked(copy_mark) ||
      !marker_.drops(queue, frame.ecn(), admission_.core().settings_of(pg).lossless))
    return false;
  const Cycle cycle = edges_.cycle_at_or_after(edge);
  Verdict verdict;
  verdict.reason = Reason::wred;
  verdict.threshold = admission_.core().threshold(pg, cycle);
  frame.cells = admission_.cells_of(frame);
  admission_.take_verdict(frame, verdict, edges_.time(cycle + admit_));
  return true;
}

// Copies come here one by one, each for its own queue.
void EcnMarkerUnit::enters(Frame& frame, QueueIndex queue) {
  const Cycle entered = saturating_subtract(edges_.cycle_at_or_after(frame.visible), admit_);
  frame.mark(wred_mark);
  if (marker_.enters(queue, Cells{frame.cells}, Bytes{frame.length}, frame.ecn(), entered))
    frame.set_ecn(Ecn::ce);
  observers_.notify_detail_readers([&](Observer& o) {
    o.waiting(switch_name_, queue, marker_.waiting(queue), edges_.time(entered));
  });
}

void EcnMarkerUnit::leaves(Frame& frame, Picoseconds now) {
  frame.unmark(wred_mark);
  // The edge at or before `now`: a later one has not come yet.
  const Cycle cycle = edges_.cycle_at_or_after(now + Picoseconds{1}) - Cycle{1};
  const QueueIndex queue = queue_of(frame);
  if (marker_.leaves(queue, Cells{frame.cells}, Bytes{frame.length}, frame.ecn(), cycle))
    frame.set_ecn(Ecn::ce);
  observers_.notify_detail_readers(
      [&](Observer& o) { o.waiting(switch_name_, queue, marker_.waiting(queue), now); });
}

void EcnMarkerUnit::discards(Frame& frame) {
  frame.unmark(wred_mark);
  marker_.discards(queue_of(frame), Cells{frame.cells});
}

}  // namespace weir
