// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "weir/core/index.hpp"
#include "weir/core/mmu.hpp"
#include "weir/model/rtl/rtl_pins.hpp"

namespace weir {

/// What comes out `admit` cycles after a release; with each pin the member that says the same.
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

/// The same of an arrival.
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

/// Bit k: asked[k] is among `taken`.
inline std::uint8_t mask_of(const std::vector<QueueIndex>& asked,
                            const std::vector<QueueIndex>& taken) {
  unsigned mask = 0;
  for (std::size_t copy = 0; copy < asked.size(); ++copy)
    if (std::find(taken.begin(), taken.end(), asked[copy]) != taken.end()) mask |= 1U << copy;
  return static_cast<std::uint8_t>(mask);
}

/// A member of a verdict as the number on its pin, and back.
template <class Member>
[[nodiscard]] std::uint64_t on_pin(const Member& member) noexcept {
  if constexpr (std::is_same_v<Member, Cells>)
    return member.count();
  else if constexpr (std::is_same_v<Member, PgIndex>)
    return member.value();
  else
    return static_cast<std::uint64_t>(member);
}
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
