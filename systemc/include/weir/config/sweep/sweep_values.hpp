// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "weir/config/format/reader.hpp"
#include "weir/config/sweep/sweep.hpp"

namespace weir {

/// The longest axis or list of samples.
constexpr std::uint64_t max_sweep_values = 65'536;

/// The value of a node: text, whole number, boolean, or a list or table of these.
/// Errors: FileError for anything else.
[[nodiscard]] SweepValue to_sweep_value(const Node& node);

/// A value that is created, not read.
[[nodiscard]] SweepValue text_sweep_value(const std::string& text, const Node& from);

/// The range between two numbers of one unit; every value is a whole number of the base unit.
/// Source: the values are exact integers; a geometric mean is rounded to the nearest.
class SweepRange {
 public:
  /// Reads `from` and `to` of an axis: numbers, sizes, rates, times, lengths, shares, cycles,
  /// quanta, or alphas such as "1/8".
  /// Errors: FileError: not a number, units that do not match, `to` below `from`.
  explicit SweepRange(TableReader& axis);

  /// `from`, `from + step` ... up to `to`. Errors: FileError for a step of 0 or of another unit.
  [[nodiscard]] std::vector<SweepValue> by_step(const Node& step) const;
  /// [k]: k steps, as text with a unit, one for each value of by_step(), which has checked `step`.
  [[nodiscard]] std::vector<std::string> distances(const Node& step) const;
  /// `from`, `from x factor` ... up to `to`.
  [[nodiscard]] std::vector<SweepValue> by_factor(const Node& factor) const;
  /// `steps` values from `from` to `to`, both included, of equal distance or equal ratio.
  [[nodiscard]] std::vector<SweepValue> in_steps(const Node& steps, bool logarithmic) const;
  /// A Latin hypercube's axis: one value in each of `samples` equal parts, in random order.
  /// Source: McKay, Beckman and Conover, Technometrics 21(2), 1979 [MBC79].
  [[nodiscard]] std::vector<SweepValue> latin_hypercube(std::uint64_t samples, std::uint64_t seed,
                                                        const std::string& key,
                                                        bool logarithmic) const;

  struct Unit;

 private:
  [[nodiscard]] std::int64_t between(std::uint64_t part, std::uint64_t parts, bool log) const;
  [[nodiscard]] std::vector<SweepValue> written(const std::vector<std::int64_t>& values) const;
  [[nodiscard]] std::string text_of(std::int64_t value, bool in_base_unit) const;
  void check_logarithmic(bool logarithmic) const;

  const Node* from_{nullptr};
  const Node* to_{nullptr};
  const Unit* unit_{nullptr};
  std::int64_t low_{0}, high_{0};
  std::string word_;        // unit in which `from` is written
  std::uint64_t scale_{1};  // base units per unit
};

}  // namespace weir
