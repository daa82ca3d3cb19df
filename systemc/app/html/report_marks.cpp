// SPDX-License-Identifier: Apache-2.0
// Marks in the report page: the egress queues with a WRED profile.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "html.hpp"
#include "report_page.hpp"
#include "report_parts.hpp"
#include "text/format.hpp"
#include "weir/core/errors.hpp"
#include "weir/core/units.hpp"
#include "weir/trace/summary/row_weight.hpp"

namespace weir {
namespace {

struct MarkingQueue {
  std::string_view node, peer, profile;
  std::uint64_t port{0}, queue{0}, packets{0}, marked{0}, dropped{0};
  Picoseconds upstream_pause;

  [[nodiscard]] MarkWeight weight() const { return {marked + dropped, packets}; }
};

// How long the ports of a switch paused the senders of what goes to the queues of each number.
std::array<Picoseconds, priorities> upstream_pauses(const JsonValue& node) {
  std::array<Picoseconds, priorities> sums{};
  for (const JsonValue& port : node.at("ports"))
    for (const JsonValue& entry : port.at("priorities")) {
      const std::uint64_t queue = count_at(entry, "queue");
      if (priorities <= queue) throw ModelError("a priority has a queue that no port has");
      sums[queue] += time_at(entry, "upstream_pause_time_ps");
    }
  return sums;
}

// Those of summary.json.
std::vector<MarkingQueue> all_queues(const JsonValue& summary) {
  std::vector<MarkingQueue> rows;
  for (const JsonValue& node : summary.at("switches")) {
    const std::array<Picoseconds, priorities> pauses = upstream_pauses(node);
    for (const JsonValue& port : node.at("ports"))
      for (const JsonValue& queue : port.at("queues")) {
        if (!queue.contains("wred")) continue;
        const JsonValue& wred = queue.at("wred");
        const std::uint64_t number = count_at(queue, "queue");
        if (priorities <= number) throw ModelError("a port has more queues than there are");
        rows.push_back({text_at(node, "name"), text_at(port, "peer"), text_at(wred, "profile"),
                        count_at(port, "port"), number, count_at(queue, "packets"),
                        count_at(wred, "marked_packets"), count_at(wred, "wred_drops"),
                        pauses[number]});
      }
  }
  return rows;
}

// Those that a run has chosen at its end: to_page_tree().
std::vector<MarkingQueue> chosen_queues(const JsonValue& summary) {
  std::vector<MarkingQueue> rows;
  for (const JsonValue& row : summary.at("marking_queues"))
    rows.push_back({text_at(row, "switch"), text_at(row, "peer"), text_at(row, "profile"),
                    count_at(row, "port"), count_at(row, "queue"), count_at(row, "packets"),
                    count_at(row, "marked_packets"), count_at(row, "wred_drops"),
                    time_at(row, "upstream_pause_time_ps")});
  return rows;
}

void add(HtmlTable& table, const MarkingQueue& row) {
  const auto number = [&](const std::string& shown, std::uint64_t value) {
    table.number(shown, static_cast<double>(value));
  };
  table.text(row.node);
  number(std::to_string(row.port), row.port);
  table.text(row.peer);
  number(std::to_string(row.queue), row.queue);
  table.text(row.profile);
  number(format_quantity(row.packets), row.packets);
  number(format_quantity(row.marked), row.marked);
  table.number(
      format_percent(row.marked, row.packets),
      row.packets == 0 ? -1.0 : static_cast<double>(row.marked) / static_cast<double>(row.packets));
  number(format_quantity(row.dropped), row.dropped);
  number(row.upstream_pause == Picoseconds{} ? "0" : format_quantity(row.upstream_pause),
         row.upstream_pause.count());
}

}  // namespace

std::string marking_section(const JsonValue& summary) {
  if (!summary.at("totals").contains("ecn_marked_packets")) return "";
  const bool chosen = summary.contains("marking_queues");
  std::vector<MarkingQueue> rows = chosen ? chosen_queues(summary) : all_queues(summary);
  if (rows.empty()) return "";
  const std::size_t all = chosen ? count_at(summary, "marking_queue_rows") : rows.size();
  std::stable_sort(rows.begin(), rows.end(), MoreWeight{});
  if (max_table_rows < rows.size()) rows.resize(max_table_rows);
  std::string out =
      "<h2 id=marks>Marks</h2>\n<p>A row for each egress queue with a WRED profile: the packets "
      "that entered it, those marked CE, those that the profile dropped, and for how long the "
      "ports of the switch paused the senders of this class (the sum over all ports).</p>\n";
  if (rows.size() < all)
    out += fmt::format(
        "<p>The {} queues with the most marks and drops, out of {}; summary.json has all "
        "queues.</p>\n",
        rows.size(), all);
  HtmlTable table{{{"switch"},
                   {"port", true},
                   {"peer"},
                   {"queue", true},
                   {"profile"},
                   {"entered", true},
                   {"marked", true},
                   {"share marked", true},
                   {"dropped early", true},
                   {"class paused, all ports", true}},
                  true};
  for (const MarkingQueue& row : rows) add(table, row);
  return out + "<div class=wide tabindex=0>" + table.done() + "</div>\n";
}

}  // namespace weir
