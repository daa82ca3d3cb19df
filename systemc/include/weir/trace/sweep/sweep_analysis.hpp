// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "weir/trace/sweep/sweep_table.hpp"

namespace weir {

/// Indices of the rows that no other row dominates, ascending: a row dominates another when none of
/// its numbers is larger and one is smaller. Equal rows do not dominate each other. Range: rows of
/// one length.
[[nodiscard]] std::vector<std::size_t> pareto_front(
    const std::vector<std::vector<std::uint64_t>>& rows);

/// Cases that are compared with each other, and those of them that no other case dominates.
struct SweepFront {
  std::string scenario;
  /// None: all workloads, if the sweep has any, and each case by its worst one.
  std::optional<std::string> workload;
  /// Indices into SweepTable::cases; with all workloads, of the first.
  std::vector<std::size_t> cases;
  std::vector<std::size_t> members;  ///< Indices into `cases`: the front.
  /// For each of `cases` its value of each objective: the worst over seeds (and workloads).
  std::vector<std::vector<std::uint64_t>> values;
};

/// The front of every scenario and workload; with several workloads also of all of them, among the
/// settings that ran with each.
[[nodiscard]] std::vector<SweepFront> fronts_of(const SweepTable& table);

/// A result of a case; none when it has no result.
using ResultOf = std::function<std::optional<std::uint64_t>(std::size_t case_index)>;

/// The effect of one input alone on a result.
struct SweepEffect {
  std::size_t input{0};
  /// Crossed inputs: settings of all others, in each of which at least two of its levels have a
  /// result. Sampled ones: samples.
  std::size_t settings{0};
  double average_swing{0};  ///< Largest less smallest result over its levels, all else equal.
  std::uint64_t largest_swing{0};
  std::size_t lowest{0}, highest{0};  ///< Levels with the least and the greatest average result.
  /// Sampled inputs: Spearman's rank correlation with the result, -1 to 1; no swing.
  std::optional<double> rank_correlation;
};

/// The inputs that have more than one level, in their order.
[[nodiscard]] std::vector<SweepEffect> effects_of(
    const std::vector<SweepInput>& inputs, const std::vector<std::vector<std::size_t>>& levels,
    const ResultOf& result);

/// Averages of a result over all cases that share a level of two inputs.
struct HeatMap {
  struct Field {
    std::size_t cases{0};  ///< Number of cases with a result; 0: none.
    double average{0};
  };
  std::size_t x{0}, y{0};  ///< Inputs.
  std::vector<std::string> columns, rows;
  std::vector<Field> fields;  ///< Row by row.
};

/// Levels beyond `most` are combined with their neighbours.
[[nodiscard]] HeatMap heat_map(const SweepTable& table, std::size_t x, std::size_t y,
                               const ResultOf& result, std::size_t most = 12);

}  // namespace weir
