// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "weir/model/ranks/network_rank.hpp"
#include "weir/trace/summary/summary.hpp"

namespace weir {

/// The summary of a network over ranks: `mine` is what this rank has of its own part. Called by all
/// ranks; at rank 0 the result is that of the whole network, elsewhere it means nothing.
[[nodiscard]] Summary summary_of_all(const Network& network, Summary mine);

/// The books of all ranks together. Errors: as check_conservation(), at every rank.
void check_conservation_of_all(const Network& network);

}  // namespace weir
