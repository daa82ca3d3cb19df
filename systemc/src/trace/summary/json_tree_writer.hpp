// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "weir/trace/summary/json_tree.hpp"

namespace weir {

/// Makes a JsonTree in order, by the calls that write the same as a JsonText.
///
/// Timing: some ten instructions a value, and a copy of its name and of its text.
class JsonTreeWriter {
 public:
  /// A member of the open object.
  template <class T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
  void add(std::string_view name, T value) {
    put(named(name), value);
  }
  void add(std::string_view name, std::string_view value) { put(named(name), value); }
  void add(std::string_view name, const char* value) { add(name, std::string_view{value}); }
  void add_null(std::string_view name) { open_.push_back(named(name)); }

  /// `members` adds what the object holds; without a name it is an element of the open list.
  template <class Members>
  void add_object(std::string_view name, Members&& members) {
    enclose(named(name), JsonValue::Kind::object, members);
  }
  template <class Members>
  void add_object(Members&& members) {
    enclose({}, JsonValue::Kind::object, members);
  }
  /// `element` adds one element for each entry.
  template <class Entries, class Element>
  void add_list(std::string_view name, const Entries& entries, Element&& element) {
    add_elements(name, [&] {
      for (const auto& entry : entries) element(entry);
    });
  }
  /// `elements` adds what the list holds; without a name it is an element of the open list.
  template <class Elements>
  void add_elements(std::string_view name, Elements&& elements) {
    enclose(named(name), JsonValue::Kind::list, elements);
  }
  template <class Elements>
  void add_elements(Elements&& elements) {
    enclose({}, JsonValue::Kind::list, elements);
  }
  /// An element of the open list.
  template <class T>
  void add_element(const T& value) {
    if constexpr (std::is_integral_v<T>)
      put({}, value);
    else
      put({}, std::string_view{value});
  }

  /// The tree, whose root is an object; `members` adds to it through its argument. Once.
  template <class Members>
  [[nodiscard]] JsonTree whole(Members&& members) && {
    add_object([&] { members(*this); });
    return std::move(*this).tree();
  }

  // What a reader of a text meets, one after the other (json_tree.cpp): the container that is open
  // since `open` of open() ends by close().
  [[nodiscard]] JsonValue named(std::string_view name) {
    JsonValue value;
    value.key_ = copied(name);
    value.key_size_ = static_cast<std::uint16_t>(name.size());
    return value;
  }
  template <class T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
  void put(JsonValue value, T number) {
    value.number_ = static_cast<std::uint64_t>(number);
    value.kind_ = std::is_same_v<T, bool> ? JsonValue::Kind::flag : JsonValue::Kind::number;
    if constexpr (std::is_signed_v<T>)
      if (number < 0) value.kind_ = JsonValue::Kind::negative;
    open_.push_back(value);
  }
  void put(JsonValue value, std::string_view text);
  void put_null(const JsonValue& value) { open_.push_back(value); }
  [[nodiscard]] std::size_t open() const noexcept { return open_.size(); }
  void close(JsonValue value, JsonValue::Kind kind, std::size_t open);
  [[nodiscard]] JsonTree tree() &&;

 private:
  template <class Content>
  void enclose(const JsonValue& value, JsonValue::Kind kind, Content&& content) {
    const std::size_t open = open_.size();
    content();
    close(value, kind, open);
  }
  [[nodiscard]] const char* copied(std::string_view text);

  JsonTree tree_;
  std::vector<JsonValue> open_;  // what belongs to containers that are not yet complete
};

}  // namespace weir
