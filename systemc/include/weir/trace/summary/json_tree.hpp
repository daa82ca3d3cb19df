// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <string>
#include <string_view>

namespace weir {

/// A value of a JSON document in memory, and what is in it. It belongs to a JsonTree.
///
/// Range:  numbers are integers: no file of a run has others.
/// Errors: ModelError when it is not what it is read as.
class JsonValue {
 public:
  enum class Kind : std::uint8_t { null, flag, number, negative, text, list, object };

  [[nodiscard]] Kind kind() const noexcept { return kind_; }
  [[nodiscard]] bool is_null() const noexcept { return kind_ == Kind::null; }
  /// Its name as a member of an object.
  [[nodiscard]] std::string_view key() const noexcept { return {key_, key_size_}; }

  /// Members of an object, or elements of a list; null has none.
  [[nodiscard]] std::size_t size() const {
    if (kind_ == Kind::list || kind_ == Kind::object) return size_;
    if (kind_ != Kind::null) fail("neither a list nor an object");
    return 0;
  }
  [[nodiscard]] bool empty() const { return size() == 0; }
  [[nodiscard]] const JsonValue* begin() const { return size() == 0 ? nullptr : values_; }
  [[nodiscard]] const JsonValue* end() const { return begin() + size(); }
  /// Range: not empty.
  [[nodiscard]] const JsonValue& front() const { return *begin(); }

  /// The member of that name; nullptr: there is none.
  [[nodiscard]] const JsonValue* find(std::string_view key) const noexcept {
    if (kind_ != Kind::object) return nullptr;
    for (const JsonValue *member = values_, *const end = values_ + size_; member != end; ++member)
      if (member->key() == key) return member;
    return nullptr;
  }
  [[nodiscard]] bool contains(std::string_view key) const noexcept { return find(key) != nullptr; }
  [[nodiscard]] const JsonValue& at(std::string_view key) const {
    const JsonValue* const member = find(key);
    if (member == nullptr) fail_without(key);
    return *member;
  }
  [[nodiscard]] const JsonValue& at(std::size_t index) const {
    if (kind_ != Kind::list || size_ <= index) fail_without(index);
    return values_[index];
  }

  [[nodiscard]] std::uint64_t number() const {
    if (kind_ != Kind::number) fail("no number from 0 on");
    return number_;
  }
  [[nodiscard]] bool flag() const {
    if (kind_ != Kind::flag) fail("neither true nor false");
    return number_ != 0;
  }
  [[nodiscard]] std::string_view text() const {
    if (kind_ != Kind::text) fail("no text");
    return {text_, size_};
  }
  /// Below 0. Range: Kind::negative.
  [[nodiscard]] std::int64_t negative() const noexcept {
    return static_cast<std::int64_t>(number_);
  }

 private:
  friend class JsonTreeWriter;
  [[noreturn]] void fail(const char* what) const;
  [[noreturn]] static void fail_without(std::string_view key);
  [[noreturn]] static void fail_without(std::size_t index);

  const char* key_{""};
  union {
    std::uint64_t number_{0};
    const char* text_;
    const JsonValue* values_;
  };
  std::uint32_t size_{0};
  std::uint16_t key_size_{0};
  Kind kind_{Kind::null};
};

/// A JSON document in memory, made once and read often: the members of an object, and their names,
/// are next to each other. A JsonTreeWriter or parse() makes it.
class JsonTree {
 public:
  /// Errors: ModelError when it is not JSON, holds a number that is not an integer, or is nested
  /// deeper than what a run writes.
  [[nodiscard]] static JsonTree parse(std::string_view text);

  [[nodiscard]] const JsonValue& root() const noexcept { return root_; }

 private:
  friend class JsonTreeWriter;
  JsonTree() = default;

  // All of it goes at once.
  std::unique_ptr<std::pmr::monotonic_buffer_resource> memory_{
      std::make_unique<std::pmr::monotonic_buffer_resource>()};
  JsonValue root_;
};

/// As nlohmann::json writes it, dump(-1).
[[nodiscard]] std::string to_text(const JsonValue& value);

}  // namespace weir
