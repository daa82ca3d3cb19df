// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "html.hpp"
#include "report_page.hpp"
#include "report_parts.hpp"
#include "text/format.hpp"
#include "weir/config/scenario/metrics.hpp"
#include "weir/core/errors.hpp"
#include "weir/core/units.hpp"
#include "weir/trace/summary/row_weight.hpp"

namespace weir {
namespace {

std::string figure(const std::string& value, const std::string& what) {
  return fmt::format("<div><b>{}</b>{}</div>\n", escaped(value), escaped(what));
}

// What a metric measured, with its unit.
std::string measured(const JsonValue& result) {
  const MetricUnit unit = unit_of(text_at(result, "metric"));
  const std::string key = "measured" + std::string{unit_suffix(unit)};
  const std::uint64_t value = count_at(result, key.c_str());
  switch (unit) {
    case MetricUnit::picoseconds:
      return format_quantity(Picoseconds{value});
    case MetricUnit::bytes:
      return format_quantity(Bytes{value});
    case MetricUnit::bits_per_second:
      return format_quantity(BitRate{value});
    case MetricUnit::cells:
      return format_quantity(value) + " cells";
    case MetricUnit::ratio:
      return format_ratio(value);
    case MetricUnit::share:
      return format_share(value);
    case MetricUnit::count:
      break;
  }
  return format_quantity(value);
}

// One priority at one port, and its priority group where something arrived.
struct Row {
  const JsonValue *node, *port, *entry, *group;
  ClassWeight counted;  // looked up once: rows are compared often

