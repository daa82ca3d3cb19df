// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "weir/config/scenario/scenario.hpp"
#include "weir/core/chip.hpp"
#include "weir/core/units.hpp"

namespace weir::bench {

/// Traffic through one switch, or a leaf-spine network, whose ports all run at 100G. Everything is
/// lossless.
struct Traffic {
  std::string_view name;
  bool incast{false};  ///< All other hosts to host 0; else host i to host i + 1, staggered.
  std::uint16_t ports{0};
  Bytes packet;
  /// Number of leaves, which share the hosts (`ports`); there are as many spines as a leaf has
  /// hosts, and every host sends to the next leaf. 0: one switch.
  std::uint16_t leaves{0};
  std::uint16_t load_percent{100};
  Policy policy{Policy::dynamic};  ///< Of every priority group.

  /// Switches that a packet crosses.
  [[nodiscard]] constexpr unsigned hops() const { return leaves == 0 ? 1 : 3; }
};

constexpr Traffic incast{"incast", true, 33, Bytes{1000}};
constexpr Traffic full_load{"full_load", false, 32, Bytes{1000}};
constexpr Traffic line_rate{"line_rate", false, 32, Bytes{64}};
constexpr std::array<Traffic, 3> patterns{incast, full_load, line_rate};

/// full_load with more ports: the cost per packet must not depend on the number of ports.
constexpr std::array<Traffic, 4> port_counts{{
    {"ports_32", false, 32, Bytes{1000}},
    {"ports_64", false, 64, Bytes{1000}},
    {"ports_128", false, 128, Bytes{1000}},
    {"ports_256", false, 256, Bytes{1000}},
}};

/// full_load under the policies that use more than S.
constexpr std::array<Traffic, 4> policies{{
    {"full_load_two_level", false, 32, Bytes{1000}, 0, 100, Policy::two_level},
    {"full_load_dsh", false, 32, Bytes{1000}, 0, 100, Policy::dsh},
    {"full_load_abm", false, 32, Bytes{1000}, 0, 100, Policy::abm},
    {"full_load_edt", false, 32, Bytes{1000}, 0, 100, Policy::edt},
}};

/// 128 hosts on 8 leaves, 16 spines; 8 connections a host, at a load that ECMP can distribute.
constexpr Traffic leaf_spine{"leaf_spine", false, 128, Bytes{1000}, 8, 40};

constexpr Priority lossless_class{3};
constexpr Picoseconds cable_delay{500'000};  ///< 100 m one way.

/// Time in which the switch sends `packets` packets with its egress ports always busy.
[[nodiscard]] Picoseconds time_for(const Traffic& traffic, std::uint64_t packets);

/// Time from one packet of a port to its next at the load, preamble and gap included.
[[nodiscard]] Picoseconds packet_slot(const Traffic& traffic);

/// The host to which host `from` sends.
[[nodiscard]] constexpr std::uint16_t destination(const Traffic& traffic, std::size_t from) {
  const std::size_t step = traffic.leaves == 0 ? 1 : traffic.ports / traffic.leaves;
  return static_cast<std::uint16_t>(traffic.incast ? 0 : (from + step) % traffic.ports);
}

/// Cells of 208 B, B of 1,376 cells a port, alpha 1/8, dedicated headroom.
[[nodiscard]] Chip chip_for(const Traffic& traffic);

/// The switch or switches, and their hosts, running until `until`.
[[nodiscard]] Scenario scenario_for(const Traffic& traffic, Picoseconds until);

}  // namespace weir::bench
