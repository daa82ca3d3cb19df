// SPDX-License-Identifier: Apache-2.0
#include "weir/trace/summary/summary_json.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "json_text.hpp"
#include "json_tree_writer.hpp"
#include "weir/config/scenario/fault_names.hpp"
#include "weir/trace/summary/metric_values.hpp"
#include "weir/trace/summary/row_weight.hpp"
#include "weir/trace/summary/totals.hpp"

namespace weir {
namespace {

// The priorities of ports with the most drops, then pauses, then bytes; of equal ones the first.
class BusiestClasses {
 public:
  BusiestClasses(const Summary& summary, std::size_t most) {
    for (const SwitchSummary& node : summary.switches)
      for (const PortSummary& port : node.linked_ports)
        for (const PortClassSummary& entry : port.classes) ranked_.push_back(ranked(port, entry));
    all_ = ranked_.size();
    if (most < all_) {
      std::nth_element(ranked_.begin(), ranked_.begin() + static_cast<std::ptrdiff_t>(most),
                       ranked_.end(), [](const Ranked& a, const Ranked& b) {
                         if (b.weight < a.weight) return true;
                         return !(a.weight < b.weight) && a.place < b.place;
                       });
      ranked_.resize(most);
      std::sort(ranked_.begin(), ranked_.end(),
                [](const Ranked& a, const Ranked& b) { return a.place < b.place; });
    }
  }

  [[nodiscard]] std::size_t all() const noexcept { return all_; }
  /// Whether the next one is of them. Range: called for one after the other, in their order.
  [[nodiscard]] bool takes(const PortClassSummary& entry) {
    if (next_ == ranked_.size() || ranked_[next_].entry != &entry) return false;
    ++next_;
    return true;
  }
  [[nodiscard]] bool takes_any(const PortSummary& port) const {
    return next_ < ranked_.size() && ranked_[next_].port == &port;
  }

 private:
  struct Ranked {
    ClassWeight weight;
    std::size_t place;
    const PortSummary* port;
    const PortClassSummary* entry;
  };
  [[nodiscard]] Ranked ranked(const PortSummary& port, const PortClassSummary& entry) const {
    return {class_weight(entry.counts), ranked_.size(), &port, &entry};
  }

  std::vector<Ranked> ranked_;
  std::size_t all_{0}, next_{0};
};

// An egress queue with a WRED profile.
struct MarkingQueue {
  const SwitchSummary* node;
  const PortSummary* port;
  const QueueSummary* queue;

  [[nodiscard]] MarkWeight weight() const {
    const WredCounters& counts = queue->wred->counters;
    return {counts.marked_packets + counts.dropped, queue->counters.packets};
  }
};

std::vector<MarkingQueue> marking_queues(const Summary& summary) {
  std::vector<MarkingQueue> queues;
  for (const SwitchSummary& node : summary.switches)
    for (const PortSummary& port : node.linked_ports)
      for (const QueueSummary& queue : port.queues)
        if (queue.wred) queues.push_back({&node, &port, &queue});
  return queues;
}

/// All of a summary as a text.
class SummaryText : public JsonText {
 public:
  SummaryText() : JsonText{JsonLayout::indented} {}
  explicit SummaryText(const std::function<void(std::string_view)>& write)
      : JsonText{JsonLayout::indented, write} {}
  static constexpr bool has_all = true;
  [[nodiscard]] static bool has(const PortSummary&) noexcept { return true; }
  [[nodiscard]] static bool has(const PortClassSummary&) noexcept { return true; }
  [[nodiscard]] static bool has_counter(std::string_view) noexcept { return true; }
};

/// What of it a page has.
class PageSummary : public JsonTreeWriter {
 public:
  PageSummary(BusiestClasses& busiest, const std::vector<std::string_view>& counters)
      : busiest_{busiest}, counters_{counters} {}
  static constexpr bool has_all = false;
  [[nodiscard]] bool has(const PortSummary& port) const { return busiest_.takes_any(port); }
  [[nodiscard]] bool has(const PortClassSummary& entry) const { return busiest_.takes(entry); }
  /// Whether it has this counter of a priority or of a priority group.
  [[nodiscard]] bool has_counter(std::string_view name) const noexcept {
    return std::find(counters_.begin(), counters_.end(), name) != counters_.end();
  }

