// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "weir/config/format/error_list.hpp"
#include "weir/config/format/node.hpp"
#include "weir/config/format/units.hpp"
#include "weir/core/scheduling/clock_period.hpp"
#include "weir/core/units.hpp"

namespace weir {

/// A single value of each kind. Each throws a FileError that states the legal values for anything
/// else.
[[nodiscard]] std::string to_text(const Node& value);
[[nodiscard]] bool to_boolean(const Node& value);
[[nodiscard]] Bytes to_bytes(const Node& value);
[[nodiscard]] BufferSize to_buffer_size(const Node& value);
[[nodiscard]] BitRate to_rate(const Node& value);
[[nodiscard]] BitRate to_port_rate(const Node& value);              ///< is_port_rate()
[[nodiscard]] Picoseconds to_time(const Node& value);               ///< At most max_moment.
[[nodiscard]] Picoseconds to_positive_time(const Node& value);      ///< Longer than 0.
[[nodiscard]] Picoseconds to_duration(const Node& value);           ///< At most max_duration.
[[nodiscard]] Picoseconds to_positive_duration(const Node& value);  ///< Longer than 0.
[[nodiscard]] Picoseconds to_short_time(const Node& value);         ///< Longer than 0, at most 1 s.
[[nodiscard]] ResponseTime to_response(const Node& value);          ///< "60 quanta" or "1.5 us".
[[nodiscard]] ClockPeriod to_clock(const Node& value);
[[nodiscard]] Millimetres to_cable(const Node& value);
[[nodiscard]] std::uint32_t to_cycles(const Node& value);
[[nodiscard]] Quanta to_quanta(const Node& value);  ///< Of a PAUSE frame, 1 to 65535.
[[nodiscard]] Alpha to_alpha(const Node& value, std::string_view legal);
[[nodiscard]] Alpha to_alpha(const Node& value);  ///< "1/8", "4", 4 or 0.125.
[[nodiscard]] std::int64_t to_integer(const Node& value, std::int64_t low, std::int64_t high);
/// Numbers "0-3,8", [0, 1, 8] or 5, none twice. Range: each below `end`.
[[nodiscard]] std::vector<std::uint32_t> to_numbers(const Node& value, std::uint32_t end);
/// The same, at least one.
[[nodiscard]] std::vector<std::uint32_t> to_some_numbers(const Node& value, std::uint32_t end);

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

/// "there is no switch lef, did you mean leaf?; there are: leaf, spine", with the first 16 of
/// `words`; `what` "switch " may be empty.
[[nodiscard]] std::string there_is_no(const std::string& what, const std::string& word,
                                      const std::vector<std::string>& words);

/// The elements of [[name]]. Errors: FileError when the node is not a list.
[[nodiscard]] const std::vector<Node>& list_of_tables(const Node& list);
/// The tables [path.NAME]. Errors: FileError when the node is a value.
[[nodiscard]] const std::vector<Node>& tables_by_name(const Node& group);

/// Reads one table and remembers the keys that were requested: these are its legal keys.
///
/// With an ErrorList it adds errors to the list instead of throwing them: a key that is refused has
/// the default value, and reading goes on. What follows from several values is to be derived only
/// while good().
class TableReader {
 public:
  /// Adds to the message about an unknown key what it may have meant; "" for nothing.
  using Hint = std::function<std::string(const Node& unknown)>;

  /// Errors: FileError when `node` is not a table, here and at the first error of a key.
  explicit TableReader(const Node& node);
  /// Errors: FileError when `node` is not a table; all others go to `errors`, which is borrowed.
  TableReader(const Node& node, ErrorList& errors);
  /// A reader of `node`, a table below this one, that reports its errors in the same way.
  [[nodiscard]] TableReader table(const Node& node) const;

  [[nodiscard]] const Node& node() const noexcept { return node_; }
  /// The value of `key`, or nullptr. The key is legal from now on.
  [[nodiscard]] const Node* find(std::string_view key);
  /// The tables of [[key]]; none where it is not there. Errors: FileError when it is not a list.
  [[nodiscard]] const std::vector<Node>& tables(std::string_view key);
  /// The tables [key.NAME]; none where there are none. Errors: FileError when it is a value.
  [[nodiscard]] const std::vector<Node>& named_tables(std::string_view key);
  /// Runs `read` and reports its error; returns whether there was none.
  template <class Read>
  bool attempt(Read&& read) {
    if (errors_ != nullptr) return errors_->attempt(std::forward<Read>(read));
    std::forward<Read>(read)();
    return true;
  }
  /// Whether no error was reported since this reader was made.
  [[nodiscard]] bool good() const noexcept {
    return errors_ == nullptr || errors_->size() == errors_before_;
  }

  /// Errors: when `key` is missing; `legal` is the text for what it should be.
  void require(std::string_view key, std::string_view legal) {
    if (find(key) == nullptr) attempt([&] { node_.fail_missing(key, std::string{legal}); });
  }
  /// The value of `key`, converted by `convert`; the default of its type where it is refused.
  /// Errors: when it is missing; `legal` is the text for what it should be.
  template <class Convert>
  [[nodiscard]] auto get(std::string_view key, Convert&& convert, std::string_view legal) {
    std::decay_t<decltype(convert(node_))> result{};
    require(key, legal);
    set(key, std::forward<Convert>(convert), result);
    return result;
  }
  /// The same, or `otherwise` when the key is missing.
  template <class Convert, class T>
  [[nodiscard]] T get_or(std::string_view key, Convert&& convert, T otherwise) {
    const Node* const value = find(key);
    if (value != nullptr) attempt([&] { otherwise = static_cast<T>(convert(*value)); });
    return otherwise;
  }
  /// Sets `target` where the key is given.
  template <class Convert, class T>
  void set(std::string_view key, Convert&& convert, T& target) {
    const Node* const value = find(key);
    if (value != nullptr) attempt([&] { target = static_cast<T>(convert(*value)); });
  }

  /// Errors: each key that was not requested.
  void finish(const Hint& hint = {});

 private:
  const Node& node_;
  ErrorList* errors_{nullptr};
  std::size_t errors_before_{0};
  std::vector<std::string> known_;
};

/// "one of a, b, c": the names of a table.
template <class Table>
[[nodiscard]] std::string one_of(const Table& table) {
  std::vector<std::string> words;
  words.reserve(std::size(table));
  for (const auto& [name, meaning] : table) words.emplace_back(name);
  return "one of " + joined(words);
}
/// Row `word` of a table of names. Errors: FileError that lists the names.
template <class Table>
[[nodiscard]] auto to_choice(const Node& value, const Table& table) {
  const std::string word = to_text(value);
  for (const auto& [name, meaning] : table)
    if (name == word) return meaning;
  value.fail("must be " + one_of(table));
}

}  // namespace weir
