// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "weir/model/registers/register_map.hpp"

namespace weir {

/// Values of chip.id (the letters WEIR) and chip.map_version.
constexpr std::uint32_t register_map_id = 0x57454952, register_map_version = 3;
/// Value of chip.version: the release 1.2.3 as 0x00010203.
[[nodiscard]] std::uint32_t packed_version();

// The blocks of register_map() that say what a chip is and what its segments hold now.

[[nodiscard]] RegisterBlock chip_block();
[[nodiscard]] RegisterBlock profile_block();
[[nodiscard]] RegisterBlock partition_block();
[[nodiscard]] RegisterBlock queue_profile_block();
[[nodiscard]] RegisterBlock pool_block();
[[nodiscard]] RegisterBlock egress_pool_block();
[[nodiscard]] RegisterBlock pg_block();
[[nodiscard]] RegisterBlock queue_block();

}  // namespace weir
