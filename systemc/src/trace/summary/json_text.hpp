// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <iterator>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "weir/trace/summary/json_tree.hpp"

namespace weir {

/// Whether it is in JSON as it is, but for the quotes around it.
[[nodiscard]] bool is_plain_json(std::string_view text) noexcept;

/// How nlohmann::json writes the same values.
enum class JsonLayout : std::uint8_t {
  indented,  ///< dump(2)
  compact,   ///< dump(-1)
};

/// A small number after a comma, to be copied eight letters at a time. Shares in per mille are
/// small.
struct SmallNumber {
  std::array<char, 7> text;
  std::uint8_t size;  ///< Of the text: 2 to 5.
};
constexpr std::uint64_t small_end = 1024;
constexpr std::array<SmallNumber, small_end> small_numbers = [] {
  std::array<SmallNumber, small_end> all{};
  for (std::size_t i = 0; i < all.size(); ++i) {
    SmallNumber& number = all[i];
    number.text[number.size++] = ',';
    std::size_t unit = 1;
    while (unit * 10 <= i) unit *= 10;
    for (; unit != 0; unit /= 10)
      number.text[number.size++] = static_cast<char>('0' + i / unit % 10);
  }
  return all;
}();

/// JSON as text, written in order, without a tree of all values in memory.
///
/// Timing: some instructions a byte, a value by its digits; what is short goes through a buffer.
class JsonText {
 public:
  explicit JsonText(JsonLayout layout) : indented_{layout == JsonLayout::indented} {}
  /// Hands the text to `write`, which has to live as long, piece by piece in place of returning it.
  JsonText(JsonLayout layout, const std::function<void(std::string_view)>& write)
      : indented_{layout == JsonLayout::indented}, write_{&write} {}

