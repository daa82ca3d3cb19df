// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <utility>

#include "scenario_sections.hpp"
#include "weir/config/chip/chip_file.hpp"
#include "weir/config/format/document.hpp"
#include "weir/config/format/names.hpp"
#include "weir/core/ethernet.hpp"

namespace weir::scenario_sections {
namespace {

/// Tables with keys of a chip file, the more specific later, and the additions of the topology.
using Layers = std::vector<const Node*>;

// Keys of a layer that are not keys of a chip. [switches] and [[desired]] name switches.
bool is_our_own(const Node& layer, const std::string& key) {
  const bool names = layer.path == "switches" || layer.path.rfind("desired[", 0) == 0;
  return key == "file" || (key == "names" && names);
}

// [[port]] blocks are appended, because later ones win; everything else is merged.
void put_on_top(Node& base, const Node& layer) {
  Node over = layer;
  over.children.clear();
  for (const Node& child : layer.children)
    if (!is_our_own(layer, child.name)) over.children.push_back(child);
  Node* const added = over.find("port");
  const Node* const listed = base.find("port");
  if (added != nullptr && listed != nullptr && added->is_array() && listed->is_array()) {
    added->children.insert(added->children.begin(), listed->children.begin(),
                           listed->children.end());
  }
  merge(base, over);
}

Node scalar(const Node& place, Node::Kind kind, std::string name, std::string text) {
  Node node;
  node.kind = kind;
  node.origin = place.origin;
  node.path = place.path + "." + name;
  node.name = std::move(name);
  node.text = std::move(text);
  return node;
}

// The rates of a topology, as a layer of [[port]] blocks.
Node layer_of(const std::vector<TopologyPlan::Rates>& rates, const Node& topology) {
  Node layer;
  layer.origin = topology.origin;
  layer.path = topology.path;
  Node blocks = scalar(topology, Node::Kind::array, "port", "");
  for (const TopologyPlan::Rates& row : rates) {
    if (!row.rate || row.count == 0) continue;
    Node block = scalar(topology, Node::Kind::table, "", "");
    block.path = topology.path;
    block.children = {
        scalar(topology, Node::Kind::text, "ports",
               std::to_string(row.first) + "-" + std::to_string(row.first + row.count - 1)),
        scalar(topology, Node::Kind::text, "rate", std::to_string(row.rate->count()) + " bps")};
    blocks.children.push_back(std::move(block));
  }
  if (!blocks.children.empty()) layer.children = {std::move(blocks)};
  return layer;
}

// The chip file, overridden by the layers; a chip file in a later layer replaces that of an earlier
// one.
Node chip_document(const Layers& layers, const Node* rates, const std::filesystem::path& folder) {
  const Node* file = nullptr;
  for (const Node* layer : layers)
    if (const Node* const named = layer->find("file")) file = named;
  Node document;
  if (file != nullptr) {
    document = read_document(folder / to_text(*file), file->origin, file->path);
  } else {
    document.origin = layers.back()->origin;
    document.path = layers.back()->path;
  }
  if (rates != nullptr) put_on_top(document, *rates);
  for (const Node* layer : layers) put_on_top(document, *layer);
  return document;
}

// Checked before the chip is built, which would fail at the rate of a port that does not exist.
void check_ports(const Node& document, const TopologyPlan::Tier& tier, const std::string& name,
                 const Node& topology) {
  const Node* const chip = document.find("chip");
  const Node* const ports = chip == nullptr ? nullptr : chip->find("ports");
  if (ports == nullptr || ports->kind != Node::Kind::integer) return;
  if (ports->integer < std::int64_t{tier.ports})
    topology.fail("needs " + std::to_string(tier.ports) + " ports at " + name + ", its chip has " +
                  std::to_string(ports->integer));
}

void check_count(const std::vector<std::string>& names, const Node& next) {
  if (names.size() == max_switches)
    next.fail("is one switch too many: a scenario has " + std::to_string(max_switches) +
              " at most");
}

// A table that --set alone has made, without a chip, is a wrong name more often than a new switch.
void check_is_no_wrong_name(const Node& table, const Node& group) {
  const bool has_chip = table.find("file") != nullptr || table.find("chip") != nullptr;
  if (table.origin.file != "--set" || has_chip || !table.is_table()) return;
  std::vector<std::string> names;
  for (const Node& node : group.children)
    if (node.origin.file != "--set") names.push_back(node.name);
  table.fail(there_is_no("switch ", table.name, names) + " (a new one needs file)");
}

// Names of all switches, in the order in which they are made.
std::vector<std::string> switch_names(const TopologyPlan& plan, const Node* common,
                                      const Node* group) {
  std::vector<std::string> names;
  for (const TopologyPlan::Switch& node : plan.switches) names.push_back(node.name);
  const Node* const listed = common == nullptr ? nullptr : common->find("names");
  if (listed != nullptr) {
    for (std::string& name : to_names(*listed)) {
      check_name(*listed, "switch", name);
      if (std::find(names.begin(), names.end(), name) != names.end())
        listed->fail("there is a switch " + name + " already");
      check_count(names, *listed);
      names.push_back(std::move(name));
    }
  }
  if (group == nullptr) return names;
  for (const Node& node : group->children) {
    check_name(node, "switch", node.name);
    if (std::find(names.begin(), names.end(), node.name) != names.end()) continue;
    if (plan.node != nullptr || listed != nullptr) {
      const std::string meant = nearest(node.name, names);
      node.fail("there is no such switch" +
                (meant.empty() ? ", add it to switches.names" : "; did you mean " + meant + "?"));
    }
    check_is_no_wrong_name(node, *group);
    check_count(names, node);
    names.push_back(node.name);
  }
  return names;
}

void check_is_table(const Node* node, const char* what) {
  if (node != nullptr && !node->is_table()) node->fail(what);
}

// The tables that describe switch `index`: [switches], [topology.leaf] and similar, [switch.NAME].
Layers layers_of(TableReader& document, const TopologyPlan& plan, std::size_t index,
                 const std::string& name) {
  const Node* const group = document.find("switch");
  const Node* const own = group == nullptr ? nullptr : group->find(name);
  check_is_table(own, "must be a table [switch.NAME]");
  const bool planned = index < plan.switches.size();
  Layers layers;
  for (const Node* layer : {document.find("switches"),
                            planned ? plan.tiers[plan.switches[index].tier].chip : nullptr, own})
    if (layer != nullptr) layers.push_back(layer);
  return layers;
}

}  // namespace

void read_switches(TableReader& document, const TopologyPlan& plan,
                   const std::filesystem::path& folder, ErrorList& errors, Scenario& scenario) {
  const Node* const common = document.find("switches");
  const Node* const group = document.find("switch");
  check_is_table(common, "must be a table [switches]");
  check_is_table(group, "must be a table [switch.NAME]");
  const std::vector<std::string> names = switch_names(plan, common, group);
  if (names.empty()) {
    document.node().fail_missing("switch",
                                 "tables [switch.NAME], names in [switches], or a "
                                 "[topology]");
  }
  std::map<std::pair<Layers, std::size_t>, std::size_t> built;  // switch with the same chip
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool planned = i < plan.switches.size();
    const std::size_t tier = planned ? plan.switches[i].tier : plan.tiers.size();
    const Layers layers = layers_of(document, plan, i, names[i]);
    if (layers.empty()) plan.node->fail_missing("file", "a chip file, in [switches]");
    const auto [same, fresh] = built.try_emplace({layers, tier}, i);
    if (!fresh) {
      scenario.switches.push_back({names[i], scenario.switches[same->second].chip});
      continue;
    }
    const Node rates = planned ? layer_of(plan.tiers[tier].rates, *plan.node) : Node{};
    const Node chip = chip_document(layers, planned ? &rates : nullptr, folder);
    if (planned) check_ports(chip, plan.tiers[tier], names[i], *plan.node);
    scenario.switches.push_back({names[i], build_chip(chip, errors)});
  }
}

