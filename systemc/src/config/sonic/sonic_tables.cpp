// SPDX-License-Identifier: Apache-2.0
#include "weir/config/sonic/sonic_tables.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <sstream>
#include <system_error>
#include <utility>

#include "sonic/sonic_sections.hpp"
#include "weir/config/format/document.hpp"
#include "weir/config/format/reader.hpp"
#include "weir/config/format/units.hpp"

namespace weir {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_lookup_rows = 10'000;  // each port may look for its own

void check_table(const Node& node, const char* what) {
  if (!node.is_table()) node.fail(std::string{"must be "} + what);
}

bool same_contents(const Node& a, const Node& b) {
  if (a.children.size() != b.children.size() || a.text != b.text) return false;
  std::map<std::string_view, const Node*> fields;
  for (const Node& child : b.children) fields.emplace(child.name, &child);
  return std::all_of(a.children.begin(), a.children.end(), [&](const Node& child) {
    const auto other = fields.find(child.name);
    return other != fields.end() && same_contents(child, *other->second);
  });
}

void name_paths(Node& row, const std::string& table) {
  row.path = table + "|" + row.name;
  for (Node& field : row.children) field.path = row.path + "." + field.name;
}

void add_object(Node document, SonicTables& tables) {
  for (Node& table : document.children) {
    check_table(table, "a table of CONFIG_DB: an object of rows");
    for (Node& row : table.children) tables.add_row(std::move(row), table.name);
  }
}

// "BUFFER_PG_TABLE:Ethernet0:3-4" is row "Ethernet0|3-4" of table BUFFER_PG.
void add_operation(Node operation, SonicTables& tables) {
  check_table(operation, "an operation: an object");
  for (Node& row : operation.children) {
    if (row.name == "OP") {
      if (row.text != "SET") row.fail("must be \"SET\": a configuration has no other operation");
      continue;
    }
    const std::size_t colon = row.name.find(':');
    if (colon == std::string::npos) row.fail("must be named TABLE:key");
    std::string table = row.name.substr(0, colon);
    constexpr std::string_view suffix = "_TABLE";
    if (suffix.size() < table.size() &&
        table.compare(table.size() - suffix.size(), suffix.size(), suffix) == 0)
      table.resize(table.size() - suffix.size());
    row.name.erase(0, colon + 1);
    std::replace(row.name.begin(), row.name.end(), ':', '|');
    tables.add_row(std::move(row), table);
  }
}

void add_json(const fs::path& file, SonicTables& tables) {
  const std::string text = read_text(file, Origin{}, "");
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos || text[first] != '[') {
    add_object(parse_json(text, file.string()), tables);
    return;
  }
  Node list = parse_json("{\"operations\": " + text + "}", file.string());
  for (Node& operation : list.children.front().children)
    add_operation(std::move(operation), tables);
}

Node number_in(const std::string& word, const Origin& origin, const char* column,
               std::int64_t low = 0) {
  Node node;
  node.kind = Node::Kind::text;
  node.origin = origin;
  node.name = node.path = column;
  node.text = word;
  node.integer = sonic_number(node, low, sonic_sections::max_bytes);
  node.kind = Node::Kind::integer;
  return node;
}

SonicLookupRow lookup_row(const std::vector<std::string>& words, const Origin& origin) {
  if (words.size() < 6 || 7 < words.size()) {
    throw FileError{origin, "row", std::to_string(words.size()) + " values",
                    "must be speed, cable, size, xon, xoff, threshold and perhaps xon_offset"};
  }
  SonicLookupRow row;
  static_cast<void>(number_in(words[0], origin, "speed"));
  row.speed = words[0];
  row.cable = words[1];
  row.size = number_in(words[2], origin, "size");
  row.xon = number_in(words[3], origin, "xon");
  row.xoff = number_in(words[4], origin, "xoff");
  // dynamic_th or static_th, as the mode of the pool says.
  row.threshold = number_in(words[5], origin, "threshold", min_dynamic_th);
  row.xon_offset.kind = Node::Kind::other;
  if (words.size() == 7) row.xon_offset = number_in(words[6], origin, "xon_offset");
  return row;
}

}  // namespace

