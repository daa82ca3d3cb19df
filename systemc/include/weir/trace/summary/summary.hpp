// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weir/config/scenario/scenario.hpp"
#include "weir/core/accounting/sai_counters.hpp"
#include "weir/core/accounting/stats_counters.hpp"
#include "weir/core/congestion/ecn_marker.hpp"
#include "weir/core/pfc/pause_timer.hpp"
#include "weir/model/host/nic.hpp"
#include "weir/model/mmu/arrival_arbiter_unit.hpp"
#include "weir/model/network/link_fault.hpp"
#include "weir/model/network/message_meter.hpp"
#include "weir/model/network/network.hpp"
#include "weir/model/network/network_events.hpp"
#include "weir/model/network/pingmesh.hpp"
#include "weir/model/switch/port_counters.hpp"
#include "weir/trace/summary/row_weight.hpp"
#include "weir/trace/summary/totals.hpp"

namespace weir {

/// Values of a kind of SAI object under their SAI names, in the order of sai_counters().
using SaiValues = std::vector<std::pair<std::string_view, std::uint64_t>>;

/// One priority at one port of a switch.
struct PortClassSummary {
  Priority priority;
  std::uint8_t pg{0}, queue{0};  ///< Numbers of the group and the queue that the priority goes to.
  PortCounters::ByPriority counts;
  PauseTimes pause;           ///< This port's transmitter was paused.
  PauseTimes upstream_pause;  ///< The transmitter at the other end was.

