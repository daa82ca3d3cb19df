// SPDX-License-Identifier: Apache-2.0
#include "weir/config/chip/configured_values.hpp"

#include <algorithm>

#include "weir/config/format/document.hpp"

namespace weir {
namespace {

std::string source_of(const Origin& origin) {
  const std::string file = std::filesystem::path{origin.file}.filename().string();
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

  void add(const Node& node, const std::string& key, const std::string& prefix) {
    if (node.is_table()) {
      for (const Node& child : node.children)
        add(child, key.empty() ? child.name : key + "." + child.name, prefix);
    } else if (node.is_array() && holds_tables(node)) {
      for (std::size_t i = 0; i < node.children.size(); ++i)
        add(node.children[i], key + "[" + std::to_string(i) + "]", prefix);
    } else {
      values.push_back({prefix + key, value_of(node), source_of(node.origin)});
      if (prefix.empty() && node.name == "file" && node.kind == Node::Kind::text) note(node, key);
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

std::vector<ConfiguredValue> configured_values(const std::filesystem::path& scenario_file,
                                               const std::vector<std::string>& overrides) {
  Node document = read_document(scenario_file);
  apply_overrides(document, overrides);
  Listing listing;
  listing.add(document, "", "");
  for (const Node* file : listing.chips)
    listing.add(read_document(scenario_file.parent_path() / file->text, file->origin, file->path),
                "", std::filesystem::path{file->text}.filename().string() + ": ");
  return listing.values;
}

}  // namespace weir
