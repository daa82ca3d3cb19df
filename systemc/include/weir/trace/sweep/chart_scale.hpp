// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

namespace weir {

/// One side of a chart: from values to places, with round ticks (1, 2 or 5 times a power of ten).
/// It spans all values, and begins at zero where they nearly do.
///
/// Range: any finite values; the ticks are at most a dozen, also of values that are nearly
/// one `double`.
class ChartScale {
 public:
  /// The place of the smallest value is `first`, that of the largest `last`.
  ChartScale(const std::vector<double>& values, double first, double last);

  [[nodiscard]] double place_of(double value) const noexcept;
  /// Values of the ticks, ascending.
  [[nodiscard]] std::vector<double> ticks() const;

 private:
  double low_{0}, high_{1}, step_{1}, first_{0}, last_{1};
};

}  // namespace weir
