// SPDX-License-Identifier: Apache-2.0
#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "html.hpp"
#include "report_distributions.hpp"
#include "report_parts.hpp"
#include "text/format.hpp"
#include "weir/core/errors.hpp"
#include "weir/core/latency.hpp"

namespace weir {
namespace {

constexpr std::size_t max_heat_rows = 64;  // of the heat-map
constexpr int heat_row_height = 14, label_width = 150, bin_width = 3, total_width = 150;

/// A row of a map over time.
struct HeatRow {
  std::string label, note;         ///< Left and right of it.
  std::uint64_t weight{0};         ///< Of many rows those with the largest are drawn.
  const JsonValue* bins{nullptr};  ///< Numbers.
  std::uint64_t whole{1000};       ///< The number that has the darkest shade.
};

// Nine shades by the share of the whole, which is rounded up to per mille; 0: none of it.
unsigned shade(std::uint64_t part, std::uint64_t whole) {
  const std::uint64_t per_mille = (std::min(part, whole) * 1000 + whole - 1) / whole;
  return static_cast<unsigned>((per_mille * 9 + 999) / 1000);
}

// A box of the height of a row. A map has thousands of them.
void append_box(std::string& path, std::size_t x, std::size_t y, std::size_t width) {
  constexpr std::size_t longest = 128;
  std::array<char, longest> text;
  const char* const end = fmt::format_to(text.data(), FMT_COMPILE("M{} {}h{}v{}h-{}z"), x, y, width,
                                         heat_row_height - 2, width);
  path.append(text.data(), static_cast<std::size_t>(end - text.data()));
}

// The bins of a row, one path for each shade: few bytes for long stretches.
std::string shades(const HeatRow& row, std::size_t y) {
  std::array<std::string, 10> paths;
  const JsonValue* from = row.bins->begin();
  for (const JsonValue* const end = row.bins->end(); from != end;) {
    const unsigned level = shade(from->number(), row.whole);
    const JsonValue* to = from + 1;
    while (to != end && shade(to->number(), row.whole) == level) ++to;
    if (level != 0)
      append_box(paths[level],
                 label_width + static_cast<std::size_t>(from - row.bins->begin()) * bin_width, y,
                 static_cast<std::size_t>(to - from) * bin_width);
    from = to;
  }
  std::string out;
  for (std::size_t level = 1; level < paths.size(); ++level)
    if (!paths[level].empty()) {
      append_number(out += "<path class=h", level);
      out.append(" d=\"").append(paths[level]).append("\"/>");
    }
  return out;
}

std::string time_axis(Picoseconds end, int width, int y) {
  std::string out = fmt::format("<path class=axis d=\"M{} {}h{}\"/>", label_width, y, width);
  for (int i = 0; i <= 4; ++i) {
    const int x = label_width + width * i / 4;
    const char* const anchor = i == 0 ? "start" : i == 4 ? "end" : "middle";
    out += fmt::format(
        "<path class=axis d=\"M{0} {1}v4\"/><text x={0} y={2} text-anchor={3}>{4}</text>", x, y,
        y + 16, anchor,
        format_quantity(Picoseconds{end.count() * static_cast<std::uint64_t>(i) / 4}));
  }
  return out;
}

// `nothing`, nine shades, `most`.
std::string legend(int y, const std::string& nothing, const std::string& most) {
  std::string out = fmt::format("<text x={} y={}>{}</text>", label_width, y + 11, nothing);
  for (int level = 1; level <= 9; ++level)
    out += fmt::format("<rect class=h{} x={} y={} width=18 height=12></rect>", level,
                       label_width + 130 + level * 18, y + 1);
  return out + fmt::format("<text x={} y={}>{}</text>", label_width + 320, y + 11, most);
}

// Rows by time; of too many those with the largest weight, in their order, and a sentence first.
std::string heat_rows(std::vector<HeatRow> rows, const char* chosen, const std::string& name,
                      Picoseconds bin, const std::string& nothing, const std::string& most) {
  std::string out;
  const std::size_t all = rows.size();
  if (max_heat_rows < all) {
    std::vector<std::uint64_t> weights;
    for (const HeatRow& row : rows) weights.push_back(row.weight);
    std::nth_element(weights.begin(), weights.begin() + (max_heat_rows - 1), weights.end(),
                     std::greater<>{});
    const std::uint64_t least = weights[max_heat_rows - 1];
    rows.erase(std::remove_if(rows.begin(), rows.end(),
                              [&](const HeatRow& row) { return row.weight < least; }),
               rows.end());
    rows.resize(std::min(rows.size(), max_heat_rows));
    out += fmt::format("<p>The {} of {} that {}.</p>\n", rows.size(), all, chosen);
  }
  const std::size_t bins = rows.front().bins->size();
  const int width = static_cast<int>(bins) * bin_width;
  const int height = static_cast<int>(rows.size()) * heat_row_height;
  out += fmt::format("<svg role=img aria-label=\"{}\" viewBox=\"0 0 {} {}\" width={}>\n",
                     escaped(name), label_width + width + total_width, height + 50,
                     label_width + width + total_width);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const int y = static_cast<int>(i) * heat_row_height;
    out += fmt::format("<text x={} y={} text-anchor=end>{}</text>{}<text x={} y={}>{}</text>\n",
                       label_width - 6, y + 11, escaped(rows[i].label),
                       shades(rows[i], i * heat_row_height), label_width + width + 8, y + 11,
                       escaped(rows[i].note));
  }
  return out + time_axis(bin * bins, width, height) + legend(height + 26, nothing, most) +
         "</svg>\n";
}

struct Bar {
  std::string from, to;
  std::uint64_t count;
};

// Bars over ranges; each says in words what it is.
std::string histogram(const std::string& title, const std::vector<Bar>& bars,
                      const std::string& unit) {
  constexpr int height = 130, width = 34, left = 10, right = 44;  // the last label ends there
  std::uint64_t most = 1;
  for (const Bar& bar : bars) most = std::max(most, bar.count);
  const int end = left + width * static_cast<int>(bars.size()), whole = end + right;
  std::string out =
      fmt::format("<svg role=img aria-label=\"{}\" viewBox=\"0 0 {} {}\" width={} height={}>\n",
                  escaped(title), whole, height + 36, whole, height + 36);
  for (std::size_t i = 0; i < bars.size(); ++i) {
    const Bar& bar = bars[i];
    const int x = left + static_cast<int>(i) * width;
    const auto tall = static_cast<int>((bar.count * (height - 18) + most - 1) / most);
    out += fmt::format(
        "<g><title>{} to {} {}: {}</title><rect class=bar x={} y={} width={} "
        "height={}></rect>",
        bar.from, bar.to, unit, format_quantity(bar.count), x + 1, height - tall, width - 2, tall);
    if (bar.count != 0)
      out += fmt::format("<text x={} y={} text-anchor=middle>{}</text>", x + width / 2,
                         height - tall - 4, bar.count);
    out += "</g>";
    if (i % 4 == 0) out += fmt::format("<text x={} y={}>{}</text>", x, height + 16, bar.from);
  }
  return out + fmt::format(
                   "<path class=axis d=\"M{} {}h{}\"/><text class=quiet x={} y={} "
                   "text-anchor=end>{}</text></svg>\n",
                   left, height, end - left, whole - 4, height + 31, unit);
}

// Buckets of class Latency put together until they fit: the width of a bar grows with the delay, by
// the same share of it.
std::vector<Bar> latency_bars(const JsonValue& row) {
  constexpr std::size_t max_bars = 32;
  const LatencyBuckets buckets = latency_buckets(row.at("buckets"));
  if (buckets.empty()) throw ModelError("latency has no buckets, which a delivered packet has");
  const std::size_t first = buckets.front().first, last = buckets.back().first;
  unsigned together = 0;  // as a power of two
  while (max_bars <= (last >> together) - (first >> together)) ++together;
  std::vector<Bar> bars;
  for (std::size_t i = first >> together; i <= last >> together; ++i) {
    const std::size_t begin = i << together, end = ((i + 1) << together) - 1;
    const std::uint64_t from = begin == 0 ? 0 : Latency::end_of(begin - 1).count() + 1;
    bars.push_back({format_quantity(Picoseconds{from}),
                    format_quantity(Latency::end_of(std::min(end, Latency::bucket_count - 1))), 0});
  }
  for (const auto& [bucket, count] : buckets)
    bars[(bucket >> together) - (first >> together)].count += count;
  return bars;
}

}  // namespace

