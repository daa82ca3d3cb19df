// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "weir/config/scenario/metrics.hpp"

namespace weir {

/// Calls row() for each metric of messages and incasts; a part of for_each_metric().
template <class Row>
void for_each_completion_metric(Row&& row) {
  using Unit = MetricUnit;
  constexpr MetricScope messages = MetricScope::messages, incasts = MetricScope::incasts;
  row(
      "messages", Unit::count,
      "messages of `messages`, `incast` and `rdma` that their host received completely",
      [](const auto& t) { return t.messages.done.times().packets; }, messages);
  row(
      "unfinished_messages", Unit::count,
      "messages that had begun and were not complete at their host at the end of the run",
      [](const auto& t) { return t.messages.unfinished; }, messages);
  row(
      "message_time_p50", Unit::picoseconds,
      "completion time (FCT), from creation at the source to the last bit, that half of the "
      "messages did not exceed",
      [](const auto& t) { return t.messages.done.times().percentile(500); }, messages);
  row(
      "message_time_p99", Unit::picoseconds,
      "completion time that 99 % of the messages did not exceed",
      [](const auto& t) { return t.messages.done.times().percentile(990); }, messages);
  row(
      "longest_message_time", Unit::picoseconds, "the longest completion time of a message",
      [](const auto& t) { return t.messages.done.times().longest; }, messages);
  row(
      "message_slowdown_p50", Unit::ratio,
      "slowdown, completion time divided by that of the same message in the empty network, that "
      "half of the messages did not exceed",
      [](const auto& t) { return t.messages.done.slowdown(500); }, messages);
  row(
      "message_slowdown_p99", Unit::ratio, "slowdown that 99 % of the messages did not exceed",
      [](const auto& t) { return t.messages.done.slowdown(990); }, messages);
  row(
      "incasts", Unit::count, "bursts of `incast` with all packets of all senders received",
      [](const auto& t) { return t.incasts.done.times().packets; }, incasts);
  row(
      "unfinished_incasts", Unit::count,
      "bursts that had begun and had packets missing at the end of the run",
      [](const auto& t) { return t.incasts.unfinished; }, incasts);
  row(
      "incast_time_p50", Unit::picoseconds,
      "completion time (ICT), from the start of the first sender to the last bit of the last "
      "packet, that half of the incasts did not exceed",
      [](const auto& t) { return t.incasts.done.times().percentile(500); }, incasts);
  row(
      "incast_time_p99", Unit::picoseconds,
      "completion time that 99 % of the incasts did not exceed",
      [](const auto& t) { return t.incasts.done.times().percentile(990); }, incasts);
  row(
      "longest_incast_time", Unit::picoseconds, "the longest completion time of an incast",
      [](const auto& t) { return t.incasts.done.times().longest; }, incasts);
  row(
      "incast_slowdown_p50", Unit::ratio,
      "slowdown, completion time divided by that of the same incast in the empty network, that "
      "half of the incasts did not exceed",
      [](const auto& t) { return t.incasts.done.slowdown(500); }, incasts);
  row(
      "incast_slowdown_p99", Unit::ratio, "slowdown that 99 % of the incasts did not exceed",
      [](const auto& t) { return t.incasts.done.slowdown(990); }, incasts);
}

/// Calls row(name, unit, meaning, getter) for each metric, in the order in which they are shown.
/// The one table of metrics.
///
/// A row may end with the scope of its metric; without one summary.json always has it.
///
/// A getter takes the totals of a run (Totals of trace/summary/summary.hpp, which this room does
/// not know) and returns a number, or a quantity in the metric's unit. A caller that needs only
/// names ignores it.
template <class Row>
void for_each_metric(Row&& row) {
  using Unit = MetricUnit;
  row("drops", Unit::count,
      "packets dropped anywhere: in switches (lossless_drops, lossy_drops, mac_drops, "
      "watchdog_egress_drops) and in hosts (nic_drops); not those that a fault lost on a link",
      [](const auto& t) { return t.drops(); });
  row("lossless_drops", Unit::count, "packets of lossless classes that the MMU refused",
      [](const auto& t) { return t.lossless_drops; });
  row("lossy_drops", Unit::count, "packets of lossy classes that the MMU refused",
      [](const auto& t) { return t.lossy_drops; });
  row(
      "wred_drops", Unit::count,
      "packets that the WRED profiles of egress queues dropped (counted in lossy_drops, too)",
      [](const auto& t) { return t.wred_drops; }, MetricScope::wred);
  row(
      "ecn_marked_packets", Unit::count,
      "packets that the WRED profiles of egress queues marked CE, once for each switch",
      [](const auto& t) { return t.ecn_marked_packets; }, MetricScope::wred);
  row(
      "ecn_marked_bytes", Unit::bytes, "bytes of ecn_marked_packets, FCS included",
      [](const auto& t) { return t.ecn_marked_bytes; }, MetricScope::wred);
  row(
      "ecn_marked_share", Unit::share,
      "ecn_marked_packets divided by the packets that entered egress queues with a WRED profile",
      [](const auto& t) { return t.ecn_marked_share(); }, MetricScope::wred);
  row("mac_drops", Unit::count,
      "packets dropped before the MMU, from the mtu to a PFC watchdog: results.md lists the "
      "reasons",
      [](const auto& t) { return t.classes.mac_drops; });
  row("ttl_drops", Unit::count, "packets dropped because their TTL had reached 0",
      [](const auto& t) { return t.ports.ttl_expired; });
  row("watchdog_egress_drops", Unit::count,
      "packets that the MMU had admitted and a PFC watchdog dropped from their egress queue",
      [](const auto& t) { return t.classes.watchdog_egress_drops; });
  row("nic_drops", Unit::count,
      "packets dropped by hosts: receive buffer full, lost in a reboot, or for another host",
      [](const auto& t) { return t.nic_drops; });
  row("watchdog_drops", Unit::count,
      "packets dropped by PFC watchdogs of switches, at ingress (counted in mac_drops, too) and at "
      "egress (watchdog_egress_drops)",
      [](const auto& t) { return t.ports.watchdog_drops; });
  row("storms", Unit::count, "storms that the PFC watchdogs of switches found",
      [](const auto& t) { return t.storms; });
  row("storms_over", Unit::count, "storms that ended, after which the class was lossless again",
      [](const auto& t) { return t.storms_over; });
  row("nic_watchdog_trips", Unit::count, "NICs whose watchdog switched their pauses off",
      [](const auto& t) { return t.nic_watchdog_trips; });
  row("nic_pauses_sent", Unit::count,
      "classes paused by PFC frames that hosts sent, refreshes included",
      [](const auto& t) { return t.nic_pauses_sent; });
  row("mtt_misses", Unit::count,
      "page translations that receive pipelines had to fetch from host memory",
      [](const auto& t) { return t.mtt_misses; });
  row("last_delivery", Unit::picoseconds, "when the last packet reached its host",
      [](const auto& t) { return t.last_delivery; });
  row("frames_lost", Unit::count, "frames, PFC or data, that a fault lost on a link",
      [](const auto& t) { return t.frames_lost; });
  row("fcs_errors", Unit::count, "frames, PFC or data, received with a wrong FCS and ignored",
      [](const auto& t) { return t.fcs_errors; });
  row("empty_refusals", Unit::count,
      "lossless refusals at a priority group that held no cell: its headroom is smaller than the "
      "packet, the headroom pool is exhausted, or every queue of the packet refuses it",
      [](const auto& t) { return t.empty_refusals; });
  row("flooded_packets", Unit::count, "packets that a switch sent to all its ports",
      [](const auto& t) { return t.flooded_packets; });
  row("stray_copies", Unit::count,
      "flooded copies dropped at the head of an egress queue where their address does not match",
      [](const auto& t) { return t.classes.stray_copies; });
  row("incomplete_drops", Unit::count,
      "lossless packets dropped because the MAC table did not know their host (`drop_lossless`)",
      [](const auto& t) { return t.ports.incomplete_arp; });
  row("unanswered_drops", Unit::count,
      "packets dropped because their host did not answer ARP requests",
      [](const auto& t) { return t.ports.no_neighbour; });
  row("cpu_packets", Unit::count, "packets that the processors of switches took (`to_cpu`)",
      [](const auto& t) { return t.cpu_packets; });
  row("cpu_drops", Unit::count, "packets dropped because a processor's queue was full",
      [](const auto& t) { return t.ports.cpu_queue; });
  row("arp_requests", Unit::count, "ARP requests of the processors of switches",
      [](const auto& t) { return t.arp_requests; });
  row("dead_host_packets", Unit::count, "packets and copies that reached a dead host",
      [](const auto& t) { return t.dead_host_packets; });
  row("xoff_entered", Unit::count, "times that a priority group went to XOFF",
      [](const auto& t) { return t.xoff_entered; });
  row("pauses_sent", Unit::count,
      "classes paused by PFC frames that the switch sent, refreshes included",
      [](const auto& t) { return t.classes.pauses_sent; });
  row("pauses_received", Unit::count, "classes paused by PFC frames that the switch received",
      [](const auto& t) { return t.classes.pauses_received; });
  row("resumes_sent", Unit::count, "classes resumed by PFC frames that the switch sent",
      [](const auto& t) { return t.classes.resumes_sent; });
  row("resumes_received", Unit::count, "classes resumed by PFC frames that the switch received",
      [](const auto& t) { return t.classes.resumes_received; });
  row("pause_time", Unit::picoseconds,
      "time that classes of the hosts' ports were paused, summed over ports and classes",
      [](const auto& t) { return t.host_pause_time; });
  row("peak_shared", Unit::cells, "most shared cells in use in one pool of one domain",
      [](const auto& t) { return t.peak_shared; });
  row("peak_headroom", Unit::cells, "most headroom in use in one pool of one domain",
      [](const auto& t) { return t.peak_headroom; });
  row("peak_group_headroom", Unit::cells, "most headroom in use in one priority group",
      [](const auto& t) { return t.peak_group_headroom; });
  row("peak_occupancy", Unit::cells,
      "most cells in use in one pool of one domain: private, shared and headroom",
      [](const auto& t) { return t.peak_occupancy; });
  row("delivered_packets", Unit::count, "packets that reached their host",
      [](const auto& t) { return t.delivered_packets; });
  row("delivered_bytes", Unit::bytes, "bytes of delivered_packets, FCS included",
      [](const auto& t) { return t.delivered_bytes; });
  row("throughput", Unit::bits_per_second,
      "bits received by the hosts per second after warm_up, with preamble and interframe gap",
      [](const auto& t) { return t.throughput; });
  row("average_latency", Unit::picoseconds,
      "average delay of a packet, from its creation at the source (its wait there included) to its "
      "last bit at the receiver, rounded down",
      [](const auto& t) { return t.latency.average(); });
  row("latency_p50", Unit::picoseconds,
      "delay, wait at the source included, that half of the packets did not exceed",
      [](const auto& t) { return t.latency.percentile(500); });
  row("latency_p99", Unit::picoseconds,
      "delay, wait at the source included, that 99 % of the packets did not exceed",
      [](const auto& t) { return t.latency.percentile(990); });
  row("latency_p999", Unit::picoseconds,
      "delay, wait at the source included, that 99.9 % of the packets did not exceed",
      [](const auto& t) { return t.latency.percentile(999); });
  row("longest_latency", Unit::picoseconds,
      "the longest delay of a packet, wait at the source included",
      [](const auto& t) { return t.latency.longest; });
  row("deadlocks", Unit::count, "circles of paused queues that can never drain",
      [](const auto& t) { return t.deadlocks; });
  row("deadlock_time", Unit::picoseconds, "when the first of them had formed; 0 when there is none",
      [](const auto& t) { return t.deadlock_time; });
  row("config_drifts", Unit::count,
      "settings of switches that differed from [[desired]] at some time",
      [](const auto& t) { return t.config_drifts; });
  row("probes", Unit::count, "probes of [pingmesh] that were due",
      [](const auto& t) { return t.probes.probes(); });
  row("probe_errors", Unit::count, "probes that were not answered in time",
      [](const auto& t) { return t.probes.errors(); });
  row("probe_p50", Unit::picoseconds, "round-trip time that half of the answers did not exceed",
      [](const auto& t) { return t.probes.rtt.p50; });
  row("probe_p99", Unit::picoseconds, "round-trip time that 99 % of the answers did not exceed",
      [](const auto& t) { return t.probes.rtt.p99; });
  row(
      "controlled_connections", Unit::count, "connections with rate control",
      [](const auto& t) { return t.controlled_connections; }, MetricScope::rate_control);
  row(
      "cnps_sent", Unit::count, "congestion notification packets (CNPs) that receivers sent",
      [](const auto& t) { return t.cnps_sent; }, MetricScope::rate_control);
  row(
      "cnps_received", Unit::count, "CNPs received by their senders, each of which cut a rate",
      [](const auto& t) { return t.cnps_received; }, MetricScope::rate_control);
  for_each_completion_metric(row);
}

}  // namespace weir
