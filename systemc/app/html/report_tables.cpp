// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "html.hpp"
#include "report_parts.hpp"
#include "text/words.hpp"
#include "weir/trace/summary/metric_values.hpp"

namespace weir {
namespace {

constexpr std::size_t most_rows = 2'000;

std::uint64_t count(const ReportJson& json, const char* key) {
  return json.at(key).get<std::uint64_t>();
}
std::string text(const ReportJson& json, const char* key) {
  return json.at(key).get<std::string>();
}
Picoseconds time(const ReportJson& json, const char* key) { return Picoseconds{count(json, key)}; }

std::string figure(const std::string& value, const std::string& what) {
  return fmt::format("<div><b>{}</b>{}</div>\n", escaped(value), escaped(what));
}

// What a metric measured, with its unit.
std::string measured(const ReportJson& result) {
  const MetricUnit unit = unit_of(text(result, "metric"));
  const std::string key = "measured" + std::string{unit_suffix(unit)};
  const std::uint64_t value = count(result, key.c_str());
  switch (unit) {
    case MetricUnit::picoseconds:
      return words(Picoseconds{value});
    case MetricUnit::bytes:
      return words(Bytes{value});
    case MetricUnit::bits_per_second:
      return words(BitRate{value});
    case MetricUnit::cells:
      return words(value) + " cells";
    case MetricUnit::count:
      break;
  }
  return words(value);
}

// One priority at one port, and its priority group where something arrived.
struct Row {
  const ReportJson *node, *port, *entry, *group;
  [[nodiscard]] std::uint64_t drops() const {
    return count(*entry, "mac_drops") + (group == nullptr ? 0 : count(*group, "drops"));
  }
  [[nodiscard]] auto weight() const {
    return std::make_tuple(drops(), count(*entry, "pauses_sent") + count(*entry, "pauses_received"),
                           count(*entry, "rx_bytes") + count(*entry, "tx_bytes"));
  }
};

std::vector<Row> rows_of(const ReportJson& summary) {
  std::vector<Row> rows;
  for (const ReportJson& node : summary.at("switches"))
    for (const ReportJson& port : node.at("ports"))
      for (const ReportJson& entry : port.at("priorities")) {
        const ReportJson* group = nullptr;
        for (const ReportJson& candidate : port.at("priority_groups"))
          if (candidate.at("pg") == entry.at("pg")) group = &candidate;
        rows.push_back({&node, &port, &entry, group});
      }
  return rows;
}

void add(HtmlTable& table, const Row& row) {
  const ReportJson& entry = *row.entry;
  const auto number = [&](std::uint64_t value) {
    table.number(words(value), static_cast<double>(value));
  };
  const auto bytes = [&](const char* key) {
    table.number(words(Bytes{count(entry, key)}), static_cast<double>(count(entry, key)));
  };
  const auto duration = [&](const char* key) {
    table.number(words(time(entry, key)), static_cast<double>(count(entry, key)));
  };
  const auto of_group = [&](const char* key) {
    if (row.group == nullptr)
      table.number("-", -1);
    else
      number(count(*row.group, key));
  };
  table.text(text(*row.node, "name"));
  table.number(std::to_string(count(*row.port, "port")),
               static_cast<double>(count(*row.port, "port")));
  table.text(text(*row.port, "peer"));
  table.number(std::to_string(count(entry, "priority")),
               static_cast<double>(count(entry, "priority")));
  table.text(row.group == nullptr ? "-" : text(*row.group, "profile"));
  number(count(entry, "rx_packets"));
  bytes("rx_bytes");
  number(count(entry, "tx_packets"));
  bytes("tx_bytes");
  number(count(entry, "pauses_sent"));
  number(count(entry, "pauses_received"));
  duration("upstream_pause_time_ps");
  duration("pause_time_ps");
  of_group("peak_shared_cells");
  of_group("limit_at_peak_cells");
  of_group("peak_headroom_cells");
  of_group("headroom_limit_cells");
  number(row.drops());
}

}  // namespace

std::string headline_section(const ReportJson& summary) {
  const ReportJson& totals = summary.at("totals");
  const Picoseconds run = time(summary, "time_ps");
  const Bytes bytes{count(totals, "delivered_bytes")};
  std::string out = "<div class=figures>\n";
  out += figure(words(count(totals, "delivered_packets")),
                "packets delivered, " + words(bytes) + ", " + rate_in_words(bytes, run));
  out += figure(words(count(totals, "in_flight_packets")),
                "in flight of " + words(count(totals, "sent_packets")) + " sent");
  out += figure(words(count(totals, "lossless_drops")), "lossless packets dropped");
  out += figure(words(count(totals, "lossy_drops")), "lossy packets dropped");
  out += figure(words(count(totals, "mac_drops")), "dropped before the MMU");
  out += figure(words(count(totals, "pauses_sent")),
                "pauses sent, " + words(count(totals, "resumes_sent")) + " resumes");
  out += figure(words(time(totals, "pause_time_ps")), "hosts stood still, in all");
  out += figure(words(count(totals, "peak_shared_cells")), "cells: most shared in a pool");
  out += figure(words(count(totals, "peak_headroom_cells")), "cells: most headroom in a pool");
  return out + "</div>\n";
}

std::string verdict_section(const ReportJson& summary) {
  std::string out = "<h2 id=verdicts>Verdicts</h2>\n";
  const ReportJson& results = summary.at("expect");
  if (results.empty()) return out + "<p>The scenario expects nothing.</p>\n";
  const bool judged = !summary.at("interrupted").get<bool>();
  if (!judged) out += "<p>The run was interrupted: nothing is judged.</p>\n";
  HtmlTable table{{{"verdict"}, {"metric"}, {"expected"}, {"measured", true}}};
  for (const ReportJson& result : results) {
    const bool met = result.at("met").get<bool>();
    table.html(!judged ? "-"
               : met   ? "<span class=\"verdict good\">&#10003; met</span>"
                       : "<span class=\"verdict bad\">&#10007; FAILED</span>");
    table.text(text(result, "metric")).text(text(result, "condition")).text(measured(result));
  }
  return out + table.done();
}

std::string configuration_section(const ReportJson& report) {
  HtmlTable table{{{"key"}, {"value"}, {"written in"}}};
  for (const ReportJson& value : report.at("configuration"))
    table.text(value.at(0).get<std::string>())
        .text(value.at(1).get<std::string>())
        .text(value.at(2).get<std::string>());
  return fmt::format(
      "<h2 id=configuration>Configuration</h2>\n<details><summary>{} keys, as written; all others "
      "have their defaults</summary>\n{}</details>\n",
      report.at("configuration").size(), table.done());
}

std::string drop_section(const ReportJson& summary, const ReportJson& report) {
  std::string out = "<h2 id=drops>Drops</h2>\n";
  const ReportJson& drops = report.at("drops");
  if (drops.empty()) return out + "<p>No packet was dropped in a switch.</p>\n";
  std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> by_reason;
  HtmlTable table{{{"switch"},
                   {"in at port", true},
                   {"priority", true},
                   {"reason"},
                   {"packets", true},
                   {"bytes", true},
                   {"first", true},
                   {"last", true}},
                  true};
  std::size_t rows = 0;
  for (const ReportJson& drop : drops) {
    auto& [packets, places] = by_reason[text(drop, "reason")];
    packets += count(drop, "packets");
    ++places;
    if (most_rows < ++rows) continue;
    const auto exact = [&](const std::string& shown, const char* key) {
      table.number(shown, static_cast<double>(count(drop, key)));
    };
    table.text(text(drop, "switch"));
    exact(std::to_string(count(drop, "port")), "port");
    exact(std::to_string(count(drop, "priority")), "priority");
    table.text(text(drop, "reason"));
    exact(words(count(drop, "packets")), "packets");
    exact(words(Bytes{count(drop, "bytes")}), "bytes");
    exact(words(time(drop, "first_ps")), "first_ps");
    exact(words(time(drop, "last_ps")), "last_ps");
  }
  HtmlTable totals{{{"reason"}, {"packets", true}, {"of all sent", true}, {"places", true}}};
  for (const auto& [reason, sums] : by_reason)
    totals.text(reason)
        .text(words(sums.first))
        .text(percent_in_words(sums.first, count(summary.at("totals"), "sent_packets")))
        .text(words(sums.second));
  out += totals.done() + "<h3>By place</h3>\n";
  if (most_rows < rows) out += fmt::format("<p>The first {} of {} places.</p>\n", most_rows, rows);
  return out + "<div class=wide tabindex=0>" + table.done() + "</div>\n";
}

std::string counter_section(const ReportJson& summary) {
  std::vector<Row> rows = rows_of(summary);
  const std::size_t all = rows.size();
  if (most_rows < all) {  // drops, then pauses, then load
    std::stable_sort(rows.begin(), rows.end(),
                     [](const Row& a, const Row& b) { return b.weight() < a.weight(); });
    rows.resize(most_rows);
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
                   {"T then", true},
                   {"peak headroom", true},
                   {"eta", true},
                   {"drops", true}},
                  true};
  for (const Row& row : rows) add(table, row);
  std::string out =
      "<h2 id=counters>Counters</h2>\n<p>A row for each port and priority where something "
      "happened; "
      "cells, packets, bytes with FCS. A head sorts.</p>\n";
  if (rows.size() < all)
    out += fmt::format(
        "<p>The {} rows with most drops, pauses and load of {}; all are in "
        "summary.json.</p>\n",
        rows.size(), all);
  return out + "<div class=wide tabindex=0>" + table.done() + "</div>\n";
}

}  // namespace weir
