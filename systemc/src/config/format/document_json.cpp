// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>

#include "format/document_limits.hpp"
#include "weir/config/format/document.hpp"

namespace weir {
namespace {

// Iterates over the text for the JSON parser and counts the lines. The parser reports no positions,
// but it reads exactly one character past a number and none past anything else, so the line of the
// last character is the line where a value ends.
class LineCounter {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  LineCounter(const char* position, std::uint32_t* line) : position_{position}, line_{line} {}
  reference operator*() const { return *position_; }
  LineCounter& operator++() {
    if (after_newline_) ++*line_;
    after_newline_ = *position_ == '\n';
    ++position_;
    return *this;
  }
  friend bool operator==(const LineCounter& a, const LineCounter& b) {
    return a.position_ == b.position_;
  }
  friend bool operator!=(const LineCounter& a, const LineCounter& b) { return !(a == b); }

 private:
  const char* position_;
  std::uint32_t* line_;
  bool after_newline_{false};
};

// Without the library's name of the error and its position, which counts lines in another way:
// "[json.exception.parse_error.101] parse error at line 33, column 1: syntax error ...".
std::string reason_of(std::string what) {
  const auto drop_up_to = [&](std::string_view end) {
    const std::size_t at = what.find(end);
    if (at != std::string::npos) what.erase(0, at + end.size());
  };
  drop_up_to("] ");
  if (what.rfind("parse error", 0) == 0) drop_up_to(": ");
  return what;
}

// Receives the parser's events and builds the tree. Every handler returns whether to continue.
class TreeBuilder : public nlohmann::json_sax<nlohmann::json> {
 public:
  TreeBuilder(const std::string& file, const std::uint32_t& line) : file_{file}, line_{line} {}

  [[nodiscard]] Node take() { return std::move(root_); }

  bool null() override {
    scalar(Node::Kind::other, "null");
    return true;
  }
  bool boolean(bool value) override {
    scalar(Node::Kind::boolean, value ? "true" : "false").boolean = value;
    return true;
  }
  bool number_integer(number_integer_t value) override {
    scalar(Node::Kind::integer, std::to_string(value)).integer = value;
    return true;
  }
  bool number_unsigned(number_unsigned_t value) override {
    if (value > static_cast<number_unsigned_t>(std::numeric_limits<std::int64_t>::max())) {
      scalar(Node::Kind::other, std::to_string(value));
      return true;
    }
    return number_integer(static_cast<number_integer_t>(value));
  }
  bool number_float(number_float_t, const string_t& written) override {
    scalar(Node::Kind::other, written);
    return true;
  }
  bool string(string_t& value) override {
    scalar(Node::Kind::text, value);
    return true;
  }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Node::Kind::table); }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open(Node::Kind::array); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    key_ = name;
    if (!keys_.back().insert(name).second)
      throw FileError{Origin{file_, line_}, open_.back()->path_of(name), "", "is given twice"};
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& e) override {
    throw FileError{Origin{file_, line_}, "", "", "is not JSON: " + reason_of(e.what())};
  }

 private:
  Node& add(Node::Kind kind) {
    if (open_.empty()) {
      root_.kind = kind;
      root_.origin = {file_, line_};
      return root_;
    }
    Node& parent = *open_.back();
    Node child;
    child.kind = kind;
    child.origin = {file_, line_};
    if (parent.is_table()) {
      child.name = key_;
      child.path = parent.path_of(key_);
    } else {
      child.path = parent.path + "[" + std::to_string(parent.children.size()) + "]";
    }
    budget_.take(child);
    parent.children.push_back(std::move(child));
    return parent.children.back();
  }
  Node& scalar(Node::Kind kind, std::string text) {
    Node& node = add(kind);
    node.text = std::move(text);
    return node;
  }
  bool open(Node::Kind kind) {
    if (open_.size() == max_document_depth)
      throw FileError{Origin{file_, line_}, "", "", nested_too_deeply()};
    // Pointers stay valid: a parent's list grows only while none of its children is open.
    open_.push_back(&add(kind));
    keys_.emplace_back();
    return true;
  }
  bool close() {
    open_.pop_back();
    keys_.pop_back();
    return true;
  }

  const std::string& file_;
  const std::uint32_t& line_;
  Node root_;
  std::vector<Node*> open_;
  std::vector<std::set<std::string>> keys_;  // of each that is open
  DocumentBudget budget_;
  std::string key_;
};

}  // namespace

Node parse_json(std::string_view text, const std::string& name) {
  check_document_size(text.size(), name);
  std::uint32_t line = 1;
  TreeBuilder builder{name, line};
  const LineCounter begin{text.data(), &line}, end{text.data() + text.size(), &line};
  nlohmann::json::sax_parse(begin, end, &builder);
  Node root = builder.take();
  if (!root.is_table()) {
    throw FileError{root.origin, "", root.written(), "a configuration must be a JSON object"};
  }
  return root;
}

}  // namespace weir
