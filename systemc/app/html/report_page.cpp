// SPDX-License-Identifier: Apache-2.0
#include "report_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "html.hpp"
#include "page_assets.hpp"
#include "report_parts.hpp"
#include "text/format.hpp"
#include "weir/core/errors.hpp"
#include "weir/trace/summary/report_shape.hpp"

namespace weir {
namespace {

std::string occupancy_section(const JsonValue& report) {
  std::string text = "<h2 id=occupancy>Occupancy against threshold</h2>\n";
  if (!has_values(report, "pool") && !has_values(report, "group") && !has_values(report, "queue"))
    return text + "<p>Nothing was recorded: no packet came to an MMU of the model.</p>\n";
  const JsonValue& occupancy = report.at("occupancy");
  text += fmt::format(
      "<p>A band reaches from the least to the most of every {}, the line is the last value: no "
      "peak is left out. Drag to zoom, double-click to see all, or with the keyboard: arrows, "
      "plus, "
      "minus, Home. Shown: <span class=window>the whole run</span>.</p>\n",
      format_quantity(time_at(occupancy, "bucket_ps")));
  text += chart_buttons();
  if (has_values(report, "pool"))
    text += chart_panel("pool", "Shared cells of a pool and their limit B", "pool");
  if (has_values(report, "group"))
    text += chart_panel("group", "Cells of a priority group and its threshold T", "priority group");
  if (has_values(report, "queue"))
    text += chart_panel("queue", "Cells in an egress queue", "queue");
  if (has_values(report, "band"))
    text +=
        "<p>Cells of a pool by holder: the bands add up to all its cells, at the end of each "
        "time step.</p>\n" +
        chart_panel("band", "Cells of a pool by holder", "pool");
  return text;
}

// A report.json of an older version has no rates.
std::string rate_section(const JsonValue& report) {
  if (!report.contains("rates") || report.at("rates").at("values").empty()) return "";
  return fmt::format(
             "<h2 id=rates>Rates of connections</h2>\n<p>R_C of the connections that end at a "
             "host, by the samples of <code>[monitor]</code>: of at most {} hosts the {} "
             "connections with the most CNPs. All of them are in <code>rate_samples</code> of "
             "events.sqlite, with R_T and alpha.</p>\n",
             rate_receivers, rates_of_receiver) +
         chart_panel("rate", "Rates of connections, in Mbps", "receiver");
}

// A line for each kind of chip, with its switches.
std::string chip_lines(const JsonValue& summary) {
  constexpr std::size_t max_names = 8;
  struct Kind {
    std::string text, names;
    std::size_t switches{0};
  };
  std::vector<Kind> kinds;
  for (const JsonValue& node : summary.at("switches")) {
    const auto source = text_at(node, "source");
    const std::string text =
        fmt::format("{}, {} ports, cells of {} B{}", escaped(text_at(node, "chip")),
                    count_at(node, "port_count"), count_at(node, "cell_bytes"),
                    source.empty() ? "" : ". Source: " + escaped(source));
    auto kind = std::find_if(kinds.begin(), kinds.end(),
                             [&](const Kind& other) { return other.text == text; });
    if (kind == kinds.end()) kind = kinds.insert(kind, {text, ""});
    if (++kind->switches <= max_names)
      kind->names += (kind->names.empty() ? "" : ", ") + escaped(text_at(node, "name"));
  }
  std::string text;
  for (const Kind& kind : kinds)
    text += fmt::format(
        "<p class=quiet>{}{}: {}</p>\n", kind.names,
        max_names < kind.switches ? fmt::format(" and {} more", kind.switches - max_names) : "",
        kind.text);
  return text;
}

std::string heading(const JsonValue& summary, const JsonValue& report) {
  const Picoseconds time = time_at(summary, "time_ps");
  std::string text = fmt::format("<h1>{}</h1>\n", escaped(text_at(summary, "scenario")));
  const auto description = text_at(summary, "description");
  if (!description.empty()) text += fmt::format("<p>{}</p>\n", escaped(description));
  text += fmt::format("<p>{} simulated, seed {}, Weir {}", format_quantity(time),
                      count_at(summary, "seed"), escaped(text_at(report, "version")));
  if (summary.contains("warm_up_ps"))
    text += fmt::format("; counted from {} on (warm_up)",
                        format_quantity(time_at(summary, "warm_up_ps")));
  if (summary.at("interrupted").flag())
    text += fmt::format("; <span class=\"verdict bad\">INTERRUPTED</span>, {} were asked for",
                        format_quantity(time_at(summary, "until_ps")));
  return text + "</p>\n" + chip_lines(summary);
}

/// A part of the page; empty where the run has none of it.
struct Section {
  const char *id, *link;  ///< nullptr: no link leads there.
  std::string text;
};

std::array<Section, 17> sections_of(const JsonValue& summary, const JsonValue& report,
                                    const GraphLayouter& layouter) {
  return {{{nullptr, nullptr, headline_section(summary)},
           {"verdicts", "Verdicts", verdict_section(summary)},
           {"occupancy", "Occupancy", occupancy_section(report)},
           {"xoff", "First XOFF", first_xoff_section(report)},
           {"marks", "Marks", marking_section(summary)},
           {"rates", "Rates", rate_section(report)},
           {"pauses", "Pauses", pause_section(report)},
           {"traffic", "Links and queues", traffic_section(report)},
           {"propagation", "Propagation",
            propagation_section(summary.at("deadlocks"), report, layouter)},
           {"drops", "Drops", drop_section(summary, report)},
           {"events", "Deadlocks, watchdogs, faults", event_section(summary, report)},
           {"latency", "Latency", latency_section(report)},
           {"completion", "Completion", completion_section(summary, report)},
           {"headroom", "Headroom", headroom_section(report)},
           {"bursts", "Bursts", burst_section(report)},
           {"counters", "Counters", counter_section(summary, report)},
           {"configuration", "Configuration", configuration_section(report)}}};
}

// The page; `charts` is what its script draws.
void write_page(const JsonValue& summary, const JsonValue& report, const GraphLayouter& layouter,
                const TextPieces& charts, const std::function<void(std::string_view)>& write) {
  const std::array<Section, 17> sections = sections_of(summary, report, layouter);
  std::string head = heading(summary, report) + "<nav aria-label=Sections>";
  for (const Section& section : sections)
    if (section.link != nullptr && !section.text.empty())
      head += fmt::format("<a href=#{}>{}</a>", section.id, section.link);
  head += "</nav>\n";
  TextPieces body{head};
  for (const Section& section : sections) body.emplace_back(section.text);
  write_html_page(page_with_charts(std::string{text_at(summary, "scenario")}, "", ""), body, charts,
                  write);
}

}  // namespace

// A list to choose from, the drawing, the values under the pointer.
std::string chart_panel(const char* kind, const char* title, const char* choice) {
  return fmt::format(
      R"(<h3>{1}</h3>
<div>
<p class=controls><label>{2} <select></select></label> <span class=key></span></p>
<div class=chart data-kind={0} tabindex=0 role=img aria-label="{1} over time; arrow keys move, plus and minus zoom, Home shows all"><div></div></div>
<p class=readout aria-live=off>&nbsp;</p>
</div>
)",
      kind, title, choice);
}

