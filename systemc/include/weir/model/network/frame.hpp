// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>

#include "weir/config/scenario/scenario.hpp"
#include "weir/core/congestion/ecn.hpp"
#include "weir/core/ethernet.hpp"
#include "weir/core/index.hpp"
#include "weir/core/pfc/pfc_frame.hpp"
#include "weir/core/units.hpp"

namespace weir {

class FramePool;

/// Address of a host: its index in the scenario.
using HostId = std::uint32_t;

/// What else is to be known of a frame: bits of Frame::marks.
enum FrameMark : std::uint8_t {
  untagged_mark = 1,   ///< It has no 802.1Q tag: its priority is that of its sender alone.
  multicast_mark = 2,  ///< To a group of hosts of the destination's subnet.
  broadcast_mark = 4,  ///< To all hosts of the destination's subnet.
  group_marks = multicast_mark | broadcast_mark,
  class_marks = untagged_mark | group_marks,  ///< What the class depends on, with the tag.
  // Set by the switch that the frame is in, valid only there.
  copy_mark = 8,    ///< One of several copies, of which the MMU holds one.
  stray_mark = 16,  ///< A copy that its egress port drops: the address does not match there.
  // The ECN bits of the IP header.
  ecn_marks = 0x60,
  // Set by the switch that the frame is in.
  wred_mark = 0x80,  ///< Its egress queue has a WRED profile, which is asked when it leaves.
};
constexpr unsigned ecn_mark_shift = 5;

/// The bits of ecn_marks for a codepoint.
[[nodiscard]] constexpr std::uint8_t mark_of(Ecn ecn) noexcept {
  return static_cast<std::uint8_t>(static_cast<unsigned>(ecn) << ecn_mark_shift);
}

/// What a frame is to the MAC (a PFC frame or not), and to the host that receives it.
enum class FrameKind : std::uint8_t {
  data,  ///< A packet without an answer.
  pfc,
  segment,       ///< A packet of a reliable connection; Frame::sequence is its number.
  last_segment,  ///< The same, and the last of its message.
  acknowledge,   ///< An answer: all before Frame::sequence is there.
  refuse,        ///< The same, and something later came in its place.
  cnp,           ///< Congestion notification: a packet of the connection came in marked.
};

/// One Ethernet frame on its way: the payload of the frame sockets, memory-managed like a
/// tlm_generic_payload (acquire() and release(); the last release gives it back to its pool).
///
/// A frame has one owner at a time: host, link (in flight), switch. What the MMU noted about it
/// while it sits in a switch travels along and is overwritten by the next switch.
struct alignas(64) Frame {
  // On the wire.
  FrameKind kind{FrameKind::data};
  Priority priority;
  bool corrupted{false};          ///< The FCS is wrong: the receiver ignores the frame.
  std::uint8_t pg{0}, queue{0};   ///< Set by the switch it is in.
  std::uint8_t ttl{default_ttl};  ///< Counted down by every switch.
  std::uint16_t source_port{first_source_port};  ///< UDP: which connection of its sender.
  std::uint32_t length{0};                       ///< Bytes, FCS included, without preamble and gap.
  HostId source{0}, destination{0};
  std::uint32_t flow{0};      ///< Index of its traffic entry; above these, a ping's.
  std::uint64_t sequence{0};  ///< Among those of its flow and sender, or its connection; from 0.
  Picoseconds created;        ///< When the source made it.

  // Set by the switch it is in.
  Picoseconds visible;  ///< From when the egress scheduler may see it; before, the arbiter's own.
  std::uint16_t cells{0};
  std::uint8_t dscp{0};   ///< Of the IP header.
  std::uint8_t marks{0};  ///< FrameMark bits.
  PortId ingress_port, egress_port;
  Frame* next{nullptr};  ///< Link of the one list it is in.
  // What every hop touches ends here: one cache line.

  PfcFrame pfc;              ///< Contents of a PFC frame.
  std::uint32_t replica{0};  ///< With copy_mark: number of the packet in the ReplicaTable.

  [[nodiscard]] bool marked(unsigned mask) const noexcept { return (marks & mask) != 0; }
  void unmark(unsigned mask) noexcept { marks = static_cast<std::uint8_t>(marks & ~mask); }
  void mark(unsigned mask) noexcept { marks = static_cast<std::uint8_t>(marks | mask); }
  [[nodiscard]] Ecn ecn() const noexcept {
    return static_cast<Ecn>((marks & ecn_marks) >> ecn_mark_shift);
  }
  void set_ecn(Ecn ecn) noexcept {
    marks = static_cast<std::uint8_t>((marks & ~unsigned{ecn_marks}) | mark_of(ecn));
  }

