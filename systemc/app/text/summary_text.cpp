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
#include <tuple>

#include "format.hpp"
#include "weir/core/printable.hpp"
#include "weir/trace/summary/metric_values.hpp"

namespace weir {
namespace {

using SummaryOut = std::back_insert_iterator<std::string>;

constexpr std::size_t max_rows = 34;
constexpr std::size_t max_switches = 4;  // with a table each; of more there is one line each

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

// Every reason for which something was dropped, with its count: "egress_queue 12, oversize 3".
std::string format_reasons(const Summary& summary) {
  std::map<std::string, std::uint64_t> counts;
  for (const SwitchSummary& node : summary.switches) {
    for (const PortSummary& port : node.linked_ports) {
      counts["oversize"] += port.counters.oversize;
      counts["no_route"] += port.counters.no_route;
      counts["port_fifo"] += port.counters.fifo_overrun;
      counts["ttl"] += port.counters.ttl_expired;
      counts["incomplete_arp"] += port.counters.incomplete_arp;
      counts["no_neighbour"] += port.counters.no_neighbour;
      counts["cpu_queue"] += port.counters.cpu_queue;
      for (const PgSummary& pg : port.pgs)
        for (std::size_t i = 1; i < step_reasons; ++i)
          counts[std::string{to_string(static_cast<Reason>(i))}] += pg.counters.refused[i];
      for (const QueueSummary& queue : port.queues)
        if (queue.wred)
          counts[std::string{to_string(Reason::wred)}] += queue.wred->counters.dropped;
    }
  }
  const Totals& totals = summary.totals;
  counts["watchdog_egress"] = totals.classes.watchdog_egress_drops;
  counts["watchdog"] = totals.ports.watchdog_drops - totals.classes.watchdog_egress_drops;
  std::string text;
  for (const auto& [reason, count] : counts)
    if (count != 0) text += (text.empty() ? " (" : ", ") + reason + " " + format_quantity(count);
  return text.empty() ? text : text + ")";
}

// ", 14,336 after it": nothing where there is none.
std::string format_if_any(std::uint64_t count, std::string_view where) {
  return count == 0 ? std::string{} : fmt::format(", {} {}", format_quantity(count), where);
}

// Classes of hosts that were paused at least once.
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
        out, "            {} of the time of the {} of hosts that {} paused\n",
        format_percent(totals.host_pause_time.count() / paused, summary.counted_time().count()),
        paused == 1 ? "class" : format_quantity(paused) + " classes", paused == 1 ? "was" : "were");
}

// Marks, and what senders heard of them: nothing where no queue has a WRED profile and no
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

void add_pools(SummaryOut out, const SwitchSummary& node) {
  std::size_t width = 14;
  for (const PoolSummary& pool : node.pools) width = std::max(width, pool.pool.size());
  constexpr const char* format = "  {:<{}} {:>6}  {:>26}  {:>26}  {:>12}  {:>22}\n";
  fmt::format_to(out, format, "pool", width, "domain", "peak shared of B, cells",
                 "peak headroom of H, cells", "peak of all", "peak shared, bytes");
  for (const PoolSummary& pool : node.pools) {
    const std::uint64_t shared = pool.peak.shared.count(), limit = pool.shared_limit.count();
    const std::uint64_t headroom = pool.peak.headroom.count();
    fmt::format_to(
        out, format, pool.pool, width, pool.domain.count(),
        fmt::format("{} of {} {:>5}", format_quantity(shared), format_quantity(limit),
                    format_percent(shared, limit)),
        pool.dedicated_headroom
            ? format_quantity(headroom) + " (dedicated)"
            : format_quantity(headroom) + " of " + format_quantity(pool.headroom_limit.count()),
        format_quantity(pool.peak.total.count()),
        format_quantity(node.cell * shared) + " of " + format_quantity(node.cell * limit));
  }
  if (node.waiting.waited != 0)
    fmt::format_to(out, "  {} packets waited for an arrival slot, {} at most; up to {} at a port\n",
                   format_quantity(node.waiting.waited), format_quantity(node.waiting.longest),
                   format_quantity(node.waiting.deepest));
}

