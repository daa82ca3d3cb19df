// SPDX-License-Identifier: Apache-2.0
#include "weir/model/host/nic.hpp"

#include <utility>

#include "weir/config/format/addresses.hpp"
#include "weir/model/switch/drop_counters.hpp"

namespace weir {

Nic::Nic(const sc_core::sc_module_name& name, const ModelContext& context, const HostSpec& spec,
         HostId id)
    : sc_core::sc_module{name},
      agenda_{context.agenda},
      byte_{byte_time(spec.rate)},
      id_{id},
      actor_{context.agenda.enroll(*this)},
      label_{this->name()},
      streams_{parts(context, spec)},
      life_{parts(context, spec), spec, streams_},
      mac_{parts(context, spec), spec, streams_, connections_, life_},
      observers_{context.observers},
      frames_{context.frames} {
  tx.bind(static_cast<FrameBackwardIf&>(*this));
  rx.bind(static_cast<FrameForwardIf&>(*this));
  if (!spec.nic) return;
  receiver = std::make_unique<NicReceiver>("receiver", parts(context, spec), *spec.nic, mac_,
                                           static_cast<DeliveryIf&>(*this));
  mac_.decide_in_turn();
}

// A host that nothing has given an address differs from others by its number.
HostContext Nic::parts(const ModelContext& context, const HostSpec& spec) noexcept {
  const Ipv4 address = spec.address == Ipv4{} ? Ipv4{id_} : spec.address;
  return {{context, label_, PortId{0}, spec.rate, counters_}, id_, mac_of(address), actor_};
}

void Nic::add_source(std::unique_ptr<Source> source, std::uint32_t flow, FlowHeader header) {
  if (!source->open_loop()) mac_.decide_in_turn();
  streams_.add(std::move(source), flow, header);
}

void Nic::expect_connections(std::uint32_t flow, const TrafficSpec& traffic,
                             std::uint8_t cnp_dscp) {
  connections_.expect(flow, traffic, cnp_dscp);
  mac_.decide_in_turn();
}

void Nic::add_fault(const HostFaultSpec& fault) {
  if (fault.kind == HostFaultKind::reboot) life_.add_reboot(fault.at);
  if (receiver) receiver->add_fault(fault);
  mac_.decide_in_turn();
}

void Nic::end_of_elaboration() {
  mac_.connect(peer_of(tx), receiver.get());
  if (admit_outside_sender(rx, agenda_, byte_))
    guard_ = std::make_unique<WireGuard>(label_, frames_, byte_);
}

void Nic::start_of_simulation() {
  mac_.find_route();
  if (receiver) receiver->start();
  life_.start();
  look_again(agenda_.now());
}

void Nic::restart(Picoseconds now) {
  mac_.forget_pauses(now);
  look_again(now);
}

void Nic::act(Picoseconds now, std::uint32_t what, std::uint64_t argument) {
  const auto frame = [&]() -> Frame& {
    return *reinterpret_cast<Frame*>(static_cast<std::uintptr_t>(argument));
  };
  switch (what) {
    case HostTask::send:
      return mac_.send(now);
    case HostTask::death:
      return life_.die();
    case HostTask::restart:
    case HostTask::reboot:
      return restart(now);
    case HostTask::pfc:
      return mac_.obey(frame(), now);
    case HostTask::delivery:
      return handled(frame(), now);
    case HostTask::timeout:
      if (streams_.expire(now)) look_again(now);
      return;
    default:
      receiver->act(now, what, argument);
  }
}

// What a sender outside the agenda sends has to keep the rules of the wire, but for what is broken.
void Nic::take(Frame& frame, FramePhase& phase, const sc_core::sc_time& delay) {
  if (guard_ && !frame.corrupted && frame.kind != FrameKind::pfc)
    guard_->check(frame, phase, delay);
  take_at(frame, agenda_.moment(delay));
}

void Nic::take_at(Frame& frame, Picoseconds first_bit) {
  const Picoseconds last_bit = first_bit + frame_time(frame.length, byte_);
  if (frame.corrupted) return ignore(frame, last_bit);
  if (frame.kind == FrameKind::pfc) return mac_.receive_pfc(frame, last_bit);
  if (agenda_.end() <= last_bit) return;  // on the wire when the run ends: it stays in flight
  if (life_.dead_at(last_bit)) return life_.swallow(frame, last_bit);
  if (frame.destination != id_ && !frame.marked(group_marks)) return refuse(frame, last_bit);
  if (receiver) return receiver->arrival(frame, last_bit);
  if (frame.kind != FrameKind::data)
    return agenda_.post(last_bit, Rank::input, actor_, HostTask::delivery,
                        reinterpret_cast<std::uintptr_t>(&frame));
  // What follows has no call in its middle then, and saves no registers.
  if (observers_.has_readers() || !latency_[frame.priority.count()].is_wide())
    return deliver_with_care(frame, last_bit);
  count_delivery(frame, last_bit);
  frame.release();
}

[[gnu::noinline]] void Nic::deliver_with_care(Frame& frame, Picoseconds when) {
  count_delivery(frame, when);
  frame.release();
}

inline void Nic::count_delivery(const Frame& frame, Picoseconds when) {
  PortCounters::ByPriority& counters = counters_.priority[frame.priority.count()];
  ++counters.rx_packets;
  counters.rx_bytes += Bytes{frame.length};
  latency_[frame.priority.count()].add(when - frame.created);
  last_delivery_ = when;
  observers_.notify([&](Observer& o) { o.delivered(label_, frame, when); });
}

// A frame that something follows from, or that the receive pipeline has moved to memory.
void Nic::handled(Frame& frame, Picoseconds now) {
  count_delivery(frame, now);
  if (frame.kind == FrameKind::segment || frame.kind == FrameKind::last_segment) {
    connections_.receive(frame, now);
    mac_.look_for_answers(now);
  } else if (frame.kind != FrameKind::data) {
    streams_.answered(frame, now);
    look_again(now);
  }
  frame.release();
}

[[gnu::noinline]] void Nic::ignore(Frame& frame, Picoseconds last_bit) {
  if (agenda_.end() <= last_bit) return;  // on the wire when the run ends: it stays in flight
  counters_.count_fcs_error(frame.kind == FrameKind::pfc);
  observers_.notify([&](Observer& o) { o.fcs_error(label_, PortId{0}, last_bit); });
  frame.release();
}

// A route has led it here; its destination address is that of another host.
[[gnu::noinline]] void Nic::refuse(Frame& frame, Picoseconds last_bit) {
  count_drop(counters_, MacDrop::wrong_host, frame.priority);
  observers_.notify(
      [&](Observer& o) { o.mac_drop(label_, frame, PortId{0}, MacDrop::wrong_host, last_bit); });
  frame.release();
}

}  // namespace weir
