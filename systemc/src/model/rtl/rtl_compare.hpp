// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <fmt/format.h>

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

/// Calls same(name of the pin, expected, actual) for each pin of a verdict that lies on part
/// `slot` of the pins.
template <class Expected, class Same>
void compare_verdict(const Expected& expected, const RtlPins& pins, std::size_t slot, Same&& same) {
  Expected::for_each_pin(expected, [&](MmuPin pin, const auto& member) {
    same(row_of(pin).name, on_pin(member), pins.get(pin, slot));
  });
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
