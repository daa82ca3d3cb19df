// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace weir::result_names {

/// Names of the files in a result folder (docs/reference/results.md).
inline constexpr const char* run = "run.json";             ///< How it was made; names all files.
inline constexpr const char* summary = "summary.json";     ///< Of weir run.
inline constexpr const char* report_data = "report.json";  ///< What its page shows.
inline constexpr const char* page = "report.html";
inline constexpr const char* events = "events.sqlite";
inline constexpr const char* sweep = "sweep.sqlite";  ///< Of weir sweep.

}  // namespace weir::result_names
