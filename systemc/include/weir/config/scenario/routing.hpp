// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "weir/config/format/addresses.hpp"
#include "weir/config/scenario/scenario.hpp"
#include "weir/core/tables/route_table.hpp"

namespace weir {

/// The routes of every switch: automatic ones, then those of Scenario::routes.
///
/// Automatic routes lead to the subnet of each switch through all ports at which a shortest path
/// (fewest links) begins, and to each of a switch's own hosts through its port. A host whose
/// address is outside the subnet of its switch has a route of its own at every switch.
[[nodiscard]] std::vector<RouteTable> make_routes(const Scenario& scenario,
                                                  const AddressPlan& plan);

}  // namespace weir
