// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>

#include "graph_layout.hpp"
#include "weir/trace/summary/json_tree.hpp"

namespace weir {

/// How many there are in all, where the JSON of a page has the first of them only.
struct PfcCounts {
  std::size_t flows, findings;
};

/// The page of `weir pfc`, from its JSON. `title`: of the captures, as text.
[[nodiscard]] std::string pfc_page(const std::string& title, const JsonValue& report,
                                   const PfcCounts& all, const GraphLayouter& layouter);

}  // namespace weir
