// SPDX-License-Identifier: Apache-2.0
// What went wrong in a run, and what was done about it: deadlocks, watchdogs, faults.
#include <fmt/format.h>

#include "html.hpp"
#include "report_parts.hpp"
#include "text/words.hpp"

namespace weir {
namespace {

std::uint64_t count(const ReportJson& json, const char* key) {
  return json.at(key).get<std::uint64_t>();
}
std::string text(const ReportJson& json, const char* key) {
  return json.at(key).get<std::string>();
}
Picoseconds time(const ReportJson& json, const char* key) { return Picoseconds{count(json, key)}; }

void add_count(HtmlTable& table, const ReportJson& json, const char* key) {
  table.number(words(count(json, key)), static_cast<double>(count(json, key)));
}
void add_time(HtmlTable& table, const ReportJson& json, const char* key) {
  table.number(words(time(json, key)), static_cast<double>(count(json, key)));
}

std::string deadlocks(const ReportJson& summary) {
  std::string out;
  std::size_t number = 0;
  for (const ReportJson& report : summary.at("deadlocks")) {
    out += fmt::format(
        "<h3>Deadlock {}</h3>\n<p><span class=\"verdict bad\">&#10007; formed at {}</span>, found "
        "at {}: {} queues can never drain, {} frames ({}) are caught in them. Each waits for the "
        "next, the last for the first.</p>\n",
        ++number, words(time(report, "formed_ps")), words(time(report, "found_ps")),
        words(count(report, "queues")), words(count(report, "frames")),
        words(Bytes{count(report, "frame_bytes")}));
    HtmlTable table{{{"switch"},
                     {"port", true},
                     {"class", true},
                     {"stands since", true},
                     {"frames", true},
                     {"bytes", true},
                     {"waits for"}},
                    true};
    for (const ReportJson& member : report.at("members")) {
      table.text(text(member, "switch"));
      add_count(table, member, "port");
      add_count(table, member, "priority");
      add_time(table, member, "since_ps");
      add_count(table, member, "frames");
      add_count(table, member, "frame_bytes");
      table.text(text(member, "waits_for"));
    }
    out += table.done();
  }
  return out;
}

std::string watchdogs(const ReportJson& report) {
  const ReportJson& acts = report.at("watchdogs");
  if (count(acts, "count") == 0) return "";
  std::string out = "<h3>What watchdogs did</h3>\n";
  if (acts.at("first").size() < count(acts, "count"))
    out += fmt::format("<p>The first {} of {}; all are in events.sqlite.</p>\n",
                       words(std::uint64_t{acts.at("first").size()}), words(count(acts, "count")));
  HtmlTable table{{{"at", true}, {"node"}, {"port", true}, {"classes"}, {"action"}}, true};
  for (const ReportJson& act : acts.at("first")) {
    add_time(table, act, "time_ps");
    table.text(text(act, "node"));
    add_count(table, act, "port");
    std::string classes;
    for (const ReportJson& number : act.at("classes"))
      classes += (classes.empty() ? "" : ", ") + std::to_string(number.get<unsigned>());
    table.text(classes).text(text(act, "action"));
  }
  return out + "<div class=wide tabindex=0>" + table.done() + "</div>\n";
}

std::string faults(const ReportJson& summary) {
  std::string out;
  if (!summary.at("host_faults").empty()) {
    HtmlTable table{{{"at", true}, {"host"}, {"what"}}, true};
    for (const ReportJson& fault : summary.at("host_faults")) {
      add_time(table, fault, "at_ps");
      table.text(text(fault, "host")).text(text(fault, "kind"));
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
      table.text(text(fault, "from")).text(text(fault, "to"));
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
         (found.empty() ? "<p>No deadlock, no watchdog acted, nothing was broken on purpose.</p>\n"
                        : found);
}

}  // namespace weir
