// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "weir/core/policies/sharing_policy.hpp"

namespace weir::policies {

inline constexpr PolicyKey burst_key{"burst", &ThresholdSetting::burst, false, default_burst};

/// T = line; a slot that reaches it becomes a burst and has T = max(line, B / bursts) until it is
/// empty, or `burst` is over; then it must be empty before the next. Source: [EDT].
[[nodiscard]] std::unique_ptr<SharingPolicy> make_edt(const SharingShape& shape);

}  // namespace weir::policies
