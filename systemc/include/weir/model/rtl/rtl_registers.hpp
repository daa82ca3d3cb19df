// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "weir/core/mmu.hpp"
#include "weir/model/registers/register_map.hpp"
#include "weir/model/rtl/rtl_mmu.hpp"

namespace weir {

/// Everything that the RTL of `chip` holds and has counted, read through its registers.
[[nodiscard]] MmuState read_state(RtlMmu& rtl, const Chip& chip);

/// A register whose value differs from the model's.
struct RegisterDifference {
  std::string where;  ///< "port 3, PG 4", or the row of its block.
  std::string name;   ///< "pg.shared"
  std::uint64_t expected{0}, actual{0};
};

/// Calls take(block, register, index) for every counter, mark and level that `target` and the RTL
/// both have, until take returns false; `with_ports`: registers of ports, too.
void for_each_counter(const RegisterTarget& target, bool with_ports,
                      const std::function<bool(const RegisterBlock& block, const Register& reg,
                                               std::size_t index)>& take);

/// Reads every counter, mark and level of the RTL and compares it with what `target` shows.
/// `with_ports`: the PFC frames of ports, too, which RTL without MACs does not see.
[[nodiscard]] std::optional<RegisterDifference> first_difference(RtlMmu& rtl,
                                                                 const RegisterTarget& target,
                                                                 bool with_ports = false);

}  // namespace weir
