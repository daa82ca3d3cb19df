// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "weir/config/format/node.hpp"

namespace weir {

/// Reads a configuration file: TOML, or JSON where the name ends in `.json`. "-" is stdin: JSON
/// where it begins with "{"; it is kept, so that it may be read again.
/// Errors: FileError when it cannot be read, or is not TOML or JSON (with the line).
[[nodiscard]] Node read_document(const std::filesystem::path& file);
/// The same for a file that another one names: a message points to `key` at `origin` when the file
/// cannot be read.
[[nodiscard]] Node read_document(const std::filesystem::path& file, const Origin& origin,
                                 const std::string& key);

/// The same from text; `name` is used as the file name in messages.
[[nodiscard]] Node parse_toml(std::string_view text, const std::string& name);
[[nodiscard]] Node parse_json(std::string_view text, const std::string& name);

/// Applies `--set` overrides, each `key=value`, in order.
///
/// The key is a dotted path; an element of a list is `traffic[0]`, or the `name` of a table in it
/// (`traffic.background.rate`). The value is read as TOML if it is TOML (`4`, `true`, `[1, 2]`),
/// otherwise it is a string (`40 Gbps`). Missing tables on the path are created; an unknown key is
/// reported when the document is read.
/// Errors: FileError that names `--set`: no `=`, an empty key, an element that does not exist.
void apply_overrides(Node& document, const std::vector<std::string>& overrides);

/// A configuration file and all regular files that texts of it name, next to it, and those that
/// these name. A file that cannot be read names none.
[[nodiscard]] std::vector<std::filesystem::path> files_of_document(
    const std::filesystem::path& file, const std::vector<std::string>& overrides);

/// Opens a file or a pipe. Errors: FileError, with `key` and the file as its value at `origin`,
/// when it is a directory or a device, or cannot be opened.
[[nodiscard]] std::ifstream open_text(const std::filesystem::path& file, const Origin& origin,
                                      const std::string& key);

/// Whole contents of a file, 1 GiB at most. Errors: as open_text().
[[nodiscard]] std::string read_text(const std::filesystem::path& file, const Origin& origin,
                                    const std::string& key);

}  // namespace weir
