// SPDX-License-Identifier: Apache-2.0
#include "weir/config/format/node.hpp"

#include <map>
#include <utility>

#include "weir/core/printable.hpp"

namespace weir {
namespace {

std::string message(const Origin& origin, const std::string& key, const std::string& value,
                    const std::string& legal) {
  std::string text = origin.file;
  if (origin.line != 0) text += ":" + std::to_string(origin.line);
  if (!text.empty()) text += ": ";
  if (!key.empty()) text += key;
  if (!value.empty()) text += (key.empty() ? "" : " = ") + value;
  if (!key.empty() || !value.empty()) text += ": ";
  return printable(text + legal);
}

std::string written_list(const Node& list) {
  constexpr std::size_t shown = 16;  // longer texts are cut in messages
  std::string text;
  for (std::size_t i = 0; i < list.children.size() && i < shown; ++i) {
    text += (i == 0 ? "" : ", ") + list.children[i].written();
  }
  return "[" + text + (list.children.size() > shown ? ", ...]" : "]");
}

}  // namespace

FileError::FileError(Origin origin, std::string key, std::string value, std::string legal)
    : ConfigError{std::move(key), std::move(value), std::move(legal)},
      origin_{std::move(origin)},
      text_{message(origin_, this->key(), this->value(), this->legal())} {}

Node* Node::find(std::string_view key) noexcept {
  if (!is_table()) return nullptr;
  for (Node& child : children) {
    if (child.name == key) return &child;
  }
  return nullptr;
}

const Node* Node::find(std::string_view key) const noexcept {
  return const_cast<Node*>(this)->find(key);
}

std::string Node::path_of(std::string_view key) const {
  return path.empty() ? std::string{key} : path + "." + std::string{key};
}

std::string Node::written() const {
  switch (kind) {
    case Kind::table:
      return "{table}";
    case Kind::array:
      return written_list(*this);
    case Kind::text:
      return "\"" + text + "\"";
    default:
      return text;
  }
}

void Node::fail(std::string legal) const {
  throw FileError{origin, path, is_table() ? "" : written(), std::move(legal)};
}

void Node::fail_missing(std::string_view key, std::string legal) const {
  throw FileError{origin, path_of(key), "", "is missing: " + std::move(legal)};
}

void merge(Node& base, const Node& over) {
  std::map<std::string, std::size_t> places;
  for (const Node& child : base.children) places.emplace(child.name, places.size());
  for (const Node& child : over.children) {
    const auto [place, is_new] = places.emplace(child.name, base.children.size());
    if (is_new) {
      base.children.push_back(child);
      continue;
    }
    Node& old = base.children[place->second];
    if (old.is_table() && child.is_table())
      merge(old, child);
    else
      old = child;
  }
}

}  // namespace weir
