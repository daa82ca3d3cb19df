// SPDX-License-Identifier: Apache-2.0
#include "report_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "html.hpp"
#include "page_assets.hpp"
#include "report_parts.hpp"
#include "text/format.hpp"
#include "weir/core/errors.hpp"

namespace weir {
namespace {

std::string occupancy_section(const ReportJson& report) {
  std::string text = "<h2 id=occupancy>Occupancy against threshold</h2>\n";
  if (!has_values(report, "pool") && !has_values(report, "group") && !has_values(report, "queue"))
    return text + "<p>Nothing was recorded: no packet came to an MMU of the model.</p>\n";
  const ReportJson& occupancy = report.at("occupancy");
  text += fmt::format(
      "<p>A band reaches from the least to the most of every {}, the line is the last value: no "
      "peak is left out. Drag to zoom, double-click to see all, or with the keyboard: arrows, "
      "plus, "
      "minus, Home. Shown: <span class=window>the whole run</span>.</p>\n",
      format_quantity(Picoseconds{occupancy.at("bucket_ps").get<std::uint64_t>()}));
  text += chart_buttons();
  if (has_values(report, "pool"))
    text += chart_panel("pool", "Shared cells of a pool and their limit B", "pool");
  if (has_values(report, "group"))
    text += chart_panel("group", "Cells of a priority group and its limit T", "priority group");
  if (has_values(report, "queue"))
    text += chart_panel("queue", "Cells that wait in an egress queue", "queue");
  if (has_values(report, "band"))
    text +=
        "<p>A pool by who holds it: the bands add up to all its cells, at the end of each "
        "step of time.</p>\n" +
        chart_panel("band", "Who holds a pool", "pool");
  return text;
}

// A report.json of an older version has none.
ReportJson rates_of(const ReportJson& report) {
  if (report.contains("rates")) return report.at("rates");
  return {{"bucket_ps", 1}, {"end_ps", 1}, {"values", ReportJson::array()}};
}

std::string rate_section(const ReportJson& report) {
  if (rates_of(report).at("values").empty()) return "";
  return "<h2 id=rates>Rates of connections</h2>\n<p>R_C of the connections that end at a host, by "
         "the samples of <code>[monitor]</code>: of at most 8 hosts the 8 connections with the "
         "most "
         "CNPs. All of them are in <code>rate_samples</code> of events.sqlite, with R_T and "
         "alpha.</p>\n" +
         chart_panel("rate", "Rates of connections, in Mbps", "receiver");
}

// A line for each kind of chip, with its switches.
std::string chip_lines(const ReportJson& summary) {
  constexpr std::size_t max_names = 8;
  struct Kind {
    std::string text, names;
    std::size_t switches{0};
  };
  std::vector<Kind> kinds;
  for (const ReportJson& node : summary.at("switches")) {
    const auto source = node.at("source").get<std::string>();
    const std::string text = fmt::format(
        "{}, {} ports, cells of {} B{}", escaped(node.at("chip").get<std::string>()),
        node.at("port_count").get<std::uint64_t>(), node.at("cell_bytes").get<std::uint64_t>(),
        source.empty() ? "" : ". Source: " + escaped(source));
    auto kind = std::find_if(kinds.begin(), kinds.end(),
                             [&](const Kind& other) { return other.text == text; });
    if (kind == kinds.end()) kind = kinds.insert(kind, {text, ""});
    if (++kind->switches <= max_names)
      kind->names +=
          (kind->names.empty() ? "" : ", ") + escaped(node.at("name").get<std::string>());
  }
  std::string text;
  for (const Kind& kind : kinds)
    text += fmt::format(
        "<p class=quiet>{}{}: {}</p>\n", kind.names,
        max_names < kind.switches ? fmt::format(" and {} more", kind.switches - max_names) : "",
        kind.text);
  return text;
}

std::string heading(const ReportJson& summary, const ReportJson& report) {
  const Picoseconds time{summary.at("time_ps").get<std::uint64_t>()};
  std::string text =
      fmt::format("<h1>{}</h1>\n", escaped(summary.at("scenario").get<std::string>()));
  const auto description = summary.at("description").get<std::string>();
  if (!description.empty()) text += fmt::format("<p>{}</p>\n", escaped(description));
  text += fmt::format("<p>{} simulated, seed {}, Weir {}", format_quantity(time),
                      summary.at("seed").get<std::uint64_t>(),
                      escaped(report.at("version").get<std::string>()));
  if (summary.contains("warm_up_ps"))
    text +=
        fmt::format("; counted from {} on (warm_up)",
                    format_quantity(Picoseconds{summary.at("warm_up_ps").get<std::uint64_t>()}));
  if (summary.at("interrupted").get<bool>())
    text += fmt::format("; <span class=\"verdict bad\">INTERRUPTED</span>, {} were asked for",
                        format_quantity(Picoseconds{summary.at("until_ps").get<std::uint64_t>()}));
  text += "</p>\n";
  return text + chip_lines(summary) +
         "<nav aria-label=Sections><a href=#verdicts>Verdicts</a><a "
         "href=#occupancy>Occupancy</a>" +
         (has_first_xoffs(report) ? "<a href=#xoff>First XOFF</a>" : "") +
         (marking_section(summary).empty() ? "" : "<a href=#marks>Marks</a>") +
         (rate_section(report).empty() ? "" : "<a href=#rates>Rates</a>") +
         "<a href=#pauses>Pauses</a><a href=#traffic>Links and queues</a><a "
         "href=#propagation>Propagation</a><a href=#drops>Drops</a><a "
         "href=#events>Deadlocks, watchdogs, faults</a><a href=#latency>Latency</a>" +
         (summary.contains("completions") ? "<a href=#completion>Completion</a>" : "") +
         "<a "
         "href=#headroom>Headroom</a>" +
         (burst_section(report).empty() ? "" : "<a href=#bursts>Bursts</a>") +
         "<a href=#counters>Counters</a><a "
         "href=#configuration>Configuration</a></nav>\n";
}

// The page; `charts` is what its script draws.
std::string page_of(const ReportJson& summary, const ReportJson& report,
                    const GraphLayouter& layouter, std::string charts) {
  const std::string body =
      heading(summary, report) + headline_section(summary) + verdict_section(summary) +
      occupancy_section(report) + first_xoff_section(report) + marking_section(summary) +
      rate_section(report) + pause_section(report) + traffic_section(report) +
      propagation_section(summary, report, layouter) + drop_section(summary, report) +
      event_section(summary, report) + latency_section(report) +
      completion_section(summary, report) + headroom_section(report) + burst_section(report) +
      counter_section(summary, report) + configuration_section(report);
  return html_page(
      page_with_charts(summary.at("scenario").get<std::string>(), body, std::move(charts)));
}

// What no run has written is an error of this program's input, not of the JSON library.
template <class Make>
std::string guarded(Make&& make) {
  try {
    return make();
  } catch (const ReportJson::exception& error) {
    throw ModelError(std::string{"report.html: "} + error.what());
  }
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

bool has_values(const ReportJson& report, const char* kind) {
  for (const ReportJson& value : report.at("occupancy").at("values"))
    if (value.at("kind") == kind) return true;
  return false;
}

std::string report_page(const std::string& summary_json, const std::string& report_json,
                        const GraphLayouter& layouter) {
  return guarded([&] {
    const ReportJson report = ReportJson::parse(report_json);
    return page_of(ReportJson::parse(summary_json), report, layouter,
                   fmt::format("{{\"occupancy\":{},\"rates\":{}}}", report.at("occupancy").dump(),
                               rates_of(report).dump()));
  });
}

std::string report_page_of_run(const std::string& summary_json, ReportText report,
                               const GraphLayouter& layouter) {
  return guarded([&] {
    return page_of(ReportJson::parse(summary_json), ReportJson::parse(report.sections), layouter,
                   std::move(report.charts));
  });
}

}  // namespace weir
