// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

#include "weir/core/units.hpp"

namespace weir {

/// Octets of a frame and of its parts [802.3 3.1, 802.1Q 9.5].
inline constexpr std::size_t header_octets = 14, tag_octets = 4, fcs_octets = 4;
inline constexpr Bytes min_frame_bytes{64};  ///< FCS included.

inline constexpr Bytes preamble_bytes{8};         ///< Preamble and start delimiter.
inline constexpr Bytes interframe_gap_bytes{12};  ///< Least gap after every frame.
inline constexpr Bytes slot_overhead_bytes = preamble_bytes + interframe_gap_bytes;  ///< Per frame.

}  // namespace weir
