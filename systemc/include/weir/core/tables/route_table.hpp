// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "weir/core/tables/ipv4.hpp"
#include "weir/core/units.hpp"

namespace weir {

/// The ports for some addresses, and when they are used.
struct Route {
  static constexpr Picoseconds always{~std::uint64_t{0}};

  Ipv4Prefix to;
  std::vector<PortId> ports;  ///< Equal-cost, ascending; none: the packets are discarded.
  bool automatic{true};       ///< From the topology; false: configured.
  Picoseconds from;           ///< Start of validity, inclusive.
  Picoseconds until{always};  ///< End of validity, exclusive.
};

/// The routes of a switch: longest prefix first; of the same prefix a configured one before an
/// automatic one, and of two configured ones the later in the list.
///
/// Timing:  for configuration; find() walks all routes, find_all() looks for each address in a
///          table. model/switch/forwarding.hpp builds the tables that packets use from it.
class RouteTable {
 public:
  void add(Route route) { routes_.push_back(std::move(route)); }

  /// The route for `address` at `time`; nullptr: none.
  [[nodiscard]] const Route* find(Ipv4 address, Picoseconds time) const noexcept;
  /// find() for each of `addresses`, in their order.
  [[nodiscard]] std::vector<const Route*> find_all(const std::vector<Ipv4>& addresses,
                                                   Picoseconds time) const;
  /// The times from which a look-up may give another route, ascending; the first is 0.
  [[nodiscard]] std::vector<Picoseconds> changes() const;
  [[nodiscard]] const std::vector<Route>& routes() const noexcept { return routes_; }

 private:
  std::vector<Route> routes_;
};

}  // namespace weir
