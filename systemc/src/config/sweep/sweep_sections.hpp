// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "weir/config/format/reader.hpp"
#include "weir/config/sweep/sweep.hpp"

// Tables of a sweep file about the results of its runs (sweep_answers.cpp).
namespace weir {

/// A key as for `--set`. Errors: FileError of `value`.
[[nodiscard]] std::string to_sweep_key(const Node& value, const std::string& key);

void read_figures(TableReader& document, Sweep& sweep);
void read_goal(TableReader& document, Sweep& sweep);
void read_pareto(TableReader& document, Sweep& sweep);
void read_size(TableReader& document, Sweep& sweep);

}  // namespace weir
