// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace weir {

/// An input of a sweep: its scenarios, its workloads, or an axis.
struct SweepInput {
  std::string name;
  /// Values of the input in their order; ascending where it is sampled.
  std::vector<std::string> levels;
  bool sampled{false};  ///< Values belong to samples; not crossed with those of the others.
};

/// A figure to be minimised or maximised.
struct SweepObjective {
  std::string name;
  std::size_t figure{0};  ///< Index into SweepTable::figures.
  bool most{false};
};

/// A figure over the seeds of a case.
struct SeedSpread {
  std::uint64_t least{0}, most{0};
  std::uint64_t runs{0};
  double mean{0};
  double squares{0};  ///< Sum of the squares of the distances from the mean.

  void add(std::uint64_t value) noexcept;
  /// The mean over all seeds there are lies within this of the mean with a confidence of 95 %, if
  /// the values are normally distributed (Student's t); 0 of one run.
  [[nodiscard]] double half_interval() const noexcept;
};

/// Runs that differ only in their seed.
struct SweepCase {
  std::uint64_t point{0};           ///< The first of them.
  std::vector<std::size_t> levels;  ///< For each input, the index of its level.
  std::uint64_t runs{0}, failed{0};
  std::string error;     ///< Error of the first run that failed.
  bool goal_met{false};  ///< Every seed met the goal.
  /// A spread for each of SweepTable::figures; empty when a seed failed.
  std::vector<SeedSpread> figures;

  [[nodiscard]] bool ran() const noexcept { return failed == 0 && !figures.empty(); }
  /// The worst of the seeds: the value that decides for a size that must hold under each of them.
  [[nodiscard]] std::uint64_t worst(const SweepObjective& objective) const {
    const SeedSpread& spread = figures[objective.figure];
    return objective.most ? spread.least : spread.most;
  }
};

/// The results of a sweep in sweep.sqlite, with the seeds combined.
struct SweepTable {
  std::string name, description;
  std::string version;  ///< Version of the program that began the sweep; may be empty.
  std::string file;     ///< Text of the sweep file; may be empty.
  std::vector<std::string> scenarios;  ///< What each of them is, a line of text.
  std::uint64_t points{0}, runs{0}, failed{0};
  bool has_goal{false};
  std::vector<SweepInput> inputs;  ///< "scenario" is the first, "workload" (if any) the second.
  std::vector<std::string> figures;
  std::vector<SweepObjective> objectives;
  std::vector<SweepCase> cases;  ///< In the order of their points.
  /// Of a search (`weir size`): the input whose smallest value was searched, and the difference of
  /// two of its values that are so many steps apart.
  std::optional<std::size_t> size_input;
  std::vector<std::string> size_distances;
  /// What follows is not in sweep.sqlite. Command that runs a point by itself, but for its number;
  /// empty: not known.
  std::string run_command;
  /// Points that have run by themselves, and where their pages are, seen from that of the sweep.
  std::map<std::uint64_t, std::string> pages;

  [[nodiscard]] bool has_workloads() const {
    return 1 < inputs.size() && inputs[1].name == "workload";
  }
  /// The inputs after scenario and workload begin here.
  [[nodiscard]] std::size_t first_axis() const { return has_workloads() ? 2 : 1; }
};

/// Reads the results of a sweep, complete or not, from a file that others may have changed.
/// Errors: FileError when it is not as weir sweep or weir size writes it.
[[nodiscard]] SweepTable read_sweep_table(const std::filesystem::path& database);

}  // namespace weir
