// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>

#include "weir/config/reader.hpp"
#include "weir/config/scenario.hpp"

/// The parts of a scenario file, each read by one function; load_scenario() calls them in this
/// order. `folder` is where the files are that the scenario names.
namespace weir::scenario_sections {

/// [switch.NAME]
void read_switch(TableReader& document, const std::filesystem::path& folder, Scenario& scenario);
/// [hosts] and [host.NAME], with the link of each.
void read_hosts(TableReader& document, Scenario& scenario);
/// [[traffic]]
void read_traffic(TableReader& document, const std::filesystem::path& folder, Scenario& scenario);
/// [[fault]]
void read_faults(TableReader& document, Scenario& scenario);

}  // namespace weir::scenario_sections
