// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <variant>
#include <vector>

#include "weir/core/policies/sharing_policy.hpp"

namespace weir::test {

/// Overrides that give the profile `table` ("profile.lossless.") a policy and a value for each key
/// that it must have; alpha is left as it is.
[[nodiscard]] inline std::vector<std::string> policy_overrides(const PolicyRow& row,
                                                               const std::string& table) {
  std::vector<std::string> overrides{table + "policy=" + std::string{row.name}};
  for (const PolicyKey* key : row.keys) {
    if (!key->required || key->name == "alpha") continue;
    const bool cells = std::holds_alternative<Cells ThresholdSetting::*>(key->member);
    overrides.push_back(table + std::string{key->name} + (cells ? "=200 cells" : "=1"));
  }
  return overrides;
}

}  // namespace weir::test
