// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <deque>
#include <map>
#include <unordered_map>

#include "weir/core/host/go_back_n.hpp"
#include "weir/model/network/frame.hpp"

namespace weir {

/// The ends of the reliable connections that lead to one host: takes their packets and makes the
/// answers. At most one answer of a connection waits; it says what is so when it goes out.
class RdmaReceiver {
 public:
  /// Connections of traffic entry `flow` answer every `ack_every`-th packet.
  void expect(std::uint32_t flow, std::uint32_t ack_every) { ack_every_[flow] = ack_every; }

  /// A packet (kind segment or last_segment) of a connection is there.
  void receive(const Frame& packet) {
    const std::uint64_t key = std::uint64_t{packet.source} << 16 | packet.source_port;
    auto end = ends_.find(key);
    if (end == ends_.end())
      end =
          ends_
              .emplace(key, End{GoBackNReceiver{ack_every_[packet.flow]}, packet.flow,
                                packet.priority, packet.dscp, packet.marked(untagged_mark), false})
              .first;
    const GoBackNReceiver::Result result =
        end->second.packets.receive(packet.sequence, packet.kind == FrameKind::last_segment);
    if (result.answer == GoBackNReceiver::Answer::none || end->second.answer_waits) return;
    end->second.answer_waits = true;
    answers_.push_back(key);
  }

  [[nodiscard]] bool answer_waits() const noexcept { return !answers_.empty(); }
  /// Class of the answer that goes first. Range: answer_waits().
  [[nodiscard]] Priority answer_priority() const { return ends_.at(answers_.front()).priority; }
  /// Makes `frame` the answer that goes first. Range: answer_waits().
  void write_answer(Frame& frame) {
    const std::uint64_t key = answers_.front();
    answers_.pop_front();
    End& end = ends_.at(key);
    end.answer_waits = false;
    frame.kind = end.packets.refusing() ? FrameKind::refuse : FrameKind::acknowledge;
    frame.length = static_cast<std::uint32_t>(shortest_frame_bytes.count());
    frame.destination = static_cast<HostId>(key >> 16);
    frame.source_port = static_cast<std::uint16_t>(key & 0xffffU);
    frame.flow = end.flow;
    frame.priority = end.priority;
    frame.dscp = end.dscp;
    if (end.untagged) frame.mark(untagged_mark);
    frame.sequence = end.packets.expected();
  }

 private:
  struct End {
    GoBackNReceiver packets;
    std::uint32_t flow;
    Priority priority;
    std::uint8_t dscp;
    bool untagged;
    bool answer_waits;
  };
  std::map<std::uint32_t, std::uint32_t> ack_every_;  // by traffic entry
  std::unordered_map<std::uint64_t, End> ends_;       // by source and its port
  std::deque<std::uint64_t> answers_;                 // keys of ends_, in turn
};

}  // namespace weir
