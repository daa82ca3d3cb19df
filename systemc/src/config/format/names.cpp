// SPDX-License-Identifier: Apache-2.0
#include "weir/config/format/names.hpp"

#include <cctype>

#include "format/digits.hpp"
#include "weir/config/format/reader.hpp"

namespace weir {
namespace {

// Appends every expansion of the rest of the pattern to `begin`.
void expand(const Node& value, const std::string& begin, const std::string& rest,
            std::vector<std::string>& names) {
  const std::size_t open = rest.find('[');
  if (open == std::string::npos) {
    names.push_back(begin + rest);
    return;
  }
  const std::size_t close = rest.find(']', open);
  if (close == std::string::npos) value.fail("must be written \"h3\" or \"h[0-15]\"");
  Node numbers = value;
  numbers.kind = Node::Kind::text;
  numbers.text = rest.substr(open + 1, close - open - 1);
  constexpr std::uint32_t end = 1U << 16;
  for (const std::uint32_t n : to_numbers(numbers, end))
    expand(value, begin + rest.substr(0, open) + std::to_string(n), rest.substr(close + 1), names);
}

// The number at `at`, without leading zeros; moves `at` to the position after it.
std::string number_at(const std::string& text, std::size_t& at) {
  const std::size_t begin = text.find_first_not_of('0', at);
  while (at < text.size() && is_digit(text[at])) ++at;
  return begin < at ? text.substr(begin, at - begin) : std::string{};
}

}  // namespace

std::vector<std::string> to_names(const Node& value) {
  std::vector<std::string> names;
  if (!value.is_array()) {
    expand(value, "", to_text(value), names);
    return names;
  }
  if (value.children.empty()) value.fail("must name at least one");
  for (const Node& element : value.children) {
    const std::vector<std::string> more = to_names(element);
    names.insert(names.end(), more.begin(), more.end());
  }
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
