// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>

#include "weir/core/units.hpp"

namespace weir {

/// The sending side of one reliable connection: which packets are in flight, and which must be sent
/// again. It has a window but no rate: the acknowledgements decide how fast it sends.
///
/// Packets have numbers from 0. An acknowledgement contains the next expected number. A refusal
/// contains it as well, and means that a later packet arrived instead: then everything from that
/// number on is sent again, as after `timeout` without an answer.
///
/// Units:  bytes of frames, FCS included. Range: the window lets one packet of any size pass.
/// Errors: none; a stale acknowledgement changes nothing.
/// Timing: works only when called; the caller keeps the clock, deadline() is the time of the next
///         call.
/// Source: go-back-N of RoCE v2 reliable connections [IBTA].
class GoBackNSender {
 public:
  static constexpr Picoseconds never{std::numeric_limits<std::uint64_t>::max()};

  struct Packet {
    Bytes length;
    bool last{false};     ///< Of its message.
    Picoseconds created;  ///< When its message was created.
  };
  struct Numbered {
    std::uint64_t number{0};
    Packet packet;
  };

  GoBackNSender(Bytes window, Picoseconds timeout) noexcept : window_{window}, timeout_{timeout} {}

  /// Whether an earlier packet must be sent again before any new one.
  [[nodiscard]] bool must_resend() const noexcept { return next_ < unacknowledged_.size(); }
  /// Whether a new packet of `length` fits the window.
  [[nodiscard]] bool may_send(Bytes length) const noexcept {
    return unacknowledged_.empty() || in_flight_ + length <= window_;
  }
  /// A new packet goes out at `now`; returns its number. Range: may_send() and not must_resend().
  std::uint64_t send(const Packet& packet, Picoseconds now);
  /// The next packet to be sent again, at `now`. Range: must_resend().
  Numbered resend(Picoseconds now) noexcept;

  /// The receiver has all packets before `expected`.
  void acknowledged(std::uint64_t expected, Picoseconds now) noexcept;
  /// The receiver has all packets before `expected`, and has discarded later ones.
  void refused(std::uint64_t expected, Picoseconds now) noexcept;
  /// When everything is sent again without an answer; `never` while nothing is unacknowledged.
  [[nodiscard]] Picoseconds deadline() const noexcept {
    return unacknowledged_.empty() ? never : heard_ + timeout_;
  }
  /// Call it at `now` >= deadline().
  void expire(Picoseconds now) noexcept;

  [[nodiscard]] Bytes in_flight() const noexcept { return in_flight_; }
  [[nodiscard]] std::uint64_t resent() const noexcept { return resent_; }
  [[nodiscard]] std::uint64_t timeouts() const noexcept { return timeouts_; }

 private:
  const Bytes window_;
  const Picoseconds timeout_;
  std::deque<Packet> unacknowledged_;  // the first has number first_
  std::uint64_t first_{0};
  std::size_t next_{0};  // into unacknowledged_: the next to send
  Bytes in_flight_;
  Picoseconds heard_;  // the last progress, or when the oldest in flight was sent
  std::uint64_t resent_{0}, timeouts_{0};
};

/// The receiving side: takes packets in the order of their numbers and decides about the answers.
///
/// Every `ack_every`-th packet and the last of a message is acknowledged. A gap is refused once,
/// until the missing packet arrives. A packet that was received before is acknowledged again.
class GoBackNReceiver {
 public:
  enum class Answer : std::uint8_t { none, acknowledge, refuse };
  struct Result {
    bool accepted{false};
    Answer answer{Answer::none};
  };

  explicit GoBackNReceiver(std::uint32_t ack_every) noexcept : ack_every_{ack_every} {}

  Result receive(std::uint64_t number, bool last) noexcept;
  /// Whether a refused packet is still missing, so that an answer now is a refusal.
  [[nodiscard]] bool refusing() const noexcept { return refused_; }
  /// The number in the answer.
  [[nodiscard]] std::uint64_t expected() const noexcept { return expected_; }

 private:
  const std::uint32_t ack_every_;
  std::uint32_t unanswered_{0};
  std::uint64_t expected_{0};
  bool refused_{false};
};

}  // namespace weir
