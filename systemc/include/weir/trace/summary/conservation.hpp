// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "weir/model/network/network.hpp"
#include "weir/trace/summary/totals.hpp"

namespace weir {

/// Checks that no packet or cell was lost or invented: packets sent = delivered + dropped + in
/// flight, and in every switch the MMU holds exactly the cells of the frames in its queues and of
/// those just leaving, in total and per pool.
///
/// Errors: ModelError with the numbers.
/// Timing: between two calls of Network::run_until().
void check_conservation(const Network& network);

// Its parts: the packets of all nodes, and the cells of one switch.
void check_packets(const Totals& totals, Picoseconds time);
void check_cells(const Switch& node, Picoseconds time);

}  // namespace weir
