// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "weir/core/policies/sharing_policy.hpp"

namespace weir::policies {

/// XOFF at T = line - eta; a packet may use the shared segment while its port is on and
/// W < N_q x line, then the insurance of its port. W, and the port's state: PGs under dsh.
/// Source: [DSH].
[[nodiscard]] std::unique_ptr<SharingPolicy> make_dsh(const SharingShape& shape);

}  // namespace weir::policies
