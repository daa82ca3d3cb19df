// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <vector>

#include "weir/config/scenario/scenario.hpp"
#include "weir/model/ranks/rank_transport.hpp"

namespace weir {

/// Which rank runs each node of a network. A host is where its switch is, so that only cables
/// between switches are cut.
struct Partition {
  std::size_t ranks{1};
  std::vector<std::size_t> of_switch, of_host;

  [[nodiscard]] std::size_t of(const LinkEnd& end) const {
    return (end.is_host ? of_host : of_switch)[end.node];
  }
  [[nodiscard]] bool cuts(const LinkSpec& link) const { return of(link.a) != of(link.b); }
};

/// Splits a network into parts of about the same number of links, with few cables between them. No
/// part is empty. That of rank 0 is smaller where it records the steps of all MMUs as well
/// (`first_records`).
///
/// Errors: ConfigError when there are fewer switches than ranks, or a cable between two ranks has
/// no
///         delay, which leaves ranks no time in which they are independent.
[[nodiscard]] Partition split_network(const Scenario& scenario, std::size_t ranks,
                                      bool first_records, const RankLibraryTable& library);

/// For how long after its first bit leaves nothing at the far side of a cut cable depends on a
/// frame: the least over the cut cables of the delay and the wire time of the shortest frame. The
/// largest time there is where no cable is cut.
[[nodiscard]] Picoseconds lookahead_of(const Scenario& scenario, const Partition& partition);

}  // namespace weir
