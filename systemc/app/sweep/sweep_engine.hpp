// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "array_scheduler.hpp"
#include "weir/config/sweep/sweep.hpp"
#include "weir/trace/sweep/sweep_run.hpp"

namespace weir {

/// One of `of` processes that share the points of a sweep in turn: it has points number - 1,
/// number - 1 + of, ... Range: number from 1 to `of`.
struct SweepShare {
  std::uint64_t number{1}, of{1};
};

/// The points of a share that still have to run, in order.
class PendingPoints {
 public:
  /// `points` of the sweep; `finished` ascending.
  PendingPoints(std::uint64_t points, std::vector<std::uint64_t> finished, const SweepShare& share)
      : points_{points}, finished_{std::move(finished)}, step_{share.of}, at_{share.number - 1} {}

  [[nodiscard]] std::optional<std::uint64_t> next() {
    while (is_finished()) at_ += step_;
    if (at_ >= points_) return std::nullopt;
    const std::uint64_t point = at_;
    at_ += step_;
    return point;
  }

 private:
  [[nodiscard]] bool is_finished() {
    while (skipped_ < finished_.size() && finished_[skipped_] < at_) ++skipped_;
    return skipped_ < finished_.size() && finished_[skipped_] == at_;
  }

  const std::uint64_t points_;
  const std::vector<std::uint64_t> finished_;
  const std::uint64_t step_;
  std::uint64_t at_;
  std::size_t skipped_{0};
};

/// The engine of child processes; array_schedulers() has the others.
inline constexpr std::string_view local_engine = "local";
/// What --jobs and --tasks may be, and the most tasks of a job array without --tasks: Slurm's own
/// default limit is 1001.
inline constexpr std::uint64_t max_jobs = 4096, max_tasks = 1'000'000, usual_tasks = 1000;

/// What an engine has to do, and what it calls.
struct SweepWork {
  const Sweep& sweep;
  PendingPoints& pending;
  std::function<void(const SweepOutcome&)> ended;  ///< Each point once, as it ends.
  std::function<bool()> stop;                      ///< Asked often; true: end now.
};

/// What the processors did, in seconds.
struct SweepCost {
  double runs{0};    ///< In the runs' own processes: load, elaborate, simulate, sum up.
  double engine{0};  ///< In this process: starting them, collecting, writing rows.
};

/// Child processes of this one, `jobs` at a time.
[[nodiscard]] SweepCost run_local(const SweepWork& work, unsigned jobs);

/// Errors: ConfigError when this machine lacks a program of the scheduler.
void check_scheduler(const ArrayScheduler& scheduler);

/// What a job array needs with the work.
struct ArrayOptions {
  std::filesystem::path folder;  ///< Absolute, shared by all nodes; the engine's files are below.
  unsigned tasks{0};  ///< Tasks of the array; 0: one for every point, at most usual_tasks.
  unsigned jobs{0};   ///< Tasks at a time; 0: as many as the scheduler grants.
};

/// A job array: tasks write what they find to `folder`, this process collects it. Points whose task
/// ended early are left over. What an earlier process asked for and has not collected is collected
/// first, and what of it still runs is cancelled.
/// Errors: ConfigError when the scheduler refuses the array.
[[nodiscard]] SweepCost run_array(const ArrayScheduler& scheduler, const SweepWork& work,
                                  const ArrayOptions& options);

/// The other end: one task of such an array, from 1. Returns the exit code.
[[nodiscard]] int run_array_task(const Sweep& sweep, const std::filesystem::path& attempt,
                                 std::uint64_t task);

/// Runs the point in a child process of this one. Never throws what the run threw.
[[nodiscard]] SweepOutcome run_isolated(const Sweep& sweep, std::uint64_t point);

}  // namespace weir
