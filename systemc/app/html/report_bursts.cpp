// SPDX-License-Identifier: Apache-2.0
// Bursts in the report page: how much of what came for an egress queue the buffer held.
#include <fmt/format.h>

#include "html.hpp"
#include "report_parts.hpp"
#include "text/format.hpp"

namespace weir {
namespace {

void add_size(HtmlTable& table, const JsonValue& json, const char* key) {
  const Bytes bytes{count_at(json, key)};
  table.number(format_quantity(bytes), static_cast<double>(bytes.count()));
}

void add_number(HtmlTable& table, std::uint64_t count) {
  table.number(format_quantity(count), static_cast<double>(count));
}

void add_moment(HtmlTable& table, Picoseconds time) {
  table.number(format_quantity(time), static_cast<double>(time.count()));
}

void add_row(HtmlTable& table, const JsonValue& row) {
  table.text(text_at(row, "switch")).text(text_at(row, "name"));
  add_number(table, count_at(row, "bursts"));
  add_number(table, count_at(row, "absorbed"));
  add_size(table, row, "max_absorbed_bytes");
  const JsonValue& largest = row.at("largest");
  const std::uint64_t held = count_at(largest, "held_bytes");
  const std::uint64_t by_then = count_at(largest, "came_by_then_bytes");
  add_size(table, largest, "came_bytes");
  add_size(table, largest, "held_bytes");
  table.number(by_then == 0 ? "-" : format_percent(held, by_then),
               by_then == 0 ? 0.0 : static_cast<double>(held) / static_cast<double>(by_then));
  add_size(table, largest, "refused_bytes");
  add_number(table, count_at(largest, "xoffs"));
  const Picoseconds from = time_at(largest, "from_ps");
  add_moment(table, from);
  add_moment(table, saturating_subtract(time_at(largest, "until_ps"), from));
}

}  // namespace

// A report.json of an older version has no bursts.
std::string burst_section(const JsonValue& report) {
  if (!report.contains("bursts") || report.at("bursts").at("deepest").empty()) return "";
  const JsonValue& all = report.at("bursts");
  std::string out =
      "<h2 id=bursts>Bursts</h2>\n<p>A burst is what comes for an egress queue from when it is "
      "empty until it is empty again. It is absorbed if the switch refuses no frame of it, and no "
      "frame of it turns a priority group to XOFF. The largest burst of a queue is that of which "
      "the queue held most at one time; the share is that of what had come by then, the rest had "
      "left or was refused.</p>\n";
  HtmlTable table{{{"switch"},
                   {"egress queue"},
                   {"bursts", true},
                   {"absorbed", true},
                   {"most held of an absorbed one", true},
                   {"the largest: came", true},
                   {"held", true},
                   {"share held", true},
                   {"refused", true},
                   {"XOFFs", true},
                   {"from", true},
                   {"lasted", true}},
                  true};
  for (const JsonValue& row : all.at("deepest")) add_row(table, row);
  out += "<div class=wide tabindex=0>" + table.done() + "</div>\n";
  if (all.at("deepest").size() < count_at(all, "queue_count"))
    out += fmt::format("<p>The {} deepest of {} queues.</p>\n", all.at("deepest").size(),
                       count_at(all, "queue_count"));
  return out;
}

}  // namespace weir
