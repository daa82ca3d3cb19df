// SPDX-License-Identifier: Apache-2.0
#include "weir/model/mmu/interface_stepper.hpp"

#include <string>

#include "weir/core/errors.hpp"

namespace weir {

namespace {

bool may_be(const Decision& decision, const PgSettings& settings, const Placement& held, Cells n) {
  const Placement& placed = decision.placement;
  if (decision.reason != Reason::admitted)
    return decision.reason < Reason::egress_queue && placed == Placement{};
  return placed.total() == n &&
         held.private_cells + placed.private_cells <= settings.private_limit &&
         (placed.shared == Cells{0} || placed.headroom == Cells{0});
}

}  // namespace

Decision CheckedAdmission::decide(PgIndex pg, const PgSettings& settings, const Placement& held,
                                  const PoolUse& use, Cells threshold, Cells n, Cycle now) const {
  const Decision decision = rules_->decide(pg, settings, held, use, threshold, n, now);
  if (may_be(decision, settings, held, n)) return decision;
  const Placement& placed = decision.placement;
  const std::size_t reason = static_cast<std::size_t>(decision.reason);
  throw ModelError(
      *switch_name_ + ".mmu.admission_rules in cycle " + std::to_string(now.count()) + ", port " +
      std::to_string(port_of(pg).count()) + ", PG " + std::to_string(number_in_port(pg).count()) +
      ": of " + std::to_string(n.count()) + " cells " +
      std::to_string(placed.private_cells.count()) + " are placed in private, " +
      std::to_string(placed.shared.count()) + " in shared, " +
      std::to_string(placed.headroom.count()) + " in headroom, with the reason " +
      (reason < reasons ? std::string{to_string(decision.reason)} : std::to_string(reason)) +
      ": must be all of an admitted packet, the rest of private in one segment, or none");
}

InterfaceStepper::InterfaceStepper(const MmuSettings& settings, const BlockInterfaces& blocks,
                                   const MmuParts& parts)
    : settings_{settings},
      blocks_{blocks},
      parts_{parts},
      copies_ingress_{blocks.ingress->core() != parts.ingress},
      copies_egress_{blocks.egress->core() != parts.egress},
      copies_pfc_{blocks.pfc->core() != parts.pfc},
      copies_stats_{blocks.stats->core() != parts.stats},
      own_limits_{blocks.thresholds->core() == nullptr},
      step_{settings, blocks} {}

Verdict InterfaceStepper::arrive(PgIndex pg, Cells n, Bytes length, QueueIndex queue, Cycle now) {
  const Verdict verdict = step_.arrive(pg, n, length, queue, now);
  copy_group(pg);
  copy_queue(pg, queue);
  return verdict;
}

Verdict InterfaceStepper::arrive(PgIndex pg, Cells n, Bytes length, std::vector<QueueIndex>& queues,
                                 Cycle now) {
  asked_ = queues;
  const Verdict verdict = step_.arrive(pg, n, length, queues, now);
  copy_group(pg);
  for (const QueueIndex queue : asked_) copy_queue(pg, queue);
  return verdict;
}

PfcLevel InterfaceStepper::release(PgIndex pg, Cells n, QueueIndex queue, bool last, Cycle now) {
  const PfcLevel level = step_.release(pg, n, queue, last, now);
  copy_group(pg);
  copy_queue(pg, queue);
  return level;
}

void InterfaceStepper::copy_group(PgIndex pg) {
  const PoolIndex row = settings_.of(pg).pool_domain;
  if (copies_ingress_)
    parts_.ingress->load_snapshot(pg, blocks_.ingress->pg(pg), row, blocks_.ingress->pool(row));
  if (copies_pfc_) parts_.pfc->load_snapshot(pg, blocks_.pfc->xoff(pg));
  if (copies_stats_)
    parts_.stats->load_snapshot(pg, blocks_.stats->pg(pg), row, blocks_.stats->pool(row));
}

void InterfaceStepper::copy_queue(PgIndex pg, QueueIndex queue) {
  const DomainId domain = settings_.domain_of_pg(pg);
  if (copies_egress_ && parts_.egress->limited(queue))
    parts_.egress->load_snapshot(queue, domain, blocks_.egress->queue(queue, domain),
                                 blocks_.egress->pool_of(queue, domain));
  if (copies_stats_) parts_.stats->load_snapshot(queue, blocks_.stats->queue(queue));
}

}  // namespace weir
