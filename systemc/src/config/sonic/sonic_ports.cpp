// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <string>

#include "sonic_sections.hpp"
#include "weir/config/format/reader.hpp"
#include "weir/config/format/toml_text.hpp"
#include "weir/config/format/units.hpp"
#include "weir/config/scenario/fault_names.hpp"
#include "weir/core/chip.hpp"
#include "weir/core/errors.hpp"
#include "weir/core/scheduling/arrival_arbiter.hpp"

namespace weir::sonic_sections {
namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return text;
}

const SonicAsic* asic_in(const std::string& text) {
  for (const SonicAsic& asic : sonic_asics()) {
    for (const std::string_view word : asic.words) {
      if (lower(text).find(word) != std::string::npos) return &asic;
    }
  }
  return nullptr;
}

// "Ethernet8" before "Ethernet12".
bool in_natural_order(const Node& a, const Node& b) {
  const auto split = [](const std::string& name) {
    const std::size_t digits = name.find_last_not_of("0123456789") + 1;
    return std::pair{name.substr(0, digits), name.substr(digits)};
  };
  const auto [name_a, number_a] = split(a.name);
  const auto [name_b, number_b] = split(b.name);
  if (name_a != name_b) return name_a < name_b;
  if (number_a.size() != number_b.size()) return number_a.size() < number_b.size();
  return number_a < number_b;
}

SonicPort read_port(Draft& draft, const Node& row) {
  SonicPort port;
  port.name = row.name;
  port.row = &row;
  const Node* const speed = draft.take(row, "speed");
  if (speed == nullptr)
    row.fail_missing("speed", "the speed of the port in Mb/s, such as \"40000\"");
  const std::int64_t mbps = sonic_number(*speed, min_port_mbps, max_port_mbps);
  port.rate = BitRate{static_cast<std::uint64_t>(mbps) * bps_per_mbps};
  if (!is_port_rate(port.rate)) speed->fail(legal_port_rates() + "; it is written in Mb/s");
  // CONFIG_DB has no place for a response time.
  if (find_port_speed(port.rate) == nullptr)
    speed->fail("has no known PFC response time, and CONFIG_DB gives none: it " +
                unknown_response(port.rate));
  std::int64_t mtu = sonic_mtu;
  if (const Node* const written = draft.take(row, "mtu")) {
    mtu = sonic_number(*written, 68, max_mtu.count() - frame_overhead);
  } else {
    draft.assume(row.origin, "PORT", "mtu",
                 row.name + ": " + std::to_string(sonic_mtu) + ", what SONiC itself assumes");
  }
  port.mtu = Bytes{static_cast<std::uint64_t>(mtu + frame_overhead)};
  // Without the field a port is down.
  const Node* const status = draft.take(row, "admin_status");
  if (status != nullptr && status->text != "up" && status->text != "down")
    status->fail("must be \"up\" or \"down\"");
  port.up = status != nullptr && status->text == "up";
  return port;
}

void read_cable(Draft& draft, const Node& row, const Node& cable) {
  for (const std::size_t index : ports_of(draft, cable, cable.name)) {
    SonicPort& port = draft.out.ports[index];
    const Millimetres length = to_cable(cable);
    if (!port.cable_text.empty() && port.cable_text != cable.text)
      cable.fail("contradicts another row of CABLE_LENGTH: " + port.cable_text);
    port.cable_text = cable.text;
    // SONiC writes "0m" for an unknown length.
    if (length != Millimetres{0}) port.cable = length;
    static_cast<void>(draft.take(row, cable.name));
  }
}

void read_cables(Draft& draft) {
  if (const Node* const table = draft.tables.table("CABLE_LENGTH")) {
    for (const Node& row : table->children)
      for (const Node& cable : row.children) read_cable(draft, row, cable);
  }
  for (const SonicPort& port : draft.out.ports) {
    if (port.up && !port.cable)
      draft.assume(port.row->origin, "CABLE_LENGTH", port.name,
                   std::string{"no length: "} + usual_cable +
                       " in the scenario; lint judges no headroom by it");
  }
}

Picoseconds milliseconds(const Node& value) {
  const std::int64_t count = sonic_number(value, 1, 3'600'000);
  return Picoseconds{static_cast<std::uint64_t>(count) * picoseconds_per_ms};
}

// An action of the model's watchdogs, or nothing.
std::string watchdog_action(Draft& draft, const Node& row) {
  const Node* const action = draft.take(row, "action");
  std::string text = action == nullptr ? "" : action->text;
  const bool is_known = std::any_of(watchdog_actions.begin(), watchdog_actions.end(),
                                    [&](const auto& known) { return known.first == text; });
  if (is_known) return text;
  if (action == nullptr)
    draft.assume(row.origin, "PFC_WD", row.name, "no action: drop in the scenario");
  else
    draft.leave_out(*action, "PFC_WD", row.name, "action", "is not known: drop in the scenario");
  return "";
}

