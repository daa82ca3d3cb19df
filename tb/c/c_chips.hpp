// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "support/policy_overrides.hpp"
#include "weir/core/policies/sharing_policy.hpp"

namespace weir::test {

/// A chip small enough that every limit is met often: two domains, lossless and lossy groups,
/// limited queues, WRED at two queues. `keys` are lines of [profile.lossless], `lag` of [chip].
[[nodiscard]] inline std::string c_chip(const std::string& keys, unsigned lag) {
  return "[chip]\nname = \"small\"\nports = 4\nrate = \"100 Gbps\"\ncell = \"208 B\"\n"
         "domains = 2\nthreshold_lag = \"" +
         std::to_string(lag) +
         " cycles\"\n"
         "[pool.main]\nsize = \"120 kB\"\n"
         "[profile.lossless]\npriorities = [2, 3, 4]\npool = \"main\"\nprivate = \"416 B\"\n"
         "headroom = \"4160 B\"\nxon_offset = \"416 B\"\n" +
         keys +
         "[profile.lossy]\npriorities = [0, 1, 5, 6]\npool = \"main\"\npolicy = \"static\"\n"
         "limit = \"30 kB\"\n"
         "[profile.rest]\npriorities = [7]\npool = \"main\"\npolicy = \"static\"\n"
         "limit = \"5 kB\"\n"
         "[egress_pool.lossy]\nsize = \"40 kB\"\n"
         "[queue.lossy]\npriorities = [0, 1, 5, 6]\npool = \"lossy\"\nalpha = \"1/2\"\n"
         "[wred.line]\npriorities = [3]\nmin = \"2080 B\"\nmax = \"20800 B\"\n"
         "probability = \"1/4\"\n"
         "[wred.early]\npriorities = [5]\nmin = \"2080 B\"\nmax = \"10400 B\"\n"
         "probability = \"1/2\"\ndrop = true\nat = \"enqueue\"\n"
         "[draw]\nseed = 7\n";
}

/// The keys of a policy as lines of its profile.
[[nodiscard]] inline std::string policy_lines(const PolicyRow& row) {
  std::string lines;
  for (const PolicyKey* key : row.keys)
    if (key->name == "alpha" && key->required) lines += "alpha = \"1/4\"\n";
  for (const std::string& text : policy_overrides(row, "")) {
    const std::size_t equals = text.find('=');
    lines += text.substr(0, equals) + " = \"" + text.substr(equals + 1) + "\"\n";
  }
  return lines;
}

/// A chip of each policy, and one whose T is late.
[[nodiscard]] inline std::vector<std::string> c_chips() {
  std::vector<std::string> chips{c_chip("alpha = \"1/4\"\n", 3)};
  for (const PolicyRow& row : policy_table()) chips.push_back(c_chip(policy_lines(row), 0));
  return chips;
}

}  // namespace weir::test
