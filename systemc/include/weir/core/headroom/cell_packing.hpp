// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "weir/core/chip_limits.hpp"
#include "weir/core/units.hpp"

namespace weir {

/// The frames of a port and the cells that they are split into.
struct FrameLimits {
  Bytes mtu{usual_mtu};    ///< Largest frame, FCS included; the smallest is 64 B.
  Bytes cell{usual_cell};  ///< At least `smallest_packed_cell`.
  Bytes cell_overhead{0};  ///< Metadata in the first cell of each frame.
};

/// Lower limit of the cell size; real chips have 80 to 512 B.
constexpr Bytes smallest_packed_cell{32};

/// The largest number of cells that a sequence of frames of 64 B to MTU can occupy whose slots on
/// the wire (preamble 8 B, frame, gap 12 B) fit `wire` bytes.
///
/// Exact for any length of wire, in constant time: an unbounded knapsack in which all but a bounded
/// rest is filled with the frame of the most cells per byte.
///
/// Units:  bytes on the wire in, cells out.
/// Range:  mtu >= 64 B, cell >= smallest_packed_cell; a result above 2^32 - 1 saturates.
/// Errors: none.
[[nodiscard]] Cells max_cells(Bytes wire, const FrameLimits& limits);

/// Frames of one length, back to back.
struct FrameRun {
  Bytes length;
  std::uint64_t count{0};
};

/// A sequence of frames that occupies max_cells(wire, limits) and fits `wire`. The frames may be in
/// any order. Units, range and cost as max_cells().
[[nodiscard]] std::vector<FrameRun> densest_frames(Bytes wire, const FrameLimits& limits);

}  // namespace weir
