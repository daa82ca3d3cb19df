// SPDX-License-Identifier: Apache-2.0
#include "weir/trace/summary/drop_reasons.hpp"

#include "weir/model/switch/drop_counters.hpp"

namespace weir {
namespace {

std::uint64_t dropped_by_receivers(const Summary& summary) {
  std::uint64_t sum = 0;
  for (const HostSummary& host : summary.hosts) sum += host.nic ? host.nic->dropped : 0;
  return sum;
}

void count_refusals(const Summary& summary, std::map<std::string_view, std::uint64_t>& counts) {
  for (std::size_t i = 1; i < reasons; ++i) counts[to_string(static_cast<Reason>(i))] = 0;
  for (const SwitchSummary& node : summary.switches) {
    for (const PortSummary& port : node.linked_ports) {
      for (const PgSummary& pg : port.pgs)
        for (std::size_t i = 1; i < step_reasons; ++i)
          counts[to_string(static_cast<Reason>(i))] += pg.counters.refused[i];
      for (const QueueSummary& queue : port.queues)
        if (queue.wred) counts[to_string(Reason::wred)] += queue.wred->counters.dropped;
    }
  }
}

}  // namespace

std::optional<std::uint64_t> dropped_for(MacDrop reason, const Summary& summary) {
  const Totals& totals = summary.totals;
  switch (reason) {
    case MacDrop::watchdog:  // its counter has both
      return totals.ports.watchdog_drops - totals.classes.watchdog_egress_drops;
    case MacDrop::watchdog_egress:
      return totals.classes.watchdog_egress_drops;
    case MacDrop::nic_buffer:
      return dropped_by_receivers(summary);
    case MacDrop::wrong_host:  // what else a NIC drops
      return totals.nic_drops - dropped_by_receivers(summary);
    case MacDrop::stray_copy:  // no packet is lost: Totals::classes.stray_copies
    case MacDrop::dead_host:   // Totals::dead_host_packets
      return std::nullopt;
    default:
      break;
  }
  const auto counter = counters_of(reason).of_port;
  return counter == nullptr ? std::nullopt : std::optional{totals.ports.*counter};
}

std::map<std::string_view, std::uint64_t> drop_reasons(const Summary& summary) {
  std::map<std::string_view, std::uint64_t> counts;
  count_refusals(summary, counts);
  for (std::uint8_t i = 0; to_string(MacDrop{i}) != "unknown"; ++i) {
    const MacDrop reason{i};
    if (const auto count = dropped_for(reason, summary)) counts[to_string(reason)] = *count;
  }
  return counts;
}

}  // namespace weir
