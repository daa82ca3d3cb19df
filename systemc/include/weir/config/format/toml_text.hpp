// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "weir/config/format/node.hpp"

namespace weir {

/// `document` as TOML that reads back as the same. With `origins`, a comment after each value names
/// its file and line.
/// Range: tables, arrays, texts, integers and booleans; lists of tables are [[NAME]] at the root
/// and inline elsewhere.
[[nodiscard]] std::string to_toml(const Node& document, bool origins = false);

/// `text` as a TOML string, in quotes.
[[nodiscard]] std::string toml_quoted(const std::string& text);
/// `name` as a TOML key: without quotes where that is legal.
[[nodiscard]] std::string toml_key(const std::string& name);
/// "0-3,8": ascending numbers as to_numbers() reads them.
[[nodiscard]] std::string ranges_of(const std::vector<std::uint32_t>& numbers);

/// Nodes that are created, not read: each has an origin (the source of the value) and a path (its
/// name in messages).
[[nodiscard]] Node text_node(std::string text, const Node& from);
[[nodiscard]] Node integer_node(std::int64_t value, const Node& from);
[[nodiscard]] Node boolean_node(bool value, const Node& from);
/// The table `name` in `parent`, created if missing.
[[nodiscard]] Node& table_in(Node& parent, const std::string& name, const Node& from);
/// Puts `value` under `name` and replaces an earlier value. The path stays if the value has one.
void put(Node& table, const std::string& name, Node value);

}  // namespace weir
