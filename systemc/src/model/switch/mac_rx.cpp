// SPDX-License-Identifier: Apache-2.0
#include "weir/model/switch/mac_rx.hpp"

#include "weir/config/format/port_name.hpp"
#include "weir/model/mmu/arrival_arbiter_unit.hpp"
#include "weir/model/switch/drop_counters.hpp"
#include "weir/model/switch/forwarding.hpp"

namespace weir {

MacRx::MacRx(const sc_core::sc_module_name& name, const SwitchContext& parent, PortId port)
    : sc_core::sc_module{name},
      port_{port},
      byte_{byte_time(parent.chip.ports[port.count()].rate)},
      mtu_{parent.chip.mtu.count()},
      pg_of_priority_{parent.chip.pg_of_priority},
      queue_of_priority_{parent.chip.queue_of_priority},
      always_classify_{parent.chip.classifier.trust != ClassTrust::pcp},
      agenda_{parent.model.agenda},
      counters_{parent.counters[port.count()]},
      observers_{parent.model.observers},
      switch_name_{parent.name},
      classifier_{parent.chip.classifier, parent.chip.dscp_table(port)},
      frames_{parent.model.frames},
      through_interfaces_{parent.through_interfaces} {
  wire.bind(*this);
}

void MacRx::end_of_elaboration() {
  mmu_ = KnownPeer<MmuRequestIf, ArrivalArbiterUnit>{mmu[0], through_interfaces_};
  forwarding_ = KnownPeer<ForwardingIf, Forwarding>{forwarding[0], through_interfaces_};
  if (admit_outside_sender(wire, agenda_, byte_))
    guard_ = std::make_unique<WireGuard>(port_name(switch_name_, port_), frames_, byte_);
}

void MacRx::take_at(Frame& frame, Picoseconds first_bit) {
  const Picoseconds last_bit = first_bit + frame_time(frame.length, byte_);
  if (frame.corrupted) return ignore(frame, last_bit);
  if (frame.kind == FrameKind::pfc) return pfc_receiver->receive(frame, port_, last_bit);
  if (agenda_.end() <= last_bit) return;  // on the wire when the run ends: it stays in flight
  if (always_classify_ || frame.marked(class_marks)) return take_classified(frame, last_bit);
  take_data(frame, last_bit);
}

[[gnu::noinline]] void MacRx::take_classified(Frame& frame, Picoseconds last_bit) {
  classify(frame);
  take_data(frame, last_bit);
}

// Calls only at its ends: the usual way then saves no registers.
inline void MacRx::take_data(Frame& frame, Picoseconds last_bit) {
  PortCounters::ByPriority& counters = counters_.priority[frame.priority.count()];
  ++counters.rx_packets;
  counters.rx_bytes += Bytes{frame.length};
  if (mtu_ < frame.length) return drop(frame, MacDrop::oversize, last_bit);
  const Forwarding* const table = forwarding_.known();
  const std::uint32_t port = table == nullptr ? Forwarding::no_port : table->forward_plain(frame);
  if (port == Forwarding::no_port) return forward_with_care(frame, last_bit);
  pass_on(frame, PortId{static_cast<std::uint16_t>(port)}, last_bit);
}

[[gnu::noinline]] void MacRx::forward_with_care(Frame& frame, Picoseconds last_bit) {
  const ForwardingIf::Decision way =
      forwarding_.call([&](auto& table) { return table.forward(frame, last_bit); });
  if (way.drop) return drop(frame, way.reason, last_bit);
  pass_on(frame, way.egress, last_bit);
}

inline void MacRx::pass_on(Frame& frame, PortId egress, Picoseconds last_bit) {
  frame.ingress_port = port_;
  frame.egress_port = egress;
  frame.pg = pg_of_priority_[frame.priority.count()];
  frame.queue = queue_of_priority_[frame.priority.count()];
  mmu_.call([&](auto& arbiter) { arbiter.arrival(frame, last_bit); });
}

void MacRx::classify(Frame& frame) const noexcept {
  frame.priority = classifier_.classify(
      {frame.priority, frame.dscp, !frame.marked(untagged_mark), frame.marked(group_marks)});
}

// With a wrong FCS no field of the frame is valid, not even its class.
[[gnu::noinline]] void MacRx::ignore(Frame& frame, Picoseconds last_bit) {
  if (agenda_.end() <= last_bit) return;  // on the wire when the run ends: it stays in flight
  counters_.count_fcs_error(frame.kind == FrameKind::pfc);
  observers_.notify([&](Observer& o) { o.fcs_error(switch_name_, port_, last_bit); });
  frame.release();
}

[[gnu::noinline]] void MacRx::drop(Frame& frame, MacDrop reason, Picoseconds time) {
  count_drop(counters_, reason, frame.priority);
  observers_.notify([&](Observer& o) { o.mac_drop(switch_name_, frame, port_, reason, time); });
  frame.release();
}

}  // namespace weir