void read_watchdog(Draft& draft) {
  const Node* const table = draft.tables.table("PFC_WD");
  if (table == nullptr) return;
  for (const Node& row : table->children) {
    if (row.name == "GLOBAL") continue;
    const std::vector<std::size_t> ports = ports_of(draft, row, row.name);
    const Node* const detection = draft.take(row, "detection_time");
    if (detection == nullptr) continue;
    const Picoseconds detect = milliseconds(*detection);
    const std::string action = watchdog_action(draft, row);
    const Node* const restoration = draft.take(row, "restoration_time");
    if (restoration == nullptr)
      draft.assume(row.origin, "PFC_WD", row.name,
                   "no restoration_time: " + milliseconds_text(usual_switch_watchdog_time) +
                       " in the scenario");
    for (const std::size_t index : ports) {
      SonicPort& port = draft.out.ports[index];
      port.watchdog = detect;
      port.watchdog_node = detection;
      if (restoration != nullptr) port.restoration = milliseconds(*restoration);
      port.watchdog_action = action;
    }
  }
}

BitRate most_common_rate(const std::vector<SonicPort>& ports) {
  std::map<std::uint64_t, std::size_t> count;
  for (const SonicPort& port : ports) ++count[port.rate.count()];
  return BitRate{std::max_element(count.begin(), count.end(), [](const auto& a, const auto& b) {
                   return a.second < b.second;
                 })->first};
}

// Ports whose rate is not that of [chip], one block for each rate.
void write_other_rates(const Draft& draft, BitRate common, Node& chip) {
  std::map<std::uint64_t, std::vector<std::uint32_t>> others;
  for (std::size_t i = 0; i < draft.out.ports.size(); ++i) {
    const BitRate rate = draft.out.ports[i].rate;
    if (rate != common) others[rate.count()].push_back(static_cast<std::uint32_t>(i));
  }
  Node list;
  list.kind = Node::Kind::array;
  for (const auto& [rate, ports] : others) {
    const Node& speed = *draft.out.ports[ports.front()].row->find("speed");
    Node block;
    block.path = "port[" + std::to_string(list.children.size()) + "]";
    put(block, "ports", text_node(ranges_of(ports), Node{}));
    put(block, "rate", text_node(rate_text(BitRate{rate}), speed));
    list.children.push_back(std::move(block));
  }
  if (!list.children.empty()) put(chip, "port", std::move(list));
}

void write_mtu(Draft& draft, Node& chip) {
  const auto& ports = draft.out.ports;
  const auto largest = std::max_element(ports.begin(), ports.end(),
                                        [](const auto& a, const auto& b) { return a.mtu < b.mtu; });
  const Node* const mtu = largest->row->find("mtu");
  put(chip, "mtu",
      text_node(bytes_text(static_cast<std::int64_t>(largest->mtu.count())),
                mtu == nullptr ? Node{} : *mtu));
  for (const SonicPort& port : ports) {
    if (port.mtu == largest->mtu) continue;
    const Node* const own = port.row->find("mtu");
    draft.leave_out(own == nullptr ? *port.row : *own, "PORT", port.name, "mtu",
                    "a chip has one mtu: the largest of its ports");
  }
}

// "0=0-15,20" into the domain of each port.
void read_domain_ports(const std::string& text, std::uint32_t domains,
                       std::vector<std::optional<std::uint32_t>>& domain_of_port) {
  const std::string option = "--domain-ports", quoted = "\"" + text + "\"";
  const std::size_t at = text.find('=');
  const auto domain = parse_count(text.substr(0, at));
  const auto ports = static_cast<std::uint32_t>(domain_of_port.size());
  const std::string legal =
      "must be a domain and its ports, such as \"0=0-15,20\": the domain from 0 to " +
      std::to_string(domains - 1) + ", ports from 0 to " + std::to_string(ports - 1);
  if (at == std::string::npos || !domain || domains <= *domain)
    throw ConfigError{option, quoted, legal};
  std::vector<std::uint32_t> numbers;
  try {
    numbers = to_numbers(text_node(text.substr(at + 1), Node{}), ports);
  } catch (const ConfigError&) {
    throw ConfigError{option, quoted, legal};
  }
  for (const std::uint32_t port : numbers) {
    if (domain_of_port[port])
      throw ConfigError{option, quoted, "port " + std::to_string(port) + " is in two domains"};
    domain_of_port[port] = static_cast<std::uint32_t>(*domain);
  }
}

void write_domains(const Draft& draft, Node& chip) {
  const std::uint32_t domains = draft.asic.domains;
  const std::size_t ports = draft.out.ports.size();
  put(chip, "domains", integer_node(domains, Node{}));
  if (draft.options.domain_ports.empty()) return;
  std::vector<std::optional<std::uint32_t>> domain_of_port(ports);
  for (const std::string& text : draft.options.domain_ports)
    read_domain_ports(text, domains, domain_of_port);
  Node list;
  list.kind = Node::Kind::array;
  for (std::size_t port = 0; port < ports; ++port) {
    const auto equal_split = static_cast<std::uint32_t>(port * domains / ports);
    list.children.push_back(integer_node(domain_of_port[port].value_or(equal_split), Node{}));
  }
  put(chip, "domain_of_port", std::move(list));
}

}  // namespace

