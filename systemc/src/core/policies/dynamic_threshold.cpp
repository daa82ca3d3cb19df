// SPDX-License-Identifier: Apache-2.0
#include "weir/core/policies/dynamic_threshold.hpp"

#include <algorithm>

#include "weir/core/errors.hpp"

namespace weir {
namespace {

constexpr Cells max_pool{1U << 24};
constexpr std::uint32_t max_numerator = 65535;
constexpr std::uint8_t max_shift = 16;
constexpr std::uint64_t max_period = 1ULL << 32;  // 4 s at 1 GHz
constexpr Alpha flat{0, 0};                       // slope 0: T does not follow S

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
  throw ConfigError{key, std::to_string(alpha.numerator) + "/2^" + std::to_string(alpha.shift),
                    "must be n/2^m with n from 1 to 65535 and m from 0 to 16"};
}

}  // namespace

const std::vector<ThresholdPolicy>& threshold_policies() {
  // The RTL knows the first four, by their place in this table.
  static const std::vector<ThresholdPolicy> policies{
      {"dynamic", make_dynamic, PolicyRule::line, true, true,
       "T = floor(alpha x (B - S)): a share of what is free"},
      {"static", make_static, PolicyRule::line, false, true,
       "T = the limit of the profile, whatever is in use"},
      {"complete_sharing", make_complete_sharing, PolicyRule::line, false, true,
       "T = B: first come, first served"},
      {"complete_partitioning", make_complete_partitioning, PolicyRule::line, false, true,
       "T = floor(B / number of sharers): nobody takes another's part"},
      {"two_level", make_dynamic, PolicyRule::two_level, true, true,
       "dynamic, and all of a port below floor(port_alpha x (B - S))"},
      {"dsh", make_dynamic, PolicyRule::dsh, true, false,
       "headroom inside the shared segment: XOFF at T - eta, the port at N_q x T, eta a port"},
      {"abm", make_dynamic, PolicyRule::abm, true, true,
       "dynamic x share of the line that drains / congested ones of the class"},
      {"edt", make_dynamic, PolicyRule::edt, true, true,
       "dynamic, but for a burst: B / number of bursts"},
  };
  return policies;
}

const ThresholdPolicy* find_policy(std::string_view name) noexcept {
  const auto& policies = threshold_policies();
  const auto row = std::find_if(policies.begin(), policies.end(),
                                [&](const ThresholdPolicy& policy) { return policy.name == name; });
  return row == policies.end() ? nullptr : &*row;
}

PolicyRule policy_rule(std::string_view name) noexcept {
  const ThresholdPolicy* const policy = find_policy(name);
  return policy == nullptr ? PolicyRule::line : policy->rule;
}

Threshold make_threshold(const ThresholdContext& context, const std::string& key) {
  const ThresholdSetting& setting = context.setting;
  const ThresholdPolicy* const policy = find_policy(setting.policy);
  if (policy == nullptr) {
    throw ConfigError{key + ".policy", setting.policy,
                      "must be one of " + names_of(threshold_policies())};
  }
  if (policy->uses_alpha) check_alpha(setting.alpha, key + ".alpha");
  if (policy->rule == PolicyRule::two_level) check_alpha(setting.port_alpha, key + ".port_alpha");
  if (policy->rule == PolicyRule::abm)
    check_range(key + ".window", setting.window.count(), 1, max_period, " cycles");
  if (policy->rule == PolicyRule::edt)
    check_range(key + ".burst", setting.burst.count(), 1, max_period, " cycles");
  if (context.pool > max_pool) {
    throw ConfigError{key + ".pool", std::to_string(context.pool.count()) + " cells",
                      "the shared segment must be at most 16777216 cells (2^24)"};
  }
  return policy->make(context);
}

}  // namespace weir