 private:
  BusiestClasses& busiest_;
  const std::vector<std::string_view>& counters_;
};

// Each adds the members of its value to the open object.
template <class Json>
void add(Json& json, const PortClassSummary& entry);
template <class Json>
void add(Json& json, const PgSummary& pg);
template <class Json>
void add(Json& json, const QueueSummary& queue);
template <class Json>
void add(Json& json, const PortSummary& port);
template <class Json>
void add(Json& json, const PoolSummary& pool);
template <class Json>
void add(Json& json, const SwitchSummary& node);
template <class Json>
void add(Json& json, const HostClassSummary& entry);
template <class Json>
void add(Json& json, const HostSummary& host);
template <class Json>
void add(Json& json, const DeadlockMember& member);
template <class Json>
void add(Json& json, const DeadlockReport& report);
template <class Json>
void add(Json& json, const DriftReport& report);
template <class Json>
void add(Json& json, const PauseOrigin& origin);
template <class Json>
void add(Json& json, const CompletionSummary& row);
template <class Json>
void add(Json& json, const PingStatistics& row);
template <class Json>
void add(Json& json, const LinkFaultSummary& fault);
template <class Json>
void add(Json& json, const HostFaultSummary& fault);

template <class Json, class Entries>
void add_list(Json& json, std::string_view name, const Entries& entries) {
  json.add_list(name, entries,
                [&](const auto& entry) { json.add_object([&] { add(json, entry); }); });
}

template <class Json>
void add_sai(Json& json, const SaiValues& values) {
  if constexpr (!Json::has_all) return;
  json.add_object("sai", [&] {
    for (const auto& [name, value] : values) json.add(name, value);
  });
}

template <class Json>
void add_held(Json& json, const Placement& cells) {
  json.add_object("held", [&] {
    json.add("private_cells", cells.private_cells.count());
    json.add("shared_cells", cells.shared.count());
    json.add("headroom_cells", cells.headroom.count());
  });
}

// The counters that `scope` shows, and those that hosts show, too.
template <class Json>
void add(Json& json, const PortCounters::ByPriority& counts, CounterScope scope) {
  for_each_class_counter([&](const auto& row) {
    if (scope <= row.scope && json.has_counter(row.name)) json.add(row.name, count_of(row, counts));
  });
}

template <class Json>
void add(Json& json, const std::string& whose, const PauseTimes& pause) {
  json.add(whose + "pause_time_ps", pause.total.count());
  if constexpr (!Json::has_all) return;
  json.add(whose + "pause_intervals", pause.pauses);
  json.add(whose + "longest_pause_ps", pause.longest.count());
}

template <class Json>
void add(Json& json, const PortClassSummary& entry) {
  json.add("priority", entry.priority.count());
  json.add("pg", entry.pg);
  if constexpr (Json::has_all) json.add("queue", entry.queue);
  add(json, entry.counts, CounterScope::switches);
  add(json, "", entry.pause);
  add(json, "upstream_", entry.upstream_pause);
}

// The counters of one part of an entry.
template <class Json, class Rows, class Counters>
void add(Json& json, const Rows& rows, const Counters& counters, CounterPart part) {
  for (const auto& row : rows)
    if (row.part == part && json.has_counter(row.field)) json.add(row.field, row.read(counters));
}

template <class Json>
void add(Json& json, const PgSummary& pg) {
  const auto part = [&](CounterPart shown) { add(json, pg_counter_table, pg.counters, shown); };
  json.add("pg", pg.pg);
  json.add("profile", pg.profile);
  if constexpr (Json::has_all) json.add("lossless", pg.lossless);
  part(CounterPart::traffic);
  if constexpr (Json::has_all) {
    json.add("drops", pg.counters.dropped());
    json.add_object("drops_by_reason", [&] { part(CounterPart::drops_by_reason); });
  }
  part(CounterPart::events);
  if constexpr (Json::has_all) json.add("xoff", pg.xoff);
  part(CounterPart::peak_shared);
  part(CounterPart::peak_headroom);
  json.add("headroom_limit_cells", pg.headroom_limit.count());
  part(CounterPart::peak_total);
  if constexpr (!Json::has_all) return;
  json.add("private_limit_cells", pg.private_limit.count());
  add_held(json, pg.held);
  json.add("threshold_cells", pg.threshold.count());
  add_sai(json, pg.sai);
}

template <class Json>
void add(Json& json, const QueueSummary& queue) {
  json.add("queue", queue.queue);
  json.add("limited", queue.limited);
  add(json, queue_counter_table, queue.counters, CounterPart::traffic);
  json.add("depth_packets", queue.depth);
  add_sai(json, queue.sai);
  if (!queue.wred) return;
  json.add_object("wred", [&] {
    json.add("profile", queue.wred->profile);
    add(json, wred_counter_table, queue.wred->counters, CounterPart::traffic);
    json.add("marked_share_ppm",
             millionths(queue.wred->counters.marked_packets, queue.counters.packets));
    json.add("waiting_cells", queue.wred->waiting.count());
  });
}

template <class Json>
void add(Json& json, const PortSummary& port) {
  json.add("port", port.port.count());
  if constexpr (Json::has_all) json.add("rate_bps", port.rate.count());
  json.add("peer", port.peer);
  for_each_port_counter([&](const auto& row) {
    if constexpr (!Json::has_all) return;
    if (row.scope != CounterScope::none)
      json.add(row.name, count_of(row, port.counters));
    else if (row.count == &PortCounters::pfc_fcs_errors)  // shown with those of data frames
      json.add("fcs_errors", port.counters.fcs_errors + port.counters.pfc_fcs_errors);
  });
  json.add_list("priorities", port.classes, [&](const PortClassSummary& entry) {
    if (json.has(entry)) json.add_object([&] { add(json, entry); });
  });
  add_list(json, "priority_groups", port.pgs);
  if constexpr (Json::has_all) add_list(json, "queues", port.queues);
  if (!port.sai.empty()) add_sai(json, port.sai);
}

template <class Json>
void add(Json& json, const PoolSummary& pool) {
  json.add("pool", pool.pool);
  json.add("domain", pool.domain.count());
  json.add("shared_limit_cells", pool.shared_limit.count());
  add(json, pool_mark_table, pool.peak, CounterPart::peak_shared);
  json.add("dedicated_headroom", pool.dedicated_headroom);
  json.add("headroom_limit_cells", pool.headroom_limit.count());
  add(json, pool_mark_table, pool.peak, CounterPart::peak_headroom);
  add(json, pool_mark_table, pool.peak, CounterPart::peak_total);
  add_held(json, Placement{pool.held.private_cells, pool.held.shared, pool.held.headroom});
  add_sai(json, pool.sai);
}

template <class Json>
void add_neighbours(Json& json, const NeighbourCounters& counts) {
  json.add_object("neighbours", [&] {
    json.add("arp_requests", counts.arp_requests);
    json.add("arp_answers", counts.arp_answers);
    json.add("incomplete", counts.incomplete);
    json.add("flooded", counts.flooded);
    json.add("to_cpu", counts.to_cpu);
    json.add("from_cpu", counts.from_cpu);
    json.add("cpu_deepest", counts.cpu_deepest);
  });
}

template <class Json>
void add(Json& json, const SwitchSummary& node) {
  json.add("name", node.name);
  json.add("chip", node.chip);
  json.add("source", node.source);
  json.add("cell_bytes", node.cell.count());
  json.add("port_count", node.ports);
  if constexpr (Json::has_all) {
    json.add("memory_bytes", node.memory.count());
    json.add_object("slot_waiting", [&] {
      json.add("packets", node.waiting.waited);
      json.add("longest_ps", node.waiting.longest.count());
      json.add("deepest_packets", node.waiting.deepest);
    });
    add_list(json, "pools", node.pools);
  }
  json.add_list("ports", node.linked_ports, [&](const PortSummary& port) {
    if (json.has(port)) json.add_object([&] { add(json, port); });
  });
  if (node.neighbours) add_neighbours(json, *node.neighbours);
}

template <class Json>
void add_quantiles(Json& json, const Latency& times) {
  json.add("average_ps", times.average().count());
  json.add("p50_ps", times.percentile(500).count());
  json.add("p99_ps", times.percentile(990).count());
  json.add("p999_ps", times.percentile(999).count());
  json.add("longest_ps", times.longest.count());
}

template <class Json>
void add(Json& json, const HostClassSummary& entry) {
  json.add("priority", entry.priority.count());
  add(json, entry.counts, CounterScope::hosts_too);
  add(json, "", entry.pause);
  json.add_object("latency", [&] {
    json.add("packets", entry.latency.packets);
    json.add("sum_ps", entry.latency.sum.count());
    add_quantiles(json, entry.latency);
  });
}

template <class Json>
void add_nic(Json& json, const NicSummary& nic) {
  json.add_object("nic", [&] {
    json.add("drops", nic.dropped);
    json.add("held_bytes", nic.held.count());
    json.add("peak_held_bytes", nic.max_held.count());
    json.add("mtt_hits", nic.mtt_hits);
    json.add("mtt_misses", nic.mtt_misses);
    json.add("broken", nic.broken);
    json.add("pauses_off", nic.pauses_off);
  });
}

template <class Json>
void add_rate_control(Json& json, const RateControlSummary& control) {
  json.add_object("rate_control", [&] {
    json.add("connections", control.connections);
    json.add("cnps_sent", control.cnps_sent);
    json.add("cnps_received", control.cnps_received);
    json.add("min_rate_bps", control.least.count());
    json.add("mean_rate_bps", control.mean.count());
    json.add("max_rate_bps", control.largest.count());
  });
}

template <class Json>
void add(Json& json, const HostSummary& host) {
  json.add("name", host.name);
  json.add("rate_bps", host.rate.count());
  json.add("peer", host.peer);
  if (host.nic) add_nic(json, *host.nic);
  if (host.rate_control) add_rate_control(json, *host.rate_control);
  add_list(json, "priorities", host.classes);
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

template <class Json>
void add_totals(Json& json, const Totals& totals) {
  json.add("sent_packets", totals.sent_packets);
  json.add("sent_bytes", totals.sent_bytes.count());
  json.add("in_flight_packets", totals.in_flight_packets);
  json.add("spoiled_packets", totals.spoiled_packets);
  json.add("flood_copies", totals.flood_copies);
  for (const Metric& metric : metrics()) {
    if (!has(totals, metric.scope)) continue;
    json.add(std::string{metric.name} + std::string{unit_suffix(metric.unit)},
             metric_value(totals, metric.name).value());
  }
}

template <class Json>
void add(Json& json, const DeadlockMember& member) {
  json.add("switch", member.node);
  json.add("port", member.port.count());
  json.add("priority", member.priority.count());
  json.add("since_ps", member.since.count());
  json.add("frames", member.frames);
  json.add("frame_bytes", member.bytes.count());
  json.add("waits_for", member.waits_for);
}

template <class Json>
void add(Json& json, const DeadlockReport& report) {
  json.add("formed_ps", report.formed.count());
  json.add("found_ps", report.found.count());
  json.add("queues", report.queues);
  json.add("frames", report.frames);
  json.add("frame_bytes", report.bytes.count());
  add_list(json, "members", report.members);
}

template <class Json>
void add(Json& json, std::string_view name, const std::optional<Picoseconds>& time) {
  if (time)
    json.add(name, time->count());
  else
    json.add_null(name);
}

template <class Json>
void add(Json& json, const DriftReport& report) {
  json.add("switch", report.node);
  json.add("key", report.drift.key);
  json.add("desired", report.drift.desired);
  json.add("running", report.drift.running);
  json.add("found_ps", report.found.count());
  add(json, "repaired_ps", report.repaired);
}

template <class Json>
void add(Json& json, const CompletionSummary& row) {
  const CompletionTimes& done = row.counts.done;
  json.add("traffic", row.traffic);
  json.add("of", row.incasts ? "incasts" : "messages");
  json.add("completed", done.times().packets);
  json.add("unfinished", row.counts.unfinished);
  add_quantiles(json, done.times());
  json.add("slowdown_p50_thousandths", done.slowdown(500).count());
  json.add("slowdown_p99_thousandths", done.slowdown(990).count());
  json.add("slowdown_p999_thousandths", done.slowdown(999).count());
  json.add("largest_slowdown_thousandths", done.slowdown(1000).count());
}

template <class Json>
void add(Json& json, const PingStatistics& row) {
  json.add("level", to_string(row.level));
  json.add("priority", row.priority.count());
  json.add("probes", row.probes());
  json.add_object("codes", [&] {
    for (std::size_t i = 0; i < ping_codes; ++i)
      json.add(to_string(static_cast<PingCode>(i)), row.by_code[i]);
  });
  json.add_object("rtt", [&] {
    json.add("answers", row.rtt.answers);
    json.add("min_ps", row.rtt.least.count());
    json.add("p50_ps", row.rtt.p50.count());
    json.add("p90_ps", row.rtt.p90.count());
    json.add("p99_ps", row.rtt.p99.count());
    json.add("p999_ps", row.rtt.p999.count());
    json.add("max_ps", row.rtt.most.count());
  });
}

template <class Json>
void add(Json& json, const LinkFaultSummary& fault) {
  json.add("from", fault.from);
  json.add("to", fault.to);
  json.add("lost_pfc_frames", fault.counters.lost_pfc);
  json.add("lost_packets", fault.counters.lost_data);
  json.add("corrupted_frames", fault.counters.corrupted);
  json.add("delayed_frames", fault.counters.delayed);
  add(json, "first_ps", fault.counters.first);
  add(json, "last_ps", fault.counters.last);
}

template <class Json>
void add(Json& json, const HostFaultSummary& fault) {
  json.add("host", fault.host);
  json.add("kind", to_string(fault.kind));
  json.add("at_ps", fault.at.count());
}

template <class Json>
void add(Json& json, const PauseOrigin& origin) {
  json.add("node", origin.node);
  json.add("port", origin.port.count());
  json.add("priority", origin.priority.count());
  json.add("first_ps", origin.first.count());
  json.add("pauses", origin.pauses);
}

// A run that was interrupted is not judged: what it measured is of a part of the run.
template <class Json>
void add_expectations(Json& json, const Summary& summary) {
  json.add_list("expect", summary.expect, [&](const ExpectationResult& result) {
    json.add_object([&] {
      json.add("metric", result.expectation.metric);
      json.add("condition", result.expectation.text);
      json.add("measured" + std::string{unit_suffix(unit_of(result.expectation.metric))},
               result.measured);
      if (!summary.interrupted) json.add("met", result.met);
    });
  });
}

// How long the ports of a switch paused the senders of what goes to the queues of this number.
Picoseconds upstream_pause(const SwitchSummary& node, std::uint8_t queue) {
  Picoseconds sum;
  for (const PortSummary& port : node.linked_ports)
    for (const PortClassSummary& entry : port.classes)
      if (entry.queue == queue) sum += entry.upstream_pause.total;
  return sum;
}

// The rows of a table of a page: of more than `most` queues those with the most marks and drops.
template <class Json>
void add_marking_queues(Json& json, const Summary& summary, std::size_t most) {
  std::vector<MarkingQueue> rows = marking_queues(summary);
  json.add("marking_queue_rows", rows.size());
  if (most < rows.size()) {
    std::stable_sort(rows.begin(), rows.end(), MoreWeight{});
    rows.resize(most);
  }
  json.add_list("marking_queues", rows, [&](const MarkingQueue& row) {
    const WredSummary& wred = *row.queue->wred;
    json.add_object([&] {
      json.add("switch", row.node->name);
      json.add("port", row.port->port.count());
      json.add("peer", row.port->peer);
      json.add("queue", row.queue->queue);
      json.add("profile", wred.profile);
      json.add("packets", row.queue->counters.packets);
      json.add("marked_packets", wred.counters.marked_packets);
      json.add("wred_drops", wred.counters.dropped);
      json.add("upstream_pause_time_ps", upstream_pause(*row.node, row.queue->queue).count());
    });
  });
}

template <class Json>
void add(Json& json, const Summary& summary) {
  json.add("scenario", summary.scenario);
  json.add("description", summary.description);
  json.add("seed", summary.seed);
  json.add("until_ps", summary.until.count());
  json.add("time_ps", summary.time.count());
  json.add("interrupted", summary.interrupted);
  json.add("stopped", summary.stopped);
  json.add_object("totals", [&] { add_totals(json, summary.totals); });
  add_expectations(json, summary);
  add_list(json, "deadlocks", summary.deadlocks);
  add_list(json, "drifts", summary.drifts);
  if constexpr (Json::has_all) add_list(json, "pause_origins", summary.pause_origins);
  add_list(json, "probes", summary.probes);
  add_list(json, "link_faults", summary.link_faults);
  add_list(json, "host_faults", summary.host_faults);
  add_list(json, "switches", summary.switches);
  if constexpr (Json::has_all) add_list(json, "hosts", summary.hosts);
  if (summary.warm_up != Picoseconds{}) json.add("warm_up_ps", summary.warm_up.count());
  if (!summary.completions.empty()) add_list(json, "completions", summary.completions);
}

}  // namespace

std::string to_json(const Summary& summary) {
  SummaryText json;
  return std::move(json).whole([&] { add(json, summary); });
}

void write_json(const Summary& summary, const std::function<void(std::string_view)>& write) {
  SummaryText json{write};
  std::move(json).whole([&] { add(json, summary); });
}

JsonTree to_page_tree(const Summary& summary, std::size_t most,
                      const std::vector<std::string_view>& counters) {
  BusiestClasses busiest{summary, most};
  PageSummary json{busiest, counters};
  return std::move(json).whole([&](JsonTreeWriter&) {
    add(json, summary);
    json.add("counter_rows", busiest.all());
    if (summary.totals.has_wred) add_marking_queues(json, summary, most);
  });
}

}  // namespace weir