void choose_asic(Draft& draft) {
  const SonicOptions& options = draft.options;
  const Node* const hwsku = draft.take("DEVICE_METADATA", "localhost", "hwsku");
  const Node* const platform = draft.take("DEVICE_METADATA", "localhost", "platform");
  const SonicAsic* found = nullptr;
  for (const SonicAsic& asic : sonic_asics()) {
    if (asic.name == options.asic) found = &asic;
  }
  if (!options.asic.empty() && found == nullptr)
    throw ConfigError{"--asic", "\"" + options.asic + "\"", "must be one of " + sonic_asic_names()};
  if (found == nullptr && hwsku != nullptr) found = asic_in(hwsku->text);
  if (found == nullptr && platform != nullptr) found = asic_in(platform->text);
  if (found != nullptr) {
    draft.asic = *found;
  } else if (!options.cell) {
    const std::string legal =
        "does not say which switch chip it is, and so how large a buffer cell is: give --asic (" +
        sonic_asic_names() + "), or --cell and --domains";
    if (hwsku != nullptr) hwsku->fail(legal);
    throw FileError{Origin{draft.tables.folder, 0}, "DEVICE_METADATA|localhost.hwsku", "", legal};
  }
  if (options.cell) draft.asic.cell = *options.cell;
  if (options.domains) draft.asic.domains = *options.domains;
  if (found != nullptr) draft.out.params = found->params;
  draft.out.asic = found != nullptr ? std::string{found->name}
                                    : "cells of " + std::to_string(draft.asic.cell.count()) + " B";
}

void read_ports(Draft& draft) {
  const Node* const table = draft.tables.table("PORT");
  if (table == nullptr || table->children.empty())
    throw FileError{Origin{draft.tables.folder, 0}, "PORT", "", "is missing: the table of ports"};
  if (ArrivalArbiter::max_ports < table->children.size())
    table->children[ArrivalArbiter::max_ports].fail(
        "is one port too many: a chip has " + std::to_string(ArrivalArbiter::max_ports) +
        " at most, and PORT has " + std::to_string(table->children.size()) + " rows");
  std::vector<const Node*> rows;
  for (const Node& row : table->children) rows.push_back(&row);
  std::sort(rows.begin(), rows.end(),
            [](const Node* a, const Node* b) { return in_natural_order(*a, *b); });
  for (const Node* const row : rows) draft.out.ports.push_back(read_port(draft, *row));
  draft.profile_of_pg.resize(rows.size() * priorities);
  draft.profile_of_queue.resize(rows.size() * priorities);
  read_cables(draft);
  read_watchdog(draft);
}

std::string speed_text(const SonicPort& port) {
  return std::to_string(port.rate.count() / bps_per_mbps);
}

void write_ports(Draft& draft) {
  const auto& ports = draft.out.ports;
  const Node* const hwsku = draft.take("DEVICE_METADATA", "localhost", "hwsku");
  const BitRate common = most_common_rate(ports);
  const auto first = std::find_if(ports.begin(), ports.end(),
                                  [&](const SonicPort& port) { return port.rate == common; });
  Node chip;
  chip.path = "chip";
  const std::string name = hwsku == nullptr ? "SONiC switch" : hwsku->text;
  put(chip, "name",
      text_node(name + " (" + draft.out.asic + ")", hwsku == nullptr ? Node{} : *hwsku));
  put(chip, "source", text_node("SONiC configuration " + draft.tables.folder, Node{}));
  put(chip, "ports", integer_node(static_cast<std::int64_t>(ports.size()), Node{}));
  put(chip, "rate", text_node(rate_text(common), *first->row->find("speed")));
  put(chip, "cell",
      text_node(bytes_text(static_cast<std::int64_t>(draft.asic.cell.count())), Node{}));
  write_domains(draft, chip);
  write_mtu(draft, chip);
  put(draft.out.chip, "chip", std::move(chip));
  write_other_rates(draft, common, draft.out.chip);
}

std::vector<std::size_t> ports_of(const Draft& draft, const Node& row, std::string_view names) {
  std::vector<std::size_t> indices;
  for (const std::string& name : sonic_list(names)) {
    const auto& ports = draft.out.ports;
    const auto found = std::find_if(ports.begin(), ports.end(),
                                    [&](const SonicPort& port) { return port.name == name; });
    if (found == ports.end()) {
      throw FileError{row.origin, row.path, "\"" + name + "\"",
                      "is not a port: PORT has no such row (" + std::to_string(ports.size()) +
                          " ports, from " + ports.front().name + ")"};
    }
    indices.push_back(static_cast<std::size_t>(found - ports.begin()));
  }
  return indices;
}

}  // namespace weir::sonic_sections
