// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "weir/core/accounting/stats_counters.hpp"
#include "weir/core/congestion/ecn_marker.hpp"
#include "weir/core/index.hpp"
#include "weir/core/units.hpp"
#include "weir/model/host/nic.hpp"
#include "weir/model/mmu/ecn_marker_unit.hpp"
#include "weir/model/network/link_fault.hpp"
#include "weir/model/network/message_meter.hpp"
#include "weir/model/network/network_events.hpp"
#include "weir/model/network/ping_account.hpp"
#include "weir/model/switch/port_counters.hpp"
#include "weir/model/switch/switch.hpp"

namespace weir {

/// `part` of `whole` in parts per million, rounded down; 0 of nothing. Range: part below 2^44.
[[nodiscard]] constexpr std::uint64_t millionths(std::uint64_t part, std::uint64_t whole) noexcept {
  return whole == 0 ? 0 : part * 1'000'000 / whole;
}

/// Sums over the network. The metrics of [expect] read them (metric_table.hpp).
///
/// Who counts a member is its row in for_each_figure(); those that are not a single count are
/// filled by summarize().
struct Totals {
  PortCounters ports;  ///< Counters of all ports of all switches, added up.
  /// Counters by priority of these ports, added up over all priorities.
  PortCounters::ByPriority classes;
  std::uint64_t sent_packets{0};  ///< Packets that hosts sent.
  Bytes sent_bytes;
  std::uint64_t delivered_packets{0};  ///< Packets that reached their hosts.
  Bytes delivered_bytes;
  /// Rate at which hosts received, from the warm-up on; preamble and gap counted.
  BitRate throughput;
  std::uint64_t in_flight_packets{0};  ///< Packets in a switch or on a wire when the run ended.
  std::uint64_t lossless_drops{0}, lossy_drops{0}, empty_refusals{0};
  bool has_wred{false};           ///< Some switch has a WRED profile.
  std::uint64_t wred_packets{0};  ///< Packets that entered egress queues with a WRED profile.
  std::uint64_t ecn_marked_packets{0};
  Bytes ecn_marked_bytes;
  std::uint64_t wred_drops{0};
  std::uint64_t frames_lost{0};      ///< Frames of all kinds that faults on links lost.
  std::uint64_t fcs_errors{0};       ///< Frames of all kinds that came in with a wrong FCS.
  std::uint64_t spoiled_packets{0};  ///< Packets of hosts among these two.
  std::uint64_t flooded_packets{0};  ///< Packets sent to all ports of a switch.
  std::uint64_t flood_copies{0};     ///< Copies of them, without the packets themselves.
  std::uint64_t cpu_packets{0};      ///< Packets that the processors of switches took.
  std::uint64_t arp_requests{0};
  std::uint64_t dead_host_packets{0};  ///< Packets and copies that came to a dead host.
  std::uint64_t nic_drops{0};          ///< Packets dropped by hosts that could not take them.
  /// Storms that PFC watchdogs of switches found, and those that ended.
  std::uint64_t storms{0}, storms_over{0};
  std::uint64_t nic_watchdog_trips{0};
  std::uint64_t nic_pauses_sent{0};  ///< Classes paused by PFC frames that hosts sent.
  std::uint64_t mtt_hits{0}, mtt_misses{0};
  Picoseconds last_delivery;
  std::uint64_t xoff_entered{0};
  Picoseconds host_pause_time;
  Cells peak_shared, peak_headroom, peak_group_headroom, peak_occupancy;
  Latency latency;  ///< Delays of all delivered packets.
  std::uint64_t deadlocks{0};
  Picoseconds deadlock_time;  ///< Time at which the first one had formed; 0: there was none.
  std::uint64_t config_drifts{0};
  PingStatistics probes;                    ///< Probes of all levels and classes.
  std::uint64_t controlled_connections{0};  ///< Connections with rate control.
  std::uint64_t cnps_sent{0}, cnps_received{0};
  bool has_messages{false}, has_incasts{false};  ///< Some traffic entry has.
  Completions messages, incasts;                 ///< Completion times of all traffic entries.

