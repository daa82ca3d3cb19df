// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "weir/config/files/output_file.hpp"
#include "weir/config/sweep/sweep.hpp"
#include "weir/trace/sweep/sweep_run.hpp"

namespace weir {

/// The results of a sweep in one SQLite file: one row per run, with every input and every figure.
/// Tables and columns: docs/reference/sweeps.md.
///
/// A row is in the file once add() returns, so that no row is lost when this process ends, even by
/// kill -9. When all rows are there, complete() writes the file again, so that the same sweep gives
/// the same bytes, independent of the order in which its runs ended.
///
/// Errors: ModelError when the file cannot be written.
class SweepDatabase {
 public:
  /// Opens `file`, or creates it. Errors: FileError when two columns of the sweep would have one
  /// name.
  SweepDatabase(std::filesystem::path file, const Sweep& sweep, const std::string& digest);
  ~SweepDatabase();
  SweepDatabase(const SweepDatabase&) = delete;
  SweepDatabase& operator=(const SweepDatabase&) = delete;

  void add(const SweepPoint& point, const SweepOutcome& outcome);
  /// Points that have a row, ascending.
  [[nodiscard]] std::vector<std::uint64_t> finished() const;
  /// Rows in all, and those of them that failed, missed [expect], met [goal].
  struct Counts {
    std::uint64_t rows{0}, failed{0}, expect_missed{0}, goal_met{0};
  };
  [[nodiscard]] Counts counts() const;
  /// The most frequent errors and how many points have each, at most `most` of them.
  [[nodiscard]] std::vector<std::pair<std::string, std::uint64_t>> errors(unsigned most) const;
  /// Closes the file; no call may follow. With `complete`, it is written again first.
  void close(bool complete);

  /// An existing file: digest of its sweep (empty: not such a file), and whether it has all rows.
  struct Found {
    std::string digest;
    bool complete{false};
    std::uint64_t rows{0}, points{0};
  };
  [[nodiscard]] static Found look_at(const std::filesystem::path& file);
  /// Whether this sweep can go on with the rows of an existing file; not where the sweep that made
  /// the file ended before it wrote a table.
  /// Errors: FileError when it holds another sweep, or anything that this one does not write.
  [[nodiscard]] static bool may_resume(const std::filesystem::path& file, const Sweep& sweep,
                                       const std::string& digest);

 private:
  class Tables;
  const std::filesystem::path file_;
  const Sweep& sweep_;
  std::unique_ptr<Tables> tables_;
};

/// The table of runs as CSV, a header and a row a run, in the order of points.
/// Errors: ModelError when the database cannot be read.
void export_sweep_csv(const std::filesystem::path& database, OutputFile& csv);

/// Columns of the table of runs. Errors: FileError when two would have one name.
[[nodiscard]] std::vector<std::string> sweep_columns(const Sweep& sweep);

}  // namespace weir