std::string pause_section(const JsonValue& report) {
  std::string out = "<h2 id=pauses>Pauses: port by time</h2>\n";
  const JsonValue& pauses = report.at("pauses");
  std::vector<HeatRow> rows;
  const Picoseconds bin = time_at(pauses, "bin_ps");
  for (const JsonValue& row : pauses.at("rows")) {
    const Picoseconds paused = time_at(row, "paused_ps");
    if (paused == Picoseconds{}) continue;
    const std::uint64_t end = bin.count() * row.at("bins").size();
    rows.push_back(
        {fmt::format("{}, class {}", text_at(row, "end"), count_at(row, "class")),
         fmt::format("{} ({})", format_quantity(paused), format_percent(paused.count(), end)),
         paused.count(), &row.at("bins")});
  }
  if (rows.empty()) return out + "<p>No port was ever paused.</p>\n";
  out += fmt::format(
      "<p>Which ports were paused in a class, and when: the darker (on a dark page: the lighter) a "
      "step, the larger the paused part of its {}. The total is at the right.</p>\n",
      format_quantity(bin));
  return out + heat_rows(std::move(rows), "were paused longest", "When ports were paused", bin,
                         "share of time paused: 0", "all of it");
}

std::string traffic_section(const JsonValue& report) {
  if (!report.contains("traffic")) return "";
  const JsonValue& traffic = report.at("traffic");
  std::string out = "<h2 id=traffic>Links and queues: port by time</h2>\n";
  const Picoseconds bin = time_at(traffic, "bin_ps");
  std::vector<HeatRow> links, queues;
  for (const JsonValue& row : traffic.at("links")) {
    const Bytes bytes{count_at(row, "wire_bytes")};
    const Picoseconds time = bin * row.at("bins").size();
    links.push_back({std::string{text_at(row, "end")}, format_rate(bytes, time) + " on average",
                     bytes.count(), &row.at("bins")});
  }
  std::uint64_t deepest = 1;
  for (const JsonValue& row : traffic.at("queues"))
    deepest = std::max(deepest, count_at(row, "max_frames"));
  for (const JsonValue& row : traffic.at("queues"))
    queues.push_back({fmt::format("{}, class {}", text_at(row, "queue"), count_at(row, "class")),
                      format_quantity(count_at(row, "max_frames")) + " frames at most",
                      count_at(row, "max_frames"), &row.at("bins"), deepest});
  if (links.empty())
    return out +
           "<p>Nothing was sampled: <code>[monitor]</code> with a <code>period</code> in the "
           "scenario shows load of links and depth of all egress queues here. " +
           (has_values(report, "queue")
                ? "The depth of the deepest is <a href=#occupancy>above</a>.</p>\n"
                : "With <code>--report-queues</code> the depth of the deepest is drawn next to the "
                  "occupancy of pools.</p>\n");
  out +=
      "<h3>Load of links</h3>\n<p>Data frames that a port or a host sent, preamble and gap "
      "counted, by its rate.</p>\n";
  out += heat_rows(std::move(links), "sent most", "Load of links", bin, "load: 0", "its rate");
  if (queues.empty()) return out + "<p>No frame waited in an egress queue at a sample.</p>\n";
  return out +
         "<h3>Depth of egress queues</h3>\n<p>Most frames in a queue at a sample; what it saw "
         "holds until the next.</p>\n" +
         heat_rows(std::move(queues), "were deepest", "Depth of egress queues", bin, "frames: 0",
                   format_quantity(deepest));
}

