// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "sweep_engine.hpp"
#include "weir/config/files/result_names.hpp"

// A sweep in the hands of any scheduler. Files, in OUT: `plan.json` (what is planned), and in
// `tasks` the outcomes of each task: `<share>-of-<shares>.<start>.jsonl`, a new one for each
// start of a task; its first line is the digest of the sweep.
namespace weir {

/// "I/N". Errors: ConfigError (key "--point"): not two numbers, N above the number of points, I not
///                from 1 to N.
[[nodiscard]] SweepShare parse_share(const std::string& text, std::uint64_t points);

/// The plan of a sweep in the folder of its results.
class SweepPlan {
 public:
  /// `digest` of the sweep.
  SweepPlan(const Sweep& sweep, std::string digest, std::filesystem::path folder);

  [[nodiscard]] std::filesystem::path file() const { return folder_ / result_names::plan; }
  [[nodiscard]] bool exists() const;
  void write() const;
  /// Errors: FileError: there is no plan, or it is one of another sweep or another version.
  void check() const;

  /// Runs the points of a share of it that have no outcome from an earlier start, `jobs` at a time.
  /// False when `stop` ended it. Errors: ModelError when its file cannot be written.
  [[nodiscard]] bool run(const SweepShare& share, unsigned jobs,
                         const std::function<bool()>& stop) const;
  /// Errors: FileError: what a task has written is of another sweep.
  void check_outcomes() const;
  /// Hands on what the tasks have found, and takes it from the pending points.
  void collect(const SweepWork& work) const;
  /// Takes the files of the tasks away.
  void forget_outcomes() const;

 private:
  [[nodiscard]] std::filesystem::path outcomes() const { return folder_ / result_names::tasks; }
  [[nodiscard]] std::vector<std::uint64_t> finished_of(const SweepShare& share) const;

  const Sweep& sweep_;
  const std::string digest_;
  const std::filesystem::path folder_;
};

}  // namespace weir
