// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>

#include "weir/core/units.hpp"

namespace weir {

/// The sending side of one reliable connection: which packets are on their way, and which must go
/// again. It has a window and no rate: how fast it sends is up to the acknowledgements.
///
/// Packets have numbers from 0. An acknowledgement says which number is expected next; a refusal
/// says the same, and that something later came instead: then all from there on goes again, as it
/// does when nothing is heard for `timeout`.
///
/// Units:  bytes of frames, FCS included. Range: the window lets one packet pass whatever its size.
/// Errors: none; a stale acknowledgement changes nothing.
/// Timing: works only when called; the caller keeps the clock, deadline() says for when.
/// Source: go-back-N of RoCE v2 reliable connections [IBTA].
class GoBackNSender {
 public:
  static constexpr Picoseconds never{std::numeric_limits<std::uint64_t>::max()};

  struct Packet {
    Bytes length;
    bool last{false};     ///< Of its message.
    Picoseconds created;  ///< When its message was.
  };
  struct Numbered {
    std::uint64_t number{0};
    Packet packet;
  };

  GoBackNSender(Bytes window, Picoseconds timeout) noexcept : window_{window}, timeout_{timeout} {}

  /// Whether a packet that was sent before must go again, before any new one.
  [[nodiscard]] bool must_resend() const noexcept { return next_ < unacknowledged_.size(); }
  /// Whether a new packet of `length` fits the window.
  [[nodiscard]] bool may_send(Bytes length) const noexcept {
    return unacknowledged_.empty() || in_flight_ + length <= window_;
  }
  /// A new packet goes out at `now`; returns its number. Range: may_send() and not must_resend().
  std::uint64_t send(const Packet& packet, Picoseconds now);
  /// The next packet that goes again, at `now`. Range: must_resend().
  Numbered resend(Picoseconds now) noexcept;

  /// The receiver has everything before `expected`.
  void acknowledged(std::uint64_t expected, Picoseconds now) noexcept;
  /// The same, and what came after that is lost to it.
  void refused(std::uint64_t expected, Picoseconds now) noexcept;
  /// When silence becomes a reason to send all again; `never` while nothing is unacknowledged.
  [[nodiscard]] Picoseconds deadline() const noexcept {
    return unacknowledged_.empty() ? never : heard_ + timeout_;
  }
  /// To be called at `now` >= deadline().
  void expire(Picoseconds now) noexcept;

  [[nodiscard]] Bytes in_flight() const noexcept { return in_flight_; }
  [[nodiscard]] std::uint64_t resent() const noexcept { return resent_; }
  [[nodiscard]] std::uint64_t timeouts() const noexcept { return timeouts_; }

 private:
  const Bytes window_;
  const Picoseconds timeout_;
  std::deque<Packet> unacknowledged_;  // the first has number first_
  std::uint64_t first_{0};
  std::size_t next_{0};  // into unacknowledged_: the next that is sent
  Bytes in_flight_;
  Picoseconds heard_;  // the last progress, or when the first of what is in flight went
  std::uint64_t resent_{0}, timeouts_{0};
};

/// The receiving side: takes packets in the order of their numbers and says what to answer.
///
/// Every `ack_every`-th packet and the last of a message is acknowledged; a gap is refused once,
/// until what was missing is there; a packet that came before is acknowledged again.
class GoBackNReceiver {
 public:
  enum class Answer : std::uint8_t { none, acknowledge, refuse };
  struct Result {
    bool accepted{false};
    Answer answer{Answer::none};
  };

  explicit GoBackNReceiver(std::uint32_t ack_every) noexcept : ack_every_{ack_every} {}

  Result receive(std::uint64_t number, bool last) noexcept;
  /// Something is missing that was refused: an answer now is a refusal.
  [[nodiscard]] bool refusing() const noexcept { return refused_; }
  /// What stands in the answer.
  [[nodiscard]] std::uint64_t expected() const noexcept { return expected_; }

 private:
  const std::uint32_t ack_every_;
  std::uint32_t unanswered_{0};
  std::uint64_t expected_{0};
  bool refused_{false};
};

}  // namespace weir
