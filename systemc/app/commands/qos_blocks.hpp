// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "weir/config/sonic/qos_params.hpp"
#include "weir/config/sonic/sonic_import.hpp"
#include "weir/core/chip.hpp"

// What the QoS tests of sonic-mgmt read, counted on the running model.
namespace weir {

inline constexpr Bytes qos_packet{64};

/// The sections of the speed and cable of `port`, which has a lossless PG.
/// Errors: as count_qos().
[[nodiscard]] QosBlock make_qos_block(const SonicImport& import, const Chip& chip, PortId port,
                                      unsigned jobs);

/// The sections that are the same for all speeds and cables; fills begin at `port`.
/// Errors: as count_fills().
[[nodiscard]] std::vector<QosSection> make_qos_topology(const SonicImport& import, const Chip& chip,
                                                        PortId port, unsigned jobs);

}  // namespace weir
