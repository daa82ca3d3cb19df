// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weir/config/format/node.hpp"
#include "weir/config/format/units.hpp"
#include "weir/core/units.hpp"

namespace weir {

/// A single value of each kind. Each throws a FileError that states the legal values for anything
/// else.
[[nodiscard]] std::string to_text(const Node& value);
[[nodiscard]] bool to_boolean(const Node& value);
[[nodiscard]] Bytes to_bytes(const Node& value);
[[nodiscard]] BufferSize to_buffer_size(const Node& value);
[[nodiscard]] BitRate to_rate(const Node& value);
[[nodiscard]] Picoseconds to_time(const Node& value);
[[nodiscard]] Picoseconds to_positive_time(const Node& value);  ///< Longer than 0.
[[nodiscard]] Picoseconds to_clock(const Node& value);
[[nodiscard]] Millimetres to_length(const Node& value);
[[nodiscard]] std::uint32_t to_cycles(const Node& value);
[[nodiscard]] Quanta to_quanta(const Node& value);  ///< Of a PAUSE frame, 1 to 65535.
[[nodiscard]] Alpha to_alpha(const Node& value);    ///< "1/8", "4", 4 or 0.125.
[[nodiscard]] std::int64_t to_integer(const Node& value, std::int64_t low, std::int64_t high);
/// Numbers "0-3,8", [0, 1, 8] or 5, none twice. Range: each below `end`.
[[nodiscard]] std::vector<std::uint32_t> to_numbers(const Node& value, std::uint32_t end);

/// An integer from low to high, for TableReader::get.
[[nodiscard]] inline auto integer_from(std::int64_t low, std::int64_t high) {
  return [=](const Node& value) { return to_integer(value, low, high); };
}
[[nodiscard]] inline auto numbers_below(std::uint32_t end) {
  return [=](const Node& value) { return to_numbers(value, end); };
}
/// A size in whole cells of `cell` bytes; bytes are rounded up, or down.
[[nodiscard]] Cells to_cells_up(const Node& value, Bytes cell);
[[nodiscard]] Cells to_cells_down(const Node& value, Bytes cell);
[[nodiscard]] inline auto cells_up(Bytes cell) {
  return [=](const Node& value) { return to_cells_up(value, cell); };
}
[[nodiscard]] inline auto cells_down(Bytes cell) {
  return [=](const Node& value) { return to_cells_down(value, cell); };
}

/// "a, b, c", in the order given.
[[nodiscard]] std::string joined(const std::vector<std::string>& words);
/// The one of `words` that `word` was probably meant to be, or "".
[[nodiscard]] std::string nearest(const std::string& word, const std::vector<std::string>& words);

/// Reads one table and remembers the keys that were requested: these are its legal keys, and
/// finish() throws at the first other one.
class TableReader {
 public:
  /// Errors: FileError when `node` is not a table.
  explicit TableReader(const Node& node);

  [[nodiscard]] const Node& node() const noexcept { return node_; }
  /// The value of `key`, or nullptr. The key is legal from now on.
  [[nodiscard]] const Node* find(std::string_view key);

  /// The value of `key`, converted by `convert`. Errors: FileError when it is missing; `legal` is
  /// the text for what it should be.
  template <class Convert>
  [[nodiscard]] auto get(std::string_view key, Convert&& convert, std::string_view legal) {
    const Node* const value = find(key);
    if (value == nullptr) node_.fail_missing(key, std::string{legal});
    return convert(*value);
  }
  /// The same, or `otherwise` when the key is missing.
  template <class Convert, class T>
  [[nodiscard]] T get_or(std::string_view key, Convert&& convert, T otherwise) {
    const Node* const value = find(key);
    return value == nullptr ? std::move(otherwise) : static_cast<T>(convert(*value));
  }

  /// Errors: FileError at the first key that was not requested.
  void finish() const;

 private:
  const Node& node_;
  std::vector<std::string> known_;
};

/// Row `word` of a table of names. Errors: FileError that lists the names.
template <class Table>
[[nodiscard]] auto to_choice(const Node& value, const Table& table) {
  const std::string word = to_text(value);
  std::vector<std::string> words;
  for (const auto& [name, meaning] : table) {
    if (name == word) return meaning;
    words.emplace_back(name);
  }
  value.fail("must be one of " + joined(words));
}

}  // namespace weir
