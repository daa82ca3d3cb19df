// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/domain_chip.hpp"
#include "lockstep/scoreboard.hpp"
#include "weir/core/mmu.hpp"
#include "weir/core/step_traffic.hpp"
#include "weir/model/rtl/lockstep_engine.hpp"

namespace weir::test {

/// A release of more cells than its PG in `domain` holds, through `queue`, which has no limit.
/// Every other one is for PG `near` or the first one after it, which may just have been charged.
/// The core would stop there; the RTL reports it and changes nothing. Where every PG holds more
/// than the longest packet, the release is not the last one of its packet and frees nothing there.
template <class Draw>
ReleaseStep too_large_release(const Mmu& mmu, const RtlShape& shape, DomainId domain,
                              QueueIndex queue, PgIndex near, Draw&& draw) {
  const std::uint32_t longest = (1U << shape.len_w) - 1;
  const std::size_t first = draw(2) == 0 ? near.value() : draw(shape.rows());
  for (std::size_t n = 0; n < shape.rows(); ++n) {
    const PgIndex pg{(first + n) % shape.rows()};
    const std::uint32_t held = mmu.ingress().pg(pg).total().count();
    if (mmu.domain_of_pg(pg) != domain || held >= longest) continue;
    const auto more = static_cast<std::uint32_t>(draw(4));
    return {pg, Cells{std::min(longest, held + 1 + more)}, queue, true};
  }
  PgIndex pg;
  while (mmu.domain_of_pg(pg) != domain) ++pg;
  return {pg, Cells{1}, queue, false};
}

/// A release of more cells than a queue with a limit holds: the first queue from `first` on that
/// holds less than the longest packet, if there is one.
inline std::optional<ReleaseStep> overdrawn_queue(const Mmu& mmu, const RtlShape& shape,
                                                  std::size_t first, PgIndex pg, bool last) {
  const std::uint32_t longest = (1U << shape.len_w) - 1;
  const DomainId domain = mmu.domain_of_pg(pg);
  for (std::size_t n = 0; n < shape.rows(); ++n) {
    const QueueIndex queue{(first + n) % shape.rows()};
    if (!mmu.egress().limited(queue)) continue;
    const QueueUse use = mmu.egress().queue(queue, domain);
    const std::uint32_t held = (use.minimum + use.shared).count();
    if (held < longest) return ReleaseStep{pg, Cells{held + 1}, queue, last};
  }
  return std::nullopt;
}

/// Hands what a LockstepEngine compares to a scoreboard.
class PinBoard {
 public:
  /// `with_grants`: the model has arbiters.
  PinBoard(Scoreboard& board, bool with_grants) : board_{board} {
    for (std::size_t i = 0; i < mmu_pin_count; ++i)
      if (mmu_pins[i].kind == MmuPinKind::verdict) add(static_cast<MmuPin>(i));
    add(MmuPin::xoff_o);
    if (!with_grants) return;
    for (const MmuPin pin : LockstepEngine::grant_pins) add(pin);
  }
  void add(MmuPin pin) {
    outputs_[static_cast<std::size_t>(pin)] = board_.output(row_of(pin).name);
  }
  /// An output that is constant in this model, for a `reason` that the report shows.
  void add_still(MmuPin pin, std::string reason) {
    outputs_[static_cast<std::size_t>(pin)] =
        board_.still_output(row_of(pin).name, std::move(reason));
  }

  void operator()(const LockstepValue& value) {
    board_.compare(outputs_[static_cast<std::size_t>(value.pin)], value.expected, value.actual,
                   value.part);
  }

 private:
  Scoreboard& board_;
  std::array<Scoreboard::Output, mmu_pin_count> outputs_{};
};

}  // namespace weir::test
