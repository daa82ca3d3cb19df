// SPDX-License-Identifier: Apache-2.0
#include "weir/model/host/source.hpp"

#include <algorithm>
#include <array>

#include "weir/core/errors.hpp"
#include "weir/core/random.hpp"
#include "weir/model/host/message_sizes.hpp"
#include "weir/model/host/rdma_source.hpp"
#include "weir/model/network/frame.hpp"

namespace weir {
namespace {

constexpr std::uint64_t wire_overhead = preamble_bytes.count() + interframe_gap_bytes.count();
constexpr Bytes shortest_frame{64};
constexpr std::uint64_t ps_per_second = 1'000'000'000'000ULL;

// Wire time of `bytes` at `rate`, as a running sum without drift: the k-th ends at floor(k x
// exact).
class Pace {
 public:
  Pace(std::uint64_t bytes, BitRate rate)
      : whole_{divide(bytes, rate).first}, rest_{divide(bytes, rate).second}, rate_{rate.count()} {}

  Picoseconds next() noexcept {
    std::uint64_t step = whole_;
    carried_ += rest_;
    if (carried_ >= rate_) {
      carried_ -= rate_;
      ++step;
    }
    return Picoseconds{step};
  }

 private:
  static std::pair<std::uint64_t, std::uint64_t> divide(std::uint64_t bytes, BitRate rate) {
    __extension__ using Wide = unsigned __int128;
    const Wide scaled = Wide{bytes} * 8 * ps_per_second;
    return {static_cast<std::uint64_t>(scaled / rate.count()),
            static_cast<std::uint64_t>(scaled % rate.count())};
  }

  std::uint64_t whole_, rest_, rate_, carried_{0};
};

constexpr std::uint8_t class_selector(Priority priority) {
  return static_cast<std::uint8_t>(priority.count() * 8);
}

std::uint8_t marks_of(const TrafficSpec& traffic) {
  unsigned marks = 0;
  if (!traffic.tagged) marks |= untagged_mark;
  if (traffic.cast == Cast::multicast) marks |= multicast_mark;
  if (traffic.cast == Cast::broadcast) marks |= broadcast_mark;
  return static_cast<std::uint8_t>(marks);
}

// What all sources share: when to begin and end, to whom. What a packet needs comes first.
class TrafficSource : public Source {
 public:
  TrafficSource(const TrafficSpec& traffic, const SourcePlace& place)
      : ready_{traffic.start + traffic.stagger * place.sender},
        stop_{traffic.stop.value_or(never)},
        packet_{traffic.packet},
        rate_{traffic.rate == BitRate{0} ? place.line_rate : traffic.rate},
        destination_{static_cast<HostId>(traffic.to[place.sender % traffic.to.size()])},
        priority_{traffic.priority},
        connections_{traffic.connections},
        dscp_{traffic.dscp.value_or(class_selector(traffic.priority))},
        marks_{marks_of(traffic)},
        traffic_{std::make_unique<TrafficSpec>(traffic)},
        host_{place.host},
        random_{place.seed, traffic.name, place.sender} {
    draw_destination();
  }

  [[nodiscard]] Picoseconds ready_at() const noexcept override {
    return stop_ <= ready_ ? never : ready_;
  }
  [[nodiscard]] Priority priority() const noexcept override { return priority_; }
  [[nodiscard]] bool open_loop() const noexcept final { return true; }

 protected:
  [[nodiscard]] std::uint64_t slot_bytes() const noexcept {
    return packet_.count() + wire_overhead;
  }
  // A packet of the connection whose turn it is.
  [[nodiscard]] SourcePacket packet(Picoseconds created, Bytes length) const noexcept {
    return {created, length, destination_, priority_, connection_, dscp_, marks_};
  }
  void next_connection() noexcept {
    if (++connection_ == connections_) connection_ = 0;
  }
  // Another connection, and another receiver if they are drawn.
  void next_flow() {
    next_connection();
    draw_destination();
  }
  // `paired` was settled by the constructor.
  void draw_destination() {
    const std::vector<std::size_t>& to = traffic_->to;
    if (traffic_->destination != DestinationRule::uniform || to.size() == 1) return;
    std::size_t choice = random_.uniform(to.size());
    while (to[choice] == host_) choice = random_.uniform(to.size());
    destination_ = static_cast<HostId>(to[choice]);
  }

  Picoseconds ready_;
  const Picoseconds stop_;
  const Bytes packet_;
  const BitRate rate_;
  HostId destination_;
  const Priority priority_;
  const std::uint16_t connections_;
  std::uint16_t connection_{0};
  const std::uint8_t dscp_, marks_;
  const std::unique_ptr<const TrafficSpec> traffic_;
  const HostId host_;
  RandomStream random_;
};

// Packets at a fixed rate; as fast as the port allows when no rate is given.
class ConstantSource final : public TrafficSource {
 public:
  ConstantSource(const TrafficSpec& traffic, const SourcePlace& place)
      : TrafficSource{traffic, place},
        paced_{traffic.rate != BitRate{0}},
        pace_{slot_bytes(), rate_} {}

  SourcePacket take(Picoseconds now) override {
    const SourcePacket made = packet(paced_ ? ready_ : now, packet_);
    ready_ = paced_ ? ready_ + pace_.next() : now;
    next_flow();
    return made;
  }

 private:
  const bool paced_;
  Pace pace_;
};

// Packets with exponentially distributed gaps.
class PoissonSource final : public TrafficSource {
 public:
  PoissonSource(const TrafficSpec& traffic, const SourcePlace& place)
      : TrafficSource{traffic, place}, pace_{slot_bytes(), rate_} {
    ready_ += random_.exponential(pace_.next());
  }

