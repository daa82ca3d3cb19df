// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "weir/core/host/dcqcn.hpp"
#include "weir/core/host/go_back_n.hpp"
#include "weir/core/random.hpp"
#include "weir/model/host/due_heap.hpp"
#include "weir/model/host/source.hpp"

namespace weir {

/// Reliable connections of one sender, as RDMA NICs have them: messages cut into packets, a window
/// per connection, acknowledgements, go-back-N. What limits their rate is window and port, and with
/// `control = "dcqcn"` the rate of each connection: then a packet starts no earlier than the one
/// before and the time of that one at this rate.
///
/// Connections that may send take turns packet by packet. With a `rate`, messages of a connection
/// begin with exponential gaps; without, the next begins when the one before has been sent.
///
/// Timing:  a turn costs the same whatever the number of connections.
/// Source:  core/host/go_back_n.hpp does the counting.
class RdmaSource final : public Source {
 public:
  RdmaSource(const TrafficSpec& traffic, const SourcePlace& place);

  [[nodiscard]] Picoseconds ready_at() const noexcept override;
  [[nodiscard]] Priority priority() const noexcept override { return priority_; }
  [[nodiscard]] NextPacket next() const noexcept override { return {ready_at(), priority_}; }
  SourcePacket take(Picoseconds now) override;
  void mark(Frame& frame) const noexcept override;
  void answered(const Frame& answer, std::uint32_t connection, Picoseconds now) override;
  [[nodiscard]] Picoseconds timeout() const noexcept override { return traffic_.timeout; }
  Picoseconds expire(Picoseconds now) override;
  void skip_to(Picoseconds end) override;
  void add_rates(Picoseconds now, std::vector<ConnectionRate>& rates) const override;

  /// Packets sent again, and how often silence was the reason, over all connections.
  [[nodiscard]] std::uint64_t resent() const noexcept;
  [[nodiscard]] std::uint64_t timeouts() const noexcept;

 private:
  struct Connection {
    HostId peer{0};
    std::uint16_t number{0};  // among those to its peer
    GoBackNSender packets;
    RandomStream draws;
    Bytes left;           // of the message at hand
    Picoseconds begins;   // that message
    Picoseconds created;  // as its packets say
    bool begun{false};
    bool queued{false};  // in ready_
    Picoseconds paced;   // its rate allows no packet before; 0 without control
  };

  void connect(HostId peer, std::size_t sender, Picoseconds start, std::uint64_t seed);
  void next_message(Connection& connection, Picoseconds from);
  [[nodiscard]] Bytes next_length(const Connection& connection) const noexcept;
  void place(std::uint32_t index, Picoseconds now);
  void ripen(Picoseconds now);
  [[nodiscard]] std::uint32_t next_in_turn(Picoseconds now);

  const TrafficSpec& traffic_;  // of the network: its lists may be long
  const Bytes packet_;
  const Priority priority_;
  const std::uint8_t dscp_, marks_;
  const std::uint32_t flow_;
  MessageLog* const messages_;
  Picoseconds mean_gap_;  // between messages of a connection; 0: none
  std::vector<Connection> connections_;
  std::vector<DcqcnRate> rates_;  // of connections_; empty without control
  std::unordered_map<HostId, std::uint32_t> first_of_peer_;
  std::deque<std::uint32_t> ready_;  // may send now, in turn
  DueHeap later_;                    // may when their message begins, or at their pace
  // Of the packet just taken.
  std::uint32_t taken_{0};
  std::uint64_t taken_number_{0};
  bool taken_last_{false};
};

}  // namespace weir
