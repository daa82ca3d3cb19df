// SPDX-License-Identifier: Apache-2.0
#include "weir/model/host/host_streams.hpp"

#include <algorithm>
#include <utility>

namespace weir {

void HostStreams::add(std::unique_ptr<Source> source, std::uint32_t flow, FlowHeader header) {
  open_loop_ = open_loop_ && source->open_loop();
  shortest_timeout_ = std::min(shortest_timeout_, source->timeout());
  streams_.push_back({std::move(source), flow, header, 0, {}, {}});
}

HostStreams::Turn HostStreams::next_turn(Picoseconds now, std::uint8_t paused) noexcept {
  if (streams_.begin() + 1 == streams_.end() && streams_[0].ready <= now &&
      (paused >> streams_[0].priority.count() & 1U) == 0)  // the usual case
    return {&streams_[0], never, false};
  return turn_of_many(now, paused);
}

[[gnu::noinline]] HostStreams::Turn HostStreams::turn_of_many(Picoseconds now,
                                                              std::uint8_t paused) noexcept {
  Turn turn;
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    const std::size_t index = turn_ + i < streams_.size() ? turn_ + i : turn_ + i - streams_.size();
    Stream& stream = streams_[index];
    if (now < stream.ready) {
      turn.next_ready = std::min(turn.next_ready, stream.ready);
    } else if ((paused >> stream.priority.count() & 1U) != 0) {
      turn.paused = true;
    } else {
      turn_ = index + 1 == streams_.size() ? 0 : index + 1;
      turn.stream = &stream;
      break;
    }
  }
  return turn;
}

Frame& HostStreams::take(Stream& stream, Picoseconds now) {
  const SourcePacket packet = stream.source->take(now);
  stream.look();
  Frame& frame = *frames_.take_for_packet();
  frame.length = static_cast<std::uint32_t>(packet.length.count());
  frame.priority = packet.priority;
  frame.source = id_;
  frame.destination = packet.destination;
  frame.dscp = packet.dscp;
  frame.marks = packet.marks;
  frame.flow = stream.flow;
  frame.ttl = stream.header.ttl;
  frame.source_port = static_cast<std::uint16_t>(stream.header.source_port + packet.connection);
  frame.sequence = stream.sequence++;
  frame.created = packet.created;
  if (!open_loop_) {
    stream.source->mark(frame);
    watch_timeouts(now);
  }
  return frame;
}

void HostStreams::answered(const Frame& answer, Picoseconds now) {
  for (const Stream& stream : streams_)
    if (stream.flow == answer.flow)
      stream.source->answered(answer, std::uint32_t{answer.source_port} - stream.header.source_port,
                              now);
}

std::vector<ConnectionRate> HostStreams::rates(Picoseconds now) const {
  std::vector<ConnectionRate> rates;
  for (const Stream& stream : streams_) {
    const std::size_t before = rates.size();
    stream.source->add_rates(now, rates);
    for (std::size_t i = before; i < rates.size(); ++i) rates[i].flow = stream.flow;
  }
  return rates;
}

void HostStreams::skip_to(Picoseconds end) {
  for (Stream& stream : streams_) stream.source->skip_to(end);
}

// One task for the first of all deadlines, posted again when its time has come.
void HostStreams::watch_timeouts(Picoseconds now) {
  if (shortest_timeout_ == never || timeout_at_ <= now + shortest_timeout_) return;
  timeout_at_ = now + shortest_timeout_;
  agenda_.post(timeout_at_, Rank::input, actor_, HostTask::timeout);
}

bool HostStreams::expire(Picoseconds now) {
  if (now != timeout_at_) return false;
  timeout_at_ = never;
  for (Stream& stream : streams_) timeout_at_ = std::min(timeout_at_, stream.source->expire(now));
  if (timeout_at_ != never) agenda_.post(timeout_at_, Rank::input, actor_, HostTask::timeout);
  return true;
}

}  // namespace weir
