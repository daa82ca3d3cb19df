// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "weir/model/network/network.hpp"

namespace weir {

/// Checks that no packet or cell was lost or invented: packets sent = delivered + dropped + in
/// flight, and in every switch the MMU holds exactly the cells of the frames in its queues and of
/// those just leaving, in total and per pool.
///
/// Errors: ModelError with the numbers.
/// Timing: between two calls of Network::run_until().
void check_conservation(const Network& network);

}  // namespace weir
