// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "weir/config/format/node.hpp"

namespace weir {

/// A row of pg_profile_lookup.ini: the lossless profile of a speed and a cable. Values are integer
/// nodes with the line of the row; `xon_offset` is a node of kind `other` where the row has none.
struct SonicLookupRow {
  std::string speed, cable;  ///< As written: "40000", "300m".
  Node size, xon, xoff, threshold, xon_offset;
};

/// The buffer configuration of a SONiC switch, in one form for all kinds of files.
struct SonicTables {
  /// Table -> key -> field, in the names of CONFIG_DB. The path of a value reads
  /// "BUFFER_PROFILE|name.xoff".
  Node tables;
  std::string folder;
  std::string lookup_file;  ///< Empty: there is no pg_profile_lookup.ini.
  std::vector<SonicLookupRow> lookup;
  std::vector<std::string> files;    ///< Files read.
  std::vector<std::string> ignored;  ///< Other files of the folder.

  [[nodiscard]] const Node* table(std::string_view name) const noexcept {
    return tables.find(name);
  }
  /// The row `key` of `table`, or nullptr.
  [[nodiscard]] const Node* row(std::string_view table, std::string_view key) const noexcept;
};

/// Reads config_db.json, qos.json, buffers.json (objects of tables, or the older list of operations
/// `{"BUFFER_POOL_TABLE:name": {...}, "OP": "SET"}`) and pg_profile_lookup.ini from `folder`.
///
/// Errors: FileError: no such folder, none of the files in it, no JSON, a table or row that is not
/// an object, the same row with different contents in two places, a bad row of the lookup file.
/// Source: [SONIC].
[[nodiscard]] SonicTables read_sonic(const std::filesystem::path& folder);

/// The rows of a pg_profile_lookup.ini: "speed cable size xon xoff threshold [xon_offset]".
/// Errors: FileError with the line: no such file, a bad row, a speed and cable twice.
[[nodiscard]] std::vector<SonicLookupRow> read_sonic_lookup(const std::filesystem::path& file);

/// The name in a reference: `name`, `[BUFFER_POOL|name]` or `[BUFFER_POOL_TABLE:name]`. Errors:
/// FileError when it refers to another table than `table`.
[[nodiscard]] std::string sonic_reference(const Node& value, std::string_view table);

/// A number of CONFIG_DB, which writes them as strings. Errors: FileError when it is not a number,
/// or outside low..high.
[[nodiscard]] std::int64_t sonic_number(const Node& value, std::int64_t low, std::int64_t high);

/// The parts of "a,b,c".
[[nodiscard]] std::vector<std::string> sonic_list(std::string_view text);

}  // namespace weir
