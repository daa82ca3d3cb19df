// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "weir/core/headroom/headroom_sizer.hpp"
#include "weir/core/units.hpp"

namespace weir {

/// What a headroom of so many cells is worth to a priority group of a port.
struct HeadroomGrade {
  Cells given;
  Cells standard, worst_case;  ///< What these methods ask for.
  Cells need;                  ///< Measured: the peak under attack with ample headroom.
  std::uint64_t drops{0};      ///< Lossless packets refused under attack with `given`.
};

/// Grades `given` on the running model: four ports like `port` in one memory domain, one of which
/// drains, attacked at once by peers that are as slow as the standard allows (run_attack()).
///
/// `port`: rate, cable, mtu, cell and latencies; slot_wait is that of the four ports.
/// Errors: as run_attack() and size_headroom().
[[nodiscard]] HeadroomGrade grade_headroom(const HeadroomPort& port, Cells given);

}  // namespace weir
