// SPDX-License-Identifier: Apache-2.0
#include "weir/core/policies/sharing_policy.hpp"

#include <algorithm>

#include "weir/core/chip_limits.hpp"
#include "weir/core/errors.hpp"

namespace weir {
namespace {

constexpr std::uint64_t max_period = 1ULL << 32;  // 4 s at 1 GHz

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

// By the kind of a key.
void check_value(const std::string& key, Alpha alpha) {
  const bool legal = alpha.numerator >= 1 && alpha.numerator <= max_alpha_numerator &&
                     alpha.shift <= max_alpha_shift;
  if (legal) return;
  throw ConfigError{key, std::to_string(alpha.numerator) + "/2^" + std::to_string(alpha.shift),
                    "must be n/2^m with n from 1 to " + std::to_string(max_alpha_numerator) +
                        " and m from 0 to " + std::to_string(max_alpha_shift)};
}
void check_value(const std::string&, Cells) {}
void check_value(const std::string& key, Cycle period) {
  check_range(key, period.count(), 1, max_period, " cycles");
}

const PolicyRow& row_at(Policy policy, const std::string& key) {
  const std::size_t number = static_cast<std::size_t>(policy);
  const std::vector<PolicyRow>& table = policy_table();
  if (number < table.size()) return table[number];
  throw ConfigError{key, std::to_string(number), "must be one of " + joined(policy_names(false))};
}

}  // namespace

bool PolicyRow::reads(std::string_view key) const noexcept {
  return std::any_of(keys.begin(), keys.end(),
                     [&](const PolicyKey* one) { return one->name == key; });
}

const PolicyRow& row_of(Policy policy) { return row_at(policy, "policy"); }

const PolicyRow* find_policy(std::string_view name) noexcept {
  const std::vector<PolicyRow>& table = policy_table();
  const auto row = std::find_if(table.begin(), table.end(),
                                [&](const PolicyRow& policy) { return policy.name == name; });
  return row == table.end() ? nullptr : &*row;
}

std::string_view to_string(Policy policy) { return row_of(policy).name; }

std::vector<std::string> policy_names(bool only_in_rtl) {
  std::vector<std::string> names;
  for (const PolicyRow& row : policy_table())
    if (row.in_rtl || !only_in_rtl) names.emplace_back(row.name);
  return names;
}

const std::vector<const PolicyKey*>& policy_keys() {
  static const std::vector<const PolicyKey*> keys = [] {
    std::vector<const PolicyKey*> all;
    for (const PolicyRow& row : policy_table())
      for (const PolicyKey* key : row.keys)
        if (std::find(all.begin(), all.end(), key) == all.end()) all.push_back(key);
    return all;
  }();
  return keys;
}

Threshold make_threshold(const ThresholdContext& context, const std::string& key) {
  const ThresholdSetting& setting = context.setting;
  const PolicyRow& row = row_at(setting.policy, key + ".policy");
  for (const PolicyKey* one : row.keys)
    std::visit(
        [&](auto member) { check_value(key + "." + std::string{one->name}, setting.*member); },
        one->member);
  if (context.pool > max_cells_counted) {
    throw ConfigError{key + ".pool", std::to_string(context.pool.count()) + " cells",
                      "the shared segment must be at most " +
                          std::to_string(max_cells_counted.count()) + " cells (2^24)"};
  }
  return row.line(context);
}

}  // namespace weir