Chip chip_with(TableReader& document, const TopologyPlan& plan, std::size_t node, const Node& over,
               const std::filesystem::path& folder, const Scenario& scenario) {
  Layers layers = layers_of(document, plan, node, scenario.switches[node].name);
  layers.push_back(&over);
  const bool planned = node < plan.switches.size();
  const Node rates =
      planned ? layer_of(plan.tiers[plan.switches[node].tier].rates, *plan.node) : Node{};
  return build_chip(chip_document(layers, planned ? &rates : nullptr, folder));
}

std::size_t switch_named(const Node& value, const std::string& name, const Scenario& scenario) {
  for (std::size_t i = 0; i < scenario.switches.size(); ++i)
    if (scenario.switches[i].name == name) return i;
  std::vector<std::string> names;
  for (const SwitchSpec& node : scenario.switches) names.push_back(node.name);
  if (names.size() == 1) value.fail("there is no such switch, it is called " + names.front());
  const std::string meant = nearest(name, names);
  value.fail("there is no switch " + name + "; " +
             (meant.empty() ? "there are: " + names.front() + " ... " + names.back() + " (" +
                                  std::to_string(names.size()) + " switches)"
                            : "did you mean " + meant + "?"));
}

std::vector<std::size_t> switches_in(const Node* names, const Scenario& scenario) {
  std::vector<std::size_t> list;
  if (names == nullptr) {
    for (std::size_t i = 0; i < scenario.switches.size(); ++i) list.push_back(i);
    return list;
  }
  for (const std::string& name : to_names(*names))
    list.push_back(switch_named(*names, name, scenario));
  return list;
}

std::vector<PortId> to_ports(const Node& value, std::size_t node, const Scenario& scenario) {
  const auto end = static_cast<std::uint32_t>(scenario.switches[node].chip.ports.size());
  std::vector<PortId> ports;
  for (const std::uint32_t port : to_some_numbers(value, end))
    ports.emplace_back(static_cast<std::uint16_t>(port));
  std::sort(ports.begin(), ports.end());
  return ports;
}

Bytes min_mtu(const Scenario& scenario) {
  Bytes mtu = scenario.switches.front().chip.mtu;
  for (const SwitchSpec& node : scenario.switches) mtu = std::min(mtu, node.chip.mtu);
  return mtu;
}

Bytes read_packet(TableReader& reader, Bytes usual, const Scenario& scenario) {
  const Bytes mtu = min_mtu(scenario);
  const auto to_packet = [&](const Node& value) {
    const Bytes packet = to_bytes(value);
    if (packet < min_frame_bytes || mtu < packet)
      value.fail("must be from \"" + std::to_string(min_frame_bytes.count()) + " B\" to \"" +
                 std::to_string(mtu.count()) + " B\", the least mtu of the chips");
    return packet;
  };
  return reader.get_or("packet", to_packet, std::min(usual, mtu));
}

}  // namespace weir::scenario_sections
