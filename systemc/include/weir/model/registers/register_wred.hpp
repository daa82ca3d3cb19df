// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "weir/model/registers/register_map.hpp"

namespace weir {

// Blocks of register_map(): marking and early drop at egress queues.

/// Settings of the WRED profiles.
[[nodiscard]] RegisterBlock wred_block();
/// The register of draws of each port.
[[nodiscard]] RegisterBlock port_draw_block();
/// What each queue has marked and dropped, and what waits in it.
[[nodiscard]] RegisterBlock queue_wred_block();

}  // namespace weir