// A line of the table: one priority at one port. `pg` is null where nothing arrived.
struct Row {
  const PortSummary* port;
  const PortClassSummary* entry;
  const PgSummary* pg;

  // What a reader looks for first: drops, then pauses, then load.
  [[nodiscard]] auto weight() const {
    const PortCounters::ByPriority& counts = entry->counts;
    return std::make_tuple(entry->drops(), counts.pauses_sent + counts.pauses_received,
                           counts.rx_bytes + counts.tx_bytes);
  }
};

std::vector<Row> rows_of(const SwitchSummary& node) {
  std::vector<Row> rows;
  for (const PortSummary& port : node.linked_ports) {
    for (const PortClassSummary& entry : port.classes) {
      const auto pg = std::find_if(port.pgs.begin(), port.pgs.end(),
                                   [&](const PgSummary& p) { return p.pg == entry.pg; });
      rows.push_back({&port, &entry, pg == port.pgs.end() ? nullptr : &*pg});
    }
  }
  return rows;
}

// The rows that matter most, in their order.
std::vector<Row> without_least(std::vector<Row> rows) {
  if (rows.size() <= max_rows) return rows;
  std::vector<Row> ranked = rows;
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const Row& a, const Row& b) { return b.weight() < a.weight(); });
  const auto limit = ranked[max_rows - 1].weight();
  std::vector<Row> kept;
  for (const Row& row : rows)
    if (kept.size() < max_rows && !(row.weight() < limit)) kept.push_back(row);
  return kept;
}

constexpr const char* row_format =
    "  {:>4} {:<{}} {:>4} {:<8} {:>10} {:>9} {:>10} {:>9} {:>9} {:>9} {:>15}{:>{}} {:>13} {:>8}\n";

std::string part_of(std::uint64_t part, std::uint64_t whole) {
  return format_quantity(part) + "/" + format_quantity(whole);
}

// Widths of columns: the peer as its longest name; T of the first XOFF where it is known.
struct Widths {
  std::size_t peer{4}, first_xoff{0};
};

void add_row(SummaryOut out, const Row& row, const Widths& widths,
             const std::map<PgIndex, Cells>& first_thresholds) {
  const PortCounters::ByPriority& counts = row.entry->counts;
  const auto held = [&](bool shown, std::uint64_t part, std::uint64_t whole) {
    return row.pg != nullptr && shown ? part_of(part, whole) : std::string{"-"};
  };
  const PgCounters counters = row.pg == nullptr ? PgCounters{} : row.pg->counters;
  const bool lossless = row.pg != nullptr && row.pg->lossless;
  const auto first = row.pg == nullptr
                         ? first_thresholds.end()
                         : first_thresholds.find(pg_index(row.port->port, Priority{row.pg->pg}));
  const std::string at_xoff = widths.first_xoff == 0 ? ""
                              : first == first_thresholds.end()
                                  ? "-"
                                  : format_quantity(first->second.count());
  fmt::format_to(out, row_format, row.port->port.count(), row.port->peer, widths.peer,
                 row.entry->priority.count(),
                 row.pg == nullptr ? ""
                 : lossless        ? "lossless"
                                   : "lossy",
                 format_quantity(counts.rx_packets), format_quantity(counts.rx_bytes),
                 format_quantity(counts.tx_packets), format_quantity(counts.tx_bytes),
                 fmt::format("{}/{}", counts.pauses_sent, counts.pauses_received),
                 row.entry->upstream_pause.total == Picoseconds{0}
                     ? "-"
                     : format_quantity(row.entry->upstream_pause.total),
                 held(true, counters.shared_watermark.count(), counters.limit_at_peak.count()),
                 at_xoff, widths.first_xoff,
                 held(lossless, counters.headroom_watermark.count(),
                      row.pg == nullptr ? 0 : row.pg->headroom_limit.count()),
                 format_quantity(row.entry->drops()));
}