  SourcePacket take(Picoseconds) override {
    const SourcePacket made = packet(ready_, packet_);
    ready_ += random_.exponential(pace_.next());
    next_flow();
    return made;
  }

 private:
  Pace pace_;
};

// Packets at a fixed rate while on, none while off.
class OnOffSource final : public TrafficSource {
 public:
  OnOffSource(const TrafficSpec& traffic, const SourcePlace& place)
      : TrafficSource{traffic, place}, pace_{slot_bytes(), rate_} {
    on_until_ = ready_ + length_of(traffic_->on_time);
  }

  SourcePacket take(Picoseconds) override {
    const SourcePacket made = packet(ready_, packet_);
    ready_ += pace_.next();
    while (on_until_ <= ready_) {
      ready_ = on_until_ + length_of(traffic_->off_time);
      on_until_ = ready_ + length_of(traffic_->on_time);
    }
    next_flow();
    return made;
  }

 private:
  Picoseconds length_of(Picoseconds mean) {
    const Picoseconds drawn = traffic_->random_periods ? random_.exponential(mean) : mean;
    return std::max(drawn, Picoseconds{1});
  }

  Pace pace_;
  Picoseconds on_until_;
};

// All senders at once: a burst of bytes as fast as the port allows, again every period.
class IncastSource final : public TrafficSource {
 public:
  IncastSource(const TrafficSpec& traffic, const SourcePlace& place)
      : TrafficSource{traffic, place}, left_{traffic.burst}, burst_start_{ready_} {}

  SourcePacket take(Picoseconds now) override {
    const bool endless = traffic_->burst == Bytes{0};
    const SourcePacket made =
        endless ? packet(now, packet_)
                : packet(burst_start_, std::max(shortest_frame, std::min(left_, packet_)));
    next_connection();
    if (endless) {
      ready_ = now;
      return made;
    }
    left_ = saturating_subtract(left_, made.length);
    if (left_ == Bytes{0}) next_burst();
    return made;
  }

 private:
  void next_burst() {
    if (traffic_->period == Picoseconds{0}) {
      ready_ = never;
      return;
    }
    burst_start_ += traffic_->period;
    ready_ = burst_start_;
    left_ = traffic_->burst;
    draw_destination();
  }

  Bytes left_;
  Picoseconds burst_start_;
};

// Messages with sizes from a distribution, arriving as a Poisson process at the mean rate.
class MessageSource final : public TrafficSource {
 public:
  MessageSource(const TrafficSpec& traffic, const SourcePlace& place)
      : TrafficSource{traffic, place}, gap_{mean_wire_bytes(), rate_} {
    ready_ += random_.exponential(gap_.next());
    left_ = draw_size();
  }

  SourcePacket take(Picoseconds) override {
    const SourcePacket made = packet(ready_, std::max(shortest_frame, std::min(left_, packet_)));
    left_ = saturating_subtract(left_, made.length);
    if (left_ == Bytes{0}) {
      ready_ += random_.exponential(gap_.next());
      left_ = draw_size();
      next_flow();
    }
    return made;
  }

 private:
  Bytes draw_size() { return draw_message_size(traffic_->sizes, random_); }
  std::uint64_t mean_wire_bytes() const {
    return message_wire_bytes(mean_message_size(traffic_->sizes), packet_).count();
  }

  Pace gap_;
  Bytes left_;
};

// Exactly the packets of a list, at their times (or as soon after as the port allows).
class ReplaySource final : public Source {
 public:
  ReplaySource(const TrafficSpec& traffic, const SourcePlace& place) {
    for (const ReplayPacket& packet : traffic.replay)
      if (packet.from == place.host) packets_.push_back(packet);
    std::stable_sort(packets_.begin(), packets_.end(),
                     [](const ReplayPacket& a, const ReplayPacket& b) { return a.time < b.time; });
  }

  [[nodiscard]] Picoseconds ready_at() const noexcept override {
    return next_ < packets_.size() ? packets_[next_].time : never;
  }
  [[nodiscard]] Priority priority() const noexcept override {
    return next_ < packets_.size() ? packets_[next_].priority : Priority{0};
  }
  [[nodiscard]] bool open_loop() const noexcept override { return true; }
  SourcePacket take(Picoseconds) override {
    const ReplayPacket& packet = packets_[next_++];
    return {packet.time,
            packet.length,
            static_cast<HostId>(packet.to),
            packet.priority,
            0,
            class_selector(packet.priority),
            0};
  }

 private:
  std::vector<ReplayPacket> packets_;
  std::size_t next_{0};
};

template <class Kind>
std::unique_ptr<Source> make(const TrafficSpec& traffic, const SourcePlace& place) {
  return std::make_unique<Kind>(traffic, place);
}

struct SourceRow {
  TrafficKind kind;
  std::unique_ptr<Source> (*make)(const TrafficSpec&, const SourcePlace&);
};

constexpr std::array<SourceRow, 7> source_table{{
    {TrafficKind::constant, make<ConstantSource>},
    {TrafficKind::poisson, make<PoissonSource>},
    {TrafficKind::on_off, make<OnOffSource>},
    {TrafficKind::incast, make<IncastSource>},
    {TrafficKind::messages, make<MessageSource>},
    {TrafficKind::replay, make<ReplaySource>},
    {TrafficKind::rdma, make<RdmaSource>},
}};

}  // namespace

std::unique_ptr<Source> make_source(const TrafficSpec& traffic, const SourcePlace& place) {
  for (const SourceRow& row : source_table)
    if (row.kind == traffic.kind) return row.make(traffic, place);
  throw ModelError("no source for this kind of traffic");
}

}  // namespace weir
