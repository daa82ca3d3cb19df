// SPDX-License-Identifier: Apache-2.0
// What went wrong in a run, and what was done about it: deadlocks, watchdogs, faults.
#include <fmt/format.h>

#include "html.hpp"
#include "report_parts.hpp"
#include "text/format.hpp"

namespace weir {
namespace {

void add_count(HtmlTable& table, const ReportJson& json, const char* key) {
  table.number(format_quantity(count_at(json, key)), static_cast<double>(count_at(json, key)));
}
void add_time(HtmlTable& table, const ReportJson& json, const char* key) {
  table.number(format_quantity(time_at(json, key)), static_cast<double>(count_at(json, key)));
}

std::string deadlocks(const ReportJson& summary) {
  std::string out;
  std::size_t number = 0;
  for (const ReportJson& report : summary.at("deadlocks")) {
    out += fmt::format(
        "<h3>Deadlock {}</h3>\n<p><span class=\"verdict bad\">&#10007; formed at {}</span>, found "
        "at {}: {} queues can never drain, {} frames ({}) are caught in them. Each waits for the "
        "next, the last for the first.</p>\n",
        ++number, format_quantity(time_at(report, "formed_ps")),
        format_quantity(time_at(report, "found_ps")), format_quantity(count_at(report, "queues")),
        format_quantity(count_at(report, "frames")),
        format_quantity(Bytes{count_at(report, "frame_bytes")}));
    HtmlTable table{{{"switch"},
                     {"port", true},
                     {"class", true},
                     {"none left since", true},
                     {"frames", true},
                     {"bytes", true},
                     {"waits for"}},
                    true};
    for (const ReportJson& member : report.at("members")) {
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

std::string watchdogs(const ReportJson& report) {
  const ReportJson& acts = report.at("watchdogs");
  if (count_at(acts, "count") == 0) return "";
  std::string out = "<h3>What watchdogs did</h3>\n";
  if (acts.at("first").size() < count_at(acts, "count"))
    out += fmt::format("<p>The first {} of {}; all are in events.sqlite.</p>\n",
                       format_quantity(std::uint64_t{acts.at("first").size()}),
                       format_quantity(count_at(acts, "count")));
  HtmlTable table{{{"at", true}, {"node"}, {"port", true}, {"classes"}, {"action"}}, true};
  for (const ReportJson& act : acts.at("first")) {
    add_time(table, act, "time_ps");
    table.text(text_at(act, "node"));
    add_count(table, act, "port");
    std::string classes;
    for (const ReportJson& number : act.at("classes"))
      classes += (classes.empty() ? "" : ", ") + std::to_string(number.get<unsigned>());
    table.text(classes).text(text_at(act, "action"));
  }
  return out + "<div class=wide tabindex=0>" + table.done() + "</div>\n";
}

std::string faults(const ReportJson& summary) {
  std::string out;
  if (!summary.at("host_faults").empty()) {
    HtmlTable table{{{"at", true}, {"host"}, {"what"}}, true};
    for (const ReportJson& fault : summary.at("host_faults")) {
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
    for (const ReportJson& fault : summary.at("link_faults")) {
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

std::string event_section(const ReportJson& summary, const ReportJson& report) {
  const std::string found = deadlocks(summary) + watchdogs(report) + faults(summary);
  return "<h2 id=events>Deadlocks, watchdogs, faults</h2>\n" +
         (found.empty() ? "<p>No deadlock, no watchdog acted, no fault was injected.</p>\n"
                        : found);
}

}  // namespace weir
