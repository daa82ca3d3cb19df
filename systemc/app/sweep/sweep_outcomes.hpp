// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "sweep_engine.hpp"

// Files of outcomes, `*.jsonl`: processes that run points of a sweep elsewhere append to them, an
// outcome a line; a line counts when it is whole.
namespace weir {

/// A larger file holds no outcomes: a line is a kilobyte.
inline constexpr std::uintmax_t max_outcome_bytes = std::uintmax_t{1} << 30;

/// Nothing of a file that cannot be read, is larger, or is none.
[[nodiscard]] std::string text_or_nothing(const std::filesystem::path& file);

/// The points of `sweep` that have an outcome in a file: those that an OutcomeCollector takes.
[[nodiscard]] std::set<std::uint64_t> points_in(const Sweep& sweep,
                                                const std::filesystem::path& file);

/// All points that are left, which are taken out of `pending`.
[[nodiscard]] std::set<std::uint64_t> all_of(PendingPoints& pending);

/// Takes what is new in the files of a folder, and hands each wanted outcome on once.
class OutcomeCollector {
 public:
  /// Points leave `wanted` as they are found. Both are borrowed.
  OutcomeCollector(std::set<std::uint64_t>& wanted, const SweepWork& work);

  void collect(const std::filesystem::path& folder);

 private:
  void read_on(const std::filesystem::path& file);

  std::set<std::uint64_t>& wanted_;
  const SweepWork& work_;
  const std::size_t figures_;
  std::map<std::filesystem::path, std::uint64_t> read_;
};

}  // namespace weir
