// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nlohmann/json.hpp>

#include "weir/core/scheduling/clock_period.hpp"

namespace weir {

/// A period in ps: an integer where it is one.
[[nodiscard]] inline nlohmann::ordered_json clock_json(const ClockPeriod& clock) {
  if (clock.whole()) return clock.numerator();
  return static_cast<double>(clock.numerator()) / static_cast<double>(clock.denominator());
}

}  // namespace weir
