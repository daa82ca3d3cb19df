// SPDX-License-Identifier: Apache-2.0
// What went wrong in a run, and what was done about it: deadlocks, watchdogs, faults.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "html.hpp"
#include "report_parts.hpp"
#include "text/format.hpp"
#include "weir/config/format/port_name.hpp"

namespace weir {
namespace {

void add_count(HtmlTable& table, const JsonValue& json, const char* key) {
  table.number(format_quantity(count_at(json, key)), static_cast<double>(count_at(json, key)));
}
void add_time(HtmlTable& table, const JsonValue& json, const char* key) {
  table.number(format_quantity(time_at(json, key)), static_cast<double>(count_at(json, key)));
}

constexpr std::size_t max_circle = 24;  // members that a picture has room for

// A text next to the circle, away from it.
std::string circle_label(double x, double y, double dx, const std::string& text, const char* look) {
  const char* const anchor = dx < -0.1 ? "end" : 0.1 < dx ? "start" : "middle";
  return fmt::format("<text{} x={:.1f} y={:.1f} text-anchor={}>{}</text>", look, x, y, anchor,
                     escaped(text));
}

// The members in a circle, clockwise; an arrow leads from each to the one that it waits for.
std::string circle(const JsonValue& members) {
  const std::size_t count = members.size();
  if (count < 2 || max_circle < count) return "";
  constexpr double dot = 9, pitch = 74, side = 250, around = 44, turn = 6.283185307179586;
  const double radius = std::max(70.0, pitch * static_cast<double>(count) / turn);
  const double x0 = radius + side, y0 = radius + around;
  const auto at = [&](double place, double distance) {
    const double angle = turn * (place / static_cast<double>(count) - 0.25);
    return std::pair{x0 + distance * std::cos(angle), y0 + distance * std::sin(angle)};
  };
  std::string out = fmt::format(
      "<svg role=img aria-label=\"The deadlock: each queue waits for the next\" viewBox=\"0 0 "
      "{0:.0f} {1:.0f}\" width={0:.0f}>\n{2}",
      2 * x0, 2 * y0, arrow_heads());
  const double gap = (dot + 4) / radius * static_cast<double>(count) / turn;  // in places
  for (std::size_t i = 0; i < count; ++i) {
    const auto place = static_cast<double>(i);
    const auto [x1, y1] = at(place + gap, radius);
    const auto [x2, y2] = at(place + 1 - gap, radius);
    out += fmt::format(
        "<path class=arc-caught marker-end=\"url(#head-caught)\" d=\"M{:.1f} {:.1f}A{:.1f} {:.1f} "
        "0 0 1 {:.1f} {:.1f}\"/>\n",
        x1, y1, radius, radius, x2, y2);
    const auto [x, y] = at(place, radius);
    out +=
        fmt::format("<circle class=\"box caught\" cx={:.1f} cy={:.1f} r={}></circle>", x, y, dot);
    const JsonValue& member = members.at(i);
    const auto [tx, ty] = at(place, radius + dot + 8);
    const double dx = (tx - x0) / radius, up = ty < y0 - radius ? -14 : y0 + radius < ty ? 12 : 0;
    out += circle_label(
        tx, ty + up, dx,
        fmt::format("{}, class {}", port_name(text_at(member, "switch"), count_at(member, "port")),
                    count_at(member, "priority")),
        "");
    out +=
        circle_label(tx, ty + up + 14, dx,
                     fmt::format("{} frames since {}", format_quantity(count_at(member, "frames")),
                                 format_quantity(time_at(member, "since_ps"))),
                     " class=quiet") +
        "\n";
  }
  return out + fmt::format(
                   "<text class=quiet x={:.1f} y={:.1f} text-anchor=middle>waits "
                   "for</text></svg>\n",
                   x0, y0 + 4);
}

std::string deadlocks(const JsonValue& summary) {
  std::string out;
  std::size_t number = 0;
  for (const JsonValue& report : summary.at("deadlocks")) {
    out += fmt::format(
        "<h3>Deadlock {}</h3>\n<p><span class=\"verdict bad\">&#10007; formed at {}</span>, found "
        "at {}: {} queues can never drain, {} frames ({}) are caught in them. Each waits for the "
        "next, the last for the first.</p>\n",
        ++number, format_quantity(time_at(report, "formed_ps")),
        format_quantity(time_at(report, "found_ps")), format_quantity(count_at(report, "queues")),
        format_quantity(count_at(report, "frames")),
        format_quantity(Bytes{count_at(report, "frame_bytes")}));
    out += circle(report.at("members"));
    HtmlTable table{{{"switch"},
                     {"port", true},
                     {"class", true},
                     {"none left since", true},
                     {"frames", true},
                     {"bytes", true},
                     {"waits for"}},
                    true};
    for (const JsonValue& member : report.at("members")) {
      table.text(text_at(member, "switch"));
      add_count(table, member, "port");
      add_count(table, member, "priority");
      add_time(table, member, "since_ps");
      add_count(table, member, "frames");
      add_count(table, member, "frame_bytes");
      table.text(text_at(member, "waits_for"));
    }
    out += table.done();
  }
  return out;
}

std::string watchdogs(const JsonValue& report) {
  const JsonValue& acts = report.at("watchdogs");
  if (count_at(acts, "count") == 0) return "";
  std::string out = "<h3>What watchdogs did</h3>\n";
  if (acts.at("first").size() < count_at(acts, "count"))
    out += fmt::format("<p>The first {} of {}; all are in events.sqlite.</p>\n",
                       format_quantity(std::uint64_t{acts.at("first").size()}),
                       format_quantity(count_at(acts, "count")));
  HtmlTable table{{{"at", true}, {"node"}, {"port", true}, {"classes"}, {"action"}}, true};
  for (const JsonValue& act : acts.at("first")) {
    add_time(table, act, "time_ps");
    table.text(text_at(act, "node"));
    add_count(table, act, "port");
    std::string classes;
    for (const JsonValue& number : act.at("classes"))
      classes += (classes.empty() ? "" : ", ") + std::to_string(number.number());
    table.text(classes).text(text_at(act, "action"));
  }
  return out + "<div class=wide tabindex=0>" + table.done() + "</div>\n";
}

std::string faults(const JsonValue& summary) {
  std::string out;
  if (!summary.at("host_faults").empty()) {
    HtmlTable table{{{"at", true}, {"host"}, {"what"}}, true};
    for (const JsonValue& fault : summary.at("host_faults")) {
      add_time(table, fault, "at_ps");
      table.text(text_at(fault, "host")).text(text_at(fault, "kind"));
    }
    out += "<h3>Faults of hosts</h3>\n" + table.done();
  }
  if (!summary.at("link_faults").empty()) {
    HtmlTable table{{{"from"},
                     {"to"},
                     {"PFC frames lost", true},
                     {"packets lost", true},
                     {"frames corrupted", true},
                     {"frames delayed", true},
                     {"first at", true},
                     {"last at", true}},
                    true};
    for (const JsonValue& fault : summary.at("link_faults")) {
      table.text(text_at(fault, "from")).text(text_at(fault, "to"));
      for (const char* key :
           {"lost_pfc_frames", "lost_packets", "corrupted_frames", "delayed_frames"})
        add_count(table, fault, key);
      for (const char* key : {"first_ps", "last_ps"}) {
        if (fault.at(key).is_null())
          table.text("-");
        else
          add_time(table, fault, key);
      }
    }
    out += "<h3>Faults on links</h3>\n" + table.done();
  }
  return out;
}

}  // namespace

std::string event_section(const JsonValue& summary, const JsonValue& report) {
  const std::string found = deadlocks(summary) + watchdogs(report) + faults(summary);
  return "<h2 id=events>Deadlocks, watchdogs, faults</h2>\n" +
         (found.empty() ? "<p>No deadlock, no watchdog acted, no fault was injected.</p>\n"
                        : found);
}

}  // namespace weir
