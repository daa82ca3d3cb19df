// SPDX-License-Identifier: Apache-2.0
#include "weir/core/dynamic_threshold.hpp"

#include <algorithm>

#include "weir/core/errors.hpp"

namespace weir {
namespace {

constexpr Cells max_pool{1U << 24};
constexpr std::uint32_t max_numerator = 65535;
constexpr std::uint8_t max_shift = 16;
constexpr Alpha flat{0, 0};  // slope 0: T does not follow S

Threshold make_dynamic(const ThresholdContext& context) {
  return Threshold{context.pool, context.setting.alpha, Cells{}};
}

Threshold make_static(const ThresholdContext& context) {
  return Threshold{context.pool, flat, context.setting.static_limit};
}

Threshold make_complete_sharing(const ThresholdContext& context) {
  return Threshold{context.pool, flat, context.pool};
}

Threshold make_complete_partitioning(const ThresholdContext& context) {
  const std::uint32_t parts = std::max(context.sharers, 1U);
  return Threshold{context.pool, flat, Cells{context.pool.count() / parts}};
}

std::string names_of(const std::vector<ThresholdPolicy>& policies) {
  std::string names;
  for (const ThresholdPolicy& policy : policies) {
    if (!names.empty()) names += ", ";
    names += policy.name;
  }
  return names;
}

void check_alpha(Alpha alpha, const std::string& key) {
  const bool legal =
      alpha.numerator >= 1 && alpha.numerator <= max_numerator && alpha.shift <= max_shift;
  if (legal) return;
  throw ConfigError{key + ".alpha",
                    std::to_string(alpha.numerator) + "/2^" + std::to_string(alpha.shift),
                    "must be n/2^m with n from 1 to 65535 and m from 0 to 16"};
}

}  // namespace

const std::vector<ThresholdPolicy>& threshold_policies() {
  static const std::vector<ThresholdPolicy> policies{
      {"dynamic", make_dynamic, "T = floor(alpha x (B - S)): a share of what is free"},
      {"static", make_static, "T = the limit of the profile, whatever is in use"},
      {"complete_sharing", make_complete_sharing, "T = B: first come, first served"},
      {"complete_partitioning", make_complete_partitioning,
       "T = floor(B / number of sharers): nobody takes another's part"},
  };
  return policies;
}

Threshold make_threshold(const ThresholdContext& context, const std::string& key) {
  const auto& policies = threshold_policies();
  const auto row = std::find_if(
      policies.begin(), policies.end(),
      [&](const ThresholdPolicy& policy) { return policy.name == context.setting.policy; });
  if (row == policies.end()) {
    throw ConfigError{key + ".policy", context.setting.policy,
                      "must be one of " + names_of(policies)};
  }
  if (row->name == "dynamic") check_alpha(context.setting.alpha, key);
  if (context.pool > max_pool) {
    throw ConfigError{key + ".pool", std::to_string(context.pool.count()) + " cells",
                      "the shared segment must be at most 16777216 cells (2^24)"};
  }
  return row->make(context);
}

}  // namespace weir
