// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "graph_layout.hpp"

namespace weir {

/// The page of `weir pfc`, from its JSON. `title`: of the captures, as text.
[[nodiscard]] std::string pfc_page(const std::string& title, const nlohmann::ordered_json& report,
                                   const GraphLayouter& layouter);

}  // namespace weir
