// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <optional>

#include "weir/core/pfc/pause_timer.hpp"
#include "weir/core/pfc/pfc_frame.hpp"
#include "weir/core/units.hpp"

namespace weir {

/// Which PFC frame a port owes its peer, and when: remembers what was last sent, no more.
///
/// The caller holds the XOFF state of the port's classes (bit n = priority n) and the wire. It asks
/// for a frame when the wire is free: the frame is built from the state at that moment, so a class
/// that went XOFF and back to XON while another frame was on the wire costs no frame at all.
///
/// Units:  wire time, quanta of 512 bit times. The refresh is a register of quanta x 2^15 that
/// loses
///         `step` a clock edge, so it falls on an edge.
/// Range:  quanta 1 .. 65535 (Chip::check()). Half of 2 quanta or less is shorter than a frame on
/// the
///         wire (672 bit times): the refresh is then always due, frames follow back to back, and
///         since they go before data, nothing else leaves the port while a class is XOFF.
/// Errors: none; every function is total.
/// Source: docs/design/contract.md, 3; 802.1Qbb.
class PfcGenerator {
 public:
  using Address = std::array<std::uint8_t, 6>;

  /// Sends `quanta` for classes in XOFF, from station `source`, on a port with time base `base`.
  PfcGenerator(Quanta quanta, CycleTimeBase base, Address source = {}) noexcept
      : base_{base}, quanta_{quanta}, source_{source} {}

  /// Value of the frames from now on. What the peer was told last is refreshed as it was told.
  void set_quanta(Quanta quanta) noexcept { quanta_ = quanta; }
  [[nodiscard]] Quanta quanta() const noexcept { return quanta_; }

  /// Whether some class differs from what the peer was last told.
  [[nodiscard]] bool request_needed(std::uint8_t xoff_mask) const noexcept {
    return xoff_mask != sent_;
  }

  /// When the peer must hear again that it is paused: the clock edge half of the quanta after the
  /// one that began the cycle in which the last frame started; none when no class was last sent a
  /// non-zero value.
  [[nodiscard]] std::optional<Picoseconds> refresh_at() const noexcept {
    if (sent_ == 0) return std::nullopt;
    return refresh_;
  }

  /// Whether a frame should start now: a class differs, or the refresh is due.
  [[nodiscard]] bool due(Picoseconds now, std::uint8_t xoff_mask) const noexcept {
    return request_needed(xoff_mask) || (sent_ != 0 && now >= refresh_);
  }

  /// The frame whose first bit leaves at `now`, recorded as sent; none when there is nothing to
  /// say. Enabled are the classes in XOFF (with the quanta) and those that are XON now but were
  /// last sent a value other than 0 (with 0).
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
    refresh_ = base_.cycle_start(now) + base_.half_duration(quanta_);
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
