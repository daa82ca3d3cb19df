// SPDX-License-Identifier: Apache-2.0
#include "weir/model/network/message_meter.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "weir/core/bits.hpp"
#include "weir/core/ethernet.hpp"

namespace weir {
namespace {

constexpr std::uint64_t million = 1'000'000, per_thousandth = million / 1000;

std::uint64_t in_millionths(Picoseconds time, Picoseconds unloaded) {
  return static_cast<std::uint64_t>(Wide{time.count()} * million / unloaded.count());
}

// The bursts of this number that begin before the end of the traffic.
std::uint64_t senders_of_burst(const TrafficSpec& traffic, Picoseconds begin) {
  const std::uint64_t senders = traffic.from.size();
  if (!traffic.stop || traffic.stagger == Picoseconds{}) return senders;
  const std::uint64_t time = saturating_subtract(*traffic.stop, begin).count();
  return std::min(senders, (time + traffic.stagger.count() - 1) / traffic.stagger.count());
}

}  // namespace

void CompletionTimes::add(Picoseconds time, Picoseconds unloaded) {
  times_.add(time);
  if (unloaded != Picoseconds{}) ratios_.add(Picoseconds{in_millionths(time, unloaded)});
}

void CompletionTimes::merge(const CompletionTimes& other) {
  times_.merge(other.times_);
  ratios_.merge(other.ratios_);
}

Thousandths CompletionTimes::slowdown(std::uint64_t thousandths) const noexcept {
  const std::uint64_t ratio = ratios_.percentile(thousandths).count();
  return Thousandths{(ratio + per_thousandth - 1) / per_thousandth};
}

bool MessageMeter::has_messages(const TrafficSpec& traffic) {
  if (traffic.cast != Cast::unicast) return false;
  return traffic.kind == TrafficKind::messages || traffic.kind == TrafficKind::rdma ||
         (traffic.kind == TrafficKind::incast && traffic.burst != Bytes{});
}

bool MessageMeter::has_work(const Scenario& scenario) {
  return std::any_of(scenario.traffic.begin(), scenario.traffic.end(), has_messages);
}

MessageMeter::MessageMeter(const Scenario& scenario,
                           const std::vector<std::unique_ptr<Switch>>& switches)
    : scenario_{scenario}, empty_{scenario, switches}, entries_(scenario.traffic.size()) {
  std::uint16_t source_port = first_source_port;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const TrafficSpec& traffic = scenario.traffic[i];
    entries_[i].timed = has_messages(traffic) && traffic.kind != TrafficKind::rdma;
    entries_[i].source_port = source_port;
    source_port = static_cast<std::uint16_t>(source_port + traffic.connections);
    wants_packets_ = wants_packets_ || entries_[i].timed;
  }
  for (const SwitchSpec& node : scenario.switches)
    floods_ = floods_ || node.chip.neighbours.has_value();
}

std::optional<std::vector<Hop>> MessageMeter::way_of(std::uint32_t flow, HostId sender,
                                                     const MessageStart& message) const {
  Frame frame;
  frame.source = sender;
  frame.destination = message.destination;
  frame.source_port = message.source_port;
  frame.flow = flow;
  frame.ttl = scenario_.traffic[flow].ttl;
  return empty_.way_of(frame, message.created);
}

void MessageMeter::begins(std::uint32_t flow, HostId sender, const MessageStart& message) {
  Entry& entry = entries_[flow];
  const TrafficSpec& traffic = scenario_.traffic[flow];
  const HostSpec& host = scenario_.hosts[sender];
  // What is due while a host is dead is not sent.
  if (host.dead_from && *host.dead_from <= message.created &&
      message.created < host.dead_until.value_or(scenario_.until))
    return;
  if (message.created < scenario_.warm_up) return;
  // Two of one sender that begin in the same picosecond are one.
  Message& open = entry.streams[sender].open[message.created];
  const Bytes before = open.start.size;
  open.start = message;
  open.start.size += before;
  ++open.starts;
  open.packets += MessageFrames::of(message.size, traffic.packet).count;
  if (message.burst) join_incast(flow, sender, message);
}

void MessageMeter::join_incast(std::uint32_t flow, HostId sender, const MessageStart& message) {
  const TrafficSpec& traffic = scenario_.traffic[flow];
  const Picoseconds begin = traffic.start + traffic.period * *message.burst;
  if (begin < scenario_.warm_up) return;
  Incast& incast = entries_[flow].open_incasts[*message.burst];
  incast.begin = begin;
  incast.bursts = senders_of_burst(traffic, begin);
  const auto way = way_of(flow, sender, message);
  if (!way || !incast.known) {
    incast.known = false;
    return;
  }
  const MessageFrames frames = MessageFrames::of(message.size, traffic.packet);
  incast.unloaded_end =
      std::max(incast.unloaded_end, message.created + unloaded_time(frames, *way));
  const Hop& last = way->back();
  const Picoseconds from = message.created + time_to_last_link(frames, *way);
  const auto [funnel, first] = incast.funnels.try_emplace(message.destination);
  funnel->second.from = first ? from : std::min(funnel->second.from, from);
  funnel->second.slots += frames.slots(last.byte);
  funnel->second.after = last.delay;
}

