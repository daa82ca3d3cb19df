// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
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

/// A message as frames: all of `packet` bytes but the last.
struct MessageFrames {
  std::uint64_t count{1};
  Bytes packet, last;

  /// As sources cut it; of 0 B, one frame. Range: packet above 0.
  [[nodiscard]] static MessageFrames of(Bytes size, Bytes packet) noexcept;
  /// Bytes on the wire, preamble and gap included.
  [[nodiscard]] Bytes wire_bytes() const noexcept;
  /// From the start of its first frame to the earliest start of a frame after it.
  [[nodiscard]] Picoseconds slots(Picoseconds byte) const noexcept {
    return byte * wire_bytes().count();
  }
};

}  // namespace weir
