// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "weir/trace/summary/json_tree.hpp"
#include "weir/trace/summary/summary.hpp"

namespace weir {

/// summary.json: fields and units in docs/reference/results.md. Same summary, same bytes.
[[nodiscard]] std::string to_json(const Summary& summary);
/// The same text in pieces, one call of `write` for each: of thousands of hosts it is tens of MB.
void write_json(const Summary& summary, const std::function<void(std::string_view)>& write);

/// What of it report.html shows: without hosts, queues, pools and members that no section reads,
/// and of the priorities of all ports the `most` with the most drops, then pauses, then bytes, in
/// their order. `counter_rows` in it says how many there are. Of the counters of a priority or of
/// a PG it has those that `counters` names: the columns of the page.
[[nodiscard]] JsonTree to_page_tree(const Summary& summary, std::size_t most,
                                    const std::vector<std::string_view>& counters);

}  // namespace weir
