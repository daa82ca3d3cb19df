// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "weir/core/index.hpp"
#include "weir/core/units.hpp"
#include "weir/model/network/frame.hpp"

namespace weir {

/// A packet that begins to leave a queue with a WRED profile.
struct MarkerDeparture {
  QueueIndex queue;
  Cells cells;
  Bytes length;
  Ecn ecn{Ecn::not_ect};
  bool sent{true};  ///< False: the packet is discarded, without a decision on its mark.
};

/// A second marker, in RTL, next to that of the core: it gets the same requests, and its answers
/// have to be the same.
///
/// Timing:  a verdict of cycle c is passed on at the edge of cycle c - 1, before all that happens
///          after this edge.
class MarkerTwinIf {
 public:
  MarkerTwinIf() = default;
  MarkerTwinIf(const MarkerTwinIf&) = delete;
  MarkerTwinIf& operator=(const MarkerTwinIf&) = delete;
  virtual ~MarkerTwinIf() = default;

  /// The profile of its queue refuses a frame that comes at `edge`. The twin owns it from now on.
  virtual void dropped(Frame& frame, Picoseconds edge) = 0;
  /// A packet that was admitted counts from `cycle` on, and was marked there or not. Calls of a
  /// port come in the order of its verdicts.
  virtual void entered(QueueIndex queue, Cycle cycle, bool marked) = 0;
  /// What leaves in `cycle`, and whether it was marked.
  virtual void left(const MarkerDeparture& packet, Cycle cycle, bool marked) = 0;
};

}  // namespace weir
