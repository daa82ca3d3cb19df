// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>

#include "weir/core/units.hpp"

namespace weir {

/// Action of a switch watchdog on a class whose peer storms.
enum class WatchdogAction : std::uint8_t {
  drop,     ///< Lossless packets to and from the peer are dropped.
  forward,  ///< Packets are sent although the peer pauses.
  alert,    ///< Only reports.
};

/// Watches one egress queue of one port for a pause storm, and for its end.
///
/// A storm is a queue that does not drain while pauses keep coming: for `detect` without a gap a
/// packet has waited at its head and the peer has paused it, and at least one more PAUSE came in
/// that time. An XON, or a timer that expires, ends the pause, so neither counts as storm. The
/// storm is over `restore` after the last PAUSE.
///
/// Units:  wire time. Errors: none; every function is total.
/// Timing: exact, without polling: look() says when to look again.
/// Source: [RDMA16], section 4.3; restore and actions as in SONiC's PFC watchdog.
class PfcWatchdog {
 public:
  struct Setting {
    Picoseconds detect, restore;
  };
  /// The state of the port at the time of a look.
  struct View {
    std::optional<Picoseconds> paused_since;   ///< When the peer's pause of the class began.
    std::optional<Picoseconds> waiting_since;  ///< When a packet began to wait at the head.
  };
  enum class Change : std::uint8_t { none, storm, over };
  struct Look {
    Change change{Change::none};
    std::optional<Picoseconds> again;  ///< Without a further PAUSE nothing changes before.
  };

  explicit constexpr PfcWatchdog(Setting setting) noexcept : setting_{setting} {}

  /// A PAUSE (of more than 0 quanta) came in. Call look() next.
  constexpr void paused(Picoseconds now) noexcept { last_pause_ = now; }

  /// Range: `now` never goes back.
  [[nodiscard]] constexpr Look look(Picoseconds now, const View& view) noexcept {
    if (storm_) {
      const Picoseconds over = last_pause_ + setting_.restore;
      if (now < over) return {Change::none, over};
      storm_ = false;
      return {Change::over, std::nullopt};
    }
    if (!view.paused_since || !view.waiting_since) return {};
    const Picoseconds since = std::max(*view.paused_since, *view.waiting_since);
    const Picoseconds due = since + setting_.detect;
    if (now < due) return {Change::none, due};
    if (last_pause_ <= since) return {};  // the next PAUSE decides
    storm_ = true;
    return {Change::storm, last_pause_ + setting_.restore};
  }

  [[nodiscard]] constexpr bool storm() const noexcept { return storm_; }

 private:
  Setting setting_;
  Picoseconds last_pause_;
  bool storm_{false};
};

}  // namespace weir
