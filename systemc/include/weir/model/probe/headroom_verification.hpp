// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <vector>

#include "weir/core/headroom/headroom_sizer.hpp"
#include "weir/model/probe/headroom_adversary.hpp"

namespace weir {

/// What the running model says of the headroom of ports of one kind: same rate, response and
/// company in their memory domain.
struct HeadroomProof {
  struct Method {
    std::string_view name;
    Cells cells;  ///< What it asks for.
  };

  PortId port;                     ///< The worst case of its kind.
  HeadroomPort setting;            ///< What the formulas were given.
  Cells need;                      ///< Measured: the peak under attack with ample headroom.
  std::uint64_t drops_at_need{0};  ///< With exactly `need`: none, if the measurement is right.
  std::uint64_t drops_below{0};    ///< With one cell less: some.
  Cells allowed;                   ///< What worst_case may exceed the need by.
  Cells worst_case;
  Cells configured;             ///< The least eta that the chip gives a lossless PG of these ports.
  std::vector<Method> methods;  ///< In the order of headroom_methods().

  [[nodiscard]] bool confirmed() const noexcept { return drops_at_need == 0 && drops_below != 0; }
  [[nodiscard]] bool sufficient() const noexcept { return need <= worst_case; }
  [[nodiscard]] bool tight() const noexcept {
    return saturating_subtract(worst_case, need) <= allowed;
  }
  /// Of worst_case alone: the headroom of the chip is not part of it.
  [[nodiscard]] bool good() const noexcept { return confirmed() && sufficient() && tight(); }
  /// The chip's own headroom suffices. Its shared headroom pool is not attacked.
  [[nodiscard]] bool enough() const noexcept { return need <= configured; }
};

/// Attacks `chip`, all of its ports on cables of that length, four times for each kind of port:
/// windows measured, filled with ample headroom (the need), with the need, and with one cell less.
///
/// worst_case may exceed the need by one largest frame in cells. A chip with fewer lanes than
/// carry minimum-size frames may have a full port FIFO before the trigger, which the attack does
/// not build: there the cells of that wait are allowed as well.
///
/// Errors:  as run_attack(); ConfigError of the sizer.
[[nodiscard]] std::vector<HeadroomProof> verify_headroom(
    const Chip& chip, Millimetres cable,
    Picoseconds delay_per_metre = HeadroomPort{}.delay_per_metre);

}  // namespace weir
