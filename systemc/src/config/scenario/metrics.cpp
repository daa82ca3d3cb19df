// SPDX-License-Identifier: Apache-2.0
#include "weir/config/scenario/metrics.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "weir/config/format/reader.hpp"
#include "weir/config/format/units.hpp"

namespace weir {
namespace {

// Longer signs first: "<" is the beginning of "<=".
constexpr std::array<std::pair<std::string_view, Comparison>, 6> signs{
    {{"==", Comparison::equal},
     {"!=", Comparison::not_equal},
     {"<=", Comparison::less_equal},
     {">=", Comparison::greater_equal},
     {"<", Comparison::less},
     {">", Comparison::greater}}};

const Metric& metric_of(const Node& value) {
  std::vector<std::string> names;
  for (const Metric& metric : metrics()) {
    if (metric.name == value.name) return metric;
    names.emplace_back(metric.name);
  }
  const std::string meant = nearest(value.name, names);
  value.fail("unknown metric" + (meant.empty() ? "" : ", did you mean " + meant + "?") +
             "; there are: " + joined(names));
}

std::optional<std::uint64_t> parse_bound(std::string_view text, MetricUnit unit) {
  const auto number = parse_count(text);
  if (number && (unit == MetricUnit::count || *number == 0)) return number;
  if (unit == MetricUnit::bytes) {
    if (const auto bytes = parse_bytes(text)) return bytes->count();
  }
  if (unit == MetricUnit::picoseconds) {
    if (const auto time = parse_time(text)) return time->count();
  }
  if (unit == MetricUnit::bits_per_second) {
    if (const auto rate = parse_rate(text)) return rate->count();
  }
  if (unit == MetricUnit::cells) {
    const auto size = parse_buffer_size(text);
    if (size && size->in_cells) return size->count;
  }
  return std::nullopt;
}

std::string_view example(MetricUnit unit) {
  switch (unit) {
    case MetricUnit::bytes:
      return "\"> 12 MB\"";
    case MetricUnit::cells:
      return "\"<= 1200 cells\"";
    case MetricUnit::picoseconds:
      return "\"< 40 us\"";
    case MetricUnit::bits_per_second:
      return "\"> 10 Gbps\"";
    default:
      return "0, \"> 0\" or \"<= 100\"";
  }
}

}  // namespace

const std::vector<Metric>& metrics() {
  static const std::vector<Metric> table{
      {"drops", MetricUnit::count, "packets dropped anywhere in a switch"},
      {"lossless_drops", MetricUnit::count, "packets of lossless classes that the MMU refused"},
      {"lossy_drops", MetricUnit::count, "packets of lossy classes that the MMU refused"},
      {"mac_drops", MetricUnit::count,
       "packets dropped before the MMU: longer than the mtu, no route, port FIFO full, TTL at 0, "
       "host not known, by a PFC watchdog"},
      {"ttl_drops", MetricUnit::count, "packets dropped because their TTL had reached 0"},
      {"egress_drops", MetricUnit::count,
       "packets dropped after the MMU, in egress queues, by a PFC watchdog"},
      {"nic_drops", MetricUnit::count,
       "packets dropped by hosts: receive buffer full, or lost in a reboot"},
      {"watchdog_drops", MetricUnit::count,
       "packets dropped by PFC watchdogs, at ingress (mac_drops) or egress (egress_drops)"},
      {"storms", MetricUnit::count, "storms that the PFC watchdogs of switches found"},
      {"storms_over", MetricUnit::count,
       "storms that ended, after which the class was lossless again"},
      {"nic_watchdog_trips", MetricUnit::count, "NICs whose watchdog switched their pauses off"},
      {"nic_pauses_sent", MetricUnit::count,
       "classes paused by PFC frames that hosts sent, refreshes included"},
      {"mtt_misses", MetricUnit::count,
       "pages that receive pipelines had to fetch the translation of"},
      {"last_delivery", MetricUnit::picoseconds, "when the last packet reached its host"},
      {"frames_lost", MetricUnit::count, "frames, PFC or data, that a fault lost on a link"},
      {"fcs_errors", MetricUnit::count,
       "frames, PFC or data, that came in with a wrong FCS and were ignored"},
      {"empty_refusals", MetricUnit::count,
       "lossless refusals at a priority group that held no cell (headroom pool exhausted)"},
      {"flooded_packets", MetricUnit::count, "packets that a switch sent to all its ports"},
      {"stray_copies", MetricUnit::count,
       "flooded copies dropped at the head of an egress queue where their address does not match"},
      {"incomplete_drops", MetricUnit::count,
       "lossless packets dropped as the MAC table did not know their host (`drop_lossless`)"},
      {"unanswered_drops", MetricUnit::count,
       "packets dropped as their host did not answer ARP requests"},
      {"cpu_packets", MetricUnit::count, "packets that the processors of switches took (`to_cpu`)"},
      {"cpu_drops", MetricUnit::count, "packets dropped as a processor's queue was full"},
      {"arp_requests", MetricUnit::count, "ARP requests of the processors of switches"},
      {"dead_host_packets", MetricUnit::count, "packets and copies that came to a dead host"},
      {"xoff_entered", MetricUnit::count, "times that a priority group went to XOFF"},
      {"pauses_sent", MetricUnit::count,
       "classes paused by PFC frames that the switch sent, refreshes included"},
      {"pauses_received", MetricUnit::count, "classes paused by PFC frames that the switch got"},
      {"resumes_sent", MetricUnit::count, "classes resumed by PFC frames that the switch sent"},
      {"resumes_received", MetricUnit::count, "classes resumed by PFC frames that the switch got"},
      {"pause_time", MetricUnit::picoseconds,
       "time that classes of the hosts' ports were blocked, summed over ports and classes"},
      {"peak_shared", MetricUnit::cells, "most shared cells in use in one pool of one domain"},
      {"peak_headroom", MetricUnit::cells, "most headroom in use in one pool of one domain"},
      {"peak_group_headroom", MetricUnit::cells, "most headroom in use in one priority group"},
      {"peak_occupancy", MetricUnit::cells,
       "most cells in use in one pool of one domain: private, shared and headroom"},
      {"delivered_packets", MetricUnit::count, "packets that reached their host"},
      {"delivered_bytes", MetricUnit::bytes, "their bytes, FCS included"},
      {"throughput", MetricUnit::bits_per_second,
       "what reached the hosts from warm_up on, by the time since; preamble and gap are counted"},
      {"average_latency", MetricUnit::picoseconds,
       "their delay from creation at the source to the last bit, rounded down"},
      {"latency_p50", MetricUnit::picoseconds, "delay that half of them did not exceed"},
      {"latency_p99", MetricUnit::picoseconds, "delay that 99 % of them did not exceed"},
      {"latency_p999", MetricUnit::picoseconds, "delay that 99.9 % of them did not exceed"},
      {"longest_latency", MetricUnit::picoseconds, "the longest delay"},
      {"deadlocks", MetricUnit::count, "circles of paused queues that can never drain"},
      {"deadlock_time", MetricUnit::picoseconds,
       "when the first of them had formed; 0 when there is none"},
      {"config_drifts", MetricUnit::count,
       "settings of switches that were not as [[desired]] says at some time"},
      {"probes", MetricUnit::count, "probes of [pingmesh] that were due"},
      {"probe_errors", MetricUnit::count, "probes that were not answered in time"},
      {"probe_p50", MetricUnit::picoseconds, "round-trip time that half of the answers keep"},
      {"probe_p99", MetricUnit::picoseconds, "round-trip time that 99 % of the answers keep"},
  };
  return table;
}

Expectation to_expectation(const Node& value) {
  return to_expectation(value, metric_of(value).unit);
}

Expectation to_expectation(const Node& value, MetricUnit unit) {
  Expectation expectation;
  expectation.metric = value.name;
  expectation.text = value.text;
  std::string_view bound = value.text;
  for (const auto& [sign, comparison] : signs) {
    if (bound.substr(0, sign.size()) != sign) continue;
    expectation.comparison = comparison;
    bound.remove_prefix(sign.size());
    break;
  }
  bound.remove_prefix(std::min(bound.find_first_not_of(' '), bound.size()));
  const bool scalar = value.kind == Node::Kind::text || value.kind == Node::Kind::integer;
  const auto number = scalar ? parse_bound(bound, unit) : std::nullopt;
  if (!number || *number > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
    value.fail("must be a bound with ==, !=, <, <=, > or >=, such as " +
               std::string{example(unit)});
  }
  expectation.bound = static_cast<std::int64_t>(*number);
  return expectation;
}

}  // namespace weir
