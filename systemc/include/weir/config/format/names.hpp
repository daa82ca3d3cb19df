// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "weir/config/format/node.hpp"

namespace weir {

/// Names of switches, hosts, pools and profiles: 1 to 64 letters, digits, `_` and `-` of ASCII.
/// They are parts of paths (`T0.port[2]`, --set, waveforms, names of SystemC modules), of patterns
/// and of lists, so no character that has a meaning there is part of a name.
[[nodiscard]] bool is_name(std::string_view text) noexcept;
/// `what` "switch": of which `name` is the name. Errors: FileError at `place` when it is not a
/// name.
void check_name(const Node& place, std::string_view what, std::string_view name);

/// Names of things that are only shown (chips, traffic): a line of text, without control
/// characters (those of printable_line()). Errors: FileError for anything else.
[[nodiscard]] std::string to_title(const Node& value);

/// Names of scenarios, sweeps and workloads, which are those of their result folders as well: a
/// title without
/// "/" and without "." in front. Errors: FileError for anything else.
[[nodiscard]] std::string to_folder_name(const Node& value);

/// Names that a pattern or a list may have, at most.
constexpr std::size_t max_names = 65'536;

/// Names of nodes: "h3", "h[0-15]", "T[0-3,8]h[0-7]" (the last number counts fastest), or a list of
/// these. They are counted before they are made.
/// Errors: FileError when a bracket is wrong, a list is empty, or there are more than max_names.
[[nodiscard]] std::vector<std::string> to_names(const Node& value);

/// The order of nodes wherever it must not depend on the file: numbers in names are compared as
/// numbers, so T2 comes before T10.
[[nodiscard]] bool natural_less(const std::string& a, const std::string& b) noexcept;

}  // namespace weir
