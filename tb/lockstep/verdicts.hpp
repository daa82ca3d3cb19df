// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "lockstep/domain_chip.hpp"
#include "lockstep/pins.hpp"
#include "lockstep/scoreboard.hpp"
#include "weir/core/mmu.hpp"
#include "weir/core/step_traffic.hpp"

namespace weir::test {

/// Outcome of the core for the requests of one cycle of a domain, in lane order.
struct Verdicts {
  struct OfRelease {
    std::size_t pg;
    PfcLevel level;
    bool error{false};  ///< More than the PG or the queue holds.
  };
  struct OfArrival {
    std::size_t pg;
    Verdict verdict;
    std::uint32_t mask;  ///< Bit c: the c-th queue took the packet.
  };
  std::vector<OfRelease> releases;
  std::vector<OfArrival> arrivals;
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
inline Verdicts::OfRelease release(Mmu& mmu, const ReleaseStep& step, Cycle now) {
  const EgressAccounting& queues = mmu.egress();
  const DomainId domain = mmu.domain_of_pg(step.pg);
  const bool limited = queues.limited(step.queue);
  const bool pg_lacks = step.last && mmu.ingress().pg(step.pg).total() < step.cells;
  const bool queue_lacks = limited && held_by(queues.queue(step.queue, domain)) < step.cells;
  if (!pg_lacks && !queue_lacks)
    return {step.pg, mmu.release(step.pg, step.cells, step.queue, step.last, now), false};
  if (!pg_lacks) {
    std::size_t unlimited = 0;
    while (queues.limited(unlimited)) ++unlimited;
    return {step.pg, mmu.release(step.pg, step.cells, unlimited, step.last, now), true};
  }
  if (limited && !queue_lacks) {
    EgressAccounting after = queues;
    after.release(step.queue, domain, step.cells);
    mmu.load_snapshot(mmu.ingress(), after);
  }
  return {step.pg, {}, true};
}

/// One arrival step of the core. `queues`: those that took the packet.
inline Verdicts::OfArrival arrive(Mmu& mmu, const ArrivalStep& step,
                                  std::vector<std::size_t>& queues, Cycle now) {
  queues = step.queues;
  const Verdict verdict = mmu.arrive(step.pg, step.cells, step.length, queues, now);
  std::uint32_t mask = 0;
  for (std::size_t c = 0; c < step.queues.size(); ++c)
    if (std::find(queues.begin(), queues.end(), step.queues[c]) != queues.end()) mask |= 1U << c;
  return {step.pg, verdict, mask};
}

/// Compares the verdict pins of a Verilated weir_domain or weir_mmu.
class VerdictBoard {
 public:
  VerdictBoard(Scoreboard& board, const RtlShape& shape) : board_{board}, shape_{shape} {}

  /// Lanes [first, first + lanes). Calls `changed(pg, xoff)` for each level that changes, in order.
  template <class Model, class Changed>
  void compare(const Model& rtl, const Verdicts& due, std::size_t first, Changed&& changed) {
    for (std::size_t k = 0; k < shape_.lanes; ++k) compare_release(rtl, due, k, first + k, changed);
    for (std::size_t k = 0; k < shape_.lanes; ++k) compare_arrival(rtl, due, k, first + k, changed);
  }

 private:
  template <class Model, class Changed>
  void compare_release(const Model& rtl, const Verdicts& due, std::size_t lane, std::size_t slot,
                       Changed&& changed) {
    const bool valid = lane < due.releases.size();
    board_.compare(rel_valid_, valid, bits(rtl.rel_valid_o, slot, 1), slot);
    if (!valid) return;
    const unsigned row = shape_.row_w();
    const Verdicts::OfRelease& expected = due.releases[lane];
    board_.compare(rel_pg_, expected.pg, bits(rtl.rel_pg_o, slot * row, row), slot);
    board_.compare(rel_xoff_, expected.level.xoff, bits(rtl.rel_xoff_o, slot, 1), slot);
    board_.compare(rel_changed_, expected.level.changed, bits(rtl.rel_changed_o, slot, 1), slot);
    board_.compare(rel_error_, expected.error, bits(rtl.rel_error_o, slot, 1), slot);
    if (expected.level.changed) changed(expected.pg, expected.level.xoff);
  }

  template <class Model, class Changed>
  void compare_arrival(const Model& rtl, const Verdicts& due, std::size_t lane, std::size_t slot,
                       Changed&& changed) {
    const bool valid = lane < due.arrivals.size();
    board_.compare(arr_valid_, valid, bits(rtl.arr_valid_o, slot, 1), slot);
    if (!valid) return;
    const Verdicts::OfArrival& expected = due.arrivals[lane];
    const Verdict& verdict = expected.verdict;
    const unsigned row = shape_.row_w(), len = shape_.len_w;
    board_.compare(arr_pg_, expected.pg, bits(rtl.arr_pg_o, slot * row, row), slot);
    board_.compare(reason_, static_cast<std::uint64_t>(verdict.reason),
                   bits(rtl.arr_reason_o, slot * 3, 3), slot);
    board_.compare(private_, verdict.placement.private_cells.count(),
                   bits(rtl.arr_private_o, slot * len, len), slot);
    board_.compare(shared_, verdict.placement.shared.count(),
                   bits(rtl.arr_shared_o, slot * len, len), slot);
    board_.compare(headroom_, verdict.placement.headroom.count(),
                   bits(rtl.arr_headroom_o, slot * len, len), slot);
    board_.compare(threshold_, verdict.threshold.count(), bits(rtl.arr_threshold_o, slot * 32, 32),
                   slot);
    board_.compare(arr_xoff_, verdict.pfc.xoff, bits(rtl.arr_xoff_o, slot, 1), slot);
    board_.compare(arr_changed_, verdict.pfc.changed, bits(rtl.arr_changed_o, slot, 1), slot);
    board_.compare(mask_, expected.mask, bits(rtl.arr_mask_o, slot * shape_.copies, shape_.copies),
                   slot);
    if (verdict.pfc.changed) changed(expected.pg, verdict.pfc.xoff);
  }

  Scoreboard& board_;
  const RtlShape& shape_;
  const Scoreboard::Output rel_valid_{board_.output("rel_valid_o")},
      rel_pg_{board_.output("rel_pg_o")}, rel_xoff_{board_.output("rel_xoff_o")},
      rel_changed_{board_.output("rel_changed_o")}, rel_error_{board_.output("rel_error_o")},
      arr_valid_{board_.output("arr_valid_o")}, arr_pg_{board_.output("arr_pg_o")},
      reason_{board_.output("arr_reason_o")}, private_{board_.output("arr_private_o")},
      shared_{board_.output("arr_shared_o")}, headroom_{board_.output("arr_headroom_o")},
      threshold_{board_.output("arr_threshold_o")}, arr_xoff_{board_.output("arr_xoff_o")},
      arr_changed_{board_.output("arr_changed_o")}, mask_{board_.output("arr_mask_o")};
};

}  // namespace weir::test
