// SPDX-License-Identifier: Apache-2.0
#include "policies/complete_sharing.hpp"

namespace weir::policies {

Threshold complete_sharing_line(const ThresholdContext& context) {
  return Threshold::fixed(context.pool, context.pool);
}

}  // namespace weir::policies
