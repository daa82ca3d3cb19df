// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "weir/config/scenario/scenario.hpp"
#include "weir/model/ranks/network_rank.hpp"

namespace weir {

/// Packets times switches that the traffic of a scenario asks for in a second, about: at the rates
/// that it offers, on shortest ways.
[[nodiscard]] double hops_a_second(const Scenario& scenario);

/// A line about what part of their time ranks will simulate, and do not wait for each other: the
/// hops of a window and rank against a sync, which is measured. Called by all ranks.
[[nodiscard]] std::string predicted_efficiency(NetworkRank& rank, const Scenario& scenario);

}  // namespace weir
