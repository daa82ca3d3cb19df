// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "weir/config/sweep/sweep.hpp"
#include "weir/trace/sweep/sweep_run.hpp"

namespace weir {

/// What was found for a combination: points of a sweep that differ in the seed alone.
struct SizeAnswer {
  std::optional<std::size_t> value;  ///< The smallest that meets the goal, of SweepSize::values.
  std::vector<SweepOutcome> runs;    ///< As points of size_search().
  std::string error;                 ///< Why the largest value does not run, if it does not.

  /// The first value of all meets the goal: smaller ones may, too.
  [[nodiscard]] bool at_lower_bound() const noexcept { return value == std::size_t{0}; }
  /// The value, where the one a step below misses the goal.
  [[nodiscard]] std::optional<std::size_t> edge() const noexcept {
    return at_lower_bound() ? std::nullopt : value;
  }
};

/// Seeds of a sweep, or 1: the scenario's own.
[[nodiscard]] std::uint64_t seeds_of(const Sweep& sweep) noexcept;

/// Bisects every combination, `jobs` at a time, in processes of their own. `search` is
/// size_search(sweep). `ended` is called for each as it ends, `stop` often: true ends the search
/// now. Errors: ModelError when the model does.
[[nodiscard]] std::vector<SizeAnswer> find_sizes(
    const Sweep& sweep, const Sweep& search, unsigned jobs,
    const std::function<void(const SizeAnswer&)>& ended, const std::function<bool()>& stop);

}  // namespace weir
