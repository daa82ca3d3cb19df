// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "weir/core/policies/sharing_policy.hpp"

namespace weir::policies {

inline constexpr PolicyKey port_alpha_key{"port_alpha", &ThresholdSetting::port_alpha};

/// T = min(line, w + max(0, line_port - W)), W = shared cells of the port in the pool: a slot is
/// full when it reaches its own limit, or its port the port's. Source: [SMARTBUF].
[[nodiscard]] std::unique_ptr<SharingPolicy> make_two_level(const SharingShape& shape);

}  // namespace weir::policies
