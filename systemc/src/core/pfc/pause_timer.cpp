// SPDX-License-Identifier: Apache-2.0
#include "weir/core/pfc/pause_timer.hpp"

#include <algorithm>
#include <string>

#include "weir/core/errors.hpp"

namespace weir {

CycleTimeBase::CycleTimeBase(BitRate rate, const ClockPeriod& clock)
    : clock_{clock},
      step_{(clock.numerator() << 16) /
            (quanta_time(Quanta{1}, rate).count() * clock.denominator())} {
  if (step_ == 0) {
    throw ConfigError{"chip.clock", format_period(clock),
                      "must be at least 1/65536 of 512 bit times at " +
                          std::to_string(rate.count()) + " bps, or pause timers cannot count"};
  }
}

// From any edge, k - 1 cycles last at most most(k - 1), and k cycles at least least(k).
Picoseconds CycleTimeBase::response(Picoseconds response) const noexcept {
  const Cycle cycles = edge_at_or_after(response, clock_);
  if (cycles == Cycle{0}) return response;
  return std::max(response, clock_.max_time(cycles - Cycle{1}) + Picoseconds{1});
}

template class PauseTimer<WireTimeBase>;
template class PauseTimer<CycleTimeBase>;

}  // namespace weir