  /// Packets dropped at this port: those that came in, and those of its egress queue. Over all
  /// ports of the switches each once.
  [[nodiscard]] std::uint64_t drops() const { return class_weight(counts).drops; }
};

struct PgSummary {
  std::uint8_t pg{0};
  std::string profile;
  bool lossless{false};
  PgCounters counters;
  Placement held;        ///< Cells in use at the end of the run.
  Cells threshold;       ///< T at the end of the run.
  bool xoff{false};      ///< The group is in XOFF at the end of the run.
  Cells private_limit;   ///< phi
  Cells headroom_limit;  ///< eta
  SaiValues sai;
};

/// Marking and early drop at a queue.
struct WredSummary {
  std::string profile;
  WredCounters counters;
  Cells waiting;  ///< q at the end of the run.
};

struct QueueSummary {
  std::uint8_t queue{0};
  bool limited{false};     ///< It has a limit at egress (lossy).
  std::uint64_t depth{0};  ///< Frames in it at the end of the run.
  QueueCounters counters;
  SaiValues sai;
  std::optional<WredSummary> wred;  ///< None: the queue has no WRED profile.
};

/// A port with a link.
struct PortSummary {
  PortId port;
  BitRate rate;
  std::string peer;  ///< "h3", or "leaf.port[2]".
  PortCounters counters;
  std::vector<PortClassSummary> classes;  ///< Only those where something happened; likewise below.
  std::vector<PgSummary> pgs;
  std::vector<QueueSummary> queues;
  SaiValues sai;  ///< Empty: no queue of the port has a WRED profile.
};

/// An ingress pool in one memory domain.
struct PoolSummary {
  std::string pool;
  DomainId domain;
  Cells shared_limit;    ///< B
  Cells headroom_limit;  ///< H; 0 when dedicated.
  bool dedicated_headroom{true};
  PoolUse held;  ///< Cells in use at the end of the run.
  PoolWatermark peak;
  SaiValues sai;
};

struct SwitchSummary {
  std::string name, chip, source;
  Bytes cell;
  std::size_t ports{0};  ///< Number of ports of the chip, with or without a link.
  Bytes memory;          ///< Cells of all domains that its settings take, in bytes.
  std::vector<PoolSummary> pools;
  std::vector<PortSummary> linked_ports;
  SlotWaiting waiting;
  std::optional<NeighbourCounters> neighbours;  ///< None: the switch has no such tables.
};

struct HostClassSummary {
  Priority priority;
  PortCounters::ByPriority counts;
  PauseTimes pause;  ///< Times in which PFC did not let the host send.
  Latency latency;   ///< Delays of the packets that the host received.
};

/// The receiving half of a host's NIC.
struct NicSummary {
  std::uint64_t dropped{0};
  Bytes held, max_held;
  std::uint64_t mtt_hits{0}, mtt_misses{0};
  bool broken{false};      ///< Its pipeline is stuck at the end of the run.
  bool pauses_off{false};  ///< Its watchdog has tripped by the end of the run.
};

/// Rate control at a host, at the end of the run.
struct RateControlSummary {
  std::uint64_t connections{0};    ///< Connections that begin at the host.
  std::uint64_t cnps_sent{0};      ///< CNPs for connections that end at the host.
  std::uint64_t cnps_received{0};  ///< CNPs for connections that begin at the host.
  BitRate least, mean, largest;    ///< Rates of the connections that begin here; 0: none begins.
};

struct HostSummary {
  std::string name, peer;
  BitRate rate;
  std::optional<NicSummary> nic;
  std::optional<RateControlSummary>
      rate_control;  ///< None: no such connection begins or ends here.
  std::vector<HostClassSummary> classes;
};

/// What faults did to frames on one direction of a link.
struct LinkFaultSummary {
  std::string from, to;  ///< Ends: "h3", "leaf.port[2]".
  FaultCounters counters;
};

/// Something that was done to a host.
struct HostFaultSummary {
  std::string host;
  HostFaultKind kind{HostFaultKind::storm};
  Picoseconds at;
};

/// A port that sent PAUSE in a class before its node had received any in that class: pauses begin
/// there.
struct PauseOrigin {
  std::string node;
  PortId port;
  Priority priority;
  Picoseconds first;        ///< Time of the first of these pauses.
  std::uint64_t pauses{0};  ///< All PAUSE frames that the port sent in the class.
};

/// Messages of a traffic entry, or its incasts.
struct CompletionSummary {
  std::string traffic;
  bool incasts{false};
  Completions counts;
};

/// A line of [expect] and its result.
struct ExpectationResult {
  Expectation expectation;
  std::uint64_t measured{0};
  bool met{false};
};

/// The result of a run, in exact integers.
struct Summary {
  std::string scenario, description;
  std::uint64_t seed{0};
  Picoseconds until;        ///< Simulated time that was requested.
  Picoseconds warm_up;      ///< What is counted below is counted from then on (Measurement).
  Picoseconds time;         ///< Time that was simulated.
  bool interrupted{false};  ///< time < until; nothing of [expect] is judged.
  bool stopped{false};  ///< A deadlock ended the run, as stop_on requests: complete, and judged.
  Totals totals;
  std::vector<SwitchSummary> switches;
  std::vector<HostSummary> hosts;
  std::vector<DeadlockReport> deadlocks;
  std::vector<DriftReport> drifts;
  std::vector<PauseOrigin> pause_origins;  ///< Ports where pauses began, in the order of time.
  /// Messages and incasts of traffic entries, in their order.
  std::vector<CompletionSummary> completions;
  std::vector<PingStatistics> probes;         ///< Results of probes by level and class.
  std::vector<LinkFaultSummary> link_faults;  ///< Directions of links that have faults.
  /// Faults of hosts that happened, in the order of time.
  std::vector<HostFaultSummary> host_faults;
  std::vector<ExpectationResult> expect;

  /// The time that is counted.
  [[nodiscard]] Picoseconds counted_time() const noexcept {
    return saturating_subtract(time, warm_up);
  }
  [[nodiscard]] bool all_met() const noexcept {
    for (const ExpectationResult& result : expect)
      if (!result.met) return false;
    return true;
  }
};

/// Collects the counters of `network`. A run that has not reached its end counts as interrupted,
/// unless it was stopped.
/// Errors: ModelError where the scenario has a warm-up: see Measurement.
[[nodiscard]] Summary summarize(const Network& network);

/// The totals alone, without latencies and what monitors and probes found; from the start of the
/// run.
[[nodiscard]] Totals packet_totals(const Network& network);

/// Simulated time of the network: its end, or the last event.
[[nodiscard]] Picoseconds time_reached(const Network& network);

}  // namespace weir