MessageMeter::Message* MessageMeter::message_of(const Frame& frame) {
  if (frame.kind != FrameKind::data || entries_.size() <= frame.flow) return nullptr;
  Entry& entry = entries_[frame.flow];
  if (!entry.timed) return nullptr;
  const auto stream = entry.streams.find(frame.source);
  if (stream == entry.streams.end()) return nullptr;
  Message*& current = stream->second.current;
  if (current == nullptr || current->start.created != frame.created) {
    const auto found = stream->second.open.find(frame.created);
    if (found == stream->second.open.end()) return nullptr;
    current = &found->second;
  }
  return current;
}

void MessageMeter::delivered(const std::string&, const Frame& frame, Picoseconds last_bit) {
  Message* const message = message_of(frame);
  if (message == nullptr) return;
  if (floods_ && !message->seen.insert(frame.sequence).second) return;
  message->last_bit = std::max(message->last_bit, last_bit);
  if (--message->packets == 0) settle(entries_[frame.flow], frame.flow, frame.source, *message);
}

void MessageMeter::refused(const std::string&, const Frame& frame, const Verdict&, Picoseconds) {
  count_drop(frame);
}

void MessageMeter::mac_drop(const std::string&, const Frame& frame, PortId, MacDrop, Picoseconds) {
  count_drop(frame);
}

// Only so that nothing is kept of messages that can never be whole.
void MessageMeter::count_drop(const Frame& frame) {
  if (floods_) return;
  Message* const message = message_of(frame);
  if (message == nullptr) return;
  message->lost = true;
  if (--message->packets == 0) settle(entries_[frame.flow], frame.flow, frame.source, *message);
}

// All its packets are there or dropped.
void MessageMeter::settle(Entry& entry, std::uint32_t flow, HostId sender, Message& message) {
  const MessageStart& start = message.start;
  if (message.lost) {
    ++entry.lost_messages;
  } else {
    const auto way = way_of(flow, sender, start);
    const MessageFrames frames = MessageFrames::of(start.size, scenario_.traffic[flow].packet);
    entry.messages.add(message.last_bit - start.created,
                       way ? unloaded_time(frames, *way) : Picoseconds{});
  }
  if (start.burst) settle_burst(entry, message);
  Stream& stream = entry.streams.at(sender);
  stream.current = nullptr;
  stream.open.erase(start.created);
}

void MessageMeter::settle_burst(Entry& entry, const Message& message) {
  const auto found = entry.open_incasts.find(*message.start.burst);
  if (found == entry.open_incasts.end()) return;  // begun before the warm-up
  Incast& incast = found->second;
  incast.lost = incast.lost || message.lost;
  incast.end = std::max(incast.end, message.last_bit);
  incast.settled += message.starts;
  if (incast.settled != incast.bursts) return;
  if (incast.lost)
    ++entry.lost_incasts;
  else
    finish(entry, incast);
  entry.open_incasts.erase(found);
}

void MessageMeter::finish(Entry& entry, const Incast& incast) {
  constexpr std::uint64_t gap = interframe_gap_bytes.count();
  Picoseconds end = incast.unloaded_end;
  for (const auto& [host, funnel] : incast.funnels) {
    // Of the last slot, the gap is not waited for.
    const Picoseconds byte = byte_time(scenario_.hosts[host].rate);
    end = std::max(end, funnel.from + funnel.slots - byte * gap + funnel.after);
  }
  entry.incasts.add(incast.end - incast.begin, incast.known ? end - incast.begin : Picoseconds{});
}

void MessageMeter::begins_on_connection(std::uint32_t flow, Picoseconds created) {
  if (scenario_.warm_up <= created) ++entries_[flow].on_connections;
}

void MessageMeter::completes(const Frame& last, Bytes size, Picoseconds when) {
  if (last.created < scenario_.warm_up) return;
  Entry& entry = entries_[last.flow];
  --entry.on_connections;
  const auto way =
      way_of(last.flow, last.source, {last.created, size, last.destination, last.source_port, {}});
  const MessageFrames frames = MessageFrames::of(size, scenario_.traffic[last.flow].packet);
  entry.messages.add(when - last.created, way ? unloaded_time(frames, *way) : Picoseconds{});
}

Completions MessageMeter::messages(std::uint32_t flow, Picoseconds now) const {
  const Entry& entry = entries_[flow];
  Completions result{entry.messages, entry.lost_messages + entry.on_connections};
  for (const auto& [sender, stream] : entry.streams)
    for (const auto& [created, message] : stream.open)
      if (created < now) ++result.unfinished;
  return result;
}

Completions MessageMeter::incasts(std::uint32_t flow, Picoseconds now) const {
  const Entry& entry = entries_[flow];
  Completions result{entry.incasts, entry.lost_incasts};
  for (const auto& [number, incast] : entry.open_incasts)
    if (incast.begin < now) ++result.unfinished;
  return result;
}

}  // namespace weir
