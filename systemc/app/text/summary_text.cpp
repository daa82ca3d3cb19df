// SPDX-License-Identifier: Apache-2.0
#include "summary_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "format.hpp"
#include "switch_tables.hpp"
#include "weir/config/format/port_name.hpp"
#include "weir/core/printable.hpp"
#include "weir/trace/summary/drop_reasons.hpp"
#include "weir/trace/summary/metric_values.hpp"

namespace weir {
namespace {

using SummaryOut = std::back_insert_iterator<std::string>;

void add_heading(SummaryOut out, const Summary& summary) {
  fmt::format_to(out, "{}", summary.scenario);
  if (!summary.description.empty())
    fmt::format_to(out, ": {}", printable_line(summary.description));
  fmt::format_to(out, "\n{} simulated, seed {}", format_quantity(summary.time), summary.seed);
  if (summary.warm_up != Picoseconds{})
    fmt::format_to(out, "; counted from {} on (warm_up)", format_quantity(summary.warm_up));
  if (summary.stopped)
    fmt::format_to(out, "; STOPPED by a deadlock, {} were asked for",
                   format_quantity(summary.until));
  if (summary.interrupted)
    fmt::format_to(out, "; INTERRUPTED, {} were asked for", format_quantity(summary.until));
  fmt::format_to(out, "\n\n");
}

// The reasons of what was dropped, with their counts: " (egress_queue 12, oversize 3)".
std::string format_reasons(const Summary& summary) {
  std::string text;
  for (const auto& [reason, count] : drop_reasons(summary))
    if (count != 0)
      text += fmt::format("{}{} {}", text.empty() ? " (" : ", ", reason, format_quantity(count));
  return text.empty() ? text : text + ")";
}

// ", 14,336 after it": nothing where there is none.
std::string format_if_any(std::uint64_t count, std::string_view where) {
  return count == 0 ? std::string{} : fmt::format(", {} {}", format_quantity(count), where);
}

// Host classes (one class of one host) that were paused at least once.
std::size_t paused_host_classes(const Summary& summary) {
  std::size_t paused = 0;
  for (const HostSummary& host : summary.hosts)
    for (const HostClassSummary& entry : host.classes) paused += entry.pause.pauses != 0 ? 1 : 0;
  return paused;
}

void add_headline(SummaryOut out, const Summary& summary) {
  const Totals& totals = summary.totals;
  fmt::format_to(out, "delivered   {} packets, {}: {}\n", format_quantity(totals.delivered_packets),
                 format_quantity(totals.delivered_bytes),
                 format_rate(totals.delivered_bytes, summary.counted_time()));
  fmt::format_to(out, "dropped     {} lossless, {} lossy, {} before the MMU{}{}{}{}\n",
                 format_quantity(totals.lossless_drops), format_quantity(totals.lossy_drops),
                 format_quantity(totals.classes.mac_drops),
                 format_if_any(totals.classes.watchdog_egress_drops, "after it"),
                 format_if_any(totals.nic_drops, "in hosts"),
                 format_if_any(totals.spoiled_packets, "on links"), format_reasons(summary));
  if (totals.flooded_packets + totals.cpu_packets + totals.dead_host_packets != 0)
    fmt::format_to(
        out,
        "neighbours  {} packets flooded, {} stray copies dropped, {} taken by a processor, "
        "{} lost at dead hosts\n",
        format_quantity(totals.flooded_packets), format_quantity(totals.classes.stray_copies),
        format_quantity(totals.cpu_packets), format_quantity(totals.dead_host_packets));
  fmt::format_to(out, "in flight   {} packets of {} sent\n",
                 format_quantity(totals.in_flight_packets), format_quantity(totals.sent_packets));
  fmt::format_to(
      out,
      "PFC         {} pauses and {} resumes sent, {} and {} received; hosts "
      "paused for {} (sum over hosts)\n",
      format_quantity(totals.classes.pauses_sent), format_quantity(totals.classes.resumes_sent),
      format_quantity(totals.classes.pauses_received),
      format_quantity(totals.classes.resumes_received), format_quantity(totals.host_pause_time));
  const std::size_t paused = paused_host_classes(summary);
  if (paused != 0 && summary.counted_time() != Picoseconds{})
    fmt::format_to(
        out, "            {} of the run time, {} paused\n",
        format_percent(totals.host_pause_time.count() / paused, summary.counted_time().count()),
        paused == 1 ? std::string{"of the host class that was"}
                    : "averaged over the " + format_quantity(paused) + " host classes that were");
}

// Marks, and what senders received for them: nothing where no queue has a WRED profile and no
// connection has rate control.
void add_marks(SummaryOut out, const Totals& totals) {
  if (totals.has_wred)
    fmt::format_to(out,
                   "marked      {} packets, {} of those that queues with a WRED profile took\n",
                   format_quantity(totals.ecn_marked_packets),
                   format_percent(totals.ecn_marked_packets, totals.wred_packets));
  if (totals.controlled_connections != 0)
    fmt::format_to(out, "CNPs        {} sent, {} received; {} {} with rate control\n",
                   format_quantity(totals.cnps_sent), format_quantity(totals.cnps_received),
                   format_quantity(totals.controlled_connections),
                   totals.controlled_connections == 1 ? "connection" : "connections");
}

// "T0h0 (classes 3, 4) after 1 ms, tor.port[3] ...": the nodes where pauses began.
void add_pause_origins(SummaryOut out, const Summary& summary) {
  constexpr std::size_t max_nodes = 3;
  std::vector<const PauseOrigin*> firsts;  // of each node
  std::map<std::string, std::set<std::size_t>> ports, classes;
  for (const PauseOrigin& origin : summary.pause_origins) {
    if (classes[origin.node].empty()) firsts.push_back(&origin);
    classes[origin.node].insert(origin.priority.count());
    ports[origin.node].insert(origin.port.count());
  }
  for (std::size_t i = 0; i < std::min(firsts.size(), max_nodes); ++i) {
    const PauseOrigin& origin = *firsts[i];
    fmt::format_to(out, "{}{}: {} {}, {} {}, after {}\n", i == 0 ? "began       " : "            ",
                   printable_line(origin.node), format_quantity(ports[origin.node].size()),
                   ports[origin.node].size() == 1 ? "port" : "ports",
                   classes[origin.node].size() == 1 ? "class" : "classes",
                   fmt::join(classes[origin.node], ", "), format_quantity(origin.first));
  }
  if (max_nodes < firsts.size())
    fmt::format_to(out, "            and {} more nodes: pause_origins in summary.json\n",
                   firsts.size() - max_nodes);
}

// The hosts that sent most pauses: a NIC that pauses is the first suspect of a storm.
void add_pausing_hosts(SummaryOut out, const Summary& summary) {
  constexpr std::size_t max_hosts = 4;
  const auto sent = [](const HostSummary* host) {
    std::uint64_t sum = 0;
    for (const HostClassSummary& entry : host->classes) sum += entry.counts.pauses_sent;
    return sum;
  };
  std::vector<const HostSummary*> hosts;
  for (const HostSummary& host : summary.hosts)
    if (sent(&host) != 0) hosts.push_back(&host);
  std::stable_sort(hosts.begin(), hosts.end(),
                   [&](const auto* a, const auto* b) { return sent(b) < sent(a); });
  if (hosts.empty()) return;
  fmt::format_to(out, "\n{} {} sent PAUSE\n", hosts.size(), hosts.size() == 1 ? "host" : "hosts");
  for (std::size_t i = 0; i < std::min(hosts.size(), max_hosts); ++i)
    fmt::format_to(out, "  {:<14} at {:<18} {:>10} pauses\n", hosts[i]->name, hosts[i]->peer,
                   format_quantity(sent(hosts[i])));
}

void add_latency(SummaryOut out, const Summary& summary) {
  std::array<Latency, priorities> sums{};
  for (const HostSummary& host : summary.hosts) {
    for (const HostClassSummary& entry : host.classes)
      sums[entry.priority.count()].merge(entry.latency);
  }
  fmt::format_to(out, "\n  {:>4} {:>12} {:>16} {:>16} {:>16}\n", "prio", "delivered",
                 "average latency", "99 % within", "longest latency");
  for (std::size_t n = 0; n < priorities; ++n) {
    const Latency& sum = sums[n];
    if (sum.packets == 0) continue;
    fmt::format_to(out, "  {:>4} {:>12} {:>16} {:>16} {:>16}\n", n, format_quantity(sum.packets),
                   format_quantity(sum.average()), format_quantity(sum.percentile(990)),
                   format_quantity(sum.longest));
  }
}

// Completion times of messages (FCT) and incasts (ICT), one line a traffic entry.
void add_completions(SummaryOut out, const Summary& summary) {
  if (summary.completions.empty()) return;
  constexpr const char* format = "  {:<20} {:<9} {:>10} {:>10} {:>11} {:>11} {:>11} {:>9} {:>9}\n";
  fmt::format_to(out, "\n");
  fmt::format_to(out, format, "completion", "of", "completed", "unfinished", "p50", "p99",
                 "longest", "slowdown", "99 %");
  for (const CompletionSummary& row : summary.completions) {
    const CompletionTimes& done = row.counts.done;
    const auto time = [&](Picoseconds taken) {
      return done.times().packets == 0 ? "-" : format_quantity(taken);
    };
    const auto slowdown = [&](std::uint64_t thousandths) {
      const Thousandths ratio = done.slowdown(thousandths);
      return ratio == Thousandths{} ? "-" : format_ratio(ratio.count());
    };
    fmt::format_to(out, format, printable_line(row.traffic), row.incasts ? "incasts" : "messages",
                   format_quantity(done.times().packets), format_quantity(row.counts.unfinished),
                   time(done.times().percentile(500)), time(done.times().percentile(990)),
                   time(done.times().longest), slowdown(500), slowdown(990));
  }
}

std::string format_measured(const ExpectationResult& result) {
  switch (unit_of(result.expectation.metric)) {
    case MetricUnit::picoseconds:
      return format_quantity(Picoseconds{result.measured});
    case MetricUnit::bits_per_second:
      return format_quantity(BitRate{result.measured});
    case MetricUnit::bytes:
      return format_quantity(Bytes{result.measured});
    case MetricUnit::cells:
      return format_quantity(result.measured) + " cells";
    case MetricUnit::ratio:
      return format_ratio(result.measured);
    case MetricUnit::share:
      return format_share(result.measured);
    case MetricUnit::count:
      break;
  }
  return format_quantity(result.measured);
}

void add_deadlocks(SummaryOut out, const Summary& summary) {
  for (const DeadlockReport& report : summary.deadlocks) {
    fmt::format_to(out,
                   "\nDEADLOCK    formed at {}, found at {}: {} queues can never drain, {} frames "
                   "({}) are caught\n",
                   format_quantity(report.formed), format_quantity(report.found),
                   format_quantity(report.queues), format_quantity(report.frames),
                   format_quantity(report.bytes));
    for (const DeadlockMember& member : report.members)
      fmt::format_to(out, "  {} class {} waits for {}: {} frames, none has left since {}\n",
                     port_name(member.node, member.port), member.priority.count(), member.waits_for,
                     format_quantity(member.frames), format_quantity(member.since));
  }
}

void add_drifts(SummaryOut out, const Summary& summary) {
  if (summary.drifts.empty()) return;
  fmt::format_to(out, "\nCONFIGURATION is not as desired\n");
  for (const DriftReport& report : summary.drifts)
    fmt::format_to(out, "  {}: {} is {}, desired {}; found at {}{}\n", report.node,
                   report.drift.key, report.drift.running, report.drift.desired,
                   format_quantity(report.found),
                   report.repaired ? ", repaired at " + format_quantity(*report.repaired) : "");
}

// "timeout 3, request_dropped 1".
std::string format_errors(const PingStatistics& row) {
  std::string text;
  for (std::size_t i = 1; i < ping_codes; ++i)
    if (row.by_code[i] != 0)
      text += (text.empty() ? "" : ", ") + std::string{to_string(static_cast<PingCode>(i))} + " " +
              format_quantity(row.by_code[i]);
  return text.empty() ? "-" : text;
}

void add_probes(SummaryOut out, const Summary& summary) {
  if (summary.probes.empty()) return;
  constexpr const char* format = "  {:<12} {:>4} {:>10} {:>11} {:>11} {:>11} {:>11} {:>11}  {}\n";
  fmt::format_to(out, "\n");
  fmt::format_to(out, format, "pingmesh", "prio", "probes", "p50", "p90", "p99", "p99.9", "longest",
                 "not answered");
  for (const PingStatistics& row : summary.probes)
    fmt::format_to(
        out, format, to_string(row.level), row.priority.count(), format_quantity(row.probes()),
        format_quantity(row.rtt.p50), format_quantity(row.rtt.p90), format_quantity(row.rtt.p99),
        format_quantity(row.rtt.p999), format_quantity(row.rtt.most), format_errors(row));
}

void add_expectations(SummaryOut out, const Summary& summary) {
  if (summary.expect.empty()) return;
  fmt::format_to(out, "\nexpect{}\n", summary.interrupted ? " (not judged: interrupted)" : "");
  for (const ExpectationResult& result : summary.expect) {
    const char* verdict = summary.interrupted ? "-" : result.met ? "ok" : "FAILED";
    fmt::format_to(out, "  {:<6} {:<18} {:<16} measured {}\n", verdict, result.expectation.metric,
                   result.expectation.text, format_measured(result));
  }
}

}  // namespace

std::string to_text(const Summary& summary, const FirstThresholds& first_thresholds) {
  std::string text;
  const SummaryOut out{text};
  add_heading(out, summary);
  add_headline(out, summary);
  add_pause_origins(out, summary);
  add_marks(out, summary.totals);
  add_deadlocks(out, summary);
  add_drifts(out, summary);
  text += switch_tables(summary, first_thresholds);
  add_pausing_hosts(out, summary);
  add_latency(out, summary);
  add_completions(out, summary);
  add_probes(out, summary);
  add_expectations(out, summary);
  return text;
}

}  // namespace weir
