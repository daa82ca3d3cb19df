// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "weir/model/rtl/rtl_mmu.hpp"

namespace weir {

/// Where a difference is, in words.
inline std::string place_of_pg(std::size_t pg) {
  return fmt::format("port {}, PG {}", pg / priorities, pg % priorities);
}
inline std::string place_of_lane(std::size_t domain, std::size_t lane) {
  return fmt::format("domain {}, lane {}", domain, lane);
}
/// What a lane grants, in words; `none` means no port.
inline std::string format_grant(std::size_t port, std::size_t none) {
  return port == none ? std::string{"no port"} : fmt::format("port {}", port);
}

/// Bit k: asked[k] is among `taken`.
inline std::uint8_t mask_of(const std::vector<std::size_t>& asked,
                            const std::vector<std::size_t>& taken) {
  unsigned mask = 0;
  for (std::size_t copy = 0; copy < asked.size(); ++copy)
    if (std::find(taken.begin(), taken.end(), asked[copy]) != taken.end()) mask |= 1U << copy;
  return static_cast<std::uint8_t>(mask);
}

/// Calls same(pin, expected, actual) for each pin of a verdict but those of its PG.
template <class Same>
void compare_verdicts(const RtlReleaseVerdict& expected, const RtlReleaseVerdict& actual,
                      Same&& same) {
  same("rel_xoff_o", expected.level.xoff, actual.level.xoff);
  same("rel_changed_o", expected.level.changed, actual.level.changed);
}
template <class Same>
void compare_verdicts(const RtlArrivalVerdict& expected, const RtlArrivalVerdict& actual,
                      Same&& same) {
  const Verdict &core = expected.verdict, &rtl = actual.verdict;
  same("arr_reason_o", static_cast<std::uint64_t>(core.reason),
       static_cast<std::uint64_t>(rtl.reason));
  same("arr_private_o", core.placement.private_cells.count(), rtl.placement.private_cells.count());
  same("arr_shared_o", core.placement.shared.count(), rtl.placement.shared.count());
  same("arr_headroom_o", core.placement.headroom.count(), rtl.placement.headroom.count());
  same("arr_threshold_o", core.threshold.count(), rtl.threshold.count());
  same("arr_xoff_o", core.pfc.xoff, rtl.pfc.xoff);
  same("arr_changed_o", core.pfc.changed, rtl.pfc.changed);
  same("arr_mask_o", expected.mask, actual.mask);
}

/// Calls same(PG, expected, actual) for each level of xoff_o that is not as in `levels`.
template <class Same>
void compare_levels(const RtlMmu& rtl, const std::vector<std::uint8_t>& levels, Same&& same) {
  if (rtl.same_levels(levels)) return;
  for (std::uint32_t pg = 0; pg < priorities * levels.size(); ++pg) {
    const bool expected = (levels[pg / 8] >> pg % 8 & 1U) != 0;
    if (expected != rtl.xoff(pg)) same(pg, expected, rtl.xoff(pg));
  }
}

}  // namespace weir
