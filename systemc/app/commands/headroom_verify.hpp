// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "weir/core/chip.hpp"
#include "weir/model/probe/headroom_verification.hpp"

// What `weir headroom --verify` has to say.
namespace weir {

/// As text: measured need, margin of each method and of the chip's own headroom, for each kind of
/// port.
[[nodiscard]] std::string verification_text(const Chip& chip,
                                            const std::vector<HeadroomProof>& proofs);
/// For programs: plain integers, units in the names.
[[nodiscard]] std::string verification_json(const Chip& chip,
                                            const std::vector<HeadroomProof>& proofs);
/// 0 when the chip's own headroom suffices, and worst_case suffices and is tight, for every kind of
/// port; else 1.
[[nodiscard]] int verification_exit_code(const std::vector<HeadroomProof>& proofs);

}  // namespace weir
