// SPDX-License-Identifier: Apache-2.0
#include "weir/config/format/reader.hpp"

#include <algorithm>
#include <numeric>

namespace weir {
namespace {

// A whole number that is refused where 1 of the same unit is not.
template <class Parse>
bool is_too_large(const std::string& text, Parse parse) {
  const std::size_t end = text.find_first_not_of("0123456789");
  return end != 0 && end != std::string::npos && text.find_first_not_of('0') != end &&
         text.substr(0, end) != "1" && parse("1" + text.substr(end));
}

template <class Parse>
auto read_unit(const Node& value, Parse parse, std::string_view legal) {
  if (value.kind == Node::Kind::text) {
    if (const auto parsed = parse(value.text)) return *parsed;
    if (is_too_large(value.text, parse)) value.fail("is too large; " + std::string{legal});
  }
  value.fail(std::string{legal});
}

Picoseconds some_time(const Node& value, Picoseconds time) {
  if (time == Picoseconds{}) value.fail("must be longer than 0");
  return time;
}

// Number of letters to change, insert or delete to get from one word to the other (Levenshtein).
std::size_t distance(const std::string& from, const std::string& to) {
  std::vector<std::size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < to.size(); ++j) {
      const std::size_t replaced = diagonal + (from[i] == to[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

// Numbers below `end`, none twice, in the order in which they are added.
class NumberList {
 public:
  NumberList(const Node& value, std::uint32_t end) : value_{value}, end_{end} {}

  void add(std::uint64_t number) { add(value_, number); }
  /// Errors: FileError at `place`.
  void add(const Node& place, std::uint64_t number) {
    if (number >= end_) place.fail("must be from 0 to " + std::to_string(end_ - 1));
    if (known_.size() <= number) known_.resize(number + 1);
    if (known_[number]) place.fail("names " + std::to_string(number) + " twice");
    known_[number] = true;
    numbers.push_back(static_cast<std::uint32_t>(number));
  }
  [[nodiscard]] const Node& value() const noexcept { return value_; }
  [[nodiscard]] std::uint32_t end() const noexcept { return end_; }

  std::vector<std::uint32_t> numbers;

 private:
  const Node& value_;
  const std::uint32_t end_;
  std::vector<bool> known_;
};

// "3" or "0-3"
void add_range(std::string_view part, NumberList& list) {
  const std::size_t dash = part.find('-');
  const auto first = parse_count(part.substr(0, dash));
  const auto last = dash == std::string_view::npos ? first : parse_count(part.substr(dash + 1));
  if (!first || !last || *last < *first) {
    list.value().fail("must be numbers such as 5, [0, 1, 8] or \"0-3,8\"");
  }
  if (*last >= list.end()) list.value().fail("must be from 0 to " + std::to_string(list.end() - 1));
  for (std::uint64_t n = *first; n <= *last; ++n) list.add(n);
}

}  // namespace

std::string to_text(const Node& value) {
  if (value.kind != Node::Kind::text) value.fail("must be a string in quotes");
  return value.text;
}

bool to_boolean(const Node& value) {
  if (value.kind != Node::Kind::boolean) value.fail("must be true or false");
  return value.boolean;
}

Bytes to_bytes(const Node& value) { return read_unit(value, parse_bytes, legal::bytes); }
BufferSize to_buffer_size(const Node& value) {
  return read_unit(value, parse_buffer_size, legal::buffer_size);
}
BitRate to_rate(const Node& value) { return read_unit(value, parse_rate, legal::rate); }
BitRate to_port_rate(const Node& value) {
  const BitRate rate = to_rate(value);
  if (!is_port_rate(rate)) value.fail(legal_port_rates());
  return rate;
}
Picoseconds to_time(const Node& value) {
  const Picoseconds time = read_unit(value, parse_time, legal::time);
  if (max_moment < time) value.fail(std::string{legal::moment});
  return time;
}
Picoseconds to_positive_time(const Node& value) { return some_time(value, to_time(value)); }
Picoseconds to_duration(const Node& value) {
  const Picoseconds time = to_time(value);
  if (max_duration < time) value.fail(std::string{legal::duration});
  return time;
}
Picoseconds to_positive_duration(const Node& value) { return some_time(value, to_duration(value)); }
Picoseconds to_short_time(const Node& value) {
  constexpr Picoseconds longest{picoseconds_per_second};
  const Picoseconds time = to_time(value);
  if (time == Picoseconds{} || longest < time)
    value.fail("must be more than 0 and at most \"1 s\"");
  return time;
}
ResponseTime to_response(const Node& value) {
  return read_unit(value, parse_response, legal::response);
}
ClockPeriod to_clock(const Node& value) { return read_unit(value, parse_clock, legal::clock); }
Millimetres to_cable(const Node& value) { return read_unit(value, parse_cable, legal::cable); }
std::uint32_t to_cycles(const Node& value) { return read_unit(value, parse_cycles, legal::cycles); }

Alpha to_alpha(const Node& value) { return to_alpha(value, legal::alpha); }

Alpha to_alpha(const Node& value, std::string_view legal) {
  // Also the 4 and 0.125 of alpha = 4 and alpha = 0.125; their text is the same.
  const bool readable = value.kind == Node::Kind::text || value.kind == Node::Kind::integer ||
                        value.kind == Node::Kind::other;
  const auto alpha = readable ? parse_alpha(value.text) : std::nullopt;
  if (!alpha) value.fail(std::string{legal});
  return *alpha;
}

std::int64_t to_integer(const Node& value, std::int64_t low, std::int64_t high) {
  if (value.kind == Node::Kind::integer && value.integer >= low && value.integer <= high) {
    return value.integer;
  }
  value.fail("must be a whole number from " + std::to_string(low) + " to " + std::to_string(high));
}

Quanta to_quanta(const Node& value) {
  return Quanta{static_cast<std::uint16_t>(to_integer(value, 1, max_quanta.count()))};
}

std::vector<std::uint32_t> to_numbers(const Node& value, std::uint32_t end) {
  NumberList list{value, end};
  if (value.is_array()) {
    for (const Node& element : value.children)
      list.add(element, static_cast<std::uint64_t>(to_integer(element, 0, end - 1)));
  } else if (value.kind == Node::Kind::integer) {
    list.add(static_cast<std::uint64_t>(to_integer(value, 0, end - 1)));
  } else {
    const std::string text = to_text(value);
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t comma = std::min(text.find(',', begin), text.size());
      add_range(std::string_view{text}.substr(begin, comma - begin), list);
      begin = comma + 1;
    }
  }
  return list.numbers;
}

std::vector<std::uint32_t> to_some_numbers(const Node& value, std::uint32_t end) {
  if (value.is_array() && value.children.empty()) value.fail("must name at least one");
  return to_numbers(value, end);
}

Cells to_cells_up(const Node& value, Bytes cell) {
  const auto cells = to_buffer_size(value).cells_up(cell);
  if (!cells) value.fail("must be less than 2^32 cells");
  return *cells;
}

Cells to_cells_down(const Node& value, Bytes cell) {
  const auto cells = to_buffer_size(value).cells_down(cell);
  if (!cells) value.fail("must be less than 2^32 cells");
  return *cells;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

std::string nearest(const std::string& word, const std::vector<std::string>& words) {
  // Two swapped letters count as two changes; a short word tolerates fewer, or it would match
  // anything.
  const std::size_t tolerated =
      std::min<std::size_t>(std::max<std::size_t>(word.size() / 3, 2), word.size() / 2);
  std::string best;
  std::size_t least = tolerated + 1;
  for (const std::string& candidate : words) {
    const std::size_t changes = distance(word, candidate);
    if (changes >= least) continue;
    least = changes;
    best = candidate;
  }
  return best;
}

std::string there_is_no(const std::string& what, const std::string& word,
                        const std::vector<std::string>& words) {
  constexpr std::size_t shown = 16;
  const std::string text = "there is no " + what + word;
  if (words.empty()) return text + "; there are none";
  const std::string meant = nearest(word, words);
  const auto end = words.begin() + static_cast<std::ptrdiff_t>(std::min(shown, words.size()));
  return text + (meant.empty() ? "" : ", did you mean " + meant + "?") +
         "; there are: " + joined({words.begin(), end}) + (words.size() > shown ? ", ..." : "");
}

TableReader::TableReader(const Node& node) : node_{node} {
  if (!node.is_table()) node.fail("must be a table of keys");
}

TableReader::TableReader(const Node& node, ErrorList& errors) : TableReader{node} {
  errors_ = &errors;
  errors_before_ = errors.size();
}

const std::vector<Node>& list_of_tables(const Node& list) {
  const bool tables = list.is_array() && std::all_of(list.children.begin(), list.children.end(),
                                                     [](const Node& n) { return n.is_table(); });
  if (!tables) list.fail("must be a list of tables: [[" + list.name + "]]");
  return list.children;
}

const std::vector<Node>& tables_by_name(const Node& group) {
  if (!group.is_table()) group.fail("must be tables, [" + group.path + ".NAME]");
  return group.children;
}

const std::vector<Node>& TableReader::tables(std::string_view key) {
  static const std::vector<Node> none;
  const Node* const list = find(key);
  return list == nullptr ? none : list_of_tables(*list);
}

const std::vector<Node>& TableReader::named_tables(std::string_view key) {
  static const std::vector<Node> none;
  const Node* const group = find(key);
  return group == nullptr ? none : tables_by_name(*group);
}

TableReader TableReader::table(const Node& node) const {
  return errors_ == nullptr ? TableReader{node} : TableReader{node, *errors_};
}

const Node* TableReader::find(std::string_view key) {
  if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.emplace_back(key);
  return node_.find(key);
}

void TableReader::finish(const Hint& hint) {
  for (const Node& child : node_.children) {
    if (std::find(known_.begin(), known_.end(), child.name) != known_.end()) continue;
    std::string meant = hint ? hint(child) : std::string{};
    if (meant.empty()) meant = nearest(child.name, known_);
    attempt([&] {
      child.fail("unknown key" + (meant.empty() ? "" : ", did you mean " + meant + "?") +
                 "; legal here: " + joined(known_));
    });
  }
}

}  // namespace weir
