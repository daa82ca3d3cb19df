// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "weir/core/policies/sharing_policy.hpp"

namespace weir::policies {

/// T = B.
[[nodiscard]] Threshold complete_sharing_line(const ThresholdContext& context);

}  // namespace weir::policies
