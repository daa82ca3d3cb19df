// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "weir/core/policies/sharing_policy.hpp"

namespace weir::policies {

inline constexpr PolicyKey limit_key{"limit", &ThresholdSetting::static_limit};

/// T = limit.
[[nodiscard]] Threshold fixed_line(const ThresholdContext& context);

}  // namespace weir::policies
