// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <vector>

#include "weir/config/files/output_file.hpp"

namespace weir {

/// Where the results of a point that runs by itself are, in the folder of its sweep.
[[nodiscard]] std::filesystem::path point_folder(const std::filesystem::path& folder,
                                                 std::uint64_t point);

/// Before the runs: whether `pictures` (empty: none) can be a folder. Errors: ConfigError.
void check_pictures(const std::filesystem::path& pictures);

/// Writes the page of the results of sweeps, one chapter each, to `page`, and its charts as SVG
/// files into the folder `pictures` (empty: none), which is made where it is not there. Errors:
/// ModelError: no results of a sweep; ConfigError: a file cannot be written.
void write_sweep_report(const std::vector<std::filesystem::path>& databases,
                        const std::filesystem::path& page, NamedBy by,
                        const std::filesystem::path& pictures);

}  // namespace weir
