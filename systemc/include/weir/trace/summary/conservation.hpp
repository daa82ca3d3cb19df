// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "weir/model/network/network.hpp"

namespace weir {

/// Checks that nothing was lost or made: packets sent = delivered + dropped + in flight, and in
/// every switch the cells that the MMU holds are those of the frames that sit in its queues or are
/// just leaving, in total and per pool.
///
/// Errors: ModelError with the numbers.
/// Timing: between two calls of Network::run_until().
void check_conservation(const Network& network);

}  // namespace weir
