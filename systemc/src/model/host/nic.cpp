// SPDX-License-Identifier: Apache-2.0
#include "weir/model/host/nic.hpp"

#include <algorithm>

namespace weir {
namespace {

constexpr unsigned most_ahead = 32;  // frames decided in one go: what they touch stays close by

}  // namespace

Nic::Nic(const sc_core::sc_module_name& name, const ModelContext& context, const HostSpec& spec,
         HostId id)
    : sc_core::sc_module{name},
      byte_{byte_time(spec.rate)},
      agenda_{context.agenda},
      dead_from_{spec.dead_from.value_or(never)},
      dead_until_{spec.dead_until.value_or(never)},
      id_{id},
      actor_{context.agenda.enroll(*this)},
      obeys_pfc_{spec.obeys_pfc},
      frames_{context.frames},
      observers_{context.observers},
      timers_{WireTimeBase{spec.rate}, spec.response},
      label_{this->name()} {
  tx.bind(static_cast<FrameBackwardIf&>(*this));
  rx.bind(static_cast<FrameForwardIf&>(*this));
  if (!spec.nic) return;
  const HostContext host{{context, label_, PortId{0}, spec.rate, counters_}, id, actor_};
  receiver =
      std::make_unique<NicReceiver>("receiver", host, *spec.nic, static_cast<NicPortIf&>(*this));
  open_loop_ = false;
}

void Nic::add_source(std::unique_ptr<Source> source, std::uint32_t flow, FlowHeader header) {
  open_loop_ = open_loop_ && source->open_loop();
  shortest_timeout_ = std::min(shortest_timeout_, source->timeout());
  streams_.push_back({std::move(source), flow, header, 0, {}, {}});
}

void Nic::expect_connections(std::uint32_t flow, std::uint32_t ack_every) {
  connections_.expect(flow, ack_every);
  open_loop_ = false;
}

void Nic::add_fault(const HostFaultSpec& fault) {
  if (fault.kind == HostFaultKind::reboot) reboots_.push_back(fault.at);
  if (receiver) receiver->add_fault(fault);
  open_loop_ = false;
}

void Nic::decide_ahead(Picoseconds delay) noexcept {
  ahead_ = delay + frame_time(pfc_frame_bytes.count(), byte_);
}

void Nic::end_of_elaboration() {
  peer_ = peer_of(tx);
  admit_outside_sender(rx, agenda_, byte_);
}

void Nic::start_of_simulation() {
  if (receiver) receiver->start();
  for (const Picoseconds at : reboots_) agenda_.post(at, Rank::input, actor_, reboot_task);
  if (dead_from_ < agenda_.end()) agenda_.post(dead_from_, Rank::input, actor_, death_task);
  if (dead_from_ < dead_until_ && dead_until_ < agenda_.end())
    agenda_.post(dead_until_, Rank::input, actor_, restart_task);
  look_again(agenda_.now());
}

void Nic::die() {
  if (agenda_.end() <= dead_until_) return;
  for (Stream& stream : streams_) stream.source->skip_to(dead_until_);
}

// A NIC that has just been switched on knows of no pause.
void Nic::restart(Picoseconds now) {
  for (std::size_t n = 0; n < priorities; ++n)
    timers_.load(Priority{static_cast<std::uint8_t>(n)}, Quanta{0}, now);
  look_again(now);
}

void Nic::look_again(Picoseconds now) {
  for (Stream& stream : streams_) stream.look();
  const Picoseconds ready = earliest_ready();
  if (ready != never) wake_at(std::max({ready, free_at_, now}));
}

Picoseconds Nic::earliest_ready() const noexcept {
  Picoseconds earliest = never;
  for (const Stream& stream : streams_) earliest = std::min(earliest, stream.ready);
  return earliest;
}

// Only the earliest wake-up counts; a task that was overtaken finds that it is not the one.
void Nic::wake_at(Picoseconds when) {
  if (woken_at_ <= when) return;
  woken_at_ = when;
  agenda_.post(when, Rank::output, actor_, send_task);
}

void Nic::act(Picoseconds now, std::uint32_t what, std::uint64_t argument) {
  const auto frame = [&]() -> Frame& {
    return *reinterpret_cast<Frame*>(static_cast<std::uintptr_t>(argument));
  };
  switch (what) {
    case send_task:
      if (now != woken_at_) return;
      woken_at_ = never;
      return send(now);
    case death_task:
      return die();
    case restart_task:
      return restart(now);
    case pfc_task:
      return obey(frame(), now);
    case delivery_task:
      return handled(frame(), now);
    case reboot_task:
      return restart(now);
    case timeout_task:
      return expire(now);
    default:
      receiver->act(now, what, argument);
  }
}

// Of every frame, sent and received.
inline void Nic::put_on_wire(Frame& frame, Picoseconds now) {
  free_at_ = now + slot_time(frame.length, byte_);
  observers_.tell_detail_readers(
      [&](Observer& o) { o.frame_started(label_, PortId{0}, frame, now); });
  send_frame(peer_, frame, agenda_.ahead_of_kernel(now));
}

inline void Nic::count_delivery(const Frame& frame, Picoseconds when) {
  PortCounters::ByPriority& counters = counters_.priority[frame.priority.count()];
  ++counters.rx_packets;
  counters.rx_bytes += Bytes{frame.length};
  latency_[frame.priority.count()].add(when - frame.created);
  last_delivery_ = when;
  observers_.tell([&](Observer& o) { o.delivered(label_, frame, when); });
}

// Whatever may still change the choice is at least `ahead_` away, or already under way.
void Nic::send(Picoseconds now) {
  if (!open_loop_) return send_in_turn(now);
  const Picoseconds limit =
      pfc_under_way_ == 0 ? std::min(now + std::min(ahead_, agenda_.lookahead()), agenda_.end())
                          : now;
  Picoseconds next = send_one(now);
  for (unsigned frames = 1; next < limit && frames < most_ahead; ++frames) next = send_one(next);
  if (next != never) wake_at(next);
}

// The same for a host that does not decide ahead: PFC, answers, packets.
void Nic::send_in_turn(Picoseconds now) {
  if (dead_at(now)) {
    if (dead_until_ < agenda_.end()) wake_at(std::max(dead_until_, free_at_));
    return;
  }
  if (pfc_waits_ && send_pfc(now)) return wake_at(free_at_);
  if (connections_.answer_waits()) {
    const std::uint8_t blocked = obeys_pfc_ ? timers_.blocked_mask(now) : std::uint8_t{0};
    if ((blocked >> connections_.answer_priority().count() & 1U) == 0) return send_answer(now);
    if (const std::optional<Picoseconds> change = timers_.next_change(now)) wake_at(*change);
  }
  for (Stream& stream : streams_) stream.look();
  const Picoseconds next = send_one(now);
  if (next != never) wake_at(next);
}

bool Nic::send_pfc(Picoseconds now) {
  pfc_waits_ = false;
  const std::optional<PfcFrame> contents = receiver->start_frame(now);
  if (!contents) return false;
  Frame* frame = frames_.take();
  frame->kind = FrameKind::pfc;
  frame->length = static_cast<std::uint32_t>(pfc_frame_bytes.count());
  frame->pfc = *contents;
  frame->created = now;
  counters_.count_sent(*contents);
  observers_.tell([&](Observer& o) { o.pfc_sent(label_, PortId{0}, *contents, now); });
  put_on_wire(*frame, now);
  return true;
}

void Nic::send_answer(Picoseconds now) {
  Frame& frame = *frames_.take();
  connections_.write_answer(frame);
  frame.source = id_;
  frame.created = now;
  PortCounters::ByPriority& counters = counters_.priority[frame.priority.count()];
  ++counters.tx_packets;
  counters.tx_bytes += Bytes{frame.length};
  put_on_wire(frame, now);
  wake_at(free_at_);
}

// Starts a frame at `now`, if one may start; returns when to look again.
Picoseconds Nic::send_one(Picoseconds now) {
  if (dead_at(now)) return never;
  const std::uint8_t blocked = obeys_pfc_ ? timers_.blocked_mask(now) : std::uint8_t{0};
  Picoseconds next = never;
  bool held_back = false;
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    const std::size_t index = turn_ + i < streams_.size() ? turn_ + i : turn_ + i - streams_.size();
    Stream& stream = streams_[index];
    if (now < stream.ready) {
      next = std::min(next, stream.ready);
    } else if ((blocked >> stream.priority.count() & 1U) != 0) {
      held_back = true;
    } else {
      turn_ = index + 1 == streams_.size() ? 0 : index + 1;
      return start(stream, now);
    }
  }
  if (held_back)
    if (const std::optional<Picoseconds> change = timers_.next_change(now))
      next = std::min(next, *change);
  return next;
}

