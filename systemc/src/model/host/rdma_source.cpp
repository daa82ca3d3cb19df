// SPDX-License-Identifier: Apache-2.0
#include "weir/model/host/rdma_source.hpp"

#include <algorithm>

#include "host/sources/traffic_source.hpp"
#include "weir/core/bits.hpp"
#include "weir/core/ethernet.hpp"
#include "weir/model/host/message_sizes.hpp"

namespace weir {
namespace {

// Time of `bytes` at `rate`, rounded down.
Picoseconds wire_time(Bytes bytes, BitRate rate) {
  return Picoseconds{static_cast<std::uint64_t>(Wide{bytes.count()} * (8 * picoseconds_per_second) /
                                                rate.count())};
}

}  // namespace

RdmaSource::RdmaSource(const TrafficSpec& traffic, const SourcePlace& place)
    : traffic_{traffic},
      packet_{traffic.packet},
      priority_{traffic.priority},
      dscp_{traffic.dscp.value_or(class_selector(traffic.priority))},
      marks_{marks_of(traffic)},
      flow_{place.flow},
      messages_{place.messages} {
  const Picoseconds start = traffic.start + traffic.stagger * place.sender;
  if (traffic.destination == DestinationRule::each) {
    for (const std::size_t peer : traffic.to)
      if (peer != place.host) connect(static_cast<HostId>(peer), place.sender, start, place.seed);
  } else {
    connect(static_cast<HostId>(traffic.to[place.sender % traffic.to.size()]), place.sender, start,
            place.seed);
  }
  if (traffic.rate != BitRate{0}) {
    const Bytes mean =
        traffic.message == Bytes{} ? mean_message_size(traffic.sizes) : traffic.message;
    mean_gap_ = wire_time(MessageFrames::of(mean, traffic.packet).wire_bytes(), traffic.rate) *
                connections_.size();
  }
  if (traffic_.dcqcn)
    rates_.assign(connections_.size(), DcqcnRate{*traffic_.dcqcn, place.line_rate});
  for (std::uint32_t i = 0; i < connections_.size(); ++i) {
    next_message(connections_[i], start);
    this->place(i, Picoseconds{});
  }
}

void RdmaSource::connect(HostId peer, std::size_t sender, Picoseconds start, std::uint64_t seed) {
  first_of_peer_.emplace(peer, static_cast<std::uint32_t>(connections_.size()));
  for (std::uint32_t number = 0; number < traffic_.connections; ++number) {
    Connection connection{peer,
                          static_cast<std::uint16_t>(number),
                          GoBackNSender{traffic_.window, traffic_.timeout},
                          RandomStream{seed, traffic_.name, sender << 32 | connections_.size()},
                          {},
                          start,
                          start,
                          false,
                          false,
                          {}};
    connections_.push_back(std::move(connection));
  }
}

// The message after the one that has been sent, or the first.
void RdmaSource::next_message(Connection& connection, Picoseconds from) {
  connection.begun = false;
  connection.left = traffic_.message == Bytes{}
                        ? draw_message_size(traffic_.sizes, connection.draws)
                        : traffic_.message;
  connection.begins = mean_gap_ == Picoseconds{}
                          ? from
                          : connection.begins + connection.draws.exponential(mean_gap_);
  if (traffic_.stop && *traffic_.stop <= connection.begins) connection.begins = never;
}

Bytes RdmaSource::next_length(const Connection& connection) const noexcept {
  return std::max(min_frame_bytes, std::min(connection.left, packet_));
}

// Puts a connection where it belongs after whatever happened to it: in turn, later, or nowhere
// until an answer comes.
void RdmaSource::place(std::uint32_t index, Picoseconds now) {
  Connection& connection = connections_[index];
  const bool again = connection.packets.must_resend();
  const bool open =
      again || (connection.begins != never && connection.packets.may_send(next_length(connection)));
  const Picoseconds from = std::max(again ? Picoseconds{} : connection.begins, connection.paced);
  const bool sends_now = open && from <= now;
  if (connection.queued) {
    if (sends_now) return;
    // What was to go again has been acknowledged after all.
    ready_.erase(std::find(ready_.begin(), ready_.end(), index));
    connection.queued = false;
  }
  const bool sends_later = open && !sends_now;
  if (later_.contains(index)) {
    if (sends_later && later_.due(index) == from) return;
    later_.erase(index);
  }
  if (sends_now) {
    connection.queued = true;
    ready_.push_back(index);
  } else if (sends_later) {
    later_.insert(index, from);
  }
}

// Those that are due have their turn: nothing has happened to them since they were put there.
void RdmaSource::ripen(Picoseconds now) {
  while (!later_.empty() && later_.first_due() <= now) {
    const std::uint32_t index = later_.first();
    later_.erase(index);
    connections_[index].queued = true;
    ready_.push_back(index);
  }
}

Picoseconds RdmaSource::ready_at() const noexcept {
  if (!ready_.empty()) return Picoseconds{};
  return later_.empty() ? never : later_.first_due();
}

// Whose turn it is. One that is due while no other waits, as a paced one often is, does not queue.
std::uint32_t RdmaSource::next_in_turn(Picoseconds now) {
  std::uint32_t index = 0;
  if (ready_.empty()) {
    index = later_.first();
    later_.erase(index);
  } else {
    index = ready_.front();
    ready_.pop_front();
    connections_[index].queued = false;
  }
  ripen(now);
  return index;
}

SourcePacket RdmaSource::take(Picoseconds now) {
  taken_ = next_in_turn(now);
  Connection& connection = connections_[taken_];
  GoBackNSender::Packet packet;
  if (connection.packets.must_resend()) {
    const GoBackNSender::Numbered again = connection.packets.resend(now);
    packet = again.packet;
    taken_number_ = again.number;
  } else {
    if (!connection.begun) {
      connection.begun = true;
      connection.created = mean_gap_ == Picoseconds{} ? now : connection.begins;
      if (messages_ != nullptr) messages_->begins_on_connection(flow_, connection.created);
    }
    const Bytes length = next_length(connection);
    connection.left = saturating_subtract(connection.left, length);
    packet = {length, connection.left == Bytes{}, connection.created};
    taken_number_ = connection.packets.send(packet, now);
    if (packet.last) next_message(connection, now);
  }
  taken_last_ = packet.last;
  if (!rates_.empty())
    connection.paced = rates_[taken_].sent(packet.length + slot_overhead_bytes, now);
  place(taken_, now);
  return {packet.created,    packet.length, connection.peer, priority_,
          connection.number, dscp_,         marks_};
}

void RdmaSource::mark(Frame& frame) const noexcept {
  frame.kind = taken_last_ ? FrameKind::last_segment : FrameKind::segment;
  frame.sequence = taken_number_;
}

void RdmaSource::answered(const Frame& answer, std::uint32_t connection, Picoseconds now) {
  const auto first = first_of_peer_.find(answer.source);
  if (first == first_of_peer_.end() || traffic_.connections <= connection) return;
  const std::uint32_t index = first->second + connection;
  if (answer.kind == FrameKind::cnp) {
    if (!rates_.empty()) rates_[index].notified(now);
    return;  // the next packet starts when it would have, those after it at the new rate
  }
  if (answer.kind == FrameKind::acknowledge)
    connections_[index].packets.acknowledged(answer.sequence, now);
  else
    connections_[index].packets.refused(answer.sequence, now);
  place(index, now);
}

Picoseconds RdmaSource::expire(Picoseconds now) {
  Picoseconds next = never;
  for (std::uint32_t i = 0; i < connections_.size(); ++i) {
    GoBackNSender& packets = connections_[i].packets;
    if (packets.deadline() <= now) {
      packets.expire(now);
      place(i, now);
    }
    next = std::min(next, packets.deadline());
  }
  return next;
}

// Without a window what is ready has no end: a dead host then sends nothing in vain.
void RdmaSource::skip_to(Picoseconds end) {
  if (traffic_.window != no_window) Source::skip_to(end);
}

void RdmaSource::add_rates(Picoseconds now, std::vector<ConnectionRate>& rates) const {
  for (std::size_t i = 0; i < rates_.size(); ++i)
    rates.push_back({connections_[i].peer, connections_[i].number, 0, rates_[i].rate(now),
                     rates_[i].target(now), rates_[i].alpha(now), rates_[i].cnps()});
}

std::uint64_t RdmaSource::resent() const noexcept {
  std::uint64_t sum = 0;
  for (const Connection& connection : connections_) sum += connection.packets.resent();
  return sum;
}

std::uint64_t RdmaSource::timeouts() const noexcept {
  std::uint64_t sum = 0;
  for (const Connection& connection : connections_) sum += connection.packets.timeouts();
  return sum;
}

}  // namespace weir
