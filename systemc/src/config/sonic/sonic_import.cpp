// SPDX-License-Identifier: Apache-2.0
#include "weir/config/sonic/sonic_import.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "chip/lossless_classes.hpp"
#include "sonic_sections.hpp"
#include "weir/config/chip/chip_file.hpp"
#include "weir/config/format/reader.hpp"
#include "weir/config/format/toml_text.hpp"
#include "weir/core/bits.hpp"
#include "weir/core/printable.hpp"

namespace weir {

using sonic_sections::Draft;

namespace {

// Why a setting has no place in a chip; "*" means every table or field.
struct Reason {
  std::string_view table, field, why;
};

constexpr std::string_view names_only = "names or cables the port; the MMU does not depend on it";
constexpr std::array<Reason, 22> reasons_to_leave_out{{
    {"PORT", "pfc_asym", "asymmetric PFC is not modelled: a class pauses both ways"},
    {"PORT", "*", names_only},
    {"DEVICE_METADATA", "*", "does not describe buffers"},
    {"PFC_WD", "POLL_INTERVAL", "watchdogs of the model do not poll: they see every moment"},
    {"PFC_WD", "*", "a watchdog without detection_time watches nothing"},
    {"PORT_QOS_MAP", "dot1p_to_tc_map", "a frame that is classed by its tag has the PCP as class"},
    {"PORT_QOS_MAP", "tc_to_dscp_map", "frames are not re-marked"},
    {"PORT_QOS_MAP", "pfc_to_pg_map", "the group of a class is that of TC_TO_PRIORITY_GROUP_MAP"},
    {"PORT_QOS_MAP", "pfcwd_sw_enable", "watchdogs are those of PFC_WD"},
    {"PORT_QOS_MAP", "*", "is not known to the importer"},
    {"DSCP_TO_TC_MAP", "*", "no port has this map"},
    {"DOT1P_TO_TC_MAP", "*", "a frame that is classed by its tag has the PCP as class"},
    {"PFC_PRIORITY_TO_PRIORITY_GROUP_MAP", "*",
     "the group of a class is that of TC_TO_PRIORITY_GROUP_MAP"},
    {"WRED_PROFILE", "*", "packets have no colour: all are green, of profiles that a queue has"},
    {"BUFFER_PORT_INGRESS_PROFILE_LIST", "*", "limits of a whole port are not modelled"},
    {"BUFFER_PORT_EGRESS_PROFILE_LIST", "*", "limits of a whole port are not modelled"},
    {"BUFFER_PROFILE", "packet_discard_action", "a refused packet is dropped, not trimmed"},
    {"BUFFER_PROFILE", "*", "no priority group and no queue has this profile"},
    {"SCHEDULER", "*", "queues are scheduled by weight or strictly, without shaping"},
    {"LOSSLESS_TRAFFIC_PATTERN", "*", "no headroom is sized by formula"},
    {"DEFAULT_LOSSLESS_BUFFER_PARAMETER", "*",
     "not needed: profiles have their threshold, the pool its xoff"},
}};

std::string_view reason_for(std::string_view table, std::string_view field) {
  for (const Reason& reason : reasons_to_leave_out) {
    if (reason.table == table && (reason.field == field || reason.field == "*")) return reason.why;
  }
  return "";
}

bool is_buffer_table(std::string_view name) {
  constexpr std::array<std::string_view, 8> names{"BUFFER_POOL",     "BUFFER_PG",
                                                  "BUFFER_QUEUE",    "CABLE_LENGTH",
                                                  "TC_TO_QUEUE_MAP", "TC_TO_PRIORITY_GROUP_MAP",
                                                  "QUEUE",           "MAP_PFC_PRIORITY_TO_QUEUE"};
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Names of tables, rows and fields are of the files: none may end the comment and go on as TOML.
std::string comment_lines(const std::vector<SonicNote>& notes) {
  std::string text;
  for (const SonicNote& note : notes) {
    std::string line = note.table;
    if (!note.keys.empty()) line += "|" + note.keys.front();
    if (note.keys.size() > 1) line += " and " + std::to_string(note.keys.size() - 1) + " more";
    line += (note.field.empty() ? "" : " " + note.field) + ": " + note.why;
    text += "#   " + printable_line(line) + "\n";
  }
  return text;
}

}  // namespace

namespace sonic_sections {

const Node* Draft::take(const Node& row, std::string_view name) {
  const Node* const field = row.find(name);
  if (field != nullptr) used.insert(field);
  return field;
}

const Node* Draft::take(std::string_view table, std::string_view row, std::string_view name) {
  const Node* const found = tables.row(table, row);
  return found == nullptr ? nullptr : take(*found, name);
}

void NoteList::add(const Origin& origin, const std::string& table, const std::string& key,
                   const std::string& field, const std::string& why) {
  const auto [place, is_new] = number_of_.try_emplace({table, field, why}, notes_.size());
  if (is_new) notes_.push_back({origin, table, field, {}, why});
  const std::size_t number = place->second;
  if (!key.empty() && keys_.emplace(number, key).second) notes_[number].keys.push_back(key);
}

void Draft::assume(const Origin& origin, const std::string& table, const std::string& field,
                   const std::string& why) {
  assumed.add(origin, table, field, "", why);
}

void Draft::leave_out(const Node& value, const std::string& table, const std::string& key,
                      const std::string& field, const std::string& why) {
  used.insert(&value);
  unmapped.add(value.origin, table, key, field, why);
}

void list_unmapped(Draft& draft) {
  for (const Node& table : draft.tables.tables.children) {
    const bool known = is_buffer_table(table.name) || !reason_for(table.name, "*").empty();
    for (const Node& row : table.children) {
      if (!known) {
        draft.unmapped.add(table.origin, table.name, row.name, "",
                           "this table has no part in the MMU");
        continue;
      }
      for (const Node& field : row.children) {
        if (draft.used.count(&field) != 0) continue;
        const std::string_view why = reason_for(table.name, field.name);
        draft.unmapped.add(field.origin, table.name, row.name, field.name,
                           std::string{why.empty() ? "is not known to the importer" : why});
      }
    }
  }
  std::set<std::uint32_t> used_lines;
  for (const BufferProfile& profile : draft.profiles)
    if (profile.place.origin.file == draft.tables.lookup_file)
      used_lines.insert(profile.place.origin.line);
  for (const SonicLookupRow& row : draft.tables.lookup) {
    if (used_lines.count(row.size.origin.line) == 0)
      draft.unmapped.add(row.size.origin, "pg_profile_lookup.ini", row.speed + " " + row.cable, "",
                         "no port that is up has this speed and cable");
  }
  for (const std::string& file : draft.tables.ignored)
    draft.unmapped.add(Origin{draft.tables.folder, 0}, "(file)", file, "",
                       "is not a file that is read");
}

}  // namespace sonic_sections

const std::vector<SonicAsic>& sonic_asics() {
  // How each takes its reservations was found by predicting packet counts of real switches
  // (docs/measurements/silicon.md); the words are from hwsku or platform of these switches.
  static const std::vector<SonicAsic> table{
      {"trident2",
       Bytes{208},
       1,
       false,
       false,
       0,
       {"7050qx", "7050-qx", "7050_qx", "s6000"},
       "vectors/silicon",
       "td2"},
      {"trident3",
       Bytes{256},
       1,
       false,
       true,
       0,
       {"7050cx3", "7050_cx3"},
       "vectors/silicon",
       "td3"},
      {"tomahawk",
       Bytes{208},
       4,
       true,
       false,
       0,
       {"7060cx", "7060-cx", "7060_cx", "s6100", "dx010"},
       "vectors/silicon",
       "th"},
      {"tomahawk2", Bytes{208}, 4, true, false, 0, {"7260cx3"}, "vectors/silicon", "th2"},
      {"tomahawk3", Bytes{254}, 2, false, false, 70, {"z9332f"}, "vectors/silicon", "th3"},
      {"tomahawk5", Bytes{254}, 2, false, false, 70, {"7060x6"}, "vectors/silicon", "th5"},
      {"spectrum",
       Bytes{96},
       1,
       false,
       false,
       0,
       {"sn2700", "sn2410", "sn2100"},
       "docs/guide/headroom.md",
       "spc1"},
  };
  return table;
}

std::string sonic_asic_names() {
  std::vector<std::string> names;
  for (const SonicAsic& asic : sonic_asics()) names.emplace_back(asic.name);
  return joined(names);
}

SonicImport import_sonic(const SonicTables& tables, const SonicOptions& options) {
  SonicImport result;
  Draft draft{tables, options, result, {}, {}, {}, {}, {}, {}, {}, {}, {}};
  sonic_sections::choose_asic(draft);
  sonic_sections::read_ports(draft);
  sonic_sections::write_ports(draft);
  sonic_sections::read_qos(draft);
  sonic_sections::assign_profiles(draft);
  sonic_sections::write_buffers(draft);
  sonic_sections::list_unmapped(draft);
  result.assumed = draft.assumed.take();
  result.unmapped = draft.unmapped.take();
  static_cast<void>(build_chip(result.chip));  // errors of the chip format are reported here
  return result;
}

std::string sonic_chip_toml(const SonicImport& import, const SonicTables& tables) {
  std::string text =
      "# Made by weir import sonic of " + printable_line(joined(tables.files)) + ".\n";
  if (!import.assumed.empty())
    text += "# Not in the files, and assumed:\n" + comment_lines(import.assumed);
  if (!import.unmapped.empty())
    text += "# In the files, and not here:\n" + comment_lines(import.unmapped);
  return text + to_toml(import.chip, true);
}

namespace {

bool has_lossless(const Chip& chip, PortId port) {
  for (std::uint8_t pg = 0; pg < priorities; ++pg) {
    const auto& profile = chip.profile_of_pg[pg_index(port, Priority{pg})];
    if (profile && chip.profiles[*profile].lossless) return true;
  }
  return false;
}

// Equal watchdogs become one table.
std::string watchdog_tables(const SonicImport& import, const Chip& chip, bool only_up) {
  std::map<std::string, std::string> ports_of;  // by the lines of the setting
  for (std::size_t i = 0; i < import.ports.size(); ++i) {
    const SonicPort& port = import.ports[i];
    if (!port.watchdog || (only_up && !port.up) || !has_lossless(chip, port_id(i))) continue;
    std::string lines = "detect = " + toml_quoted(milliseconds_text(*port.watchdog)) + "\n";
    if (port.restoration)
      lines += "restore = " + toml_quoted(milliseconds_text(*port.restoration)) + "\n";
    if (!port.watchdog_action.empty())
      lines += "action = " + toml_quoted(port.watchdog_action) + "\n";
    std::string& ports = ports_of[lines];
    ports += (ports.empty() ? "" : ", ") + std::to_string(i);
  }
  std::string text;
  std::size_t number = 0;
  for (const auto& [lines, ports] : ports_of) {
    text += "\n[watchdog.pfc" + std::to_string(number++) + "]  # PFC_WD\nports = [";
    text.append(ports).append("]\n").append(lines);
  }
  return text;
}

}  // namespace

std::string sonic_scenario_toml(const SonicImport& import, const std::string& chip_file) {
  std::string hosts, senders, receiver;
  // If fewer than two ports are up, all of them are used.
  const bool only_up = std::count_if(import.ports.begin(), import.ports.end(),
                                     [](const SonicPort& port) { return port.up; }) >= 2;
  for (std::size_t i = 0; i < import.ports.size(); ++i) {
    const SonicPort& port = import.ports[i];
    if (only_up && !port.up) continue;
    const std::string cable = port.cable ? port.cable_text : sonic_sections::usual_cable;
    hosts += "\n[host." + toml_key("h" + std::to_string(i)) + "]  # " +
             printable_line(toml_quoted(port.name)) + "\nport = " + std::to_string(i) +
             "\ncable = " + toml_quoted(cable) + "\n";
    if (receiver.empty())
      receiver = "h" + std::to_string(i);
    else
      senders += (senders.empty() ? "" : ", ") + toml_quoted("h" + std::to_string(i));
  }
  if (senders.empty()) return "# A single port: there is no traffic without a second one.\n";
  const Chip chip = build_chip(import.chip);
  const std::uint8_t lossless = lossless_classes(chip, PortId{0});
  const std::uint32_t priority = lossless == 0 ? 0 : lowest_bit(lossless);
  return "# Made by weir import sonic: a burst of every port that is up to the first of them.\n"
         "[scenario]\nname = \"imported\"\nuntil = \"200 us\"\n\n[switch.tor]\nfile = " +
         toml_quoted(chip_file) + "\n" + hosts + watchdog_tables(import, chip, only_up) +
         "\n[[traffic]]\nname = \"incast\"\nkind = \"incast\"\nfrom = [" + senders + "]\nto = \"" +
         receiver + "\"\npriority = " + std::to_string(priority) +
         "\npacket = \"1000 B\"\nburst = \"200 kB\"\n\n[expect]\ndelivered_packets = \"> 0\"\n";
}

}  // namespace weir
