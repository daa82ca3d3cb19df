// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "weir/core/bits.hpp"
#include "weir/core/chip.hpp"

namespace weir {

/// Priorities that are lossless at a port of a chip: bit n is priority n. One whose PG has no
/// profile is not.
[[nodiscard]] inline std::uint8_t lossless_classes(const Chip& chip, PortId port) {
  std::uint8_t classes = 0;
  for (std::size_t n = 0; n < priorities; ++n) {
    const Priority pg{chip.pg_of_priority[n]};
    const std::optional<ProfileIndex>& profile = chip.profile_of_pg[pg_index(port, pg)];
    if (profile && chip.profiles[*profile].lossless)
      classes = static_cast<std::uint8_t>(classes | class_bit(n));
  }
  return classes;
}

}  // namespace weir