  [[nodiscard]] const ClassWeight& weight() const { return counted; }
};

Row row_of(const JsonValue& node, const JsonValue& port, const JsonValue& entry,
           const JsonValue* group) {
  return {&node, &port, &entry, group,
          class_weight([&](const auto& counter) { return count_at(entry, counter.name); })};
}

std::vector<Row> rows_of(const JsonValue& summary) {
  std::vector<Row> rows;
  for (const JsonValue& node : summary.at("switches"))
    for (const JsonValue& port : node.at("ports")) {
      if (priorities < port.at("priority_groups").size())
        throw ModelError("a port has more priority groups than there are");
      for (const JsonValue& entry : port.at("priorities")) {
        const JsonValue* group = nullptr;
        for (const JsonValue& candidate : port.at("priority_groups"))
          if (count_at(candidate, "pg") == count_at(entry, "pg")) group = &candidate;
        rows.push_back(row_of(node, port, entry, group));
      }
    }
  return rows;
}

// T of groups at their first XOFF, by switch and "port[4].pg[3]".
using FirstXoffs = std::map<std::pair<std::string_view, std::string>, std::uint64_t>;

// The page of an older report.json has none.
FirstXoffs first_xoffs_of(const JsonValue& report) {
  FirstXoffs found;
  if (has_first_xoffs(report))
    for (const JsonValue& group : report.at("first_xoffs").at("groups"))
      found.emplace(std::pair{text_at(group, "switch"), std::string{text_at(group, "name")}},
                    count_at(group, "threshold_cells"));
  return found;
}

FirstXoffs::key_type place_of(const Row& row) {
  if (row.group == nullptr) return {};
  return {text_at(*row.node, "name"),
          fmt::format("port[{}].pg[{}]", count_at(*row.port, "port"), count_at(*row.group, "pg"))};
}

void add(HtmlTable& table, const Row& row, Picoseconds run, const FirstXoffs& first_xoffs) {
  const JsonValue& entry = *row.entry;
  const auto number = [&](std::uint64_t value) {
    table.number(format_quantity(value), static_cast<double>(value));
  };
  const auto bytes = [&](const char* key) {
    table.number(format_quantity(Bytes{count_at(entry, key)}),
                 static_cast<double>(count_at(entry, key)));
  };
  const auto part_of_run = [&](const char* key) {
    const Picoseconds time = time_at(entry, key);
    table.number(time == Picoseconds{} ? "0"
                                       : format_quantity(time) + " (" +
                                             format_percent(time.count(), run.count()) + ")",
                 static_cast<double>(time.count()));
  };
  const Bytes cell{count_at(*row.node, "cell_bytes")};
  const auto of_group = [&](const char* key) {
    if (row.group == nullptr)
      table.number("-", -1);
    else
      table.number(cells_text(count_at(*row.group, key), cell),
                   static_cast<double>(count_at(*row.group, key)));
  };
  table.text(text_at(*row.node, "name"));
  table.number(std::to_string(count_at(*row.port, "port")),
               static_cast<double>(count_at(*row.port, "port")));
  table.text(text_at(*row.port, "peer"));
  table.number(std::to_string(count_at(entry, "priority")),
               static_cast<double>(count_at(entry, "priority")));
  table.text(row.group == nullptr ? "-" : text_at(*row.group, "profile"));
  number(count_at(entry, "rx_packets"));
  bytes("rx_bytes");
  number(count_at(entry, "tx_packets"));
  bytes("tx_bytes");
  number(count_at(entry, "pauses_sent"));
  number(count_at(entry, "pauses_received"));
  part_of_run("upstream_pause_time_ps");
  part_of_run("pause_time_ps");
  of_group("peak_shared_cells");
  of_group("limit_at_peak_cells");
  if (const auto at_xoff = first_xoffs.find(place_of(row)); at_xoff != first_xoffs.end())
    table.number(cells_text(at_xoff->second, cell), static_cast<double>(at_xoff->second));
  else
    table.number("-", -1);
  of_group("peak_headroom_cells");
  of_group("headroom_limit_cells");
  number(row.counted.drops);
}

// From the end of the warm-up on.
Picoseconds counted_time(const JsonValue& summary) {
  const Picoseconds time = time_at(summary, "time_ps");
  return summary.contains("warm_up_ps") ? saturating_subtract(time, time_at(summary, "warm_up_ps"))
                                        : time;
}

// " (7.487 MB)" of a number of cells, where all switches have cells of one size.
std::string bytes_of_cells(const JsonValue& summary, std::uint64_t cells) {
  const JsonValue& switches = summary.at("switches");
  if (switches.empty() || cells == 0) return "";
  const std::uint64_t cell = count_at(switches.front(), "cell_bytes");
  const bool same = std::all_of(switches.begin(), switches.end(), [&](const JsonValue& node) {
    return count_at(node, "cell_bytes") == cell;
  });
  return same ? " (" + format_quantity(Bytes{cell} * cells) + ")" : "";
}

}  // namespace

std::string headline_section(const JsonValue& summary) {
  const JsonValue& totals = summary.at("totals");
  const Picoseconds run = counted_time(summary);
  const Bytes bytes{count_at(totals, "delivered_bytes")};
  std::string out = "<div class=figures>\n";
  out += figure(format_quantity(count_at(totals, "delivered_packets")),
                "packets delivered, " + format_quantity(bytes) + ", " + format_rate(bytes, run));
  out += figure(format_quantity(count_at(totals, "in_flight_packets")),
                "in flight of " + format_quantity(count_at(totals, "sent_packets")) + " sent");
  out += figure(format_quantity(count_at(totals, "lossless_drops")), "lossless packets dropped");
  out += figure(format_quantity(count_at(totals, "lossy_drops")), "lossy packets dropped");
  out += figure(format_quantity(count_at(totals, "mac_drops")), "dropped before the MMU");
  const auto figure_if_any = [&](const char* key, const char* text) {
    if (const std::uint64_t count = count_at(totals, key); count != 0)
      out += figure(format_quantity(count), text);
  };
  figure_if_any("watchdog_egress_drops", "dropped after the MMU, by watchdogs");
  figure_if_any("nic_drops", "dropped in hosts");
  figure_if_any("spoiled_packets", "lost or spoiled on links");
  out += figure(format_quantity(count_at(totals, "pauses_sent")),
                "pauses sent, " + format_quantity(count_at(totals, "resumes_sent")) + " resumes");
  out += figure(format_quantity(time_at(totals, "pause_time_ps")), "hosts paused (sum over hosts)");
  out += figure(format_quantity(count_at(totals, "peak_shared_cells")),
                "cells" + bytes_of_cells(summary, count_at(totals, "peak_shared_cells")) +
                    ": most shared in a pool of a domain");
  out += figure(format_quantity(count_at(totals, "peak_headroom_cells")),
                "cells" + bytes_of_cells(summary, count_at(totals, "peak_headroom_cells")) +
                    ": most headroom in a pool of a domain");
  if (totals.contains("ecn_marked_packets"))
    out += figure(format_quantity(count_at(totals, "ecn_marked_packets")),
                  "packets marked, " + format_share(count_at(totals, "ecn_marked_share_ppm")) +
                      " of those of queues with a WRED profile");
  if (totals.contains("cnps_sent"))
    out += figure(format_quantity(count_at(totals, "cnps_sent")), "CNPs sent");
  return out + "</div>\n";
}

std::string verdict_section(const JsonValue& summary) {
  std::string out = "<h2 id=verdicts>Verdicts</h2>\n";
  const JsonValue& results = summary.at("expect");
  if (results.empty()) return out + "<p>The scenario has no [expect].</p>\n";
  const bool judged = !summary.at("interrupted").flag();
  if (!judged) out += "<p>The run was interrupted: nothing is judged.</p>\n";
  HtmlTable table{{{"verdict"}, {"metric"}, {"expected"}, {"measured", true}}};
  for (const JsonValue& result : results) {
    table.html(!judged                   ? "-"
               : result.at("met").flag() ? "<span class=\"verdict good\">&#10003; met</span>"
                                         : "<span class=\"verdict bad\">&#10007; FAILED</span>");
    table.text(text_at(result, "metric")).text(text_at(result, "condition")).text(measured(result));
  }
  return out + table.done();
}

std::string configuration_section(const JsonValue& report) {
  HtmlTable table{{{"key"}, {"value"}, {"written in"}}};
  for (const JsonValue& value : report.at("configuration"))
    table.text(value.at(0).text()).text(value.at(1).text()).text(value.at(2).text());
  return fmt::format(
      "<h2 id=configuration>Configuration</h2>\n<details><summary>{} keys, as written; all others "
      "have their defaults</summary>\n<div class=wide tabindex=0>{}</div>\n</details>\n",
      report.at("configuration").size(), table.done());
}

std::string drop_section(const JsonValue& summary, const JsonValue& report) {
  std::string out = "<h2 id=drops>Drops</h2>\n";
  const JsonValue& drops = report.at("drops");
  if (drops.empty()) return out + "<p>No packet was dropped in a switch or a host.</p>\n";
  std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> by_reason;
  HtmlTable table{{{"node"},
                   {"port", true},
                   {"priority", true},
                   {"reason"},
                   {"packets", true},
                   {"bytes", true},
                   {"first", true},
                   {"last", true}},
                  true};
  std::size_t rows = 0;
  for (const JsonValue& drop : drops) {
    auto& [packets, places] = by_reason[std::string{text_at(drop, "reason")}];
    packets += count_at(drop, "packets");
    ++places;
    if (max_table_rows < ++rows) continue;
    const auto exact = [&](const std::string& shown, const char* key) {
      table.number(shown, static_cast<double>(count_at(drop, key)));
    };
    table.text(text_at(drop, "switch"));
    exact(std::to_string(count_at(drop, "port")), "port");
    exact(std::to_string(count_at(drop, "priority")), "priority");
    table.text(text_at(drop, "reason"));
    exact(format_quantity(count_at(drop, "packets")), "packets");
    exact(format_quantity(Bytes{count_at(drop, "bytes")}), "bytes");
    exact(format_quantity(time_at(drop, "first_ps")), "first_ps");
    exact(format_quantity(time_at(drop, "last_ps")), "last_ps");
  }
  HtmlTable totals{{{"reason"}, {"packets", true}, {"of all sent", true}, {"places", true}}};
  for (const auto& [reason, sums] : by_reason)
    totals.text(reason)
        .text(format_quantity(sums.first))
        .text(format_percent(sums.first, count_at(summary.at("totals"), "sent_packets")))
        .text(format_quantity(sums.second));
  out += totals.done() +
         "<h3>By place</h3>\n<p>The port where the packet came in; of what a watchdog dropped from "
         "a queue (watchdog_egress), the port of the queue.</p>\n";
  if (max_table_rows < rows)
    out += fmt::format("<p>The first {} of {} places.</p>\n", max_table_rows, rows);
  return out + "<div class=wide tabindex=0>" + table.done() + "</div>\n";
}

// What row_of() and add() read; where one is missing here, the page of a run is an error.
std::vector<std::string_view> page_counters() {
  return {"rx_packets",           "rx_bytes",        "tx_packets",        "tx_bytes",
          "pauses_sent",          "pauses_received", "peak_shared_cells", "limit_at_peak_cells",
          "peak_headroom_cells",  "mac_drops",       "ingress_drops",     "egress_drops",
          "watchdog_egress_drops"};
}

std::string counter_section(const JsonValue& summary, const JsonValue& report) {
  const FirstXoffs first_xoffs = first_xoffs_of(report);
  std::vector<Row> rows = rows_of(summary);
  // At the end of a run the summary has no others than these: to_page_tree().
  const std::size_t all =
      summary.contains("counter_rows") ? count_at(summary, "counter_rows") : rows.size();
  if (max_table_rows < all) {
    std::stable_sort(rows.begin(), rows.end(), MoreWeight{});
    if (max_table_rows < rows.size()) rows.resize(max_table_rows);
  }
  HtmlTable table{{{"switch"},
                   {"port", true},
                   {"peer"},
                   {"prio", true},
                   {"profile"},
                   {"received", true},
                   {"bytes", true},
                   {"sent", true},
                   {"bytes", true},
                   {"pauses out", true},
                   {"pauses in", true},
                   {"upstream paused", true},
                   {"paused", true},
                   {"peak shared", true},
                   {"T at peak", true},
                   {"T at first XOFF", true},
                   {"peak headroom", true},
                   {"eta", true},
                   {"drops", true}},
                  true};
  for (const Row& row : rows) add(table, row, counted_time(summary), first_xoffs);
  std::string out =
      "<h2 id=counters>Counters</h2>\n<p>A row for each port and priority with a count that is "
      "not 0. Bytes include the FCS. After a number of cells its bytes are in brackets, after a "
      "pause time its share of the run. A click on the head of a column sorts the rows.</p>\n";
  if (rows.size() < all)
    out += fmt::format(
        "<p>The {} rows with the most drops, pauses and load, out of {}; summary.json has all "
        "rows.</p>\n",
        rows.size(), all);
  return out + "<div class=wide tabindex=0>" + table.done() + "</div>\n";
}

}  // namespace weir