std::vector<SonicLookupRow> read_sonic_lookup(const fs::path& file) {
  std::istringstream lines{read_text(file, Origin{}, "")};
  std::vector<SonicLookupRow> rows;
  std::map<std::pair<std::string, std::string>, std::uint32_t> line_of;  // a speed and a cable
  Origin origin{file.string(), 0};
  for (std::string line; std::getline(lines, line);) {
    ++origin.line;
    std::istringstream in{line};
    std::vector<std::string> words;
    for (std::string word; in >> word;) words.push_back(word);
    if (words.empty() || words.front().front() == '#') continue;
    SonicLookupRow row = lookup_row(words, origin);
    const auto [other, is_new] = line_of.try_emplace({row.speed, row.cable}, origin.line);
    if (!is_new)
      throw FileError{origin, "row", row.speed + " " + row.cable,
                      "is given already, in line " + std::to_string(other->second)};
    rows.push_back(std::move(row));
    if (max_lookup_rows < rows.size())
      throw FileError{origin, "row", std::to_string(rows.size()),
                      "must not have more than " + std::to_string(max_lookup_rows) + " rows"};
  }
  return rows;
}

const Node* SonicTables::table(std::string_view name) const noexcept {
  const auto place = places_.find(name);
  return place == places_.end() ? nullptr : &tables.children[place->second.number];
}

const Node* SonicTables::row(std::string_view table_name, std::string_view key) const noexcept {
  const auto place = places_.find(table_name);
  if (place == places_.end()) return nullptr;
  const auto number = place->second.rows.find(key);
  if (number == place->second.rows.end()) return nullptr;
  return &tables.children[place->second.number].children[number->second];
}

void SonicTables::add_row(Node row, const std::string& table_name) {
  check_table(row, "an object of fields");
  const auto [place, is_new] = places_.try_emplace(table_name, Place{tables.children.size(), {}});
  if (is_new) {
    Node added;
    added.name = added.path = table_name;
    added.origin = row.origin;
    tables.children.push_back(std::move(added));
  }
  Node& table = tables.children[place->second.number];
  name_paths(row, table_name);
  const auto [number, is_new_row] = place->second.rows.try_emplace(row.name, table.children.size());
  if (is_new_row) {
    table.children.push_back(std::move(row));
    return;
  }
  const Node& other = table.children[number->second];
  if (!same_contents(other, row))
    row.fail("contradicts " + other.origin.file + ":" + std::to_string(other.origin.line) +
             ", which has other values for it");
}

SonicTables read_sonic(const fs::path& folder) {
  const Origin nowhere{};
  const std::string named = "\"" + folder.string() + "\"";
  std::error_code error;
  if (!fs::is_directory(folder, error)) throw FileError{nowhere, "", named, "no such folder"};
  SonicTables result;
  result.folder = folder.string();
  for (const char* name : {"config_db.json", "qos.json", "buffers.json"}) {
    if (!fs::exists(folder / name)) continue;
    add_json(folder / name, result);
    result.files.emplace_back(name);
  }
  if (result.files.empty()) {
    throw FileError{
        nowhere, "", named,
        "is not a SONiC configuration: it holds neither config_db.json nor buffers.json"};
  }
  const char* const lookup = "pg_profile_lookup.ini";
  if (fs::exists(folder / lookup)) {
    result.lookup_file = (folder / lookup).string();
    result.lookup = read_sonic_lookup(folder / lookup);
    result.files.emplace_back(lookup);
  }
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (std::find(result.files.begin(), result.files.end(), name) == result.files.end())
      result.ignored.push_back(name);
  }
  std::sort(result.ignored.begin(), result.ignored.end());
  return result;
}

std::string sonic_reference(const Node& value, std::string_view table) {
  std::string name = to_text(value);
  const bool bracketed = name.size() > 2 && name.front() == '[' && name.back() == ']';
  if (bracketed) name = name.substr(1, name.size() - 2);
  const std::size_t bar = name.find_first_of("|:");
  if (bar == std::string::npos) {
    if (name.empty() || bracketed) value.fail("must name a row of " + std::string{table});
    return name;
  }
  const std::string said = name.substr(0, bar);
  if (said != table && said != std::string{table} + "_TABLE")
    value.fail("must refer to " + std::string{table} + ", as in \"[" + std::string{table} +
               "|...]\"");
  return name.substr(bar + 1);
}

std::int64_t sonic_number(const Node& value, std::int64_t low, std::int64_t high) {
  std::optional<std::int64_t> number;
  if (value.kind == Node::Kind::integer) number = value.integer;
  if (value.kind == Node::Kind::text) number = parse_integer(value.text);
  if (!number || *number < low || high < *number)
    value.fail("must be a whole number from " + std::to_string(low) + " to " +
               std::to_string(high));
  return *number;
}

std::vector<std::string> sonic_list(std::string_view text) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t comma = text.find(',');
    parts.emplace_back(text.substr(0, comma));
    if (comma == std::string_view::npos) return parts;
    text.remove_prefix(comma + 1);
  }
}

}  // namespace weir
