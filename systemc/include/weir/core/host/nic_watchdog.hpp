// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>

#include "weir/core/units.hpp"

namespace weir {

/// The micro-controller next to a NIC's receive pipeline. When the pipeline has been stopped for
/// `limit` while the NIC sends pauses, it disables the NIC's pauses permanently.
///
/// Units:  wire time. Errors: none; every function is total.
/// Timing: exact, without polling: look() says when to look again.
/// Source: [RDMA16], section 4.3: 100 ms; only a repair of the server undoes it.
class NicWatchdog {
 public:
  struct View {
    bool pausing{false};                     ///< Classes of the peer are paused.
    std::optional<Picoseconds> still_since;  ///< When it stopped with work or broke; none: runs.
  };
  struct Look {
    bool tripped{false};               ///< The watchdog trips at this look.
    std::optional<Picoseconds> again;  ///< When to look again; none: when pauses begin.
  };

  explicit constexpr NicWatchdog(Picoseconds limit) noexcept : limit_{limit} {}

  [[nodiscard]] constexpr Look look(Picoseconds now, const View& view) noexcept {
    if (tripped_ || !view.pausing) return {};
    const Picoseconds since = view.still_since.value_or(now);
    if (now < since + limit_) return {false, since + limit_};
    tripped_ = true;
    return {true, std::nullopt};
  }
  /// Whether the NIC may no longer send pauses.
  [[nodiscard]] constexpr bool tripped() const noexcept { return tripped_; }
  /// The server was repaired.
  constexpr void reset() noexcept { tripped_ = false; }

 private:
  Picoseconds limit_;
  bool tripped_{false};
};

}  // namespace weir
