// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <vector>

namespace weir {

/// Writes the page of the results of sweeps, one chapter each, to `page`, and its charts as SVG
/// files into the folder `pictures` (empty: none), which is made where it is not there. Errors:
/// ModelError: no results of a sweep; ConfigError: a file cannot be written.
void write_sweep_report(const std::vector<std::filesystem::path>& databases,
                        const std::filesystem::path& page, const std::filesystem::path& pictures);

}  // namespace weir
