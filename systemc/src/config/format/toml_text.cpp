// SPDX-License-Identifier: Apache-2.0
#include "weir/config/format/toml_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "weir/core/printable.hpp"

namespace weir {
namespace {

bool is_list_of_tables(const Node& node) {
  return node.is_array() && !node.children.empty() && node.children.front().is_table();
}

std::string value_text(const Node& node) {
  if (node.kind == Node::Kind::text) return toml_quoted(node.text);
  if (!node.is_table() && !node.is_array()) return node.text;
  std::string inside;
  for (const Node& child : node.children) {
    inside += inside.empty() ? "" : ", ";
    if (node.is_table()) inside += toml_key(child.name) + " = ";
    inside += value_text(child);
  }
  return node.is_array() ? "[" + inside + "]" : "{ " + inside + " }";
}

class Writer {
 public:
  explicit Writer(bool origins) : origins_{origins} {}

  [[nodiscard]] std::string take() { return std::move(text_); }

  void write(const Node& table, const std::string& header, bool is_root) {
    if (!header.empty()) text_ += (text_.empty() ? "" : "\n") + header + "\n";
    for (const Node& child : table.children) {
      if (child.is_table() || (is_root && is_list_of_tables(child))) continue;
      std::string line = toml_key(child.name) + " = " + value_text(child);
      const Origin& origin = child.origin;
      if (origins_ && !origin.file.empty() && origin.line != 0) {
        // A file name may contain line breaks, which would end the comment.
        line = fmt::format("{:<40}  # {}:{}", line, printable_line(origin.file), origin.line);
      }
      text_ += line + "\n";
    }
    for (const Node& child : table.children) write_below(table, child, header, is_root);
  }

 private:
  void write_below(const Node&, const Node& child, const std::string& header, bool is_root) {
    if (is_root && is_list_of_tables(child)) {
      for (const Node& entry : child.children)
        write(entry, "[[" + toml_key(child.name) + "]]", false);
      return;
    }
    if (!child.is_table()) return;
    const std::string above = is_root ? "" : header.substr(1, header.size() - 2) + ".";
    const bool only_tables =
        !child.children.empty() && std::all_of(child.children.begin(), child.children.end(),
                                               [](const Node& node) { return node.is_table(); });
    const std::string own = "[" + above + toml_key(child.name) + "]";
    if (!only_tables) {
      write(child, own, false);
      return;
    }
    for (const Node& inner : child.children) write_below(child, inner, own, false);
  }

  const bool origins_;
  std::string text_;
};

Node made(Node::Kind kind, std::string text, const Node& from) {
  Node node;
  node.kind = kind;
  node.origin = from.origin;
  node.path = from.path;
  node.text = std::move(text);
  return node;
}

}  // namespace

std::string to_toml(const Node& document, bool origins) {
  Writer writer{origins};
  writer.write(document, "", true);
  return writer.take();
}

std::string toml_quoted(const std::string& text) {
  std::string quoted = "\"";
  for (const char letter : text) {
    const auto code = static_cast<unsigned char>(letter);
    if (letter == '"' || letter == '\\')
      quoted += std::string{'\\'} + letter;
    else if (code < ' ' || code == 0x7f)
      quoted += fmt::format("\\u{:04X}", code);
    else
      quoted += letter;
  }
  return quoted + "\"";
}

std::string toml_key(const std::string& name) {
  const bool bare = !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  });
  return bare ? name : toml_quoted(name);
}

std::string ranges_of(const std::vector<std::uint32_t>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    text += (text.empty() ? "" : ",") + std::to_string(numbers[i]);
    if (last != i) text += "-" + std::to_string(numbers[last]);
    i = last + 1;
  }
  return text;
}

Node text_node(std::string text, const Node& from) {
  return made(Node::Kind::text, std::move(text), from);
}

Node integer_node(std::int64_t value, const Node& from) {
  Node node = made(Node::Kind::integer, std::to_string(value), from);
  node.integer = value;
  return node;
}

Node boolean_node(bool value, const Node& from) {
  Node node = made(Node::Kind::boolean, value ? "true" : "false", from);
  node.boolean = value;
  return node;
}

Node& table_in(Node& parent, const std::string& name, const Node& from) {
  if (Node* const found = parent.find(name)) return *found;
  Node table = made(Node::Kind::table, "", from);
  table.name = name;
  if (table.path.empty()) table.path = parent.path_of(name);
  parent.children.push_back(std::move(table));
  return parent.children.back();
}

void put(Node& table, const std::string& name, Node value) {
  value.name = name;
  if (value.path.empty()) value.path = table.path_of(name);
  if (Node* const found = table.find(name))
    *found = std::move(value);
  else
    table.children.push_back(std::move(value));
}

}  // namespace weir
