// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "weir/core/chip.hpp"
#include "weir/core/units.hpp"

namespace weir {

/// The desired configuration of a switch.
struct DesiredChip {
  std::size_t node{0};  ///< Index into Scenario::switches.
  Chip chip;
};

/// Records that are made while a scenario runs.
struct MonitorSpec {
  std::optional<Picoseconds> period;  ///< Of the time series; none: no time series.
  std::vector<DesiredChip> desired;   ///< By name of the switch, each at most once.
};

/// Probes between servers: a small packet and its answer.
struct PingmeshSpec {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;  ///< Host indices: prober, answerer.
  std::vector<Priority> classes;                           ///< Each pair probes in each of them.
  Bytes packet{512};       ///< Length of probe and answer, FCS included.
  Picoseconds interval;    ///< From probe to probe of a pair in a class.
  Picoseconds timeout;     ///< An answer later than this is an error.
  Picoseconds turnaround;  ///< Time that a server takes from probe to answer.
  Picoseconds start;
  std::optional<Picoseconds> stop;  ///< No probe is sent at or after it.
};

}  // namespace weir
