// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "weir/config/format/document.hpp"

namespace weir::test {

using Keys = std::set<std::string>;

/// What is between backticks in `text`, without what is in parentheses.
inline std::vector<std::string> quoted_in(std::string text) {
  for (std::size_t open = 0; (open = text.find('(')) != std::string::npos;)
    text.erase(open, text.find(')', open) - open + 1);
  std::vector<std::string> parts;
  for (std::size_t open = text.find('`'); open != std::string::npos; open = text.find('`', open)) {
    const std::size_t close = text.find('`', open + 1);
    parts.push_back(text.substr(open + 1, close - open - 1));
    open = close + 1;
  }
  return parts;
}

/// "[[fault]]" is fault, "[nic.NAME]" nic, "[classify.dscp]" dscp.
inline std::string name_in_brackets(std::string text) {
  text = text.substr(text.find_first_not_of('['));
  text = text.substr(0, text.find(']'));
  if (const std::size_t dot = text.find(".NAME"); dot != std::string::npos)
    return text.substr(0, dot);
  return text.substr(text.find('.') + 1);
}

/// A row of a table of keys: keys, legal values, default, and what else the table has.
struct KeyRow {
  std::vector<std::string> keys, cells;

  /// The default as --set takes it, of "`"9216 B"`", "`dwrr`" or "64"; "" for what is no value.
  [[nodiscard]] std::string default_value() const {
    if (cells.size() < 3) return "";
    const std::string& cell = cells[2];
    const bool quoted = cell.size() > 2 && cell.front() == '`' && cell.back() == '`';
    std::string value = quoted ? cell.substr(1, cell.size() - 2) : cell;
    if (!quoted && value.find_first_not_of("0123456789") != std::string::npos) return "";
    if (value.find_first_of("`[") != std::string::npos) return "";
    if (!value.empty() && value.front() == '"') value = value.substr(1, value.size() - 2);
    return value;
  }
};

/// A page of docs/reference with a section for each table of a format.
class KeyPage {
 public:
  explicit KeyPage(const std::string& name)
      : text_{read_text("docs/reference/" + name, Origin{}, "")} {}

  /// The rows of the tables of keys in the section whose heading begins with `heading`.
  [[nodiscard]] std::vector<KeyRow> rows(const std::string& heading) const {
    const std::size_t begin = text_.find("\n## " + heading);
    if (begin == std::string::npos) return {};
    const std::string section = text_.substr(begin, text_.find("\n## ", begin + 1) - begin);
    std::vector<KeyRow> rows;
    bool of_keys = false;
    for (std::size_t at = 0; at != std::string::npos; at = section.find('\n', at + 1)) {
      const std::string line = section.substr(at + 1, section.find('\n', at + 1) - at - 1);
      if (line.rfind("| ", 0) != 0) {
        of_keys = of_keys && line.rfind("|--", 0) == 0;
      } else if (!of_keys) {
        const std::string head = line.substr(0, line.find(" | "));
        of_keys = head.find("Key") != std::string::npos || head.find("key") != std::string::npos;
      } else {
        rows.push_back(row_of(line));
      }
    }
    return rows;
  }
  [[nodiscard]] Keys keys(const std::string& heading) const {
    Keys keys;
    for (const KeyRow& row : rows(heading)) keys.insert(row.keys.begin(), row.keys.end());
    return keys;
  }
  /// The tables that have a section.
  [[nodiscard]] Keys tables() const {
    Keys tables;
    for (std::size_t at = text_.find("\n## "); at != std::string::npos;
         at = text_.find("\n## ", at + 1))
      for (const std::string& part : quoted_in(text_.substr(at, text_.find('\n', at + 1) - at)))
        if (part.front() == '[') tables.insert(name_in_brackets(part));
    return tables;
  }

 private:
  static KeyRow row_of(const std::string& line) {
    std::vector<std::string> cells;
    for (std::size_t at = 1; at < line.size();) {
      const std::size_t end = line.find(" |", at);
      if (end == std::string::npos) break;
      cells.push_back(line.substr(at + 1, end - at - 1));
      at = end + 2;
    }
    KeyRow row{quoted_in(cells[0]), cells};
    // "`queue`: `minimum`" is a key of the table queue.
    if (cells[0].find("`: `") != std::string::npos) row.keys.erase(row.keys.begin());
    for (std::string& key : row.keys)
      if (key.front() == '[') key = name_in_brackets(key);
    return row;
  }

  std::string text_;
};

}  // namespace weir::test