// Returns when the port may start another.
Picoseconds Nic::start(Stream& stream, Picoseconds now) {
  const SourcePacket packet = stream.source->take(now);
  stream.look();
  Frame* frame = frames_.take();
  frame->length = static_cast<std::uint32_t>(packet.length.count());
  frame->priority = packet.priority;
  frame->source = id_;
  frame->destination = packet.destination;
  frame->dscp = packet.dscp;
  frame->marks = packet.marks;
  frame->flow = stream.flow;
  frame->ttl = stream.header.ttl;
  frame->source_port = static_cast<std::uint16_t>(stream.header.source_port + packet.connection);
  frame->sequence = stream.sequence++;
  frame->created = packet.created;
  if (!open_loop_) {
    stream.source->mark(*frame);
    watch_timeouts(now);
  }
  PortCounters::ByPriority& counters = counters_.priority[packet.priority.count()];
  ++counters.tx_packets;
  counters.tx_bytes += packet.length;
  put_on_wire(*frame, now);
  return std::max(earliest_ready(), free_at_);
}

void Nic::receive(Frame& frame, const sc_core::sc_time& delay) {
  const Picoseconds start_time = agenda_.moment(delay);
  const Picoseconds last_bit = start_time + frame_time(frame.length, byte_);
  if (frame.corrupted) return ignore(frame, last_bit);
  if (frame.kind == FrameKind::pfc) {
    ++pfc_under_way_;
    agenda_.post(last_bit, Rank::input, actor_, pfc_task, reinterpret_cast<std::uintptr_t>(&frame));
    return;
  }
  if (agenda_.end() <= last_bit) return;  // on the wire when the run ends: it stays in flight
  if (dead_at(last_bit)) return swallow(frame, last_bit);
  if (receiver) return receiver->arrival(frame, last_bit);
  if (frame.kind != FrameKind::data)
    return agenda_.post(last_bit, Rank::input, actor_, delivery_task,
                        reinterpret_cast<std::uintptr_t>(&frame));
  count_delivery(frame, last_bit);
  frame.release();
}

