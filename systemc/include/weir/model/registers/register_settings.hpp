// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "weir/model/registers/register_map.hpp"

namespace weir {

/// Values of chip.id (the letters WEIR) and chip.map_version.
constexpr std::uint32_t register_map_id = 0x57454952, register_map_version = 4;
/// Where the blocks begin, in bytes. Each has room for a chip of 4096 ports.
namespace register_base {
inline constexpr std::uint32_t chip = 0x000000, profile = 0x100000, partition = 0x180000,
                               queue_profile = 0x1c0000, pool = 0x200000, egress_pool = 0x280000,
                               port = 0x300000, wred = 0x340000, port_draw = 0x380000,
                               pg = 0x400000, port_class = 0x600000, pg_stats = 0x800000,
                               queue = 0xb00000, queue_stats = 0xc00000, queue_wred = 0xd00000,
                               port_class_health = 0xe00000;
}  // namespace register_base
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