  void acquire() noexcept { ++references_; }
  void release() noexcept;

 private:
  friend class FramePool;
  /// As new, except for the fields that a switch sets, and those of renew_packet().
  void renew() noexcept {
    if (kind == FrameKind::pfc) pfc = {};
    kind = FrameKind::data;
    corrupted = false;
  }
  /// As new: what a source says of its packet.
  void renew_packet() noexcept {
    priority = Priority{};
    ttl = default_ttl;
    source_port = first_source_port;
    dscp = marks = 0;
    length = 0;
    source = destination = 0;
    flow = 0;
    sequence = 0;
    created = Picoseconds{};
  }

  FramePool* pool_{nullptr};
  std::uint32_t references_{0};
};

/// Frames for reuse: memory grows to the most that were ever on their way at once.
class FramePool {
 public:
  FramePool() = default;
  FramePool(const FramePool&) = delete;
  FramePool& operator=(const FramePool&) = delete;

  /// A fresh frame with one reference.
  [[nodiscard]] Frame* take() {
    Frame* const frame = take_for_packet();
    frame->renew_packet();
    return frame;
  }
  /// The same for a taker that sets all that a source says of a packet: priority, length, TTL,
  /// addresses, DSCP, marks, flow, sequence and when it was created.
  [[nodiscard]] Frame* take_for_packet() {
    Frame* const frame = free_ == nullptr ? add() : free_;
    free_ = frame->next;
    frame->renew();
    frame->references_ = 1;
    ++in_use_;
    return frame;
  }
  /// A frame like `original`, with one reference of its own.
  [[nodiscard]] Frame* duplicate(const Frame& original) {
    Frame* copy = take();
    *copy = original;
    copy->references_ = 1;
    return copy;
  }
  /// Whether `frame` is one of this pool's and in use.
  [[nodiscard]] bool lends(const Frame& frame) const noexcept {
    return frame.pool_ == this && frame.references_ != 0;
  }
  [[nodiscard]] std::size_t in_use() const noexcept { return in_use_; }
  [[nodiscard]] std::size_t allocated() const noexcept { return frames_.size(); }

 private:
  friend struct Frame;
  Frame* add() {
    Frame* const frame = &frames_.emplace_back();
    frame->pool_ = this;
    return frame;
  }

  std::deque<Frame> frames_;
  Frame* free_{nullptr};
  std::size_t in_use_{0};
};

inline void Frame::release() noexcept {
  if (--references_ != 0) return;
  next = pool_->free_;
  pool_->free_ = this;
  --pool_->in_use_;
}

/// First in, first out list of frames through Frame::next.
class FrameList {
 public:
  [[nodiscard]] bool empty() const noexcept { return head_ == nullptr; }
  [[nodiscard]] Frame* front() const noexcept { return head_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  void push(Frame* frame) noexcept {
    frame->next = nullptr;
    (head_ == nullptr ? head_ : tail_->next) = frame;
    tail_ = frame;
    ++size_;
  }
  Frame* pop() noexcept {
    Frame* frame = head_;
    head_ = frame->next;
    // In a long queue the next one has left the caches.
    __builtin_prefetch(head_);
    --size_;
    return frame;
  }

 private:
  Frame *head_{nullptr}, *tail_{nullptr};
  std::size_t size_{0};
};

/// The priority group, and the egress queue, of a frame in the switch that it is in.
[[nodiscard]] inline PgIndex pg_of(const Frame& frame) noexcept {
  return pg_index(frame.ingress_port, Priority{frame.pg});
}
[[nodiscard]] inline QueueIndex queue_of(const Frame& frame) noexcept {
  return queue_index(frame.egress_port, Priority{frame.queue});
}

/// From the first preamble bit to the last bit of a frame of `length` bytes.
[[nodiscard]] constexpr Picoseconds frame_time(std::uint64_t length, Picoseconds byte) noexcept {
  return byte * (preamble_bytes.count() + length);
}
/// From the start of a frame to the earliest start of the next: preamble, frame, gap.
[[nodiscard]] constexpr Picoseconds slot_time(std::uint64_t length, Picoseconds byte) noexcept {
  return byte * (preamble_bytes.count() + length + interframe_gap_bytes.count());
}

}  // namespace weir
