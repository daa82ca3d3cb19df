// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "weir/config/format/reader.hpp"
#include "weir/config/sweep/sweep.hpp"

// Tables of a sweep file about the results of its runs (sweep_answers.cpp).
namespace weir {

/// A key as for `--set`. Errors: FileError of `value`.
[[nodiscard]] std::string to_sweep_key(const Node& value, const std::string& key);

/// A key, or a list of keys that get the same value.
[[nodiscard]] std::vector<std::string> to_sweep_keys(const Node& value);

void read_figures(TableReader& document, Sweep& sweep);
void read_goal(TableReader& document, Sweep& sweep);
void read_pareto(TableReader& document, Sweep& sweep);
void read_size(TableReader& document, Sweep& sweep);

}  // namespace weir
