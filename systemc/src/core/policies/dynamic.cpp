// SPDX-License-Identifier: Apache-2.0
#include "policies/dynamic.hpp"

namespace weir::policies {

Threshold dynamic_line(const ThresholdContext& context) {
  return Threshold{context.pool, context.setting.alpha, Cells{}};
}

}  // namespace weir::policies
