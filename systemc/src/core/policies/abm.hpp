// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "weir/core/policies/sharing_policy.hpp"

namespace weir::policies {

inline constexpr PolicyKey window_key{"window", &ThresholdSetting::window, false, default_window};

/// T = line x d / (c n): d of c cells left in the last whole window (all of them unless the slot
/// was backlogged throughout); n = congested slots of the class, w >= 0.9 T. Source: [ABM].
[[nodiscard]] std::unique_ptr<SharingPolicy> make_abm(const SharingShape& shape);

}  // namespace weir::policies
