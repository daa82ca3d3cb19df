// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "weir/config/format/error_list.hpp"
#include "weir/config/format/node.hpp"
#include "weir/core/chip.hpp"

namespace weir {

/// Reads a chip file (docs/reference/chip-format.md), applies `overrides` (`key=value`, like
/// `--set`), converts sizes to whole cells, derives the other values (shared cells B of every pool,
/// lanes, response times) and checks the result.
///
/// Rounding: pools down, what is reserved or kept free (private, headroom, queue minimum,
/// xon_offset) up, limits (xon, limit of `static`) down.
/// Errors: FileError; FileErrors with all of them where there are several.
[[nodiscard]] Chip load_chip(const std::filesystem::path& file,
                             const std::vector<std::string>& overrides = {});

/// The same from TOML text; `name` is used as the file name in messages.
[[nodiscard]] Chip parse_chip(std::string_view toml, const std::string& name,
                              const std::vector<std::string>& overrides = {});

/// The same from a document that is already read and contains its overrides.
[[nodiscard]] Chip build_chip(const Node& document);
/// The same; errors are added to `errors`, and the chip is what could be read in spite of them.
/// Without errors in [chip] and [[port]] it has its ports.
[[nodiscard]] Chip build_chip(const Node& document, ErrorList& errors);

}  // namespace weir
