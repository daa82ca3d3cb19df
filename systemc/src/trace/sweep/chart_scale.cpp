// SPDX-License-Identifier: Apache-2.0
#include "weir/trace/sweep/chart_scale.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace weir {
namespace {

// 1, 2 or 5 times a power of ten, `least` or the next above it.
double round_step(double least) {
  const double power = std::pow(10, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (least <= factor * power) return factor * power;
  return 10 * power;
}

// Ticks closer than this may be one `double`, or not grow when a step is added.
double resolution_at(double magnitude) {
  return magnitude * 8 * std::numeric_limits<double>::epsilon();
}

}  // namespace

ChartScale::ChartScale(const std::vector<double>& values, double first, double last)
    : first_{first}, last_{last} {
  if (values.empty()) return;
  constexpr double wanted_steps = 5, limit = 1e300;  // a span has to be finite, too
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  low_ = std::clamp(*least, -limit, limit);
  high_ = std::clamp(*most, -limit, limit);
  if (low_ > 0 && low_ < high_ / 3) low_ = 0;
  const double span = high_ - low_;
  const double magnitude = std::max(std::abs(low_), std::abs(high_));
  step_ = round_step(std::max(span > 0 ? span / wanted_steps : 1, resolution_at(magnitude)));
  low_ = std::floor(low_ / step_) * step_;
  high_ = std::ceil(high_ / step_) * step_;
  if (high_ <= low_) high_ = low_ + step_;
}

double ChartScale::place_of(double value) const noexcept {
  return first_ + (value - low_) / (high_ - low_) * (last_ - first_);
}

std::vector<double> ChartScale::ticks() const {
  constexpr double max_steps = 11;
  const double steps = std::min(std::round((high_ - low_) / step_), max_steps);
  std::vector<double> values;
  for (double i = 0; i <= steps; ++i) values.push_back(low_ + i * step_);
  return values;
}

}  // namespace weir