std::string latency_section(const JsonValue& report) {
  std::string out =
      "<h2 id=latency>Latency</h2>\n<p>From creation at the source to the last bit at the "
      "receiver. Percentiles are those of the bars' own, finer buckets: above the true value by "
      "at most 1/64 of it.</p>\n";
  const JsonValue& rows = report.at("latency");
  if (rows.empty()) return out + "<p>No packet was delivered.</p>\n";
  HtmlTable table{{{"priority", true},
                   {"delivered", true},
                   {"average", true},
                   {"p50", true},
                   {"p99", true},
                   {"p99.9", true},
                   {"longest", true}}};
  for (const JsonValue& row : rows) {
    table.text(std::to_string(count_at(row, "priority")))
        .text(format_quantity(count_at(row, "packets")));
    for (const char* key : {"average_ps", "p50_ps", "p99_ps", "p999_ps", "longest_ps"})
      table.text(format_quantity(time_at(row, key)));
  }
  out += table.done();
  std::vector<Distribution> lines;
  for (const JsonValue& row : rows)
    lines.push_back({"priority " + std::to_string(count_at(row, "priority")),
                     latency_buckets(row.at("buckets"))});
  out += "<h3>Share that was delivered within a time</h3>\n" +
         share_chart("Share that was delivered within a time", lines,
                     [](std::uint64_t ps) { return format_quantity(Picoseconds{ps}); });
  for (const JsonValue& row : rows) {
    const std::string title = fmt::format(
        "Priority {}: {} packets, {} at most", count_at(row, "priority"),
        format_quantity(count_at(row, "packets")), format_quantity(time_at(row, "longest_ps")));
    out += fmt::format("<h3>{}</h3>\n{}", title, histogram(title, latency_bars(row), "latency"));
  }
  return out;
}

}  // namespace weir