  /// Packets dropped by switches and hosts, each once; not those lost on a link.
  [[nodiscard]] std::uint64_t drops() const noexcept {
    return lossless_drops + lossy_drops + classes.mac_drops + classes.watchdog_egress_drops +
           nic_drops;
  }
  /// Packets marked CE by those that entered queues that may mark, in parts per million.
  [[nodiscard]] std::uint64_t ecn_marked_share() const noexcept {
    return millionths(ecn_marked_packets, wred_packets);
  }
};

/// The parts of a network that figures are taken from.
struct HostPart {
  const Nic& nic;
  PortCounters::ByPriority classes;  ///< Counters of the host, added up over all priorities.
  Picoseconds paused;                ///< Pause time of the host, added up over its classes.
  /// Rates of the connections with rate control that begin there.
  std::vector<ConnectionRate> rates;
};
struct GroupPart {
  const PgCounters& counters;
  bool lossless;
};
struct FindingsPart {
  const std::vector<DeadlockReport>& deadlocks;
  const std::vector<DriftReport>& drifts;
};

/// How a figure of the network follows from those of its parts.
struct Sum {
  template <class Value>
  void operator()(Value& total, Value part) const {
    total += part;
  }
};
/// The same of what there is at the end, not of what has happened.
struct SumAtEnd : Sum {};
struct Largest {
  template <class Value>
  void operator()(Value& total, Value part) const {
    total = std::max(total, part);
  }
};

/// Calls row(member, combine, getter) for each figure that is counted in parts of the network. The
/// parameter of the getter says in which: HostPart, Switch, PortCounters (of hosts and switches),
/// GroupPart, PoolWatermark, FaultCounters (of a direction of a link), FindingsPart.
template <class Row>
void for_each_figure(Row&& row) {
  using T = Totals;
  row(&T::sent_packets, Sum{}, [](const HostPart& h) { return h.classes.tx_packets; });
  row(&T::sent_bytes, Sum{}, [](const HostPart& h) { return h.classes.tx_bytes; });
  row(&T::delivered_packets, Sum{}, [](const HostPart& h) { return h.classes.rx_packets; });
  row(&T::delivered_bytes, Sum{}, [](const HostPart& h) { return h.classes.rx_bytes; });
  row(&T::nic_drops, Sum{}, [](const HostPart& h) { return h.classes.mac_drops; });
  row(&T::nic_pauses_sent, Sum{}, [](const HostPart& h) { return h.classes.pauses_sent; });
  row(&T::host_pause_time, Sum{}, [](const HostPart& h) { return h.paused; });
  row(&T::last_delivery, Largest{}, [](const HostPart& h) { return h.nic.last_delivery(); });
  row(&T::dead_host_packets, Sum{}, [](const HostPart& h) { return h.nic.counters().dead_host; });
  row(&T::nic_watchdog_trips, Sum{}, [](const HostPart& h) {
    return h.nic.receiver ? h.nic.receiver->counters().watchdog_trips : 0;
  });
  row(&T::mtt_hits, Sum{},
      [](const HostPart& h) { return h.nic.receiver ? h.nic.receiver->mtt().hits() : 0; });
  row(&T::mtt_misses, Sum{},
      [](const HostPart& h) { return h.nic.receiver ? h.nic.receiver->mtt().misses() : 0; });

  row(&T::controlled_connections, SumAtEnd{}, [](const HostPart& h) { return h.rates.size(); });
  row(&T::cnps_sent, Sum{}, [](const HostPart& h) { return h.nic.cnps_sent(); });
  row(&T::cnps_received, Sum{}, [](const HostPart& h) {
    std::uint64_t cnps = 0;
    for (const ConnectionRate& connection : h.rates) cnps += connection.cnps;
    return cnps;
  });

  const auto neighbours = [](const Switch& node) {
    return node.neighbour_tables ? node.neighbour_tables->counters() : NeighbourCounters{};
  };
  row(&T::flood_copies, Sum{}, [](const Switch& s) { return s.mmu.replicas().copies_made(); });
  row(&T::flooded_packets, Sum{}, [=](const Switch& s) { return neighbours(s).flooded; });
  row(&T::cpu_packets, Sum{}, [=](const Switch& s) { return neighbours(s).to_cpu; });
  row(&T::arp_requests, Sum{}, [=](const Switch& s) { return neighbours(s).arp_requests; });
  row(&T::storms, Sum{},
      [](const Switch& s) { return s.pfc_watchdog ? s.pfc_watchdog->storms() : 0; });
  row(&T::storms_over, Sum{},
      [](const Switch& s) { return s.pfc_watchdog ? s.pfc_watchdog->restored() : 0; });

  const auto wred = [](const Switch& node) {
    return node.mmu.ecn_marker ? node.mmu.ecn_marker->core().total() : WredCounters{};
  };
  row(&T::wred_packets, Sum{}, [](const Switch& s) {
    const EcnMarker* const marker = s.mmu.core().marker();
    std::uint64_t packets = 0;
    for (QueueIndex queue; marker != nullptr && queue.value() < s.port_count() * priorities;
         ++queue)
      if (marker->has_profile(queue)) packets += s.mmu.core().stats().queue(queue).packets;
    return packets;
  });
  row(&T::ecn_marked_packets, Sum{}, [=](const Switch& s) { return wred(s).marked_packets; });
  row(&T::ecn_marked_bytes, Sum{}, [=](const Switch& s) { return wred(s).marked_bytes; });
  row(&T::wred_drops, Sum{}, [=](const Switch& s) { return wred(s).dropped; });
  row(&T::lossy_drops, Sum{}, [=](const Switch& s) { return wred(s).dropped; });

  row(&T::fcs_errors, Sum{}, [](const PortCounters& c) { return c.fcs_errors + c.pfc_fcs_errors; });
  row(&T::spoiled_packets, Sum{}, [](const PortCounters& c) { return c.fcs_errors; });
  row(&T::spoiled_packets, Sum{}, [](const FaultCounters& c) { return c.lost_data; });
  row(&T::frames_lost, Sum{}, [](const FaultCounters& c) { return c.lost_pfc + c.lost_data; });

  row(&T::lossless_drops, Sum{},
      [](const GroupPart& g) { return g.lossless ? g.counters.dropped() : 0; });
  row(&T::lossy_drops, Sum{},
      [](const GroupPart& g) { return g.lossless ? 0 : g.counters.dropped(); });
  row(&T::empty_refusals, Sum{}, [](const GroupPart& g) { return g.counters.refused_empty; });
  row(&T::xoff_entered, Sum{}, [](const GroupPart& g) { return g.counters.xoff_entered; });
  row(&T::peak_group_headroom, Largest{},
      [](const GroupPart& g) { return g.counters.headroom_watermark; });
  row(&T::peak_shared, Largest{}, [](const PoolWatermark& peak) { return peak.shared; });
  row(&T::peak_headroom, Largest{}, [](const PoolWatermark& peak) { return peak.headroom; });
  row(&T::peak_occupancy, Largest{}, [](const PoolWatermark& peak) { return peak.total; });

  row(&T::deadlocks, Sum{}, [](const FindingsPart& f) { return f.deadlocks.size(); });
  row(&T::deadlock_time, Sum{}, [](const FindingsPart& f) {
    return f.deadlocks.empty() ? Picoseconds{} : f.deadlocks.front().formed;
  });
  row(&T::config_drifts, Sum{}, [](const FindingsPart& f) { return f.drifts.size(); });
}

/// Adds what `part` counts to the totals.
template <class Part>
void add_part(const Part& part, Totals& totals) {
  for_each_figure([&](auto member, auto combine, auto getter) {
    if constexpr (std::is_invocable_v<decltype(getter), const Part&>) {
      using Value = std::decay_t<decltype(totals.*member)>;
      combine(totals.*member, Value{getter(part)});
    }
  });
}

}  // namespace weir
