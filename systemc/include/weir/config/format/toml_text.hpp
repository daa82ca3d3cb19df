// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "weir/config/format/node.hpp"

namespace weir {

/// `document` as TOML that reads back as the same. With `origins`, a comment behind each value says
/// in which file and line it was found.
/// Range: tables, arrays, texts, integers and booleans; lists of tables are [[NAME]] at the root
/// and inline elsewhere.
[[nodiscard]] std::string to_toml(const Node& document, bool origins = false);

/// `text` as a TOML string, in quotes.
[[nodiscard]] std::string toml_quoted(const std::string& text);
/// `name` as a TOML key: bare where it may be.
[[nodiscard]] std::string toml_key(const std::string& name);

/// Nodes that are made, not read: each has an origin (where the value comes from) and a path (what
/// messages call it).
[[nodiscard]] Node text_node(std::string text, const Node& from);
[[nodiscard]] Node integer_node(std::int64_t value, const Node& from);
[[nodiscard]] Node boolean_node(bool value, const Node& from);
/// The table `name` in `parent`, made if it is not there.
[[nodiscard]] Node& table_in(Node& parent, const std::string& name, const Node& from);
/// Puts `value` under `name`; what was there is replaced. The path stays if the value has one.
void put(Node& table, const std::string& name, Node value);

}  // namespace weir
