// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "weir/core/policies/sharing_policy.hpp"

namespace weir::policies {

inline constexpr PolicyKey alpha_key{"alpha", &ThresholdSetting::alpha, true, {}, "dynamic_th"};

/// T = floor(alpha x (B - S)).
[[nodiscard]] Threshold dynamic_line(const ThresholdContext& context);

}  // namespace weir::policies
