// SPDX-License-Identifier: Apache-2.0
#include "rtl_called.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "rtl_port.hpp"
#include "weir/core/errors.hpp"
#include "weir/core/scheduling/clock_edges.hpp"

namespace weir {
namespace {

constexpr std::uint64_t max_init_cycles = 1'000'000;  // until the RTL counts as dead

}  // namespace

CalledRtlUnit::CalledRtlUnit(const RtlBlockLibrary& library, const std::string& name,
                             const Chip& chip)
    : library_{library}, node_{node_of_block(name)}, clock_of_chip_{chip.clock} {}

std::vector<RtlWave*> CalledRtlUnit::waves() {
  std::vector<RtlWave*> waves;
  for (CalledRtl* const instance : instances_) waves.push_back(&instance->rtl_);
  return waves;
}

void CalledRtlUnit::require(const std::vector<CalledRtlNeed>& needs) const {
  std::string command = "scripts/rtl/make-backend --block " + block();
  for (const CalledRtlNeed& need : needs)
    if (need.option != nullptr) command += fmt::format(" --{} {}", need.option, need.least);
  for (const CalledRtlNeed& need : needs)
    if (built(need.parameter) < need.least)
      throw ConfigError(fmt::format("{}: {}", node_, need.key), std::to_string(need.least),
                        fmt::format("{} was built for {}; make one for this chip with: {}",
                                    library_.path(), built(need.parameter), command));
}

void CalledRtlUnit::differ(const std::string& where, const char* pin, std::uint64_t expected,
                           std::uint64_t actual) {
  const LockstepDifference difference{where, pin, std::to_string(expected), std::to_string(actual)};
  const Cycle cycle = ClockEdges{clock_of_chip_}.cycle_at_or_before(now());
  difference_.emplace(difference_of(library_.path(), node_, cycle.count(), difference, now()));
  throw *difference_;
}

CalledRtl::CalledRtl(CalledRtlUnit& unit) : CalledRtl{unit, "mmu." + unit.block(), ""} {}

CalledRtl::CalledRtl(CalledRtlUnit& unit, const Chip& chip, DomainId domain)
    : CalledRtl{unit, fmt::format("mmu.{}.domain[{}]", unit.block(), domain.count()),
                chip.domains == 1 ? "" : fmt::format(", domain {}", domain.count())} {}

CalledRtl::CalledRtl(CalledRtlUnit& unit, const std::string& path, std::string domain)
    : unit_{unit},
      domain_{std::move(domain)},
      rtl_{unit.library_, unit.node_, path, [](Picoseconds) {},
           unit.clock_of_chip_.max_time(Cycle{1})} {
  unit.instances_.push_back(this);
}

void CalledRtl::reset() {
  rtl_.require_no_other_pins();
  rtl_.reset(clock_, reset_);
}

void CalledRtl::wait_for(const RtlPin& done, const char* name) {
  for (std::uint64_t waited = 0; done.get(0, 1) == 0; ++waited) {
    if (waited == max_init_cycles)
      throw ModelError(fmt::format("{}: {} never rises", unit_.library_.path(), name));
    settle();
    edge();
    settle();
  }
}

void CalledRtl::settle() {
  rtl_.settle();
  show();
}

// The clock falls with the next settle().
void CalledRtl::edge() {
  clock_.set(0, 1, 1);
  settle();
  clock_.set(0, 1, 0);
}

void CalledRtl::show() {
  if (!rtl_.waving()) return;
  shown_ = std::max(unit_.now(), shown_ + Picoseconds{1});
  rtl_.show(shown_);
}

}  // namespace weir
