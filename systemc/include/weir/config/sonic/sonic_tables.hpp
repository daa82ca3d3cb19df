// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
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

  [[nodiscard]] const Node* table(std::string_view name) const noexcept;
  /// The row `key` of `table`, or nullptr.
  [[nodiscard]] const Node* row(std::string_view table, std::string_view key) const noexcept;
  /// Adds a row, and its table where there is none. Errors: FileError where the same row is there
  /// with other contents.
  void add_row(Node row, const std::string& table);

 private:
  struct Place {
    std::size_t number;                                    // of its list
    std::map<std::string, std::size_t, std::less<>> rows;  // of a table
  };
  std::map<std::string, Place, std::less<>> places_;  // a configuration may have 100,000 rows
};

/// Reads config_db.json, qos.json, buffers.json (objects of tables, or the older list of operations
/// `{"BUFFER_POOL_TABLE:name": {...}, "OP": "SET"}`) and pg_profile_lookup.ini from `folder`.
///
/// Errors: FileError: no such folder, none of the files in it, no JSON, a table or row that is not
/// an object, the same row with different contents in two places, a bad row of the lookup file.
/// Source: [SONIC].
[[nodiscard]] SonicTables read_sonic(const std::filesystem::path& folder);

/// The rows of a pg_profile_lookup.ini: "speed cable size xon xoff threshold [xon_offset]".
/// Errors: FileError with the line: no such file, a bad row, a speed and cable twice,
/// more than 10,000 rows.
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
