// SPDX-License-Identifier: Apache-2.0
#include "weir/model/rtl/mark_engine.hpp"

#include <fmt/format.h>

namespace weir {

LockstepDifference MarkEngine::describe(const LockstepValue& value) const {
  const std::size_t copies = pins_.parts_of_a_slot(MmuPin::arr_mark_o);
  const std::string where =
      value.pin == MmuPin::arr_mark_o
          ? fmt::format("lane {}, copy {}", value.part / copies, value.part % copies)
          : fmt::format("port {}", value.part);
  return {where, row_of(value.pin).name, std::to_string(value.expected),
          std::to_string(value.actual)};
}

}  // namespace weir
