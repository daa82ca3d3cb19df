// SPDX-License-Identifier: Apache-2.0
#include "weir/core/pfc/pause_timer.hpp"

#include <string>

#include "weir/core/errors.hpp"

namespace weir {

CycleTimeBase::CycleTimeBase(BitRate rate, Picoseconds clock)
    : clock_{clock}, step_{(clock.count() << 16) / quanta_time(Quanta{1}, rate).count()} {
  if (step_ == 0) {
    throw ConfigError{"chip.clock", std::to_string(clock.count()) + " ps",
                      "must be at least 1/65536 of 512 bit times at " +
                          std::to_string(rate.count()) + " bps, or pause timers cannot count"};
  }
}

template class PauseTimer<WireTimeBase>;
template class PauseTimer<CycleTimeBase>;

}  // namespace weir
