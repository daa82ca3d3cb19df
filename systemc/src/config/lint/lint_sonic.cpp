// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lint_rules.hpp"
#include "sonic/sonic_sections.hpp"
#include "weir/config/sonic/sonic_tables.hpp"

namespace weir::lint_checks {
namespace {

// The map by which the ports of `row` find the class of a packet; nullptr: none is named.
const Node* dscp_map_of(const SonicTables& tables, const Node& row) {
  const Node* const global = tables.row("PORT_QOS_MAP", "global");
  const Node* reference = row.find("dscp_to_tc_map");
  if (reference == nullptr && global != nullptr) reference = global->find("dscp_to_tc_map");
  return reference == nullptr
             ? nullptr
             : tables.row("DSCP_TO_TC_MAP", sonic_reference(*reference, "DSCP_TO_TC_MAP"));
}

bool leads_to(const Node& map, std::size_t traffic_class) {
  for (const Node& entry : map.children)
    if (sonic_number(entry, 0, priorities - 1) == static_cast<std::int64_t>(traffic_class))
      return true;
  return false;
}

std::uint8_t pfc_classes(const Node& row) {
  const Node* const enable = row.find("pfc_enable");
  return enable == nullptr ? std::uint8_t{0} : sonic_sections::pfc_enable_of(*enable);
}

}  // namespace

void lossless_without_dscp(const LintSubject& subject, Findings& findings) {
  if (subject.sonic == nullptr) return;
  const Node* const rows = subject.sonic->table("PORT_QOS_MAP");
  std::set<std::pair<const Node*, std::size_t>> reported;  // map and class
  for (std::size_t i = 0; rows != nullptr && i < rows->children.size(); ++i) {
    const Node& row = rows->children[i];
    const Node* const map = dscp_map_of(*subject.sonic, row);
    for (std::size_t n = 0; map != nullptr && n < priorities; ++n) {
      const bool missing = (pfc_classes(row) >> n & 1U) != 0 && !leads_to(*map, n);
      if (!missing || !reported.emplace(map, n).second) continue;
      const Node& enable = *row.find("pfc_enable");
      add(findings, {{map->origin, map->path, ""}, {enable.origin, enable.path, enable.written()}},
          fmt::format("no DSCP maps to class {}, which has PFC", n),
          fmt::format("the DSCPs of its applications in the map: \"{0}\": \"{0}\" in the stock one",
                      n));
    }
  }
}

}  // namespace weir::lint_checks