std::string arrow_heads() {
  std::string out = "<defs>";
  for (const char* const kind : {"", "-caught"})
    out += fmt::format(
        "<marker id=head{0} viewBox=\"0 0 8 8\" refX=8 refY=4 markerWidth=8 markerHeight=8 "
        "markerUnits=userSpaceOnUse orient=auto><path class=head{0} d=\"M0 0L8 4L0 8z\"/></marker>",
        kind);
  return out + "</defs>\n";
}

std::string chart_buttons() {
  return "<p class=controls><button type=button data-zoom=in>zoom in</button><button type=button "
         "data-zoom=out>zoom out</button><button type=button "
         "data-zoom=left>earlier</button><button "
         "type=button data-zoom=right>later</button><button type=button "
         "data-zoom=all>all</button><label><input type=checkbox data-unit> sizes in "
         "bytes</label></p>\n";
}

PageParts page_with_charts(std::string title, std::string body, std::string data) {
  return {std::move(title),
          std::move(body),
          {assets::dygraphs_style, assets::report_style},
          {assets::dygraphs_script, assets::report_script},
          std::move(data)};
}

bool has_values(const JsonValue& report, const char* kind) {
  for (const JsonValue& value : report.at("occupancy").at("values"))
    if (text_at(value, "kind") == kind) return true;
  return false;
}

std::string report_page(const std::string& summary_json, const std::string& report_json,
                        const GraphLayouter& layouter) {
  const JsonTree summary = JsonTree::parse(summary_json), report = JsonTree::parse(report_json);
  const JsonValue* const rates = report.root().find("rates");
  const std::string occupancy = to_text(report.root().at("occupancy")),
                    of_rates = rates == nullptr ? R"({"bucket_ps":1,"end_ps":1,"values":[]})"
                                                : to_text(*rates);
  std::string page;
  write_page(summary.root(), report.root(), layouter,
             {"{\"occupancy\":", occupancy, ",\"rates\":", of_rates, "}"},
             [&](std::string_view piece) { page += piece; });
  return page;
}

void write_report_page(const JsonTree& summary, const ReportText& report,
                       const GraphLayouter& layouter,
                       const std::function<void(std::string_view)>& write) {
  TextPieces charts;
  for (const ReportText::Chart& chart : report.charts)
    charts.insert(charts.end(), {charts.empty() ? "{\"" : ",\"", chart.name, "\":", chart.json});
  charts.emplace_back("}");
  write_page(summary.root(), report.sections.root(), layouter, charts, write);
}

}  // namespace weir
