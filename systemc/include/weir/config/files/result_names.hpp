// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace weir::result_names {

/// Names of the files in a result folder (docs/reference/results.md).
inline constexpr const char* run = "run.json";  ///< How the results were made; names all files.
inline constexpr const char* summary = "summary.json";     ///< Figures of weir run.
inline constexpr const char* report_data = "report.json";  ///< What report.html shows of a run.
inline constexpr const char* page = "report.html";
inline constexpr const char* events = "events.sqlite";
inline constexpr const char* capture = "pfc.pcapng";
inline constexpr const char* sweep = "sweep.sqlite";  ///< Results of weir sweep.
/// Of a planned sweep: the plan, and the folder of what its tasks have written.
inline constexpr const char* plan = "plan.json";
inline constexpr const char* tasks = "tasks";
inline constexpr const char* points = "points";  ///< Folder of points that were run again.

/// What SQLite adds to the name of a database for the files next to it: the write-ahead log, its
/// index, the rollback journal.
inline constexpr const char* log_ending = "-wal";
inline constexpr const char* index_ending = "-shm";
inline constexpr const char* journal_ending = "-journal";

}  // namespace weir::result_names