// A frame that something follows from, or that the receive pipeline has moved to memory.
void Nic::handled(Frame& frame, Picoseconds now) {
  count_delivery(frame, now);
  if (frame.kind == FrameKind::segment || frame.kind == FrameKind::last_segment) {
    connections_.receive(frame);
    if (connections_.answer_waits()) wake_at(std::max(now, free_at_));
  } else if (frame.kind != FrameKind::data) {
    for (const Stream& stream : streams_)
      if (stream.flow == frame.flow)
        stream.source->answered(frame, std::uint32_t{frame.source_port} - stream.header.source_port,
                                now);
    look_again(now);
  }
  frame.release();
}

void Nic::swallow(Frame& frame, Picoseconds last_bit) {
  ++counters_.dead_host;
  observers_.tell(
      [&](Observer& o) { o.mac_drop(label_, frame, PortId{0}, MacDrop::dead_host, last_bit); });
  frame.release();
}

void Nic::pfc_requested(Picoseconds now) {
  pfc_waits_ = true;
  wake_at(std::max(now, free_at_));
}

// One task for the first of all deadlines, posted anew when its time has come.
void Nic::watch_timeouts(Picoseconds now) {
  if (shortest_timeout_ == never || timeout_at_ <= now + shortest_timeout_) return;
  timeout_at_ = now + shortest_timeout_;
  agenda_.post(timeout_at_, Rank::input, actor_, timeout_task);
}

void Nic::expire(Picoseconds now) {
  if (now != timeout_at_) return;
  timeout_at_ = never;
  for (Stream& stream : streams_) timeout_at_ = std::min(timeout_at_, stream.source->expire(now));
  if (timeout_at_ != never) agenda_.post(timeout_at_, Rank::input, actor_, timeout_task);
  look_again(now);
}

void Nic::ignore(Frame& frame, Picoseconds last_bit) {
  if (agenda_.end() <= last_bit) return;  // on the wire when the run ends: it stays in flight
  counters_.count_fcs_error(frame.kind == FrameKind::pfc);
  observers_.tell([&](Observer& o) { o.fcs_error(label_, PortId{0}, last_bit); });
  frame.release();
}

void Nic::obey(Frame& frame, Picoseconds now) {
  --pfc_under_way_;
  counters_.count_received(frame.pfc);
  observers_.tell([&](Observer& o) { o.pfc_received(label_, PortId{0}, frame.pfc, now); });
  if (obeys_pfc_ && !dead_at(now)) {
    for (std::size_t n = 0; n < priorities; ++n)
      if ((frame.pfc.class_enable >> n & 1U) != 0)
        timers_.load(Priority{static_cast<std::uint8_t>(n)}, frame.pfc.time[n], now);
    look_again(now);
  }
  frame.release();
}

}  // namespace weir
