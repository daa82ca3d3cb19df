// SPDX-License-Identifier: Apache-2.0
#include "policies/complete_partitioning.hpp"

#include <algorithm>

namespace weir::policies {

Threshold complete_partitioning_line(const ThresholdContext& context) {
  const std::uint32_t parts = std::max(context.sharers, 1U);
  return Threshold::fixed(context.pool, Cells{context.pool.count() / parts});
}

}  // namespace weir::policies
