// SPDX-License-Identifier: Apache-2.0
#include "weir/trace/summary/summary_json.hpp"

#include <nlohmann/json.hpp>

#include "weir/trace/summary/metric_values.hpp"

namespace weir {
namespace {

using Json = nlohmann::ordered_json;

// Lists hold one another's entries.
Json json_of(const PortClassSummary& entry);
Json json_of(const PgSummary& pg);
Json json_of(const QueueSummary& queue);
Json json_of(const PortSummary& port);
Json json_of(const PoolSummary& pool);
Json json_of(const SwitchSummary& node);
Json json_of(const HostClassSummary& entry);
Json json_of(const HostSummary& host);
Json json_of(const DeadlockMember& member);
Json json_of(const DeadlockReport& report);
Json json_of(const DriftReport& report);
Json json_of(const PauseOrigin& origin);
Json json_of(const CompletionSummary& row);
Json json_of(const PingStatistics& row);
Json json_of(const LinkFaultSummary& fault);
Json json_of(const HostFaultSummary& fault);
Json json_of(const ExpectationResult& result);

template <class Entries>
Json list_of(const Entries& entries) {
  Json json = Json::array();
  for (const auto& entry : entries) json.push_back(json_of(entry));
  return json;
}

Json json_of(const SaiValues& values) {
  Json json = Json::object();
  for (const auto& [name, value] : values) json[std::string{name}] = value;
  return json;
}

Json json_of(const Placement& cells) {
  return {{"private_cells", cells.private_cells.count()},
          {"shared_cells", cells.shared.count()},
          {"headroom_cells", cells.headroom.count()}};
}

// The counters that `scope` shows, and those that hosts show, too.
void add(Json& json, const PortCounters::ByPriority& counts, CounterScope scope) {
  for_each_class_counter([&](const auto& row) {
    if (scope <= row.scope) json[std::string{row.name}] = count_of(row, counts);
  });
}

void add(Json& json, const std::string& whose, const PauseTimes& pause) {
  json[whose + "pause_time_ps"] = pause.total.count();
  json[whose + "pause_intervals"] = pause.pauses;
  json[whose + "longest_pause_ps"] = pause.longest.count();
}

Json json_of(const PortClassSummary& entry) {
  Json json{{"priority", entry.priority.count()}, {"pg", entry.pg}, {"queue", entry.queue}};
  add(json, entry.counts, CounterScope::switches);
  add(json, "", entry.pause);
  add(json, "upstream_", entry.upstream_pause);
  return json;
}

// The counters of one part of an entry.
template <class Rows, class Counters>
void add(Json& json, const Rows& rows, const Counters& counters, CounterPart part) {
  for (const auto& row : rows)
    if (row.part == part) json[std::string{row.field}] = row.read(counters);
}

Json json_of(const PgSummary& pg) {
  const auto part = [&](Json& json, CounterPart shown) {
    add(json, pg_counter_table, pg.counters, shown);
  };
  Json json{{"pg", pg.pg}, {"profile", pg.profile}, {"lossless", pg.lossless}};
  part(json, CounterPart::traffic);
  json["drops"] = pg.counters.dropped();
  part(json["drops_by_reason"], CounterPart::drops_by_reason);
  part(json, CounterPart::events);
  json["xoff"] = pg.xoff;
  part(json, CounterPart::peak_shared);
  part(json, CounterPart::peak_headroom);
  json["headroom_limit_cells"] = pg.headroom_limit.count();
  part(json, CounterPart::peak_total);
  json["private_limit_cells"] = pg.private_limit.count();
  json["held"] = json_of(pg.held);
  json["threshold_cells"] = pg.threshold.count();
  json["sai"] = json_of(pg.sai);
  return json;
}

Json json_of(const QueueSummary& queue) {
  Json json{{"queue", queue.queue}, {"limited", queue.limited}};
  add(json, queue_counter_table, queue.counters, CounterPart::traffic);
  json["depth_packets"] = queue.depth;
  json["sai"] = json_of(queue.sai);
  if (queue.wred) {
    Json wred{{"profile", queue.wred->profile}};
    add(wred, wred_counter_table, queue.wred->counters, CounterPart::traffic);
    wred["waiting_cells"] = queue.wred->waiting.count();
    json["wred"] = wred;
  }
  return json;
}

Json json_of(const PortSummary& port) {
  Json json{{"port", port.port.count()}, {"rate_bps", port.rate.count()}, {"peer", port.peer}};
  for_each_port_counter([&](const auto& row) {
    if (row.scope != CounterScope::none)
      json[std::string{row.name}] = count_of(row, port.counters);
    else if (row.count == &PortCounters::pfc_fcs_errors)  // shown with those of data frames
      json["fcs_errors"] = port.counters.fcs_errors + port.counters.pfc_fcs_errors;
  });
  json["priorities"] = list_of(port.classes);
  json["priority_groups"] = list_of(port.pgs);
  json["queues"] = list_of(port.queues);
  if (!port.sai.empty()) json["sai"] = json_of(port.sai);
  return json;
}

Json json_of(const PoolSummary& pool) {
  Json json{{"pool", pool.pool},
            {"domain", pool.domain.count()},
            {"shared_limit_cells", pool.shared_limit.count()}};
  add(json, pool_mark_table, pool.peak, CounterPart::peak_shared);
  json["dedicated_headroom"] = pool.dedicated_headroom;
  json["headroom_limit_cells"] = pool.headroom_limit.count();
  add(json, pool_mark_table, pool.peak, CounterPart::peak_headroom);
  add(json, pool_mark_table, pool.peak, CounterPart::peak_total);
  json["held"] = json_of(Placement{pool.held.private_cells, pool.held.shared, pool.held.headroom});
  json["sai"] = json_of(pool.sai);
  return json;
}

Json json_of(const NeighbourCounters& counts) {
  return {{"arp_requests", counts.arp_requests},
          {"arp_answers", counts.arp_answers},
          {"incomplete", counts.incomplete},
          {"flooded", counts.flooded},
          {"to_cpu", counts.to_cpu},
          {"from_cpu", counts.from_cpu},
          {"cpu_deepest", counts.cpu_deepest}};
}

Json json_of(const SwitchSummary& node) {
  Json json{{"name", node.name},
            {"chip", node.chip},
            {"source", node.source},
            {"cell_bytes", node.cell.count()},
            {"port_count", node.ports},
            {"memory_bytes", node.memory.count()},
            {"slot_waiting",
             {{"packets", node.waiting.waited},
              {"longest_ps", node.waiting.longest.count()},
              {"deepest_packets", node.waiting.deepest}}},
            {"pools", list_of(node.pools)},
            {"ports", list_of(node.linked_ports)}};
  if (node.neighbours) json["neighbours"] = json_of(*node.neighbours);
  return json;
}

Json json_of(const HostClassSummary& entry) {
  Json json{{"priority", entry.priority.count()}};
  add(json, entry.counts, CounterScope::hosts_too);
  add(json, "", entry.pause);
  const Latency& latency = entry.latency;
  json["latency"] = {{"packets", latency.packets},
                     {"sum_ps", latency.sum.count()},
                     {"average_ps", latency.average().count()},
                     {"p50_ps", latency.percentile(500).count()},
                     {"p99_ps", latency.percentile(990).count()},
                     {"p999_ps", latency.percentile(999).count()},
                     {"longest_ps", latency.longest.count()}};
  return json;
}

Json json_of(const NicSummary& nic) {
  return {{"drops", nic.dropped},
          {"held_bytes", nic.held.count()},
          {"peak_held_bytes", nic.max_held.count()},
          {"mtt_hits", nic.mtt_hits},
          {"mtt_misses", nic.mtt_misses},
          {"broken", nic.broken},
          {"pauses_off", nic.pauses_off}};
}

Json json_of(const RateControlSummary& control) {
  return {{"connections", control.connections},     {"cnps_sent", control.cnps_sent},
          {"cnps_received", control.cnps_received}, {"least_rate_bps", control.least.count()},
          {"mean_rate_bps", control.mean.count()},  {"largest_rate_bps", control.largest.count()}};
}

Json json_of(const HostSummary& host) {
  Json json{{"name", host.name}, {"rate_bps", host.rate.count()}, {"peer", host.peer}};
  if (host.nic) json["nic"] = json_of(*host.nic);
  if (host.rate_control) json["rate_control"] = json_of(*host.rate_control);
  json["priorities"] = list_of(host.classes);
  return json;
}

// Whether the run has what metrics of this scope count.
bool has(const Totals& totals, MetricScope scope) {
  switch (scope) {
    case MetricScope::wred:
      return totals.has_wred;
    case MetricScope::rate_control:
      return totals.controlled_connections != 0;
    case MetricScope::messages:
      return totals.has_messages;
    case MetricScope::incasts:
      return totals.has_incasts;
    case MetricScope::always:
      break;
  }
  return true;
}

Json json_of(const Totals& totals) {
  Json json{{"sent_packets", totals.sent_packets},
            {"sent_bytes", totals.sent_bytes.count()},
            {"in_flight_packets", totals.in_flight_packets},
            {"spoiled_packets", totals.spoiled_packets},
            {"flood_copies", totals.flood_copies}};
  for (const Metric& metric : metrics()) {
    if (!has(totals, metric.scope)) continue;
    json[std::string{metric.name} + std::string{unit_suffix(metric.unit)}] =
        metric_value(totals, metric.name).value();
  }
  return json;
}

Json json_of(const DeadlockMember& member) {
  return {{"switch", member.node},
          {"port", member.port.count()},
          {"priority", member.priority.count()},
          {"since_ps", member.since.count()},
          {"frames", member.frames},
          {"frame_bytes", member.bytes.count()},
          {"waits_for", member.waits_for}};
}

Json json_of(const DeadlockReport& report) {
  return {{"formed_ps", report.formed.count()},
          {"found_ps", report.found.count()},
          {"queues", report.queues},
          {"frames", report.frames},
          {"frame_bytes", report.bytes.count()},
          {"members", list_of(report.members)}};
}

Json json_of(const DriftReport& report) {
  Json json{{"switch", report.node},
            {"key", report.drift.key},
            {"desired", report.drift.desired},
            {"running", report.drift.running},
            {"found_ps", report.found.count()}};
  json["repaired_ps"] = report.repaired ? Json(report.repaired->count()) : Json(nullptr);
  return json;
}

Json json_of(const CompletionSummary& row) {
  const CompletionTimes& done = row.counts.done;
  const Latency& times = done.times();
  return {{"traffic", row.traffic},
          {"of", row.incasts ? "incasts" : "messages"},
          {"completed", times.packets},
          {"unfinished", row.counts.unfinished},
          {"average_ps", times.average().count()},
          {"p50_ps", times.percentile(500).count()},
          {"p99_ps", times.percentile(990).count()},
          {"p999_ps", times.percentile(999).count()},
          {"longest_ps", times.longest.count()},
          {"slowdown_p50_thousandths", done.slowdown(500).count()},
          {"slowdown_p99_thousandths", done.slowdown(990).count()},
          {"slowdown_p999_thousandths", done.slowdown(999).count()},
          {"largest_slowdown_thousandths", done.slowdown(1000).count()}};
}

Json json_of(const PingStatistics& row) {
  Json codes = Json::object();
  for (std::size_t i = 0; i < ping_codes; ++i)
    codes[std::string{to_string(static_cast<PingCode>(i))}] = row.by_code[i];
  return {{"level", std::string{to_string(row.level)}},
          {"priority", row.priority.count()},
          {"probes", row.probes()},
          {"codes", codes},
          {"rtt",
           {{"answers", row.rtt.answers},
            {"least_ps", row.rtt.least.count()},
            {"p50_ps", row.rtt.p50.count()},
            {"p90_ps", row.rtt.p90.count()},
            {"p99_ps", row.rtt.p99.count()},
            {"p999_ps", row.rtt.p999.count()},
            {"most_ps", row.rtt.most.count()}}}};
}

Json json_of(const LinkFaultSummary& fault) {
  return {{"from", fault.from},
          {"to", fault.to},
          {"lost_pfc_frames", fault.counters.lost_pfc},
          {"lost_packets", fault.counters.lost_data},
          {"corrupted_frames", fault.counters.corrupted},
          {"delayed_frames", fault.counters.delayed},
          {"first_ps", fault.counters.first ? Json(fault.counters.first->count()) : Json(nullptr)},
          {"last_ps", fault.counters.last ? Json(fault.counters.last->count()) : Json(nullptr)}};
}

Json json_of(const HostFaultSummary& fault) {
  constexpr const char* kinds[] = {"stuck", "storm", "reboot"};
  return {{"host", fault.host},
          {"kind", kinds[static_cast<std::size_t>(fault.kind)]},
          {"at_ps", fault.at.count()}};
}

Json json_of(const PauseOrigin& origin) {
  return {{"node", origin.node},
          {"port", origin.port.count()},
          {"priority", origin.priority.count()},
          {"first_ps", origin.first.count()},
          {"pauses", origin.pauses}};
}

Json json_of(const ExpectationResult& result) {
  return {
      {"metric", result.expectation.metric},
      {"condition", result.expectation.text},
      {"measured" + std::string{unit_suffix(unit_of(result.expectation.metric))}, result.measured},
      {"met", result.met}};
}

}  // namespace

std::string to_json(const Summary& summary) {
  Json json{{"scenario", summary.scenario},
            {"description", summary.description},
            {"seed", summary.seed},
            {"until_ps", summary.until.count()},
            {"time_ps", summary.time.count()},
            {"interrupted", summary.interrupted},
            {"stopped", summary.stopped},
            {"totals", json_of(summary.totals)},
            {"expect", list_of(summary.expect)},
            {"deadlocks", list_of(summary.deadlocks)},
            {"drifts", list_of(summary.drifts)},
            {"pause_origins", list_of(summary.pause_origins)},
            {"probes", list_of(summary.probes)},
            {"link_faults", list_of(summary.link_faults)},
            {"host_faults", list_of(summary.host_faults)},
            {"switches", list_of(summary.switches)},
            {"hosts", list_of(summary.hosts)}};
  if (!summary.completions.empty()) json["completions"] = list_of(summary.completions);
  // A name that is no UTF-8 must not end a run that is over.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace weir
