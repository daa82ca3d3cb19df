// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

namespace weir {

/// Octets of a frame and of its parts [802.3 3.1, 802.1Q 9.5].
inline constexpr std::size_t header_octets = 14, tag_octets = 4, fcs_octets = 4;
inline constexpr std::uint64_t min_frame = 64;

}  // namespace weir
