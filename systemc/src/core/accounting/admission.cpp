// SPDX-License-Identifier: Apache-2.0
#include "weir/core/accounting/admission.hpp"

#include <array>

namespace weir {

std::string_view to_string(Reason reason) noexcept {
  constexpr std::array<std::string_view, reasons> names{
      "admitted",      "shared_threshold", "shared_pool", "headroom_limit",
      "headroom_pool", "egress_queue",     "wred"};
  return names[static_cast<std::size_t>(reason)];
}

}  // namespace weir
