// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "weir/core/index.hpp"
#include "weir/core/mmu.hpp"
#include "weir/core/step_traffic.hpp"
#include "weir/model/rtl/rtl_pins.hpp"

namespace weir {

/// The verdict on a release, which comes out `admit` cycles after its request.
struct RtlReleaseVerdict {
  PgIndex pg;
  PfcLevel level;
  bool error{false};  ///< More was released than held; nothing has changed.

  [[nodiscard]] const PfcLevel& pfc() const noexcept { return level; }

  static constexpr MmuPin valid = MmuPin::rel_valid_o, pg_pin = MmuPin::rel_pg_o;
  /// Calls take(pin, member) for each pin but the valid bit.
  template <class Self, class Take>
  static void for_each_pin(Self& self, Take&& take) {
    take(MmuPin::rel_pg_o, self.pg);
    take(MmuPin::rel_error_o, self.error);
    take(MmuPin::rel_xoff_o, self.level.xoff);
    take(MmuPin::rel_changed_o, self.level.changed);
  }
};

/// The verdict on an arrival, which comes out `admit` cycles after its request.
struct RtlArrivalVerdict {
  PgIndex pg;
  Verdict verdict;
  std::uint8_t mask{0};  ///< Queues that took the packet.

  [[nodiscard]] const PfcLevel& pfc() const noexcept { return verdict.pfc; }

  static constexpr MmuPin valid = MmuPin::arr_valid_o, pg_pin = MmuPin::arr_pg_o;
  template <class Self, class Take>
  static void for_each_pin(Self& self, Take&& take) {
    take(MmuPin::arr_pg_o, self.pg);
    take(MmuPin::arr_reason_o, self.verdict.reason);
    take(MmuPin::arr_private_o, self.verdict.placement.private_cells);
    take(MmuPin::arr_shared_o, self.verdict.placement.shared);
    take(MmuPin::arr_headroom_o, self.verdict.placement.headroom);
    take(MmuPin::arr_threshold_o, self.verdict.threshold);
    take(MmuPin::arr_xoff_o, self.verdict.pfc.xoff);
    take(MmuPin::arr_changed_o, self.verdict.pfc.changed);
    take(MmuPin::arr_mask_o, self.mask);
  }
};

/// The mask whose bit k is set where asked[k] is among `taken`.
inline std::uint8_t mask_of(const std::vector<QueueIndex>& asked,
                            const std::vector<QueueIndex>& taken) {
  unsigned mask = 0;
  for (std::size_t copy = 0; copy < asked.size(); ++copy)
    if (std::find(taken.begin(), taken.end(), asked[copy]) != taken.end()) mask |= 1U << copy;
  return static_cast<std::uint8_t>(mask);
}

/// The core's verdict on a release of no more than is held. Errors: ModelError where it is more.
[[nodiscard]] inline RtlReleaseVerdict decide_legal(Mmu& core, const ReleaseStep& step, Cycle now) {
  return {step.pg, core.release(step.pg, step.cells, step.queue, step.last, now), false};
}
/// The core's verdict on any release. A PG or queue that holds less than the release stays as it
/// is, and the other one releases; a PG that holds less is not judged.
[[nodiscard]] inline RtlReleaseVerdict decide(Mmu& core, const ReleaseStep& step, Cycle now) {
  const EgressAccounting& queues = core.egress();
  const DomainId domain = core.domain_of_pg(step.pg);
  const bool limited = queues.limited(step.queue);
  const auto held = [&] {
    const QueueUse use = queues.queue(step.queue, domain);
    return use.minimum + use.shared;
  };
  const bool pg_lacks = step.last && core.ingress().pg(step.pg).total() < step.cells;
  const bool queue_lacks = limited && held() < step.cells;
  if (!pg_lacks && !queue_lacks) return decide_legal(core, step, now);
  if (!pg_lacks) {  // the core releases both: the queue holds enough during the step
    const EgressAccounting before = queues;
    EgressAccounting enough = queues;
    enough.charge(step.queue, domain, step.cells - held());
    core.load_snapshot(core.ingress(), enough);
    const PfcLevel level = core.release(step.pg, step.cells, step.queue, step.last, now);
    core.load_snapshot(core.ingress(), before);
    return {step.pg, level, true};
  }
  if (limited && !queue_lacks) {
    EgressAccounting after = queues;
    after.release(step.queue, domain, step.cells);
    core.load_snapshot(core.ingress(), after);
  }
  return {step.pg, {}, true};
}
/// The core's verdict on an arrival; a packet for one queue takes the unicast path, as in the
/// model. `taken`: the queues that took it.
[[nodiscard]] inline RtlArrivalVerdict decide(Mmu& core, const ArrivalStep& step,
                                              std::vector<QueueIndex>& taken, Cycle now) {
  taken = step.queues;
  const bool unicast = taken.size() == 1;
  const Verdict verdict = unicast
                              ? core.arrive(step.pg, step.cells, step.length, taken.front(), now)
                              : core.arrive(step.pg, step.cells, step.length, taken, now);
  if (!verdict.admitted()) taken.clear();
  return {step.pg, verdict, mask_of(step.queues, taken)};
}

/// The verdict on an arrival that WRED drops: no step happens.
[[nodiscard]] inline RtlArrivalVerdict refused_by_wred(const ArrivalStep& step) {
  RtlArrivalVerdict refused{step.pg, {}, 0};
  refused.verdict.reason = Reason::wred;
  return refused;
}

/// A member of a verdict as the number on its pin.
template <class Member>
[[nodiscard]] std::uint64_t on_pin(const Member& member) noexcept {
  if constexpr (std::is_same_v<Member, Cells>)
    return member.count();
  else if constexpr (std::is_same_v<Member, PgIndex>)
    return member.value();
  else
    return static_cast<std::uint64_t>(member);
}
/// Sets a member of a verdict from the number on its pin.
template <class Member>
void from_pin(Member& member, std::uint64_t value) noexcept {
  if constexpr (std::is_same_v<Member, Cells>)
    member = Cells{static_cast<std::uint32_t>(value)};
  else if constexpr (std::is_same_v<Member, PgIndex>)
    member = PgIndex{value};
  else
    member = static_cast<Member>(value);
}

}  // namespace weir
