// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "weir/config/scenario/scenario.hpp"
#include "weir/core/units.hpp"
#include "weir/model/host/message_sizes.hpp"
#include "weir/model/network/frame.hpp"
#include "weir/model/switch/switch.hpp"

namespace weir {

/// A link on the way of a message.
struct Hop {
  Picoseconds byte;   ///< Time of a byte on it.
  Picoseconds delay;  ///< From the last bit at its beginning until the next link may start.
};

/// From the start of the first frame on the first link to the last bit at the host, when every link
/// is idle and every frame starts as soon as it may.
///
/// Cost: the number of hops, whatever the number of frames.
[[nodiscard]] Picoseconds unloaded_time(const MessageFrames& message, const std::vector<Hop>& way);

/// The same up to the start of the first frame on the last link.
[[nodiscard]] Picoseconds time_to_last_link(const MessageFrames& message,
                                            const std::vector<Hop>& way);

/// The network without any other traffic: which way a message takes, and how long links and
/// switches need at least. Clock edges are left out, up to one period a switch; so it is a lower
/// bound. What NICs need (windows, pipelines) is not in it.
class EmptyNetwork {
 public:
  EmptyNetwork(const Scenario& scenario, const std::vector<std::unique_ptr<Switch>>& switches);

  /// The links to `frame`'s destination, as the routes of `when` lead it; none: they do not.
  [[nodiscard]] std::optional<std::vector<Hop>> way_of(const Frame& frame, Picoseconds when) const;

 private:
  struct Cable {
    LinkEnd to;
    Picoseconds byte, delay;
  };

  [[nodiscard]] BitRate rate_of(const LinkEnd& end) const;

  const Scenario& scenario_;
  const std::vector<std::unique_ptr<Switch>>& switches_;
  std::vector<std::optional<Cable>> from_host_;
  std::vector<std::vector<std::optional<Cable>>> from_port_;
};

}  // namespace weir
