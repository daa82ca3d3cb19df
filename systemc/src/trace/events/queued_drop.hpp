// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "weir/model/switch/mac_drop.hpp"

namespace weir {

/// Whether a frame that is dropped for `reason` was in the egress queue of the port, after the MMU.
/// Others have not been admitted.
[[nodiscard]] constexpr bool is_queued_drop(MacDrop reason) noexcept {
  return reason == MacDrop::stray_copy || reason == MacDrop::watchdog_egress;
}

}  // namespace weir
