// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "weir/config/scenario/scenario.hpp"
#include "weir/core/random.hpp"
#include "weir/core/units.hpp"

namespace weir {

/// A size from a distribution of `points`, linear between them, as they are published; at least
/// 1 B. Range: at least one point, the last with a share of 1e6.
[[nodiscard]] Bytes draw_message_size(const std::vector<SizePoint>& points, RandomStream& random);

/// Mean size of the piecewise linear distribution.
[[nodiscard]] Bytes mean_message_size(const std::vector<SizePoint>& points);

/// Bytes on the wire, preamble and gap included, of a message of `size` in frames of `packet`.
[[nodiscard]] Bytes message_wire_bytes(Bytes size, Bytes packet);

}  // namespace weir
