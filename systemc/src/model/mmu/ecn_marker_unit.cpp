// SPDX-License-Identifier: Apache-2.0
#include "weir/model/mmu/ecn_marker_unit.hpp"

#include <algorithm>
#include <cstdint>

#include "weir/core/random.hpp"

namespace weir {

EcnMarkerUnit::EcnMarkerUnit(const sc_core::sc_module_name& name, const SwitchContext& parent,
                             AdmissionUnit& admission)
    : sc_core::sc_module{name},
      switch_name_{parent.name},
      observers_{parent.model.observers},
      agenda_{parent.model.agenda},
      actor_{parent.model.agenda.enroll(*this)},
      admission_{admission},
      marker_{parent.chip, RandomStream{parent.model.seed, parent.name + " draws"}.next()},
      edges_{parent.chip.clock},
      admit_{parent.chip.admit_latency},
      entering_(parent.chip.ports.size()) {
  for (std::size_t port = 0; port < parent.chip.ports.size(); ++port)
    entries_.emplace_back(*this, port_id(port));
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
  if (frame.marked(copy_mark)) return false;
  const PgIndex pg = pg_of(frame);
  count_entries(entering_of(frame.egress_port), end_of_cycle(edge));
  if (!marker_.drops(queue, frame.ecn(), admission_.core().settings_of(pg).lossless)) return false;
  frame.cells = admission_.cells_of(frame);
  if (twin_ != nullptr) {
    twin_->dropped(frame, edge);
    return true;
  }
  const Cycle cycle = edges_.cycle_at_or_after(edge);
  Verdict verdict;
  verdict.reason = Reason::wred;
  verdict.threshold = admission_.core().threshold(pg, cycle);
  admission_.take_verdict(frame, verdict, edges_.time(cycle + admit_));
  return true;
}

// An observer watches q: what enters shows at once.
void EcnMarkerUnit::look_when_visible(const Frame& frame) {
  agenda_.post(frame.visible, Rank::look, actor_, 0, frame.egress_port.count());
}

void EcnMarkerUnit::act(Picoseconds now, std::uint32_t, std::uint64_t port) {
  count_entries(entering_[port], end_of_cycle(now));
}

inline void EcnMarkerUnit::enter(Frame& frame) {
  const QueueIndex queue = queue_of(frame);
  const bool marked = marker_.enters(queue, Cells{frame.cells}, Bytes{frame.length}, frame.ecn());
  if (marked) frame.set_ecn(Ecn::ce);
  if (observers_.has_detail_readers()) report(queue, std::min(frame.visible, agenda_.now()));
  if (twin_ != nullptr) twin_->entered(queue, edges_.cycle_at_or_after(frame.visible), marked);
}

// Verdicts come at edges, so all entries of a cycle are counted, or none.
void EcnMarkerUnit::count_entries(Entering& entering, Picoseconds before) {
  while (!entering.empty() && entering.front()->visible < before) {
    Frame& frame = *entering.pop();
    enter(frame);
    if (gone_ != 0) note_gone(frame, entering);
  }
}

// After the last entry of a cycle leave those that are gone.
void EcnMarkerUnit::note_gone(Frame& frame, const Entering& entering) {
  if (!frame.marked(wred_mark)) leaving_.push_back(&frame);
  if (!entering.empty() && entering.front()->visible == frame.visible) return;
  for (Frame* const gone : leaving_) {
    leave_unsent(*gone, gone->visible);
    gone->release();
  }
  gone_ -= leaving_.size();
  leaving_.clear();
}

void EcnMarkerUnit::count_all_entries(Picoseconds before) {
  for (Entering& entering : entering_) count_entries(entering, before);
}

void EcnMarkerUnit::catch_up(Cycle cycle) { count_all_entries(end_of_cycle(edges_.time(cycle))); }

void EcnMarkerUnit::finish() { count_all_entries(Picoseconds{~std::uint64_t{0}}); }

void EcnMarkerUnit::leaves(Frame& frame, Picoseconds now) {
  count_entries(entering_of(frame.egress_port), end_of_cycle(now));
  frame.unmark(wred_mark);
  const QueueIndex queue = queue_of(frame);
  const Ecn ecn = frame.ecn();
  const bool marked = marker_.leaves(queue, Cells{frame.cells}, Bytes{frame.length}, ecn);
  if (marked) frame.set_ecn(Ecn::ce);
  if (observers_.has_detail_readers()) report(queue, now);
  if (twin_ != nullptr)
    twin_->left({queue, Cells{frame.cells}, Bytes{frame.length}, ecn, true},
                edges_.cycle_at_or_after(now), marked);
}

// A frame whose cycle has not been counted yet goes when it would have been.
void EcnMarkerUnit::discards(Frame& frame, Picoseconds when) {
  Entering& entering = entering_of(frame.egress_port);
  const Picoseconds edge = edges_.time_at_or_after(when);
  count_entries(entering, edge);
  frame.unmark(wred_mark);
  if (entering.contains(&frame)) {
    ++gone_;
    return frame.acquire();
  }
  count_entries(entering, end_of_cycle(edge));
  leave_unsent(frame, edge);
}

void EcnMarkerUnit::leave_unsent(const Frame& frame, Picoseconds edge) {
  const QueueIndex queue = queue_of(frame);
  const Cells cells{frame.cells};
  marker_.discards(queue, cells);
  report(queue, std::min(edge, agenda_.now()));
  if (twin_ != nullptr)
    twin_->left({queue, cells, Bytes{}, Ecn::not_ect, false}, edges_.cycle_at_or_after(edge),
                false);
}

// The edge at or before now: a later one has not come yet.
const EcnMarker& EcnMarkerUnit::marker_now() {
  count_all_entries(agenda_.now() + Picoseconds{1});
  return marker_;
}

// What enters at an edge, enters after what is written there.
void EcnMarkerUnit::clear_marker() {
  count_all_entries(agenda_.now());
  marker_.clear();
}

void EcnMarkerUnit::report(QueueIndex queue, Picoseconds time) const {
  observers_.notify_detail_readers(
      [&](Observer& o) { o.waiting(switch_name_, queue, marker_.waiting(queue), time); });
}

}  // namespace weir
