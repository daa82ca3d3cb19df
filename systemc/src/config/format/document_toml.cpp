// SPDX-License-Identifier: Apache-2.0
#include <toml++/toml.h>

#include <algorithm>
#include <sstream>

#include "format/document_limits.hpp"
#include "weir/config/format/document.hpp"

namespace weir {
namespace {

std::string printed(const toml::node& value) {
  std::ostringstream out;
  out << toml::node_view<const toml::node>{value};
  return out.str();
}

/// Makes the tree of a document.
class TreeMaker {
 public:
  explicit TreeMaker(const std::string& file) : file_{file} {}

  Node convert(const toml::node& value, std::string path, std::size_t depth);

 private:
  void convert_children(Node& node, const toml::table& table, std::size_t depth);
  void convert_children(Node& node, const toml::array& array, std::size_t depth);

  const std::string& file_;
  DocumentBudget budget_;
};

void TreeMaker::convert_children(Node& node, const toml::table& table, std::size_t depth) {
  std::vector<std::pair<toml::source_position, Node>> sorted;
  for (const auto& [key, value] : table) {
    const std::string name{key.str()};
    Node child = convert(value, node.path_of(name), depth + 1);
    child.name = name;
    sorted.emplace_back(key.source().begin, std::move(child));
  }
  // toml++ sorts by name; here the order of the file counts (it numbers pools and profiles).
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (auto& entry : sorted) node.children.push_back(std::move(entry.second));
}

void TreeMaker::convert_children(Node& node, const toml::array& array, std::size_t depth) {
  for (std::size_t i = 0; i < array.size(); ++i) {
    node.children.push_back(
        convert(array[i], node.path + "[" + std::to_string(i) + "]", depth + 1));
  }
}

Node TreeMaker::convert(const toml::node& value, std::string path, std::size_t depth) {
  Node node;
  node.origin = {file_, value.source().begin.line};
  if (depth > max_document_depth) throw FileError{node.origin, "", "", nested_too_deeply()};
  node.path = std::move(path);
  budget_.take(node);
  if (const auto* table = value.as_table()) {
    convert_children(node, *table, depth);
  } else if (const auto* array = value.as_array()) {
    node.kind = Node::Kind::array;
    convert_children(node, *array, depth);
  } else if (const auto* text = value.as_string()) {
    node.kind = Node::Kind::text;
    node.text = text->get();
  } else if (const auto* integer = value.as_integer()) {
    node.kind = Node::Kind::integer;
    node.integer = integer->get();
    node.text = std::to_string(node.integer);
  } else if (const auto* boolean = value.as_boolean()) {
    node.kind = Node::Kind::boolean;
    node.boolean = boolean->get();
    node.text = node.boolean ? "true" : "false";
  } else {
    node.kind = Node::Kind::other;
    node.text = printed(value);
  }
  return node;
}

// The end of the text or comment that starts at `begin`, after its last character.
std::size_t end_of_text(std::string_view text, std::size_t begin) {
  if (text[begin] == '#') return std::min(text.find('\n', begin), text.size());
  const std::string_view three = text.substr(begin, 3);
  const bool lines = three == "\"\"\"" || three == "\'\'\'";
  const std::string_view end = lines ? three : three.substr(0, 1);
  for (std::size_t at = begin + end.size(); at < text.size(); ++at) {
    if (text.substr(at, end.size()) == end) {
      at += end.size();
      // One or two quotes before the three that end a text of several lines belong to it.
      for (int more = 0; lines && more < 2 && at < text.size() && text[at] == end[0]; ++more) ++at;
      return at;
    }
    if (text[at] == '\n' && !lines) return at;
    if (text[at] == '\\' && end[0] == '"') ++at;
  }
  return text.size();
}

// Calls take(place) for each character that is in no text and no comment.
template <class Take>
void for_each_outside_texts(std::string_view text, Take&& take) {
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '#' || text[at] == '"' || text[at] == '\'')
      at = end_of_text(text, at);
    else
      take(at++);
  }
}

// toml++ limits the depth of values but not of dotted keys, over which it recurses, so their depth
// is checked first.
void check_dotted_keys(std::string_view text, const std::string& file) {
  constexpr std::size_t max_dots = 1000;
  std::size_t dots = 0;
  for_each_outside_texts(text, [&](std::size_t at) {
    const char letter = text[at];
    if (letter == '\n' || letter == '=' || letter == ',') dots = 0;
    if (letter != '.' || ++dots <= max_dots) return;
    const auto lines =
        std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    throw FileError{
        Origin{file, static_cast<std::uint32_t>(lines + 1)}, "", "",
        nested_too_deeply() + ": more than " + std::to_string(max_dots) + " dots in one key"};
  });
}

// toml++ makes all values, some 200 B each, before they are counted here. There are at most two
// separators a value: "=" and ",".
void check_values(std::string_view text, const std::string& file) {
  std::size_t separators = 0;
  for_each_outside_texts(text, [&](std::size_t at) {
    if ((text[at] == '=' || text[at] == ',') && 2 * max_document_values < ++separators)
      throw FileError{Origin{file, 0}, "", "", too_many_values()};
  });
}

}  // namespace

Node parse_toml(std::string_view text, const std::string& name) {
  check_document_size(text.size(), name);
  check_dotted_keys(text, name);
  check_values(text, name);
  try {
    const toml::table table = toml::parse(text, std::string_view{name});
    return TreeMaker{name}.convert(table, "", 0);
  } catch (const toml::parse_error& error) {
    throw FileError{Origin{name, error.source().begin.line}, "", "",
                    "is not TOML: " + std::string{error.description()}};
  }
}

}  // namespace weir