void add_switch(SummaryOut out, const SwitchSummary& node,
                const FirstThresholds& first_thresholds) {
  fmt::format_to(out, "\n{}: {}, {} ports, cells of {} B\n", node.name, node.chip, node.ports,
                 node.cell.count());
  add_pools(out, node);
  const std::vector<Row> all = rows_of(node);
  const std::vector<Row> rows = without_least(all);
  const auto found = first_thresholds.find(node.name);
  const bool any = found != first_thresholds.end();
  Widths widths{4, any ? std::size_t{12} : 0};
  for (const Row& row : rows) widths.peer = std::max(widths.peer, row.port->peer.size());
  fmt::format_to(out, "\n");
  fmt::format_to(out, row_format, "", "", widths.peer, "", "", "received", "", "sent", "", "pauses",
                 "upstream", "peak shared", any ? "T at first" : "", widths.first_xoff, "headroom",
                 "drops");
  fmt::format_to(out, row_format, "port", "peer", widths.peer, "prio", "class", "packets", "bytes",
                 "packets", "bytes", "out/in", "paused", "of T, cells", any ? "XOFF" : "",
                 widths.first_xoff, "of eta", "packets");
  for (const Row& row : rows)
    add_row(out, row, widths, any ? found->second : std::map<PgIndex, Cells>{});
  if (rows.size() < all.size())
    fmt::format_to(out, "  ... and {} more rows in summary.json\n", all.size() - rows.size());
}

// A line of the table of switches.
struct SwitchRow {
  const SwitchSummary* node;
  std::uint64_t drops{0}, sent{0}, received{0};
  Bytes bytes;
  std::uint64_t peak{0}, limit{0};

  // What a reader looks for first: drops, then pauses, then load.
  [[nodiscard]] auto weight() const { return std::make_tuple(drops, sent + received, bytes); }
};

SwitchRow row_of(const SwitchSummary& node) {
  SwitchRow row{&node, 0, 0, 0, {}, 0, 0};
  for (const Row& part : rows_of(node)) {
    row.drops += part.entry->drops();
    row.sent += part.entry->counts.pauses_sent;
    row.received += part.entry->counts.pauses_received;
    row.bytes += part.entry->counts.tx_bytes;
  }
  for (const PoolSummary& pool : node.pools) {
    if (pool.peak.shared.count() < row.peak) continue;
    row.peak = pool.peak.shared.count();
    row.limit = pool.shared_limit.count();
  }
  return row;
}

void add_switch_list(SummaryOut out, const Summary& summary) {
  constexpr const char* format = "  {:<{}} {:>9} {:>10} {:>12} {:>12} {:>24}\n";
  std::vector<SwitchRow> rows;
  std::size_t width = 6;
  for (const SwitchSummary& node : summary.switches) {
    rows.push_back(row_of(node));
    width = std::max(width, node.name.size());
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const SwitchRow& a, const SwitchRow& b) { return b.weight() < a.weight(); });
  fmt::format_to(out, "\n{} switches, those with most drops and pauses first\n", rows.size());
  fmt::format_to(out, format, "switch", width, "sent", "drops", "pauses out", "pauses in",
                 "peak shared of B, cells");
  for (std::size_t i = 0; i < rows.size() && i < max_rows; ++i) {
    const SwitchRow& row = rows[i];
    fmt::format_to(out, format, row.node->name, width, format_quantity(row.bytes),
                   format_quantity(row.drops), format_quantity(row.sent),
                   format_quantity(row.received), part_of(row.peak, row.limit));
  }
  if (max_rows < rows.size())
    fmt::format_to(out, "  ... and {} more switches in summary.json\n", rows.size() - max_rows);
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
      fmt::format_to(out,
                     "  {}.port[{}] class {} waits for {}: {} frames, none has left since {}\n",
                     member.node, member.port.count(), member.priority.count(), member.waits_for,
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
  if (max_switches < summary.switches.size()) {
    add_switch_list(out, summary);
  } else {
    for (const SwitchSummary& node : summary.switches) add_switch(out, node, first_thresholds);
  }
  add_pausing_hosts(out, summary);
  add_latency(out, summary);
  add_completions(out, summary);
  add_probes(out, summary);
  add_expectations(out, summary);
  return text;
}

}  // namespace weir
