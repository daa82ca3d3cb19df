// SPDX-License-Identifier: Apache-2.0
#include "weir/model/mmu/admission_unit.hpp"

#include <algorithm>
#include <memory>

#include "weir/model/mmu/interface_stepper.hpp"
#include "weir/model/switch/mac_tx.hpp"

namespace weir {

AdmissionUnit::AdmissionUnit(const sc_core::sc_module_name& name, const SwitchContext& parent,
                             MmuSettings& settings, const MmuParts& parts, ReplicaTable& replicas)
    : sc_core::sc_module{name},
      mmu_{settings, parts},
      parts_{parts},
      through_interfaces_{parent.through_interfaces},
      replicas_{replicas},
      frames_{parent.model.frames},
      counters_{parent.counters},
      observers_{parent.model.observers},
      switch_name_{parent.name},
      edges_{mmu_.chip().clock},
      admit_{mmu_.chip().admit_latency} {
  const Chip& chip = mmu_.chip();
  for (std::uint64_t length = 0; length <= chip.mtu.count(); ++length)
    cells_of_length_.push_back(static_cast<std::uint16_t>(chip.cells(Bytes{length}).count()));
  step.bind(*this);
}

void AdmissionUnit::end_of_elaboration() {
  for (int port = 0; port < egress.size(); ++port)
    egress_.emplace_back(egress[port], through_interfaces_);
  pfc_ = pfc_generator[0];
  const bool all_hand_out =
      ingress_accounting->core() != nullptr && dynamic_threshold->core() != nullptr &&
      admission_rules->core() != nullptr && egress_accounting->core() != nullptr &&
      pfc_state->core() != nullptr && stats_counters->core() != nullptr;
  if (through_interfaces_ || !all_hand_out)
    mmu_.step_by(std::make_unique<InterfaceStepper>(
        mmu_.settings(),
        BlockInterfaces{ingress_accounting[0], dynamic_threshold[0], egress_accounting[0],
                        pfc_state[0], stats_counters[0],
                        CheckedAdmission{admission_rules[0], switch_name_}},
        parts_));
  timed_ = mmu_.needs_time();
}

// The usual way, whose verdict may stay in registers since nothing else makes or reads it.
void AdmissionUnit::arrive(Frame& frame, Picoseconds edge) {
  frame.cells = cells_of_length_[frame.length];
  const QueueIndex queue = queue_of(frame);
  if (frame.marked(copy_mark) || !mmu_.is_plain(queue) || observers_.has_verdict_readers())
    return arrive_with_care(frame, edge);
  const Verdict verdict =
      mmu_.arrive_plain(pg_of(frame), Cells{frame.cells}, Bytes{frame.length}, queue);
  if (steps_are_watched() || verdict.pfc.any_change()) report(pg_of(frame), verdict.pfc, edge);
  obey(frame, verdict, edges_.later(edge, admit_));
}

[[gnu::noinline]] void AdmissionUnit::arrive_with_care(Frame& frame, Picoseconds edge) {
  if (frame.marked(copy_mark)) return arrive_copies(frame, edge);
  const PgIndex pg = pg_of(frame);
  const QueueIndex queue = queue_of(frame);
  const Verdict verdict =
      mmu_.arrive(pg, Cells{frame.cells}, Bytes{frame.length}, queue, cycle_of(edge));
  report_step(pg, edge);
  take_verdict(frame, verdict, edges_.later(edge, admit_));
}

void AdmissionUnit::queues_of(const Frame& frame, std::vector<QueueIndex>& queues) {
  flood[0]->copies_of(frame, copies_);
  queues.clear();
  for (const FrameCopy& copy : copies_)
    queues.push_back(queue_index(copy.port, Priority{frame.queue}));
}

[[gnu::noinline]] void AdmissionUnit::arrive_copies(Frame& frame, Picoseconds edge) {
  const PgIndex pg = pg_of(frame);
  queues_of(frame, queues_);
  const Verdict verdict =
      mmu_.arrive(pg, Cells{frame.cells}, Bytes{frame.length}, queues_, cycle_of(edge));
  report_step(pg, edge);
  take_copies(frame, verdict, queues_, edges_.later(edge, admit_));
}

// One packet in the MMU, as many frames as queues took it.
void AdmissionUnit::take_copies(Frame& frame, const Verdict& verdict,
                                const std::vector<QueueIndex>& taken, Picoseconds visible) {
  const PgIndex pg = pg_of(frame);
  flood[0]->copies_of(frame, copies_);
  const auto copy_of = [&](QueueIndex queue) {
    return *std::find_if(copies_.begin(), copies_.end(),
                         [&](const FrameCopy& copy) { return copy.port == port_of(queue); });
  };
  // The frame itself goes where its address matches, if it does anywhere.
  const auto match = std::find_if(taken.begin(), taken.end(),
                                  [&](QueueIndex queue) { return !copy_of(queue).stray; });
  const std::size_t own =
      match == taken.end() ? 0 : static_cast<std::size_t>(match - taken.begin());
  frame.egress_port = taken.empty() ? copies_.front().port : copy_of(taken[own]).port;
  count_drops(frame, verdict.reason, taken);
  observers_.notify_verdict_readers(
      [&](Observer& o) { o.verdict(switch_name_, frame, verdict, visible); });
  if (verdict.pfc.any_change()) report_level(pg, verdict.pfc, visible);
  if (!verdict.admitted()) {
    observers_.notify([&](Observer& o) { o.refused(switch_name_, frame, verdict, visible); });
    frame.release();
    return;
  }
  frame.visible = visible;
  frame.replica = replicas_.enter(Cells{frame.cells}, static_cast<std::uint32_t>(taken.size()));
  for (std::size_t i = 0; i < taken.size(); ++i) {
    const FrameCopy copy = copy_of(taken[i]);
    Frame& reader = i == own ? frame : *frames_.duplicate(frame);
    reader.egress_port = copy.port;
    if (copy.stray) reader.mark(stray_mark);
    if (i != own)
      observers_.notify_verdict_readers(
          [&](Observer& o) { o.copy_queued(switch_name_, reader, visible); });
    egress_[copy.port.count()].call([&](auto& mac) { mac.enqueue(reader); });
  }
}

void AdmissionUnit::take_verdict(Frame& frame, const Verdict& verdict, Picoseconds visible) {
  observers_.notify_verdict_readers(
      [&](Observer& o) { o.verdict(switch_name_, frame, verdict, visible); });
  if (verdict.pfc.any_change()) report_level(pg_of(frame), verdict.pfc, visible);
  obey(frame, verdict, visible);
}

inline void AdmissionUnit::obey(Frame& frame, const Verdict& verdict, Picoseconds visible) {
  if (!verdict.admitted()) return refuse(frame, verdict, visible);
  frame.visible = visible;
  egress_[frame.egress_port.count()].call([&](auto& mac) { mac.enqueue(frame); });
}

[[gnu::noinline]] void AdmissionUnit::refuse(Frame& frame, Verdict verdict, Picoseconds visible) {
  count_drop(frame, verdict.reason);
  observers_.notify([&](Observer& o) { o.refused(switch_name_, frame, verdict, visible); });
  frame.release();
}

// Of a packet with copies: those that their queues refused, or the packet that ingress refused.
void AdmissionUnit::count_drops(const Frame& frame, Reason reason,
                                const std::vector<QueueIndex>& taken) noexcept {
  if (reason != Reason::admitted && reason != Reason::egress_queue)
    return count_drop(frame, reason);
  for (const FrameCopy& copy : copies_) {
    const QueueIndex queue = queue_index(copy.port, Priority{frame.queue});
    if (std::find(taken.begin(), taken.end(), queue) == taken.end())
      ++counters_[copy.port.count()].priority[frame.priority.count()].egress_drops;
  }
}

[[gnu::noinline]] void AdmissionUnit::count_drop(const Frame& frame, Reason reason) noexcept {
  const std::size_t priority = frame.priority.count();
  if (reason == Reason::egress_queue || reason == Reason::wred)
    ++counters_[frame.egress_port.count()].priority[priority].egress_drops;
  else
    ++counters_[frame.ingress_port.count()].priority[priority].ingress_drops;
}

[[gnu::noinline]] void AdmissionUnit::release_with_care(ReleaseTicket ticket, Picoseconds edge) {
  const PfcLevel level =
      mmu_.release(ticket.pg, Cells{ticket.cells}, ticket.queue, ticket.last, cycle_of(edge));
  report(ticket.pg, level, edge);
}

// Not inlined, like the following: without a reader of steps, few releases and arrivals need it.
[[gnu::noinline]] void AdmissionUnit::report(PgIndex pg, PfcLevel level, Picoseconds edge) {
  if (level.any_change()) return report_change(pg, level, edge);
  report_step(pg, edge);
}

[[gnu::noinline]] void AdmissionUnit::report_change(PgIndex pg, PfcLevel level, Picoseconds edge) {
  report_step(pg, edge);
  report_level(pg, level, edges_.later(edge, admit_));
}

[[gnu::noinline]] void AdmissionUnit::report_step_to_all(PgIndex pg, Picoseconds edge) const {
  observers_.notify_step_readers([&](Observer& o) { o.stepped(switch_name_, mmu_, pg, edge); });
}

[[gnu::noinline]] void AdmissionUnit::report_level(PgIndex pg, PfcLevel level,
                                                   Picoseconds visible) {
  const PortId port = port_of(pg);
  if (level.changed) pfc_->level(port, number_in_port(pg), level.xoff, visible);
  if (level.port_changed) pfc_->port_level(port, mmu_.port_off(port), visible);
}

}  // namespace weir
