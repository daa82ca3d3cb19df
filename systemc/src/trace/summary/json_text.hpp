// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace weir {

/// JSON as text, written in order and indented by two spaces, as nlohmann::json::dump(2) does,
/// without a tree of all values in memory.
class JsonText {
 public:
  /// A member of the open object. `name` needs no escapes.
  template <class T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
  void add(std::string_view name, T value) {
    begin(name);
    if constexpr (std::is_same_v<T, bool>) {
      text_ += value ? "true" : "false";
    } else {
      const fmt::format_int digits{value};
      text_.append(digits.data(), digits.size());
    }
  }
  void add(std::string_view name, std::string_view value) {
    begin(name);
    append_string(value);
  }
  void add(std::string_view name, const char* value) { add(name, std::string_view{value}); }
  void add_null(std::string_view name) {
    begin(name);
    text_ += "null";
  }

  /// `members` adds what the object holds; without a name it is an element of the open list.
  template <class Members>
  void add_object(std::string_view name, Members&& members) {
    begin(name);
    enclose('{', '}', members);
  }
  template <class Members>
  void add_object(Members&& members) {
    begin_entry();
    enclose('{', '}', members);
  }
  /// `element` adds one element for each entry.
  template <class Entries, class Element>
  void add_list(std::string_view name, const Entries& entries, Element&& element) {
    begin(name);
    enclose('[', ']', [&] {
      for (const auto& entry : entries) element(entry);
    });
  }
  /// The outermost object, whose members `members` adds. Once.
  template <class Members>
  std::string whole(Members&& members) && {
    enclose('{', '}', members);
    text_ += '\n';
    return std::move(text_);
  }

 private:
  void begin_entry() {
    if (!empty_) text_ += ',';
    empty_ = false;
    text_ += '\n';
    text_.append(depth_ * 2, ' ');
  }
  void begin(std::string_view name) {
    begin_entry();
    text_ += '"';
    text_ += name;
    text_ += "\": ";
  }
  template <class Content>
  void enclose(char open, char close, Content&& content) {
    text_ += open;
    ++depth_;
    empty_ = true;
    content();
    --depth_;
    if (!empty_) {
      text_ += '\n';
      text_.append(depth_ * 2, ' ');
    }
    empty_ = false;
    text_ += close;
  }
  void append_string(std::string_view value);

  std::string text_;
  std::size_t depth_{0};
  bool empty_{true};  // The open object or list has no entry yet.
};

}  // namespace weir
