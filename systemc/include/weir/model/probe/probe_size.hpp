// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "weir/core/chip.hpp"
#include "weir/model/probe/silicon_probe.hpp"

namespace weir {

/// Packets that a run sends, at most: every one is in memory until the end, at some 160 octets of
/// the machine.
constexpr std::uint64_t probe_packet_limit = 5'000'000;
/// Packets that `run` sends until the pools and queues that it fills are full: an upper bound, as
/// the thresholds may stop it earlier.
/// Errors: ConfigError when the chip is impossible.
[[nodiscard]] std::uint64_t max_probe_packets(const Chip& chip, const ProbeRun& run);
/// Errors: ConfigError when these may be more than probe_packet_limit; nothing has been sent then.
void check_probe_size(const Chip& chip, const ProbeRun& run);

}  // namespace weir
