// SPDX-License-Identifier: Apache-2.0
#include "weir/config/format/names.hpp"

#include <algorithm>
#include <utility>

#include "format/digits.hpp"
#include "weir/config/format/reader.hpp"
#include "weir/core/printable.hpp"

namespace weir {
namespace {

/// A pattern as written: texts, each with the numbers after it; the last has none.
struct Piece {
  std::string text;
  std::vector<std::uint32_t> numbers;
};

std::vector<Piece> pieces_of(const Node& value) {
  std::vector<Piece> pieces;
  std::string rest = to_text(value);
  for (std::size_t open = rest.find('['); open != std::string::npos; open = rest.find('[')) {
    const std::size_t close = rest.find(']', open);
    if (close == std::string::npos) value.fail("must be written \"h3\" or \"h[0-15]\"");
    Node numbers = value;
    numbers.kind = Node::Kind::text;
    numbers.text = rest.substr(open + 1, close - open - 1);
    constexpr std::uint32_t end = 1U << 16;
    pieces.push_back({rest.substr(0, open), to_numbers(numbers, end)});
    rest.erase(0, close + 1);
  }
  pieces.push_back({std::move(rest), {}});
  return pieces;
}

// Appends what the pieces from `index` on make after `begin`.
void expand(const std::vector<Piece>& pieces, std::size_t index, const std::string& begin,
            std::vector<std::string>& names) {
  const Piece& piece = pieces[index];
  if (index + 1 == pieces.size()) {
    names.push_back(begin + piece.text);
    return;
  }
  for (const std::uint32_t n : piece.numbers)
    expand(pieces, index + 1, begin + piece.text + std::to_string(n), names);
}

void add_names(const Node& value, std::vector<std::string>& names) {
  if (value.is_array()) {
    if (value.children.empty()) value.fail("must name at least one");
    for (const Node& element : value.children) add_names(element, names);
    return;
  }
  const std::vector<Piece> pieces = pieces_of(value);
  std::size_t count = 1;
  for (std::size_t i = 0; i + 1 < pieces.size(); ++i) {
    count *= pieces[i].numbers.size();
    if (max_names < names.size() + count)
      value.fail("makes too many names: at most " + std::to_string(max_names));
  }
  expand(pieces, 0, "", names);
}

bool is_letter_or_digit(char c) noexcept {
  return is_digit(c) || ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z');
}

// The number at `at`, without leading zeros; moves `at` to the position after it.
std::string number_at(const std::string& text, std::size_t& at) {
  const std::size_t begin = text.find_first_not_of('0', at);
  while (at < text.size() && is_digit(text[at])) ++at;
  return begin < at ? text.substr(begin, at - begin) : std::string{};
}

}  // namespace

bool is_name(std::string_view text) noexcept {
  constexpr std::size_t longest = 64;
  return !text.empty() && text.size() <= longest &&
         std::all_of(text.begin(), text.end(),
                     [](char c) { return is_letter_or_digit(c) || c == '_' || c == '-'; });
}

void check_name(const Node& place, std::string_view what, std::string_view name) {
  if (is_name(name)) return;
  place.fail("the name of a " + std::string{what} +
             " must be 1 to 64 letters, digits, \"_\" or \"-\"");
}

std::string to_title(const Node& value) {
  std::string text = to_text(value);
  if (printable_line(text) != text)
    value.fail("must be a line of text, without control characters");
  return text;
}

std::string to_folder_name(const Node& value) {
  std::string name = to_text(value);
  const bool plain = name.find('/') == std::string::npos && printable_line(name) == name;
  if (name.empty() || name.front() == '.' || !plain)
    value.fail(
        "must be a name for a folder: not empty, no \"/\", no control character, no \".\" in "
        "front");
  return name;
}

std::vector<std::string> to_names(const Node& value) {
  std::vector<std::string> names;
  add_names(value, names);
  return names;
}

bool natural_less(const std::string& a, const std::string& b) noexcept {
  std::size_t i = 0, k = 0;
  while (i < a.size() && k < b.size()) {
    if (is_digit(a[i]) && is_digit(b[k])) {
      const std::string x = number_at(a, i), y = number_at(b, k);
      if (x.size() != y.size()) return x.size() < y.size();
      if (x != y) return x < y;
    } else {
      if (a[i] != b[k]) return a[i] < b[k];
      ++i;
      ++k;
    }
  }
  if (i < a.size() || k < b.size()) return k < b.size();
  return a < b;  // equal except for leading zeros
}

}  // namespace weir
