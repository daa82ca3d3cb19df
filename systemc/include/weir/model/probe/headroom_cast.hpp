// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <vector>

#include "weir/core/chip.hpp"
#include "weir/core/units.hpp"

namespace weir {

/// Who does what in an attack on headroom: on each port one lossless PG is attacked, except on the
/// last port of each memory domain. All other lossless PGs help to bring T down.
struct HeadroomCast {
  /// A PG and a priority that leads to it.
  struct Group {
    PortId port;
    Priority pg, priority;
  };

  std::vector<Group> attacked;
  std::vector<Group> helpers;
  std::vector<Group> reverse;  ///< For attacked[i]: the PG, of another port, of its reverse frame.
  PortId sink;                 ///< Where the attacked PGs' frames go, and stay.
};

/// The cast on `chip`. The lossless PGs of a port are chosen in turns, from port to port.
/// Errors: ConfigError when no port can be attacked.
[[nodiscard]] HeadroomCast headroom_cast(const Chip& chip);

/// A class for frames outside the attack: a lossy one if there is one, else any but `attacked`.
[[nodiscard]] std::optional<HeadroomCast::Group> other_class_of(const Chip& chip, PortId port,
                                                                Priority attacked);

}  // namespace weir
