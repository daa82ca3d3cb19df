// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "weir/core/errors.hpp"

namespace weir {

/// Where a value was written.
struct Origin {
  std::string file;       ///< As the user named it; "--set" for an override.
  std::uint32_t line{0};  ///< From 1; 0 where there is none.
};

/// A ConfigError with the place of the value. what() is "file:line: key = value: legal", or
/// "file:line: key: legal" for a missing key.
class FileError : public ConfigError {
 public:
  FileError(Origin origin, std::string key, std::string value, std::string legal);

  [[nodiscard]] const char* what() const noexcept override { return text_.c_str(); }
  [[nodiscard]] const Origin& origin() const noexcept { return origin_; }

 private:
  Origin origin_;
  std::string text_;
};

/// A value of a configuration file of any format, with the place where it was written.
struct Node {
  enum class Kind : std::uint8_t { table, array, text, integer, boolean, other };

  Kind kind{Kind::table};
  Origin origin;
  std::string name;  ///< Key in its table; empty for the root and for elements of an array.
  std::string path;  ///< Dotted path from the root of its file: `traffic[0].rate`.
  std::string text;  ///< A string's contents; any other scalar as written.
  std::int64_t integer{0};
  bool boolean{false};
  std::vector<Node> children;  ///< Members of a table in the order of the file, or of an array.

  [[nodiscard]] bool is_table() const noexcept { return kind == Kind::table; }
  [[nodiscard]] bool is_array() const noexcept { return kind == Kind::array; }
  [[nodiscard]] Node* find(std::string_view key) noexcept;
  [[nodiscard]] const Node* find(std::string_view key) const noexcept;
  /// Path of the child `key` of this table.
  [[nodiscard]] std::string path_of(std::string_view key) const;
  /// The value as messages show it: strings in quotes, tables as "{table}".
  [[nodiscard]] std::string written() const;

  /// Throws a FileError about this value.
  [[noreturn]] void fail(std::string legal) const;
  /// Throws a FileError about the key `key`, which is missing in this table.
  [[noreturn]] void fail_missing(std::string_view key, std::string legal) const;
};

/// Merges `over` into `base`: tables key by key, anything else is replaced. Elements of `over` keep
/// their origin and path.
void merge(Node& base, const Node& over);

}  // namespace weir
