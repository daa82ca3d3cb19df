// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "weir/core/pfc/pause_timer.hpp"
#include "weir/core/pfc/pfc_frame.hpp"
#include "weir/core/units.hpp"

namespace weir {

/// Decides which PFC frame a port must send, and when; its only state is what was last sent.
///
/// The caller keeps the XOFF state of the port's classes (bit n = priority n) and the wire. It
/// requests a frame when the wire is free. The frame is built from the state at that time, so a
/// class that goes XOFF and back to XON while another frame is on the wire needs no frame at all.
///
/// Units:  wire time, quanta of 512 bit times. The refresh is a register of quanta x 2^15 that
///         decreases by `step` per clock edge, so it falls on an edge.
/// Range:  quanta 1 .. 65535 (Chip::check()). Half of 2 quanta or less is shorter than a frame on
///         the wire (672 bit times): then the refresh is always due and frames follow back to back.
///         They go before data, so the port sends nothing else while a class is XOFF.
/// Errors: none; every function is total.
/// Source: docs/design/contract.md, 3; 802.1Qbb.
class PfcGenerator {
 public:
  using Address = std::array<std::uint8_t, 6>;

  /// Station address of a port: locally administered, so that ports differ in a capture.
  [[nodiscard]] static constexpr Address address_of(std::size_t port) noexcept {
    return {0x02, 0, 0, 0, static_cast<std::uint8_t>(port >> 8), static_cast<std::uint8_t>(port)};
  }

  /// Sends `quanta` for classes in XOFF, from station `source`, on a port with time base `base`.
  PfcGenerator(Quanta quanta, CycleTimeBase base, Address source = {}) noexcept
      : base_{base}, quanta_{quanta}, source_{source} {}

  /// Value of the frames from now on. The refresh of the last frame keeps the earlier value.
  void set_quanta(Quanta quanta) noexcept { quanta_ = quanta; }
  [[nodiscard]] Quanta quanta() const noexcept { return quanta_; }

  /// Whether a class differs from what was last sent to the peer.
  [[nodiscard]] bool request_needed(std::uint8_t xoff_mask) const noexcept {
    return xoff_mask != sent_;
  }

  /// When the XOFF must be refreshed: the clock edge half of the quanta after the one that began
  /// the cycle in which the last frame started; none when the last frame paused no class.
  [[nodiscard]] std::optional<Picoseconds> refresh_at() const noexcept {
    if (sent_ == 0) return std::nullopt;
    return refresh_;
  }

  /// Whether a frame should start now: a class differs, or the refresh is due.
  [[nodiscard]] bool due(Picoseconds now, std::uint8_t xoff_mask) const noexcept {
    return request_needed(xoff_mask) || (sent_ != 0 && now >= refresh_);
  }

  /// The frame whose first bit leaves at `now`, recorded as sent; none when nothing has to be sent.
  /// Enabled are the classes in XOFF (with the quanta) and those that are XON now but were last
  /// sent a value other than 0 (with 0).
  [[nodiscard]] std::optional<PfcFrame> build(Picoseconds now, std::uint8_t xoff_mask) noexcept {
    const unsigned enabled = unsigned{xoff_mask} | sent_;
    if (enabled == 0) return std::nullopt;
    PfcFrame frame;
    frame.source = source_;
    frame.class_enable = static_cast<std::uint8_t>(enabled);
    for (std::size_t n = 0; n < priorities; ++n) {
      if ((xoff_mask >> n & 1U) != 0) frame.time[n] = quanta_;
    }
    sent_ = xoff_mask;
    refresh_ = base_.half_expiry(now, quanta_);
    return frame;
  }

  /// Classes whose last sent value is not 0, bit n = priority n.
  [[nodiscard]] std::uint8_t last_sent() const noexcept { return sent_; }

 private:
  Picoseconds refresh_;  // half of the quanta after the start of the last frame
  CycleTimeBase base_;
  Quanta quanta_;
  std::uint8_t sent_{0};
  Address source_;
};

}  // namespace weir
