// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "lockstep/domain_chip.hpp"
#include "lockstep/scoreboard.hpp"
#include "weir/core/mmu.hpp"
#include "weir/core/step_traffic.hpp"
#include "weir/model/rtl/rtl_verdict.hpp"

namespace weir::test {

/// Outcome of the core for the requests of one cycle of a domain, in lane order.
struct Verdicts {
  std::vector<RtlReleaseVerdict> releases;
  std::vector<RtlArrivalVerdict> arrivals;
};

/// A release of more cells than its PG in `domain` holds, through `queue`, which has no limit.
/// Every other one is for PG `near` or the first one after it, which may just have been charged.
/// The core would stop there; the RTL reports it and changes nothing. Where every PG holds more
/// than the longest packet, the release is not the last one of its packet and frees nothing there.
template <class Draw>
ReleaseStep too_large_release(const Mmu& mmu, const RtlShape& shape, std::size_t domain,
                              std::size_t queue, std::size_t near, Draw&& draw) {
  const std::uint32_t longest = (1U << shape.len_w) - 1;
  const std::size_t first = draw(2) == 0 ? near : draw(shape.rows());
  for (std::size_t n = 0; n < shape.rows(); ++n) {
    const std::size_t pg = (first + n) % shape.rows();
    const std::uint32_t held = mmu.ingress().pg(pg).total().count();
    if (mmu.domain_of_pg(pg).count() != domain || held >= longest) continue;
    const auto more = static_cast<std::uint32_t>(draw(4));
    return {pg, Cells{std::min(longest, held + 1 + more)}, queue, true};
  }
  std::size_t pg = 0;
  while (mmu.domain_of_pg(pg).count() != domain) ++pg;
  return {pg, Cells{1}, queue, false};
}

inline Cells held_by(const QueueUse& use) { return use.minimum + use.shared; }

/// A release of more cells than a queue with a limit holds: the first queue from `first` on that
/// holds less than the longest packet, if there is one.
inline std::optional<ReleaseStep> overdrawn_queue(const Mmu& mmu, const RtlShape& shape,
                                                  std::size_t first, std::size_t pg, bool last) {
  const std::uint32_t longest = (1U << shape.len_w) - 1;
  const DomainId domain = mmu.domain_of_pg(pg);
  for (std::size_t n = 0; n < shape.rows(); ++n) {
    const std::size_t queue = (first + n) % shape.rows();
    if (!mmu.egress().limited(queue)) continue;
    const std::uint32_t held = held_by(mmu.egress().queue(queue, domain)).count();
    if (held < longest) return ReleaseStep{pg, Cells{held + 1}, queue, last};
  }
  return std::nullopt;
}

/// One release step of the core. A PG or queue that holds less than the release stays as it is, and
/// the other one releases; a PG that holds less is not judged.
inline RtlReleaseVerdict release(Mmu& mmu, const ReleaseStep& step, Cycle now) {
  const auto pg = static_cast<std::uint32_t>(step.pg);
  const EgressAccounting& queues = mmu.egress();
  const DomainId domain = mmu.domain_of_pg(step.pg);
  const bool limited = queues.limited(step.queue);
  const bool pg_lacks = step.last && mmu.ingress().pg(step.pg).total() < step.cells;
  const bool queue_lacks = limited && held_by(queues.queue(step.queue, domain)) < step.cells;
  if (!pg_lacks && !queue_lacks)
    return {pg, mmu.release(step.pg, step.cells, step.queue, step.last, now), false};
  if (!pg_lacks) {
    std::size_t unlimited = 0;
    while (queues.limited(unlimited)) ++unlimited;
    return {pg, mmu.release(step.pg, step.cells, unlimited, step.last, now), true};
  }
  if (limited && !queue_lacks) {
    EgressAccounting after = queues;
    after.release(step.queue, domain, step.cells);
    mmu.load_snapshot(mmu.ingress(), after);
  }
  return {pg, {}, true};
}

/// One arrival step of the core. `queues`: those that took the packet.
inline RtlArrivalVerdict arrive(Mmu& mmu, const ArrivalStep& step, std::vector<std::size_t>& queues,
                                Cycle now) {
  queues = step.queues;
  const Verdict verdict = mmu.arrive(step.pg, step.cells, step.length, queues, now);
  return {static_cast<std::uint32_t>(step.pg), verdict, mask_of(step.queues, queues)};
}

/// Compares the verdict pins of a Verilated weir_domain or weir_mmu.
class VerdictBoard {
 public:
  VerdictBoard(Scoreboard& board, const RtlPins& pins, std::size_t lanes)
      : board_{board}, pins_{pins}, lanes_{lanes} {
    for (std::size_t i = 0; i < mmu_pin_count; ++i)
      if (mmu_pins[i].kind == MmuPinKind::verdict) outputs_[i] = board_.output(mmu_pins[i].name);
  }

  /// Lanes [first, first + lanes). Calls `changed(pg, xoff)` for each level that changes, in order.
  template <class Changed>
  void compare(const Verdicts& due, std::size_t first, Changed&& changed) {
    for (std::size_t k = 0; k < lanes_; ++k)
      if (const auto* expected = compare_lane(due.releases, k, first + k);
          expected != nullptr && expected->level.changed)
        changed(expected->pg, expected->level.xoff);
    for (std::size_t k = 0; k < lanes_; ++k)
      if (const auto* expected = compare_lane(due.arrivals, k, first + k);
          expected != nullptr && expected->verdict.pfc.changed)
        changed(expected->pg, expected->verdict.pfc.xoff);
  }

 private:
  template <class Expected>
  const Expected* compare_lane(const std::vector<Expected>& due, std::size_t lane,
                               std::size_t slot) {
    const bool valid = lane < due.size();
    compare_pin(Expected::valid, slot, valid);
    if (!valid) return nullptr;
    Expected::for_each_pin(
        due[lane], [&](MmuPin pin, const auto& member) { compare_pin(pin, slot, on_pin(member)); });
    return &due[lane];
  }
  void compare_pin(MmuPin pin, std::size_t slot, std::uint64_t expected) {
    board_.compare(outputs_[static_cast<std::size_t>(pin)], expected, pins_.get(pin, slot), slot);
  }

  Scoreboard& board_;
  const RtlPins& pins_;
  const std::size_t lanes_;
  std::array<Scoreboard::Output, mmu_pin_count> outputs_{};
};

}  // namespace weir::test