  /// A member of the open object. `name` needs no escapes.
  template <class T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
  void add(std::string_view name, T value) {
    begin(name);
    put(value);
  }
  void add(std::string_view name, std::string_view value) {
    begin(name);
    put(value);
  }
  void add(std::string_view name, const char* value) { add(name, std::string_view{value}); }
  void add_null(std::string_view name) {
    begin(name);
    append("null");
  }
  /// A member of a tree, under its own name. Compact.
  void add_member(const JsonValue& member) {
    begin_entry();
    put(member.key());
    append(':');
    put(member);
  }
  void add_element(const JsonValue& value) {
    begin_entry();
    put(value);
  }
  /// A member whose value is written as JSON already.
  void add_written(std::string_view name, std::string_view json) {
    begin(name);
    append(json);
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
  /// `elements` adds what the list holds; without a name it is an element of the open list.
  template <class Elements>
  void add_elements(std::string_view name, Elements&& elements) {
    begin(name);
    enclose('[', ']', elements);
  }
  template <class Elements>
  void add_elements(Elements&& elements) {
    begin_entry();
    enclose('[', ']', elements);
  }
  /// An element of the open list.
  template <class T>
  void add_element(const T& value) {
    begin_entry();
    if constexpr (std::is_integral_v<T>)
      put(value);
    else
      put(std::string_view{value});
  }

  /// A list of integers, of each entry as many: `put_numbers` calls its second argument with each
  /// of its first. Compact.
  template <std::size_t numbers, class Entries, class PutNumbers>
  void add_numbers(std::string_view name, const Entries& entries, PutNumbers&& put_numbers) {
    begin(name);
    put_list<numbers>(std::begin(entries), std::end(entries), put_numbers);
  }

  /// Room for as much text, so that it is not copied while it grows.
  void reserve(std::size_t size) { text_.reserve(size); }

  /// The outermost object, whose members `members` adds. Once.
  template <class Members>
  std::string whole(Members&& members) && {
    enclose('{', '}', members);
    append('\n');
    return std::move(*this).text();
  }
  /// The same without a newline after it.
  template <class Members>
  std::string object(Members&& members) && {
    enclose('{', '}', members);
    return std::move(*this).text();
  }
  /// A value alone. Once; compact.
  std::string value(const JsonValue& value) && {
    put(value);
    return std::move(*this).text();
  }

 private:
  void begin_entry() {
    if (!empty_) append(',');
    empty_ = false;
    if (indented_) new_line();
  }
  void begin(std::string_view name) {
    begin_entry();
    append('"');
    append(name);
    append(indented_ ? std::string_view{"\": "} : std::string_view{"\":"});
  }
  void new_line() {
    constexpr std::string_view spaces = "\n                                ";
    const std::size_t size = 1 + depth_ * 2;
    append(spaces.substr(0, size));
    for (std::size_t written = spaces.size(); written < size; ++written) append(' ');
  }
  template <class Content>
  void enclose(char open, char close, Content&& content) {
    append(open);
    ++depth_;
    empty_ = true;
    content();
    --depth_;
    if (!empty_ && indented_) new_line();
    empty_ = false;
    append(close);
  }
  template <class T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
  void put(T value) {
    if constexpr (std::is_same_v<T, bool>) {
      append(value ? std::string_view{"true"} : std::string_view{"false"});
    } else if (static_cast<std::make_unsigned_t<T>>(value) < 10) {  // most are
      append(static_cast<char>('0' + value));
    } else {
      const fmt::format_int digits{value};
      append({digits.data(), digits.size()});
    }
  }
  // Of hundreds of thousands most are small: one look for room for many, and a copy of fixed size
  // for each.
  template <std::size_t numbers, class Entry, class PutNumbers>
  void put_list(Entry next, const Entry end, PutNumbers&& put_numbers) {
    constexpr std::size_t longest = 24, at_once = 128;
    if (next == end) return append("[]");
    for (bool first = true; next != end; first = false) {
      if (buffer_.size() - used_ < longest * numbers * at_once) flush();
      char* const begin = buffer_.data() + used_;
      char* at = begin;
      for (std::size_t i = 0; i < at_once && next != end; ++i, ++next)
        put_numbers(*next, [&](std::int64_t number) { at = after_comma(at, number); });
      if (first) *begin = '[';
      used_ = static_cast<std::size_t>(at - buffer_.data());
    }
    append(']');
  }
  static char* after_comma(char* at, std::int64_t number) {
    if (static_cast<std::uint64_t>(number) < small_end) return small(at, number);
    if (number < 0 && -static_cast<std::int64_t>(small_end) < number) {
      char* const end = small(at + 1, -number);
      at[0] = ',';
      at[1] = '-';
      return end;
    }
    *at++ = ',';
    const fmt::format_int text{number};
    std::memcpy(at, text.data(), text.size());
    return at + text.size();
  }
  static char* small(char* at, std::int64_t number) {
    const SmallNumber& written = small_numbers[static_cast<std::size_t>(number)];
    std::memcpy(at, &written, sizeof written);  // the last letter is none: the next one is there
    return at + written.size;
  }
  void put(std::string_view value);
  void put(const JsonValue& value);
  void append(char letter) {
    if (used_ == buffer_.size()) flush();
    buffer_[used_++] = letter;
  }
  void append(std::string_view text) {
    if (buffer_.size() - used_ < text.size()) {
      append_after_flush(text);
      return;
    }
    std::memcpy(buffer_.data() + used_, text.data(), text.size());
    used_ += text.size();
  }
  void append_after_flush(std::string_view text);
  void pass_on(std::string_view text) {
    if (write_ == nullptr)
      text_ += text;
    else
      (*write_)(text);
  }
  void flush() {
    pass_on({buffer_.data(), used_});
    used_ = 0;
  }
  [[nodiscard]] std::string text() && {
    flush();
    return std::move(text_);
  }

  const bool indented_;
  const std::function<void(std::string_view)>* const write_{nullptr};
  bool empty_{true};  // The open object or list has no entry yet.
  std::size_t depth_{0}, used_{0};
  std::array<char, 1 << 16> buffer_;  // Its first `used_` letters come next.
  std::string text_;
};

}  // namespace weir
