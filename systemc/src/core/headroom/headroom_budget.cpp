// SPDX-License-Identifier: Apache-2.0
#include "weir/core/headroom/headroom_budget.hpp"

#include <algorithm>
#include <limits>

#include "weir/core/bits.hpp"
#include "weir/core/errors.hpp"

namespace weir {
namespace {

constexpr std::uint64_t whole_ppm = 1'000'000;

HeadroomShare share(const HeadroomPlan& plan, Bytes per_port, Bytes chip) {
  const Bytes reserved = plan.private_buffer * (std::uint64_t{plan.ports} * plan.classes);
  const std::uint64_t memory = plan.memory.count();
  const Wide ppm = (Wide{chip.count()} * whole_ppm + memory / 2) / memory;
  return {
      per_port, chip,
      static_cast<std::uint32_t>(std::min<Wide>(ppm, std::numeric_limits<std::uint32_t>::max())),
      saturating_subtract(plan.memory, chip + reserved)};
}

Bytes divided_up(Bytes bytes, std::uint32_t by) { return Bytes{(bytes.count() + by - 1) / by}; }

// B - 8 n t_flight.
Bytes left_of(Bytes memory, std::uint32_t ports, Bytes flight) {
  return saturating_subtract(memory, flight * (std::uint64_t{priorities} * ports));
}

}  // namespace

void HeadroomPlan::check() const {
  check_range("memory", memory.count(), 1, 1ULL << 40, " B");
  check_range("ports", ports, 1, 8192);
  check_range("classes", classes, 1, priorities);
  check_range("headroom", headroom.count(), 0, 1ULL << 40, " B");
  check_range("private", private_buffer.count(), 0, 1ULL << 40, " B");
  check_range("oversubscription", oversubscription, 1, 64);
}

HeadroomBudget headroom_budget(const HeadroomPlan& plan) {
  plan.check();
  const Bytes port = plan.headroom * plan.classes;
  const Bytes all = port * plan.ports;
  return {
      share(plan, port, all),
      share(plan, divided_up(port, plan.oversubscription), divided_up(all, plan.oversubscription)),
      share(plan, plan.headroom, plan.headroom * plan.ports)};
}

DcqcnThresholds dcqcn_thresholds(Bytes memory, std::uint32_t ports, Bytes flight,
                                 std::uint32_t beta) {
  const std::uint64_t left = left_of(memory, ports, flight).count();
  const std::uint64_t queues = std::uint64_t{priorities} * ports;
  return {{left, queues}, {beta * left, queues * (beta + 1)}};
}

ByteFraction dcqcn_pfc_threshold(Bytes memory, std::uint32_t ports, Bytes flight,
                                 std::uint32_t beta, Bytes shared) {
  const Bytes left = saturating_subtract(left_of(memory, ports, flight), shared);
  return {beta * left.count(), priorities};
}

}  // namespace weir
