// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace weir {

/// Why a frame was dropped outside the MMU's own reasons.
enum class MacDrop : std::uint8_t {
  oversize,   ///< Longer than the chip's mtu.
  no_route,   ///< No route for its destination, or one that discards.
  port_fifo,  ///< The port FIFO was full.
  ttl,        ///< Its TTL has reached 0.
};

}  // namespace weir
