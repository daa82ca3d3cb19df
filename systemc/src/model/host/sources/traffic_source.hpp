// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "weir/core/bits.hpp"
#include "weir/core/ethernet.hpp"
#include "weir/core/random.hpp"
#include "weir/core/units.hpp"
#include "weir/model/host/source.hpp"
#include "weir/model/network/frame.hpp"

namespace weir {

/// Wire time of `bytes` at `rate`, as a running sum without drift: the k-th ends at floor(k x
/// exact).
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
    const Wide scaled = Wide{bytes} * 8 * picoseconds_per_second;
    return {static_cast<std::uint64_t>(scaled / rate.count()),
            static_cast<std::uint64_t>(scaled % rate.count())};
  }

  std::uint64_t whole_, rest_, rate_, carried_{0};
};

/// The DSCP of a class when the scenario gives none.
constexpr std::uint8_t class_selector(Priority priority) {
  return static_cast<std::uint8_t>(priority.count() * 8);
}

/// FrameMark bits of all packets of `traffic`.
inline std::uint8_t marks_of(const TrafficSpec& traffic) {
  unsigned marks = mark_of(traffic.ecn);
  if (!traffic.tagged) marks |= untagged_mark;
  if (traffic.cast == Cast::multicast) marks |= multicast_mark;
  if (traffic.cast == Cast::broadcast) marks |= broadcast_mark;
  return static_cast<std::uint8_t>(marks);
}

/// What all sources of drawn or paced packets share: when to begin and end, to whom. What a packet
/// needs comes first.
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
        traffic_{&traffic},
        host_{place.host},
        flow_{place.flow},
        source_port_{place.source_port},
        messages_{place.messages},
        random_{place.seed, traffic.name, place.sender} {
    draw_destination();
  }

  [[nodiscard]] Picoseconds ready_at() const noexcept final {
    return stop_ <= ready_ ? never : ready_;
  }
  [[nodiscard]] Priority priority() const noexcept final { return priority_; }
  [[nodiscard]] NextPacket next() const noexcept final { return {ready_at(), priority_}; }
  [[nodiscard]] bool open_loop() const noexcept final { return true; }

 protected:
  [[nodiscard]] std::uint64_t slot_bytes() const noexcept {
    return (packet_ + slot_overhead_bytes).count();
  }
  // A packet of the connection whose turn it is.
  [[nodiscard]] SourcePacket packet(Picoseconds created, Bytes length) const noexcept {
    return {created, length, destination_, priority_, connection_, dscp_, marks_};
  }
  void next_connection() noexcept {
    if (++connection_ == connections_) connection_ = 0;
  }
  // The next packets are a message, unless it would begin too late; `burst`: MessageStart::burst.
  void begin_message(Picoseconds created, Bytes size, std::optional<std::uint64_t> burst) {
    if (messages_ == nullptr || stop_ <= created) return;
    const auto port = static_cast<std::uint16_t>(source_port_ + connection_);
    messages_->begins(flow_, host_, {created, size, destination_, port, burst});
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
  const TrafficSpec* const traffic_;  // of the network: its lists may be long
  const HostId host_;
  const std::uint32_t flow_;
  const std::uint16_t source_port_;
  MessageLog* const messages_;
  RandomStream random_;
};

}  // namespace weir
