// SPDX-License-Identifier: Apache-2.0
#include "rtl_combinational.hpp"

#include <algorithm>

#include "weir/core/chip_memory.hpp"
#include "weir/core/scheduling/clock_edges.hpp"
#include "weir/model/rtl/lockstep_engine.hpp"

namespace weir {

CombinationalRtlUnit::CombinationalRtlUnit(const RtlBlockLibrary& library, const std::string& name,
                                           const std::string& path, const Chip& chip)
    : library_{library.path()},
      block_{library.block()},
      node_{node_of_block(name)},
      chip_{chip},
      rtl_{library, node_, path, [](Picoseconds) {}, chip.clock.max_time(Cycle{1})} {
  for (std::uint32_t d = 0; d < chip.domains; ++d)
    require_counts(library, node_, cells_taken(chip, DomainId{static_cast<DomainId::rep>(d)}));
}

void CombinationalRtlUnit::settle(Cycle now) const {
  rtl_.settle();
  if (!rtl_.waving()) return;
  const Picoseconds edge = time_of(now, chip_.clock);
  shown_ = std::max(edge, shown_ + Picoseconds{1});
  rtl_.show(shown_);
}

void CombinationalRtlUnit::differ(const std::string& where, const char* pin, std::uint64_t expected,
                                  std::uint64_t actual, Cycle now) const {
  const LockstepDifference difference{where, pin, std::to_string(expected), std::to_string(actual)};
  difference_.emplace(
      difference_of(library_, node_, now.count(), difference, time_of(now, chip_.clock)));
  throw *difference_;
}

}  // namespace weir
