// SPDX-License-Identifier: Apache-2.0
#include "weir/config/lint/lint_subject.hpp"

#include <algorithm>
#include <set>

#include "weir/config/chip/chip_file.hpp"
#include "weir/config/format/document.hpp"
#include "weir/config/scenario/scenario_file.hpp"
#include "weir/core/errors.hpp"
#include "weir/core/headroom/cable.hpp"

namespace weir {
namespace {

namespace fs = std::filesystem;

Picoseconds delay_of(Millimetres cable) { return propagation_delay(cable, usual_delay_per_metre); }

const Node* descend(const Node& root, const std::string& path) {
  const Node* node = &root;
  std::size_t begin = 0;
  while (node != nullptr && begin < path.size()) {
    // A name may contain dots itself: tries the longest existing name.
    std::size_t end = path.size();
    const Node* child = nullptr;
    while (true) {
      child = node->find(path.substr(begin, end - begin));
      if (child != nullptr || end == begin) break;
      const std::size_t dot = path.rfind('.', end - 1);
      if (dot == std::string::npos || dot <= begin) break;
      end = dot;
    }
    node = child;
    begin = end + 1;
  }
  return node;
}

LintSubject subject_of_chip(const fs::path& file, Node document, std::optional<Millimetres> cable) {
  LintSubject subject;
  subject.chip = build_chip(document);
  subject.ports.resize(subject.chip.ports.size());
  for (LintPort& port : subject.ports) {
    if (!cable) continue;
    port.delay = delay_of(*cable);
    port.cable_key = "--cable";
  }
  subject.name = file.string();
  subject.layers.emplace_back(std::move(document), "");
  return subject;
}

// The length or the delay of a cable in a table; nullptr: neither, or no table.
const Node* cable_in(const Node* table, const std::string& prefix = "") {
  for (const char* const key : {"cable", "delay"})
    if (const Node* const value = table == nullptr ? nullptr : table->find(prefix + key))
      return value;
  return nullptr;
}

// Where the cable of a host is written: in its own table, or in the common one.
const Node* place_of_cable(const Node& document, const std::string& host) {
  const Node* const hosts = document.find("host");
  const Node* const own = hosts == nullptr ? nullptr : hosts->find(host);
  const Node* const value = cable_in(own);
  return value != nullptr ? value : cable_in(document.find("hosts"));
}

// Where the cable between two switches is written: in its [[link]], or in [topology], which has one
// of its own for those of spines.
const Node* place_of_cable(const Node& document, const Scenario& scenario, const LinkEnd& a,
                           const LinkEnd& b) {
  const std::set<std::string> ends{port_name(scenario, a), port_name(scenario, b)};
  if (const Node* const links = document.find("link"))
    for (const Node& link : links->children)
      if (const Node* const from = link.find("a"), * const to = link.find("b");
          from != nullptr && to != nullptr && std::set{from->text, to->text} == ends)
        return cable_in(&link);
  const Node* const topology = document.find("topology");
  const auto is_spine = [&](const LinkEnd& end) {  // [topology] names them S0, S1 ...
    return scenario.switches[end.node].name.front() == 'S';
  };
  if (is_spine(a) || is_spine(b))
    if (const Node* const value = cable_in(topology, "spine_")) return value;
  return cable_in(topology);
}

void set_cable(const Node* cable, LintPort& port) {
  if (cable == nullptr) return;
  port.cable = cable->origin;
  port.cable_key = cable->path;
  port.cable_value = cable->written();
}

const Node* place_of_pfc(const Node& document, const std::string& host) {
  const Node* const hosts = document.find("host");
  const Node* const own = hosts == nullptr ? nullptr : hosts->find(host);
  for (const Node* const table : {own, document.find("hosts")}) {
    if (table == nullptr) continue;
    if (const Node* const value = table->find("obeys_pfc")) return value;
  }
  return nullptr;
}

std::uint8_t classes_sent(const Scenario& scenario, std::size_t host) {
  std::uint8_t mask = 0;
  for (const TrafficSpec& traffic : scenario.traffic) {
    for (const std::size_t from : traffic.from) {
      if (from == host) mask = static_cast<std::uint8_t>(mask | 1U << traffic.priority.count());
    }
    for (const ReplayPacket& packet : traffic.replay) {
      if (packet.from == host)
        mask = static_cast<std::uint8_t>(mask | 1U << packet.priority.count());
    }
  }
  return mask;
}

// A host where connections with rate control end sends CNPs.
void add_cnps(const Scenario& scenario, std::size_t host, const Node& document, LintPort& port) {
  const Node* const entries = document.find("traffic");
  for (std::size_t i = 0; i < scenario.traffic.size(); ++i) {
    const TrafficSpec& traffic = scenario.traffic[i];
    if (!traffic.dcqcn || std::find(traffic.to.begin(), traffic.to.end(), host) == traffic.to.end())
      continue;
    port.cnps = static_cast<std::uint8_t>(port.cnps | 1U << traffic.dcqcn->cnp_priority.count());
    if (entries == nullptr || entries->children.size() <= i) continue;
    const Node* const control = entries->children[i].find("control");
    if (control == nullptr) continue;
    port.control = control->origin;
    port.control_key = control->path;
    port.control_value = control->written();
  }
  port.sends = static_cast<std::uint8_t>(port.sends | port.cnps);
}

void connect_host(const Scenario& scenario, std::size_t number, const Node& document,
                  LintPort& port) {
  const HostSpec& host = scenario.hosts[number];
  port.peer_response = host.response;
  port.sends = classes_sent(scenario, number);
  add_cnps(scenario, number, document, port);
  port.pfc_of_peer = host.obeys_pfc ? 0xff : 0;
  set_cable(place_of_cable(document, host.name), port);
  if (const Node* const pfc = place_of_pfc(document, host.name)) {
    port.pfc = pfc->origin;
    port.pfc_key = pfc->path;
  }
}

// A switch may send every class, and obeys PFC in the response time of its port.
void connect_switch(const Scenario& scenario, const LinkEnd& own, const LinkEnd& peer,
                    const Node& document, LintPort& port) {
  port.peer_response = scenario.switches[peer.node].chip.ports[peer.port.count()].response;
  set_cable(place_of_cable(document, scenario, own, peer), port);
}

// Tables that may contain keys of the chip of a switch, the one with the highest precedence first.
std::vector<std::string> roots_of(const std::string& name, const Node& document) {
  std::vector<std::string> roots{"switch." + name};
  const Node* const topology = document.find("topology");
  for (const auto& [letter, tier] : {std::pair{'T', "tor"}, {'L', "leaf"}, {'S', "spine"}})
    if (topology != nullptr && topology->find(tier) != nullptr && name.front() == letter)
      roots.push_back(std::string{"topology."} + tier);
  roots.emplace_back("switches");
  return roots;
}

LintSubject subject_of_switch(const fs::path& file, const Node& document, const Scenario& scenario,
                              std::size_t number) {
  LintSubject subject;
  subject.name = file.string();
  subject.chip = scenario.switches[number].chip;
  subject.ports.resize(subject.chip.ports.size());
  for (LintPort& port : subject.ports) port.linked = false;
  for (const LinkSpec& link : scenario.links) {
    for (const auto& [here, there] : {std::pair{link.a, link.b}, {link.b, link.a}}) {
      if (here.is_host || here.node != number) continue;
      LintPort& port = subject.ports[here.port.count()];
      port.linked = true;
      port.delay = link.delay;
      if (there.is_host)
        connect_host(scenario, there.node, document, port);
      else
        connect_switch(scenario, here, there, document, port);
    }
  }
  std::optional<Node> chip;
  for (const std::string& root : roots_of(scenario.switches[number].name, document)) {
    const Node* const table = descend(document, root);
    const Node* const chip_file = table == nullptr ? nullptr : table->find("file");
    if (chip_file != nullptr && !chip) chip = read_document(file.parent_path() / chip_file->text);
    if (table != nullptr) subject.layers.emplace_back(document, root);
  }
  if (chip) subject.layers.emplace_back(std::move(*chip), "");
  return subject;
}

std::vector<LintSubject> subjects_of_scenario(const fs::path& file, const Node& document,
                                              const std::vector<std::string>& overrides) {
  const Scenario scenario = load_scenario(file, overrides);
  std::vector<LintSubject> subjects;
  for (std::size_t i = 0; i < scenario.switches.size(); ++i)
    subjects.push_back(subject_of_switch(file, document, scenario, i));
  return subjects;
}

std::string text_of(Millimetres length) {
  constexpr std::uint64_t metre = 1000;
  const bool whole = length.count() % metre == 0;
  return std::to_string(whole ? length.count() / metre : length.count()) + (whole ? " m" : " mm");
}

LintPort port_of(const SonicPort& port) {
  LintPort result;
  result.linked = port.up;
  if (port.cable) result.delay = delay_of(*port.cable);
  result.cable = port.row->origin;
  result.cable_key = "CABLE_LENGTH " + port.name;
  if (port.pfc_enable) {
    result.pfc_of_port = *port.pfc_enable;
    result.pfc = port.pfc_node->origin;
    result.pfc_key = port.pfc_node->path;
  }
  if (port.watchdog) {
    result.watchdog = port.watchdog;
    result.watchdog_place = port.watchdog_node->origin;
    result.watchdog_key = port.watchdog_node->path;
    result.watchdog_value = port.watchdog_node->written();
  }
  return result;
}

LintSubject subject_of_sonic(const fs::path& folder, const SonicOptions& options) {
  LintSubject subject;
  subject.name = folder.string();
  subject.sonic = std::make_unique<SonicTables>(read_sonic(folder));
  SonicImport import = import_sonic(*subject.sonic, options);
  subject.chip = build_chip(import.chip);
  for (const SonicPort& port : import.ports) subject.ports.push_back(port_of(port));
  // If no port is up, all ports are judged.
  if (std::none_of(import.ports.begin(), import.ports.end(),
                   [](const SonicPort& port) { return port.up; })) {
    for (LintPort& port : subject.ports) port.linked = true;
  }
  subject.layers.emplace_back(std::move(import.chip), "");
  return subject;
}

}  // namespace

const Node* LintSubject::find(const std::string& key) const {
  for (const auto& [document, root] : layers) {
    const Node* const top = root.empty() ? &document : descend(document, root);
    const Node* const found = top == nullptr ? nullptr : descend(*top, key);
    if (found != nullptr) return found;
  }
  return nullptr;
}

std::vector<LintSubject> read_lint_subjects(const fs::path& path, std::optional<Millimetres> cable,
                                            const SonicOptions& sonic,
                                            const std::vector<std::string>& overrides) {
  const auto only = [](LintSubject subject) {
    std::vector<LintSubject> subjects;
    subjects.push_back(std::move(subject));
    return subjects;
  };
  const auto refuse_cable = [&](const char* what) {
    if (cable)
      throw ConfigError{"--cable", text_of(*cable), std::string{"is for chip files: "} + what};
  };
  std::error_code error;
  if (fs::is_directory(path, error)) {
    refuse_cable("a SONiC folder has CABLE_LENGTH");
    if (!overrides.empty())
      throw ConfigError{"--set", overrides.front(),
                        "is for chip files and scenarios: weir import sonic makes one of a folder"};
    return only(subject_of_sonic(path, sonic));
  }
  Node document = read_document(path);
  apply_overrides(document, overrides);
  if (document.find("scenario") == nullptr)
    return only(subject_of_chip(path, std::move(document), cable));
  refuse_cable("a scenario has a cable for each host");
  return subjects_of_scenario(path, document, overrides);
}

}  // namespace weir
