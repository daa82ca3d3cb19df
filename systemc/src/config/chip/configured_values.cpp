// SPDX-License-Identifier: Apache-2.0
#include "weir/config/chip/configured_values.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "weir/config/format/document.hpp"

namespace weir {
namespace {

// Without its folders, which differ from place to place.
std::string name_of(const std::string& file) {
  return std::filesystem::path{file}.filename().string();
}

std::string source_of(const Origin& origin, const std::string& file) {
  return origin.line == 0 ? file : file + ":" + std::to_string(origin.line);
}

bool holds_tables(const Node& node) {
  for (const Node& child : node.children)
    if (child.is_table()) return true;
  return false;
}

std::string value_of(const Node& node) {
  if (!node.is_array()) return node.text;
  std::string text;
  for (const Node& child : node.children) text += (text.empty() ? "" : ", ") + value_of(child);
  return "[" + text + "]";
}

// Keys below `node`; tables named like switches and topologies may name a chip file.
struct Listing {
  std::vector<ConfiguredValue> values;
  std::vector<const Node*> chips;  // each file once

  // `label`: of the chip file; empty in the scenario.
  void add(const Node& node, const std::string& key, const std::string& label) {
    if (node.is_table()) {
      for (const Node& child : node.children)
        add(child, key.empty() ? child.name : key + "." + child.name, label);
    } else if (node.is_array() && holds_tables(node)) {
      for (std::size_t i = 0; i < node.children.size(); ++i)
        add(node.children[i], key + "[" + std::to_string(i) + "]", label);
    } else if (!label.empty()) {
      values.push_back({label + ": " + key, value_of(node), source_of(node.origin, label)});
    } else {
      values.push_back({key, value_of(node), source_of(node.origin, name_of(node.origin.file))});
      if (node.name == "file" && node.kind == Node::Kind::text) note(node, key);
    }
  }
  void note(const Node& file, const std::string& key) {
    const bool of_a_chip = key.rfind("switch", 0) == 0 || key.rfind("topology", 0) == 0;
    const bool known = std::any_of(chips.begin(), chips.end(),
                                   [&](const Node* chip) { return chip->text == file.text; });
    if (of_a_chip && !known) chips.push_back(&file);
  }
};

}  // namespace

std::vector<std::string> chip_file_labels(const std::vector<std::string>& files) {
  std::map<std::string, std::set<std::string>> files_of_name;
  for (const std::string& file : files) files_of_name[name_of(file)].insert(file);
  std::vector<std::string> labels;
  for (const std::string& file : files) {
    const std::string name = name_of(file);
    labels.push_back(files_of_name[name].size() == 1 ? name : file);
  }
  return labels;
}

std::vector<ConfiguredValue> configured_values(const std::filesystem::path& scenario_file,
                                               const std::vector<std::string>& overrides) {
  Node document = read_document(scenario_file);
  apply_overrides(document, overrides);
  Listing listing;
  listing.add(document, "", "");
  std::vector<std::string> files;
  for (const Node* chip : listing.chips) files.push_back(chip->text);
  const std::vector<std::string> labels = chip_file_labels(files);
  for (std::size_t i = 0; i < files.size(); ++i) {
    const Node& chip = *listing.chips[i];
    listing.add(read_document(scenario_file.parent_path() / chip.text, chip.origin, chip.path), "",
                labels[i]);
  }
  return listing.values;
}

}  // namespace weir
