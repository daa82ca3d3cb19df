// SPDX-License-Identifier: Apache-2.0
#include "policies/fixed.hpp"

namespace weir::policies {

Threshold fixed_line(const ThresholdContext& context) {
  return Threshold::fixed(context.pool, context.setting.static_limit);
}

}  // namespace weir::policies
