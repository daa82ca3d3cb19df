// SPDX-License-Identifier: Apache-2.0
#include "weir/trace/summary/metric_values.hpp"

namespace weir {
namespace {

struct MetricGetter {
  std::string_view metric;
  std::uint64_t (*value)(const Totals&);
};

constexpr MetricGetter getters[] = {
    {"drops", [](const Totals& t) { return t.drops(); }},
    {"lossless_drops", [](const Totals& t) { return t.lossless_drops; }},
    {"lossy_drops", [](const Totals& t) { return t.lossy_drops; }},
    {"mac_drops", [](const Totals& t) { return t.mac_drops; }},
    {"ttl_drops", [](const Totals& t) { return t.ttl_drops; }},
    {"egress_drops", [](const Totals& t) { return t.egress_drops; }},
    {"nic_drops", [](const Totals& t) { return t.nic_drops; }},
    {"watchdog_drops", [](const Totals& t) { return t.watchdog_drops; }},
    {"storms", [](const Totals& t) { return t.storms; }},
    {"storms_over", [](const Totals& t) { return t.storms_over; }},
    {"nic_watchdog_trips", [](const Totals& t) { return t.nic_watchdog_trips; }},
    {"nic_pauses_sent", [](const Totals& t) { return t.nic_pauses_sent; }},
    {"mtt_misses", [](const Totals& t) { return t.mtt_misses; }},
    {"last_delivery", [](const Totals& t) { return t.last_delivery.count(); }},
    {"frames_lost", [](const Totals& t) { return t.frames_lost; }},
    {"fcs_errors", [](const Totals& t) { return t.fcs_errors; }},
    {"empty_refusals", [](const Totals& t) { return t.empty_refusals; }},
    {"flooded_packets", [](const Totals& t) { return t.flooded_packets; }},
    {"stray_copies", [](const Totals& t) { return t.stray_copies; }},
    {"incomplete_drops", [](const Totals& t) { return t.incomplete_drops; }},
    {"unanswered_drops", [](const Totals& t) { return t.unanswered_drops; }},
    {"cpu_packets", [](const Totals& t) { return t.cpu_packets; }},
    {"cpu_drops", [](const Totals& t) { return t.cpu_drops; }},
    {"arp_requests", [](const Totals& t) { return t.arp_requests; }},
    {"dead_host_packets", [](const Totals& t) { return t.dead_host_packets; }},
    {"xoff_entered", [](const Totals& t) { return t.xoff_entered; }},
    {"pauses_sent", [](const Totals& t) { return t.pauses_sent; }},
    {"pauses_received", [](const Totals& t) { return t.pauses_received; }},
    {"resumes_sent", [](const Totals& t) { return t.resumes_sent; }},
    {"resumes_received", [](const Totals& t) { return t.resumes_received; }},
    {"pause_time", [](const Totals& t) { return t.host_pause_time.count(); }},
    {"peak_shared", [](const Totals& t) { return std::uint64_t{t.peak_shared.count()}; }},
    {"peak_headroom", [](const Totals& t) { return std::uint64_t{t.peak_headroom.count()}; }},
    {"peak_group_headroom",
     [](const Totals& t) { return std::uint64_t{t.peak_group_headroom.count()}; }},
    {"peak_occupancy", [](const Totals& t) { return std::uint64_t{t.peak_occupancy.count()}; }},
    {"delivered_packets", [](const Totals& t) { return t.delivered_packets; }},
    {"delivered_bytes", [](const Totals& t) { return t.delivered_bytes.count(); }},
    {"throughput", [](const Totals& t) { return t.throughput.count(); }},
    {"average_latency", [](const Totals& t) { return t.latency.average().count(); }},
    {"latency_p50", [](const Totals& t) { return t.latency.percentile(500).count(); }},
    {"latency_p99", [](const Totals& t) { return t.latency.percentile(990).count(); }},
    {"latency_p999", [](const Totals& t) { return t.latency.percentile(999).count(); }},
    {"longest_latency", [](const Totals& t) { return t.latency.longest.count(); }},
    {"deadlocks", [](const Totals& t) { return t.deadlocks; }},
    {"deadlock_time", [](const Totals& t) { return t.deadlock_time.count(); }},
    {"config_drifts", [](const Totals& t) { return t.config_drifts; }},
    {"probes", [](const Totals& t) { return t.probes.probes(); }},
    {"probe_errors", [](const Totals& t) { return t.probes.errors(); }},
    {"probe_p50", [](const Totals& t) { return t.probes.rtt.p50.count(); }},
    {"probe_p99", [](const Totals& t) { return t.probes.rtt.p99.count(); }},
};

}  // namespace

std::optional<std::uint64_t> metric_value(const Totals& totals, std::string_view metric) noexcept {
  for (const MetricGetter& getter : getters)
    if (getter.metric == metric) return getter.value(totals);
  return std::nullopt;
}

bool is_met(const Expectation& expectation, std::uint64_t measured) noexcept {
  // A bound is never negative: the format has no sign.
  const auto bound = static_cast<std::uint64_t>(expectation.bound);
  switch (expectation.comparison) {
    case Comparison::equal:
      return measured == bound;
    case Comparison::not_equal:
      return measured != bound;
    case Comparison::less:
      return measured < bound;
    case Comparison::less_equal:
      return measured <= bound;
    case Comparison::greater:
      return measured > bound;
    case Comparison::greater_equal:
      return measured >= bound;
  }
  return false;
}

std::string_view unit_suffix(MetricUnit unit) noexcept {
  if (unit == MetricUnit::cells) return "_cells";
  if (unit == MetricUnit::bits_per_second) return "_bps";
  return unit == MetricUnit::picoseconds ? "_ps" : "";
}

MetricUnit unit_of(std::string_view metric) noexcept {
  for (const Metric& known : metrics())
    if (known.name == metric) return known.unit;
  return MetricUnit::count;
}

}  // namespace weir
