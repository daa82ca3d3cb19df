// SPDX-License-Identifier: Apache-2.0
#include "pfc_page.hpp"

#include <fmt/format.h>

#include "html.hpp"
#include "page_assets.hpp"
#include "report_parts.hpp"
#include "text/counted.hpp"
#include "text/format.hpp"

namespace weir {
namespace {

// "" where all are shown.
std::string left_out(std::size_t shown, std::size_t all) {
  if (shown == all) return "";
  return fmt::format("<p>The first {} of {}; <code>weir pfc --json</code> has all.</p>\n",
                     format_quantity(shown), format_quantity(all));
}

std::string finding_section(const JsonValue& report, std::size_t all) {
  std::string out = "<h2 id=findings>Findings</h2>\n";
  if (report.at("findings").empty()) return out + "<p>None.</p>\n";
  HtmlTable table{{{"finding"},
                   {"where"},
                   {"class", true},
                   {"count", true},
                   {"first", true},
                   {"detail"},
                   {"meaning"}},
                  true};
  for (const JsonValue& row : report.at("findings")) {
    const bool fault = row.at("fault").flag();
    table.html(fmt::format("<span class=\"verdict{}\">{}</span>", fault ? " bad" : "",
                           escaped(text_at(row, "finding"))));
    table.text(text_at(row, "where"));
    table.text(row.at("class").is_null() ? "" : std::to_string(count_at(row, "class")));
    table.number(format_quantity(count_at(row, "count")),
                 static_cast<double>(count_at(row, "count")));
    table.number(format_quantity(time_at(row, "first_ps")),
                 static_cast<double>(count_at(row, "first_ps")));
    table.text(text_at(row, "detail")).text(text_at(row, "text"));
  }
  return out + left_out(report.at("findings").size(), all) + "<div class=wide tabindex=0>" +
         table.done() + "</div>\n";
}

std::string flow_section(const JsonValue& report, std::size_t all) {
  std::string out = "<h2 id=flows>Flows of PAUSE</h2>\n";
  if (report.at("flows").empty()) return out + "<p>No PAUSE was captured.</p>\n";
  HtmlTable table{{{"sent by"},
                   {"paused"},
                   {"class", true},
                   {"verdict"},
                   {"PAUSE", true},
                   {"refreshes", true},
                   {"XON", true},
                   {"paused for", true},
                   {"longest", true},
                   {"ended by XON", true},
                   {"ended by the timer", true},
                   {"open at the end", true},
                   {"unused quanta", true},
                   {"data frames", true},
                   {"late frames", true}},
                  true};
  const auto count = [&](const JsonValue& row, const char* key) {
    table.number(format_quantity(count_at(row, key)), static_cast<double>(count_at(row, key)));
  };
  const auto time = [&](const JsonValue& row, const char* key) {
    table.number(format_quantity(time_at(row, key)), static_cast<double>(count_at(row, key)));
  };
  for (const JsonValue& row : report.at("flows")) {
    table.text(text_at(row, "from")).text(text_at(row, "to"));
    count(row, "class");
    table.text(text_at(row, "verdict"));
    for (const char* key : {"pauses", "refreshes", "xons"}) count(row, key);
    for (const char* key : {"pause_time_ps", "longest_pause_ps"}) time(row, key);
    for (const char* key :
         {"ended_by_xon", "ended_by_timer", "open", "unused_quanta", "data_frames", "late_frames"})
      count(row, key);
  }
  return out + left_out(report.at("flows").size(), all) + "<div class=wide tabindex=0>" +
         table.done() + "</div>\n";
}

}  // namespace

std::string pfc_page(const std::string& title, const JsonValue& report, const PfcCounts& all,
                     const GraphLayouter& layouter) {
  const std::string body = fmt::format("<h1>{}</h1>\n<p>{}, {} of them PFC, in {}.</p>\n",
                                       escaped(title), counted(count_at(report, "frames"), "frame"),
                                       format_quantity(count_at(report, "pfc_frames")),
                                       format_quantity(time_at(report, "end_ps"))) +
                           finding_section(report, all.findings) + pause_section(report) +
                           propagation_section({}, report, layouter) +
                           flow_section(report, all.flows);
  // The script of reports sorts tables.
  return html_page({title, body, {assets::report_style}, {assets::report_script}, "{}"});
}

}  // namespace weir
