// SPDX-License-Identifier: Apache-2.0
// Sections of the report page: HTML from summary.json and report.json.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "graph_layout.hpp"
#include "html.hpp"
#include "weir/core/units.hpp"
#include "weir/trace/summary/json_tree.hpp"

namespace weir {

[[nodiscard]] inline std::uint64_t count_at(const JsonValue& json, std::string_view key) {
  return json.at(key).number();
}
[[nodiscard]] inline std::string_view text_at(const JsonValue& json, std::string_view key) {
  return json.at(key).text();
}
[[nodiscard]] inline Picoseconds time_at(const JsonValue& json, std::string_view key) {
  return Picoseconds{count_at(json, key)};
}

// Charts over time (report_page.cpp). `kind`: what the script draws there.
[[nodiscard]] std::string chart_panel(const char* kind, const char* title, const char* choice);
[[nodiscard]] std::string chart_buttons();
/// A page whose script draws charts of `data`, which is JSON.
[[nodiscard]] PageParts page_with_charts(std::string title, std::string body, std::string data);
/// Whether the occupancy of report.json holds a value of that kind.
[[nodiscard]] bool has_values(const JsonValue& report, const char* kind);

// Tables (report_tables.cpp).
[[nodiscard]] std::string headline_section(const JsonValue& summary);
[[nodiscard]] std::string verdict_section(const JsonValue& summary);
[[nodiscard]] std::string configuration_section(const JsonValue& report);
[[nodiscard]] std::string drop_section(const JsonValue& summary, const JsonValue& report);
[[nodiscard]] std::string counter_section(const JsonValue& summary, const JsonValue& report);

// Drawings (report_drawings.cpp, report_propagation.cpp).
[[nodiscard]] std::string pause_section(const JsonValue& report);
[[nodiscard]] std::string traffic_section(const JsonValue& report);
/// `deadlocks`: those of summary.json, or nothing.
[[nodiscard]] std::string propagation_section(const JsonValue& deadlocks, const JsonValue& report,
                                              const GraphLayouter& layouter);
/// The head of an arrow, for paths with marker-end url(#head), or url(#head-caught) in a deadlock.
[[nodiscard]] std::string arrow_heads();
[[nodiscard]] std::string latency_section(const JsonValue& report);

// How much headroom was taken (report_headroom.cpp).
[[nodiscard]] std::string headroom_section(const JsonValue& report);

// What bursts the egress queues absorbed (report_bursts.cpp); nothing for a run without packets.
[[nodiscard]] std::string burst_section(const JsonValue& report);

// Marks of egress queues (report_marks.cpp); nothing where no queue has a WRED profile.
[[nodiscard]] std::string marking_section(const JsonValue& summary);

// Who held the buffer at the first XOFF (report_xoff.cpp); nothing for a run without XOFF.
[[nodiscard]] std::string first_xoff_section(const JsonValue& report);
[[nodiscard]] bool has_first_xoffs(const JsonValue& report);
/// "1,234 (257 kB)"
[[nodiscard]] std::string cells_text(std::uint64_t cells, Bytes cell);

// Messages and incasts (report_distributions.cpp); nothing for a run without them.
[[nodiscard]] std::string completion_section(const JsonValue& summary, const JsonValue& report);

// Deadlocks, watchdogs, faults (report_events.cpp).
[[nodiscard]] std::string event_section(const JsonValue& summary, const JsonValue& report);

}  // namespace weir
