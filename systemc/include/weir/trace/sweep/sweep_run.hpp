// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weir/config/sweep/sweep.hpp"
#include "weir/trace/summary/summary.hpp"

namespace weir {

/// The result of one point of a sweep.
struct SweepOutcome {
  std::uint64_t point{0};
  int exit_code{0};                    ///< 0: it ran; otherwise the exit code of `weir run`.
  std::string error;                   ///< Why it did not run.
  std::uint64_t seed{0};               ///< Seed of the run.
  bool expect_met{false};              ///< All lines of the scenario's [expect].
  bool goal_met{false};                ///< All lines of the sweep's [goal].
  std::vector<std::uint64_t> figures;  ///< In the order of sweep_figures(); empty if it failed.

  [[nodiscard]] bool ran() const noexcept { return exit_code == 0; }
};

/// Names of a run's figures, with their units, as columns: `pauses_sent`, `pause_time_ps` ...
[[nodiscard]] std::vector<std::string> sweep_figures(const Sweep& sweep);

/// The column of a metric, of "memory" or of a figure of the sweep, by its name; empty: none.
[[nodiscard]] std::string sweep_column_of(const Sweep& sweep, const std::string& name);

/// The figures of a run, and whether they meet [goal].
[[nodiscard]] SweepOutcome outcome_of(const Sweep& sweep, std::uint64_t point,
                                      const Summary& summary);

/// Runs the point in this process: load, elaborate, simulate, check that nothing was lost.
/// Errors: those of load_scenario() and Network.
[[nodiscard]] SweepOutcome run_sweep_point(const Sweep& sweep, const SweepPoint& point);

/// One line without a line break, and back: passes the result to another process.
[[nodiscard]] std::string to_line(const SweepOutcome& outcome);
/// None when the line is not such a result (truncated, for example).
[[nodiscard]] std::optional<SweepOutcome> parse_outcome(const std::string& line);

}  // namespace weir
