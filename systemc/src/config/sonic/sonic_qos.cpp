// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sonic_sections.hpp"
#include "weir/config/format/reader.hpp"
#include "weir/config/format/toml_text.hpp"
#include "weir/config/format/units.hpp"
#include "weir/core/chip.hpp"

namespace weir::sonic_sections {
namespace {

using ClassMap = std::array<std::uint8_t, priorities>;

// A map with its row; null: none.
struct ChosenMap {
  std::string name;
  const Node* row{nullptr};
};

// A row of PORT_QOS_MAP that names a map, and the ports that go by it.
struct MapUse {
  const Node* value;
  std::string name;
  std::vector<std::size_t> ports;
  bool global{false};  // those without a row of their own
};

// The entries that two maps do not have in common.
std::string differences(const Node& one, const Node& other) {
  std::set<std::pair<std::size_t, std::string>> names;  // short ones first: 4, 5, 46
  const auto compare = [&](const Node& from, const Node& with) {
    for (const Node& entry : from.children) {
      const Node* const same = with.find(entry.name);
      if (same == nullptr || same->text != entry.text || same->integer != entry.integer)
        names.emplace(entry.name.size(), entry.name);
    }
  };
  compare(one, other);
  compare(other, one);
  std::string list;
  for (const auto& [length, name] : names) list += (list.empty() ? "" : ", ") + name;
  return list;
}

// The rows that name another map than the chosen one. One of the same entries is the same map.
void list_other_maps(Draft& draft, const ChosenMap& chosen, const std::vector<MapUse>& uses,
                     const char* field, const char* table) {
  for (const MapUse& use : uses) {
    const Node& row = *draft.tables.row(table, use.name);
    const std::string differ = differences(*chosen.row, row);
    if (differ.empty()) {
      draft.used.insert(use.value);
      for (const Node& entry : row.children) draft.used.insert(&entry);
      continue;
    }
    const std::string key = use.value->path.substr(0, use.value->path.rfind('.'));
    draft.leave_out(
        *use.value, "PORT_QOS_MAP", key.substr(key.find('|') + 1), field,
        "a chip has one map for all ports: " + chosen.name + ", not the same for " + differ);
  }
}

std::vector<MapUse> uses_of(Draft& draft, const char* field, const char* table) {
  const Node* const rows = draft.tables.table("PORT_QOS_MAP");
  std::vector<MapUse> uses;
  std::vector<std::string> own(draft.out.ports.size());
  for (std::size_t i = 0; rows != nullptr && i < rows->children.size(); ++i) {
    const Node& row = rows->children[i];
    const Node* const value = row.find(field);
    if (value == nullptr) continue;
    uses.push_back({value, sonic_reference(*value, table), {}, row.name == "global"});
    if (draft.tables.row(table, uses.back().name) == nullptr)
      value->fail("is not a row of " + std::string{table} + ": there is no such map");
    if (row.name != "global") uses.back().ports = ports_of(draft, row, row.name);
    for (const std::size_t port : uses.back().ports) {
      if (!own[port].empty() && own[port] != uses.back().name)
        value->fail("contradicts another row of PORT_QOS_MAP, which gives " +
                    draft.out.ports[port].name + " the map " + own[port]);
      own[port] = uses.back().name;
    }
  }
  for (MapUse& use : uses)
    for (std::size_t port = 0; use.global && port < own.size(); ++port)
      if (own[port].empty()) use.ports.push_back(port);
  return uses;
}

ChosenMap most_used(Draft& draft, const std::vector<MapUse>& uses, const char* table) {
  ChosenMap chosen;
  if (uses.empty()) return chosen;
  std::map<std::string, std::size_t> ports_with;
  for (const MapUse& use : uses) ports_with[use.name] += use.ports.size();
  chosen.name =
      std::max_element(ports_with.begin(), ports_with.end(), [](const auto& a, const auto& b) {
        return a.second < b.second;
      })->first;
  chosen.row = draft.tables.row(table, chosen.name);
  for (const MapUse& use : uses)
    if (use.name == chosen.name) draft.used.insert(use.value);
  return chosen;
}

ChosenMap choose_map(Draft& draft, const char* field, const char* table) {
  const std::vector<MapUse> uses = uses_of(draft, field, table);
  ChosenMap chosen = most_used(draft, uses, table);
  list_other_maps(draft, chosen, uses, field, table);
  return chosen;
}

// TC -> PG or queue. Classes that the map leaves out, and all classes without a map, go to their
// own number.
ClassMap read_map(Draft& draft, const char* field, const char* table, const char* key) {
  ClassMap map{0, 1, 2, 3, 4, 5, 6, 7};
  const ChosenMap chosen = choose_map(draft, field, table);
  if (chosen.row == nullptr) {
    draft.assume(Origin{draft.tables.folder, 0}, table, "", "no map: class n to number n");
    return map;
  }
  std::uint8_t seen = 0;
  for (const Node& entry : chosen.row->children) {
    const auto from = parse_count(entry.name);
    if (!from || *from >= priorities) entry.fail("must be a traffic class from 0 to 7");
    map[*from] = static_cast<std::uint8_t>(sonic_number(entry, 0, priorities - 1));
    seen = static_cast<std::uint8_t>(seen | 1U << *from);
    draft.used.insert(&entry);
  }
  if (seen != 0xff)
    draft.assume(chosen.row->origin, table, chosen.name,
                 "traffic classes that it does not map go to their own number");
  Node list;
  list.kind = Node::Kind::array;
  list.origin = chosen.row->origin;
  list.path = chosen.row->path;
  for (const std::uint8_t to : map) list.children.push_back(integer_node(to, *chosen.row));
  put(table_in(draft.out.chip, "map", Node{}), key, std::move(list));
  return map;
}

// The lines of a map: class = the DSCPs that map to it. As in SAI, a DSCP that is not in the map is
// class 0.
void write_dscp_lines(Draft& draft, const ChosenMap& map, Node& table) {
  constexpr std::uint64_t dscps = ClassifierSettings::dscps;
  std::array<std::vector<std::uint32_t>, priorities> dscps_of;
  for (const Node& entry : map.row->children) {
    const auto dscp = parse_count(entry.name);
    if (!dscp || *dscp >= dscps) entry.fail("must be a DSCP from 0 to 63");
    const std::int64_t traffic_class = sonic_number(entry, 0, priorities - 1);
    dscps_of[static_cast<std::size_t>(traffic_class)].push_back(static_cast<std::uint32_t>(*dscp));
    draft.used.insert(&entry);
  }
  if (map.row->children.size() < dscps)
    draft.assume(map.row->origin, "DSCP_TO_TC_MAP", map.name,
                 "DSCPs that it does not map are class 0");
  for (std::size_t n = 0; n < priorities; ++n) {
    std::sort(dscps_of[n].begin(), dscps_of[n].end());
    if (!dscps_of[n].empty())
      put(table, std::to_string(n), text_node(ranges_of(dscps_of[n]), *map.row));
  }
}

// The ports whose map has other entries than the chosen one.
void write_other_dscp_maps(Draft& draft, const ChosenMap& chosen, const std::vector<MapUse>& uses) {
  std::map<std::string, std::vector<std::uint32_t>> ports_with;
  for (const MapUse& use : uses) {
    draft.used.insert(use.value);
    for (const std::size_t port : use.ports) {
      draft.out.ports[port].dscp_map = draft.tables.row("DSCP_TO_TC_MAP", use.name);
      ports_with[use.name].push_back(static_cast<std::uint32_t>(port));
    }
  }
  for (auto& [name, ports] : ports_with) {
    const ChosenMap map{name, draft.tables.row("DSCP_TO_TC_MAP", name)};
    if (differences(*chosen.row, *map.row).empty()) {
      for (const Node& entry : map.row->children) draft.used.insert(&entry);
      continue;
    }
    std::sort(ports.begin(), ports.end());
    Node& tables = table_in(draft.out.chip, "dscp_map", Node{});
    Node& table = table_in(tables, name, *map.row);
    put(table, "ports", text_node(ranges_of(ports), *map.row));
    write_dscp_lines(draft, map, table);
  }
}

// DSCP -> TC: the classifier, and the maps of ports that have another one.
void read_dscp_maps(Draft& draft) {
  const std::vector<MapUse> uses = uses_of(draft, "dscp_to_tc_map", "DSCP_TO_TC_MAP");
  const ChosenMap chosen = most_used(draft, uses, "DSCP_TO_TC_MAP");
  if (chosen.row == nullptr) return;
  Node& classify = table_in(draft.out.chip, "classify", *chosen.row);
  put(classify, "trust", text_node("dscp", *chosen.row));
  write_dscp_lines(draft, chosen, table_in(classify, "dscp", *chosen.row));
  write_other_dscp_maps(draft, chosen, uses);
  for (SonicPort& port : draft.out.ports) {
    if (port.dscp_map != nullptr) continue;
    port.dscp_map = chosen.row;
    if (port.up)
      draft.assume(port.row->origin, "PORT_QOS_MAP", port.name,
                   "no dscp_to_tc_map: " + chosen.name + ", that of most ports");
  }
}

void read_pfc_enable(Draft& draft) {
  const Node* const table = draft.tables.table("PORT_QOS_MAP");
  if (table == nullptr) return;
  for (const Node& row : table->children) {
    if (row.name == "global") continue;
    const auto indices = ports_of(draft, row, row.name);
    const Node* const enable = draft.take(row, "pfc_enable");
    for (const std::size_t index : indices) {
      SonicPort& port = draft.out.ports[index];
      // Without the field no class has PFC.
      port.pfc_enable = enable == nullptr ? 0 : pfc_enable_of(*enable);
      port.pfc_node = enable == nullptr ? &row : enable;
    }
  }
}

// A received PAUSE of a class must stop the queue from which the class is sent.
void check_pfc_to_queue(Draft& draft) {
  const ChosenMap chosen = choose_map(draft, "pfc_to_queue_map", "MAP_PFC_PRIORITY_TO_QUEUE");
  if (chosen.row == nullptr) return;
  for (const Node& entry : chosen.row->children) {
    const auto from = parse_count(entry.name);
    if (!from || *from >= priorities) entry.fail("must be a PFC class from 0 to 7");
    const std::int64_t queue = sonic_number(entry, 0, priorities - 1);
    if (queue == draft.out.queue_of_priority[*from])
      draft.used.insert(&entry);
    else
      draft.leave_out(entry, "MAP_PFC_PRIORITY_TO_QUEUE", chosen.name, entry.name,
                      "the model pauses the queue that the class is sent from, " +
                          std::to_string(draft.out.queue_of_priority[*from]));
  }
}

// The scheduling of the queues of one port.
struct QueueSchedule {
  std::array<std::int64_t, priorities> weights{1, 1, 1, 1, 1, 1, 1, 1};
  std::array<bool, priorities> strict{};
  const Node* said{nullptr};  // its first place in the files
};

void read_queues_of(Draft& draft, const Node& row, std::uint8_t mask, QueueSchedule& schedule) {
  const Node* const reference = draft.take(row, "scheduler");
  if (reference == nullptr) return;
  const Node* const scheduler =
      draft.tables.row("SCHEDULER", sonic_reference(*reference, "SCHEDULER"));
  if (scheduler == nullptr) reference->fail("is not a row of SCHEDULER");
  if (schedule.said == nullptr) schedule.said = reference;
  const Node* const type = draft.take(*scheduler, "type");
  const Node* const weight = draft.take(*scheduler, "weight");
  const bool strict = type != nullptr && type->text == "STRICT";
  if (type != nullptr && !strict && type->text != "DWRR" && type->text != "WRR")
    type->fail("must be \"DWRR\", \"WRR\" or \"STRICT\"");
  for (std::uint32_t queue = 0; queue < priorities; ++queue) {
    if ((mask >> queue & 1U) == 0) continue;
    schedule.strict[queue] = strict;
    if (!strict && weight != nullptr)
      schedule.weights[queue] = sonic_number(*weight, 1, max_dwrr_weight);
  }
}

// Index of the row of WRED_PROFILE that `reference` names.
std::size_t named_wred(Draft& draft, const Node& reference) {
  const Node* const row =
      draft.tables.row("WRED_PROFILE", sonic_reference(reference, "WRED_PROFILE"));
  if (row == nullptr) reference.fail("is not a row of WRED_PROFILE: there is no such profile");
  const auto known = std::find(draft.wred_rows.begin(), draft.wred_rows.end(), row);
  if (known == draft.wred_rows.end()) draft.wred_rows.push_back(row);
  return static_cast<std::size_t>(std::find(draft.wred_rows.begin(), draft.wred_rows.end(), row) -
                                  draft.wred_rows.begin());
}

void read_wred_of(Draft& draft, const Node& row, std::uint8_t mask,
                  const std::vector<std::size_t>& ports) {
  const Node* const reference = draft.take(row, "wred_profile");
  if (reference == nullptr || reference->text.empty()) return;
  const std::size_t profile = named_wred(draft, *reference);
  for (const std::size_t port : ports)
    for (std::size_t queue = 0; queue < priorities; ++queue)
      if ((mask >> queue & 1U) != 0)
        draft.wred_of_queue[queue_index(port_id(port), priority_id(queue))] = profile;
}

void write_scheduler(Draft& draft, const QueueSchedule& schedule) {
  Node& scheduler = table_in(draft.out.chip, "scheduler", Node{});
  Node weights;
  weights.kind = Node::Kind::array;
  std::vector<std::uint32_t> strict;
  for (std::uint32_t queue = 0; queue < priorities; ++queue) {
    weights.children.push_back(integer_node(schedule.weights[queue], Node{}));
    if (schedule.strict[queue]) strict.push_back(queue);
  }
  put(scheduler, "weights", std::move(weights));
  if (!strict.empty()) put(scheduler, "strict", text_node(ranges_of(strict), Node{}));
}

// A chip has one scheduler: that of the first port that has any. WRED profiles are each queue's.
void read_queues(Draft& draft) {
  const Node* const queues = draft.tables.table("QUEUE");
  if (queues == nullptr) return;
  std::vector<QueueSchedule> schedules(draft.out.ports.size());
  draft.wred_of_queue.resize(draft.out.ports.size() * priorities);
  for (const Node& row : queues->children) {
    const std::size_t bar = row.name.rfind('|');
    if (bar == std::string::npos) row.fail("must be named PORT|queues");
    const std::uint8_t mask = mask_of(row, row.name.substr(bar + 1));
    const std::vector<std::size_t> ports = ports_of(draft, row, row.name.substr(0, bar));
    for (const std::size_t port : ports) read_queues_of(draft, row, mask, schedules[port]);
    read_wred_of(draft, row, mask, ports);
  }
  const QueueSchedule* first = nullptr;
  for (std::size_t port = 0; port < schedules.size(); ++port) {
    const QueueSchedule& schedule = schedules[port];
    if (schedule.said == nullptr) continue;
    if (first == nullptr) {
      first = &schedule;
      write_scheduler(draft, schedule);
    } else if (schedule.weights != first->weights || schedule.strict != first->strict) {
      draft.leave_out(*schedule.said, "QUEUE", draft.out.ports[port].name, "scheduler",
                      "a chip has one scheduler for all ports: that of the first");
    }
  }
}

}  // namespace

void read_qos(Draft& draft) {
  draft.out.pg_of_priority =
      read_map(draft, "tc_to_pg_map", "TC_TO_PRIORITY_GROUP_MAP", "pg_of_priority");
  draft.out.queue_of_priority =
      read_map(draft, "tc_to_queue_map", "TC_TO_QUEUE_MAP", "queue_of_priority");
  read_dscp_maps(draft);
  read_pfc_enable(draft);
  check_pfc_to_queue(draft);
  read_queues(draft);
}

std::uint8_t pfc_enable_of(const Node& enable) {
  const std::string text = to_text(enable);
  return text.empty() ? std::uint8_t{0} : mask_of(enable, text);
}

std::uint8_t mask_of(const Node& row, std::string_view text) {
  std::uint8_t mask = 0;
  for (const std::string& part : sonic_list(text)) {
    const std::size_t dash = part.find('-');
    const auto first = parse_count(std::string_view{part}.substr(0, dash));
    const auto last =
        dash == std::string::npos ? first : parse_count(std::string_view{part}.substr(dash + 1));
    if (!first || !last || *last < *first || *last >= priorities)
      throw FileError{row.origin, row.path, "\"" + std::string{text} + "\"",
                      "must be numbers from 0 to 7 such as \"3-4\" or \"3,4\""};
    for (std::uint64_t n = *first; n <= *last; ++n)
      mask = static_cast<std::uint8_t>(mask | 1U << n);
  }
  return mask;
}

}  // namespace weir::sonic_sections
