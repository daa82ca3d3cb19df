// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <unordered_map>

#include "weir/config/scenario/scenario.hpp"
#include "weir/core/congestion/ecn.hpp"
#include "weir/core/ethernet.hpp"
#include "weir/core/host/dcqcn.hpp"
#include "weir/core/host/go_back_n.hpp"
#include "weir/model/host/message_log.hpp"
#include "weir/model/network/frame.hpp"

namespace weir {

/// The ends of the reliable connections that lead to one host: takes their packets and makes the
/// answers. At most one answer of a connection waits; it says what is so when it goes out. With
/// rate control, marked packets make CNPs, which go first; of these, too, at most one waits.
class RdmaReceiver {
 public:
  /// Connections of traffic entry `flow` end here; its CNPs carry `cnp_dscp`.
  void expect(std::uint32_t flow, const TrafficSpec& traffic, std::uint8_t cnp_dscp) {
    ack_every_[flow] = traffic.ack_every;
    if (traffic.dcqcn) controls_[flow] = {*traffic.dcqcn, cnp_dscp};
  }

  /// Completed messages are reported to `messages`.
  void report_to(MessageLog& messages) noexcept { messages_ = &messages; }

  /// A packet (kind segment or last_segment) of a connection is there.
  void receive(const Frame& packet, Picoseconds now) {
    const std::uint64_t key = std::uint64_t{packet.source} << 16 | packet.source_port;
    if (packet.ecn() == Ecn::ce) receive_marked(packet, key, now);
    if (latest_ == nullptr || latest_->key != key) latest_ = &end_of(packet, key);
    End& end = *latest_;
    const bool last = packet.kind == FrameKind::last_segment;
    const GoBackNReceiver::Result result = end.packets.receive(packet.sequence, last);
    if (messages_ != nullptr && result.accepted) count(packet, end.message, last, now);
    if (result.answer == GoBackNReceiver::Answer::none || end.answer_waits) return;
    end.answer_waits = true;
    answers_.push_back(&end);
    ++waiting_;
  }

  /// An answer or a CNP waits.
  [[nodiscard]] bool answer_waits() const noexcept { return waiting_ != 0; }
  /// Whether one may go: the first CNP, else the first answer. Bit n of `paused`: class n is.
  [[nodiscard]] bool may_answer(std::uint8_t paused) const {
    return cnp_goes(paused) || (!answers_.empty() && !is_paused(answer_priority(), paused));
  }
  /// Makes `frame` the one that goes first. Range: may_answer().
  void write_answer(Frame& frame, std::uint8_t paused) {
    --waiting_;
    if (cnp_goes(paused)) return write_cnp(frame);
    End& end = *answers_.front();
    answers_.pop_front();
    end.answer_waits = false;
    frame.kind = end.packets.refusing() ? FrameKind::refuse : FrameKind::acknowledge;
    frame.length = static_cast<std::uint32_t>(min_frame_bytes.count());
    address(frame, end.key);
    frame.flow = end.flow;
    frame.priority = end.priority;
    frame.dscp = end.dscp;
    if (end.untagged) frame.mark(untagged_mark);
    frame.sequence = end.packets.expected();
  }

  /// CNPs that went out.
  [[nodiscard]] std::uint64_t cnps_sent() const noexcept { return cnps_sent_; }

 private:
  /// The notification point of a connection of which a packet came in marked.
  struct Notifying {
    DcqcnNotifier notifier;
    std::uint32_t flow{0};
    bool untagged{false};
    bool cnp_waits{false};
  };

  /// The end of a connection here.
  struct End {
    GoBackNReceiver packets;
    std::uint64_t key;
    std::uint32_t flow;
    Priority priority;
    std::uint8_t dscp;
    bool untagged;
    bool answer_waits;
    Bytes message;  // of the message at hand: frames that are there
  };

  [[nodiscard]] static bool is_paused(Priority priority, std::uint8_t paused) noexcept {
    return (paused >> priority.count() & 1U) != 0;
  }
  [[nodiscard]] Priority answer_priority() const { return answers_.front()->priority; }
  [[nodiscard]] bool cnp_goes(std::uint8_t paused) const {
    if (cnps_.empty()) return false;
    const std::uint32_t flow = notifying_.at(cnps_.front()).flow;
    return !is_paused(controls_.at(flow).settings.cnp_priority, paused);
  }
  static void address(Frame& frame, std::uint64_t key) noexcept {
    frame.destination = static_cast<HostId>(key >> 16);
    frame.source_port = static_cast<std::uint16_t>(key & 0xffffU);
  }

  End& end_of(const Frame& packet, std::uint64_t key) {
    const auto end = ends_.find(key);
    if (end != ends_.end()) return end->second;
    return ends_
        .emplace(key,
                 End{GoBackNReceiver{ack_every_[packet.flow]}, key, packet.flow, packet.priority,
                     packet.dscp, packet.marked(untagged_mark), false, Bytes{}})
        .first->second;
  }

  void count(const Frame& packet, Bytes& message, bool last, Picoseconds now) {
    message += Bytes{packet.length};
    if (!last) return;
    messages_->completes(packet, message, now);
    message = Bytes{};
  }

  void receive_marked(const Frame& packet, std::uint64_t key, Picoseconds now) {
    const auto control = controls_.find(packet.flow);
    if (control == controls_.end()) return;
    Notifying& end = notifying_[key];
    end.flow = packet.flow;
    end.untagged = packet.marked(untagged_mark);
    if (!end.notifier.marked(now, control->second.settings.cnp_interval) || end.cnp_waits) return;
    end.cnp_waits = true;
    cnps_.push_back(key);
    ++waiting_;
  }

  void write_cnp(Frame& frame) {
    const std::uint64_t key = cnps_.front();
    cnps_.pop_front();
    Notifying& end = notifying_.at(key);
    end.cnp_waits = false;
    ++cnps_sent_;
    frame.kind = FrameKind::cnp;
    frame.length = static_cast<std::uint32_t>(
        (end.untagged ? cnp_bytes : cnp_bytes + Bytes{tag_octets}).count());
    address(frame, key);
    frame.flow = end.flow;
    const Control& control = controls_.at(end.flow);
    frame.priority = control.settings.cnp_priority;
    frame.dscp = control.cnp_dscp;
    if (end.untagged) frame.mark(untagged_mark);
  }

  struct Control {
    DcqcnSettings settings;
    std::uint8_t cnp_dscp;
  };
  std::map<std::uint32_t, std::uint32_t> ack_every_;  // by traffic entry
  std::unordered_map<std::uint64_t, End> ends_;       // by source and its port
  End* latest_{nullptr};                              // of the last packet: often the next one's
  std::deque<End*> answers_;                          // of ends_, in turn
  std::map<std::uint32_t, Control> controls_;         // by traffic entry; none: no CNPs
  std::unordered_map<std::uint64_t, Notifying> notifying_;
  std::deque<std::uint64_t> cnps_;  // keys of notifying_, in turn
  std::size_t waiting_{0};          // in answers_ and cnps_
  std::uint64_t cnps_sent_{0};
  MessageLog* messages_{nullptr};  // nullptr: messages are not reported
};

}  // namespace weir
