// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <utility>

#include "format/document_limits.hpp"
#include "weir/config/format/document.hpp"
#include "weir/config/format/units.hpp"

namespace weir {
namespace {

constexpr std::string_view form = "must be key=value, such as switch.tor.chip.lanes=2";

[[noreturn]] void fail(const std::string& key, const std::string& value, const std::string& why) {
  throw FileError{Origin{"--set", 0}, key, value, why};
}

// A step of the path: a key, or the index of an element.
struct Step {
  std::string key;
  std::optional<std::size_t> index;
};

// As deep as a document may be: each step has the whole path before it.
void add_step(const std::string& key, Step step, std::vector<Step>& steps) {
  if (steps.size() == max_document_depth) fail(key.substr(0, 64) + "...", "", nested_too_deeply());
  steps.push_back(std::move(step));
}

// `traffic[0]` is two steps: the key, then the index.
void add_steps(const std::string& key, std::string_view part, std::vector<Step>& steps) {
  const std::size_t bracket = part.find('[');
  add_step(key, {std::string{part.substr(0, bracket)}, std::nullopt}, steps);
  if (steps.back().key.empty()) fail(key, "", std::string{form});
  while (!part.empty() && part.find('[') != std::string_view::npos) {
    part.remove_prefix(part.find('[') + 1);
    const std::size_t close = part.find(']');
    const auto index = parse_count(part.substr(0, close));
    const bool good = close != std::string_view::npos && index &&
                      (close + 1 == part.size() || part[close + 1] == '[');
    if (!good) fail(key, "", "an index is written [0], [1] ...");
    add_step(key, {"", static_cast<std::size_t>(*index)}, steps);
    part.remove_prefix(close + 1);
  }
}

std::vector<Step> split(const std::string& key) {
  std::vector<Step> steps;
  std::string_view rest = key;
  for (std::size_t dot = rest.find('.'); dot != std::string_view::npos; dot = rest.find('.')) {
    add_steps(key, rest.substr(0, dot), steps);
    rest.remove_prefix(dot + 1);
  }
  add_steps(key, rest, steps);
  return steps;
}

Node& element(Node& array, const Step& step, const std::string& key) {
  if (step.index) {
    if (*step.index < array.children.size()) return array.children[*step.index];
    fail(key, "",
         array.path + " has " + std::to_string(array.children.size()) +
             " elements, the first is [0]");
  }
  std::string names;
  for (Node& child : array.children) {
    const Node* const name = child.find("name");
    if (name == nullptr) continue;
    if (name->text == step.key) return child;
    names += (names.empty() ? "" : ", ") + name->text;
  }
  fail(key, "", array.path + " has no element named " + step.key + "; it has: " + names);
}

// The child of `node` that the step names; missing tables are created.
Node& descend(Node& node, const Step& step, const std::string& key) {
  if (node.is_array()) return element(node, step, key);
  if (step.index) fail(key, "", node.path + " is not a list");
  if (!node.is_table()) fail(key, "", node.path + " is a value and has no keys");
  if (Node* const child = node.find(step.key)) return *child;
  Node made;
  made.origin = {"--set", 0};
  made.name = step.key;
  made.path = node.path_of(step.key);
  node.children.push_back(std::move(made));
  return node.children.back();
}

// Sets origin and name of a node and of all its descendants.
void rename(Node& node, const std::string& path) {
  node.origin = {"--set", 0};
  node.path = path;
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    Node& child = node.children[i];
    rename(child,
           node.is_array() ? path + "[" + std::to_string(i) + "]" : node.path_of(child.name));
  }
}

// A table that is written as a value, { cable = "100 m" }, is on one line.
bool is_value(const Node& table) {
  return table.origin.line != 0 &&
         std::all_of(table.children.begin(), table.children.end(),
                     [&](const Node& child) { return child.origin.line == table.origin.line; });
}

// What a value is as TOML; none when it is not TOML, or more than one value.
std::optional<Node> parse_toml_value(const std::string& value) {
  try {
    Node table = parse_toml("value = " + value, "--set");
    if (table.children.size() != 1) return std::nullopt;
    return std::move(table.children.front());
  } catch (const FileError&) {
    return std::nullopt;
  }
}

// TOML if the value is TOML. What adds other keys, or ends in a comment, stays text; and a date or
// a fraction is a mistake here, which the message shows better as written.
Node parse_value(const std::string& value) {
  std::optional<Node> parsed = parse_toml_value(value);
  const bool comment = parsed && value.find('#') != std::string::npos &&
                       parse_toml_value(value + " ?").has_value();  // only a comment takes a "?"
  if (parsed && parsed->kind != Node::Kind::other && !comment) return std::move(*parsed);
  Node text;
  text.kind = Node::Kind::text;
  text.text = value;
  return text;
}

}  // namespace

void apply_overrides(Node& document, const std::vector<std::string>& overrides) {
  for (const std::string& text : overrides) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) fail("", text, std::string{form});
    const std::string key = text.substr(0, equals);
    Node* node = &document;
    for (const Step& step : split(key)) node = &descend(*node, step, key);
    if (node->is_table() && !node->children.empty() && !is_value(*node)) {
      fail(key, text.substr(equals + 1), "is a table; set a key in it");
    }
    Node value = parse_value(text.substr(equals + 1));
    value.name = node->name;
    rename(value, node->path);
    *node = std::move(value);
  }
}

}  // namespace weir
