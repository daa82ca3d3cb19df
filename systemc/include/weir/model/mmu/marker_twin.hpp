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
  bool sent{true};  ///< False: it is discarded, nothing is asked.
};

/// A marker next to the core's: RTL that is asked the same, and must answer the same. It hands out
/// a verdict before anything happens after the edge ahead of the verdict's cycle.
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
