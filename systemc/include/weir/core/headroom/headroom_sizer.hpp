// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weir/core/chip.hpp"
#include "weir/core/chip_limits.hpp"
#include "weir/core/headroom/cable.hpp"
#include "weir/core/pipeline_latency.hpp"
#include "weir/core/units.hpp"

namespace weir {

/// Parameters that only the formulas of SONiC use. Source: [SONIC-SWSS].
struct SonicSetting {
  Bytes lossless_mtu{1024};          ///< Frame that triggers XOFF.
  std::uint32_t small_packets{100};  ///< Share s of 64 B packets in the worst case, percent.
  Picoseconds gearbox;               ///< One way, at each end.
};

/// Inputs of the headroom of a priority group: a port, its cable, and the peer at the other end.
struct HeadroomPort {
  BitRate rate;
  Millimetres cable;
  Picoseconds delay_per_metre{usual_delay_per_metre};
  Bytes mtu{usual_mtu};  ///< Largest frame of any class, both directions.
  Bytes cell{usual_cell};
  Bytes cell_overhead{0};
  ClockPeriod clock{default_clock};
  std::uint32_t admit_latency{pipeline::admit.usual};
  std::uint32_t pfc_latency{pipeline::pfc.usual};
  std::uint32_t slot_wait{0};           ///< Cycles that a frame may wait for its arrival slot.
  std::optional<Picoseconds> response;  ///< PFC response of the peer; none: limit of the speed.
  SonicSetting sonic;

  /// Propagation time one way, rounded up to a picosecond.
  [[nodiscard]] Picoseconds propagation() const noexcept;
  /// The peer's response time. Errors: ConfigError where none is given and the speed has no limit.
  [[nodiscard]] Picoseconds peer_response() const;

  /// Throws ConfigError (key, value, legal values) when a value is out of range.
  void check() const;
};

/// One part of a result. Fields that do not apply are zero.
struct HeadroomTerm {
  std::string name;
  Bytes bytes;       ///< Of buffer; in `window_terms`: bytes on the wire in that time.
  Picoseconds time;  ///< At the port's rate.
  Cells cells;       ///< Only where a method counts cells.
  std::string_view source;
};

/// Result of a method and its parts. The bytes of `terms` add up to `bytes`.
struct HeadroomResult {
  Bytes bytes;
  Cells cells;  ///< `bytes` in whole cells, rounded up.
  std::vector<HeadroomTerm> terms;
  /// worst_case: the time, from the end of the frame that triggers XOFF, in which another frame may
  /// start. The times of `window_terms` add up to `window`.
  Picoseconds window;
  std::vector<HeadroomTerm> window_terms;
};

/// A method of headroom sizing. Rounding: each part of a byte formula up to a byte, the cable both
/// ways as one part; `sonic` and its variants are computed exactly and rounded up once.
struct HeadroomMethod {
  std::string_view name;
  std::string_view family;  ///< `sonic` and `sonic_earlier` are two forms of one method.
  std::string_view meaning;
  std::string_view source;
  HeadroomResult (*size)(const HeadroomPort& port);
};

/// All methods, in display order. The only table of their names.
[[nodiscard]] const std::vector<HeadroomMethod>& headroom_methods();

/// Result of the method called `method`. Errors: ConfigError when there is no such method, a value
/// is out of range, or the result does not fit 2^32 - 1 cells.
[[nodiscard]] HeadroomResult size_headroom(std::string_view method, const HeadroomPort& port);

/// Port `port` of `chip` on a cable. The wait for an arrival slot assumes that all ports receive at
/// once: one round of the other ports; with fewer lanes than line rate needs, a full port FIFO.
[[nodiscard]] HeadroomPort headroom_port(const Chip& chip, PortId port, Millimetres cable);

/// What the ports of a profile need by `request`: the largest need, where they differ.
/// Errors: as size_headroom().
[[nodiscard]] Cells requested_headroom(const Chip& chip, ProfileIndex profile,
                                       const HeadroomRequest& request);

/// eta of a profile: the need of the cable that it names, or the cells that it gives.
/// Errors: as size_headroom().
[[nodiscard]] Cells profile_headroom(const Chip& chip, ProfileIndex profile);

}  // namespace weir
