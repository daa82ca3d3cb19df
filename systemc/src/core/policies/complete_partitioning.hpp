// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "weir/core/policies/sharing_policy.hpp"

namespace weir::policies {

/// T = floor(B / sharers).
[[nodiscard]] Threshold complete_partitioning_line(const ThresholdContext& context);

}  // namespace weir::policies
