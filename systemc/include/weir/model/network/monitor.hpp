// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "weir/model/agenda.hpp"
#include "weir/model/model_context.hpp"
#include "weir/model/network/network_events.hpp"
#include "weir/model/observer.hpp"

namespace weir {

class Network;

/// Looks at the counters of all ports every period, and at the configuration of the switches: what
/// an operator's collector sees.
///
/// Observers get a sample of a class of a port that has counted anything since its last sample, and
/// of a pool or of a queue with a WRED profile whose cells or counters have changed. Configuration
/// is compared at the start, every period, and at the end.
///
/// Timing:  after all else of its moment; nothing between two periods. Counters of a MAC know a
///          frame from its start on; a host may have decided a cable's delay ahead.
/// Source:  [RDMA16] section 5; docs/blocks/monitor.md.
class Monitor final : private Actor {
 public:
  /// `network` is complete but for its observers, and outlives this. `mmu_is_live`: what the core
  /// of an MMU holds can be read while the run lasts.
  Monitor(const ModelContext& context, Network& network, bool mmu_is_live);

  /// The run has ended at `now`: a last look; observers get the drifts.
  void finish(Picoseconds now);
  /// All settings that ever drifted, in the order in which they were found.
  [[nodiscard]] const std::vector<DriftReport>& drifts() const noexcept { return drifts_; }

 private:
  /// A class of a port of a switch or host.
  struct Place {
    std::size_t node{0};  // switches first, then hosts
    PortId port;
    Priority priority;
    std::uint64_t seen{0};  // a digest of its counters at the last sample
  };

  /// A queue with a WRED profile at its last sample.
  struct MarkedQueue {
    Cells waiting;
    std::uint64_t marked{0}, dropped{0};
  };

  void add_places();
  void act(Picoseconds now, std::uint32_t what, std::uint64_t argument) override;
  void look(Picoseconds now);
  void sample_switch_port(Place& place, Picoseconds now);
  void sample_host(Place& place, Picoseconds now);
  void report(Place& place, const PortSample& sample, Picoseconds now);
  void sample_pools(Picoseconds now);
  void sample_queues(Picoseconds now);
  void sample_rates(Picoseconds now);
  void compare_chips(Picoseconds now);
  void note(std::size_t node, const std::vector<Drift>& found, Picoseconds now);

  Network& network_;
  Agenda& agenda_;
  const Observers& observers_;
  const bool mmu_is_live_;
  Agenda::ActorId actor_;
  std::vector<std::string> names_;                              // of nodes
  std::vector<std::size_t> order_;                              // of switches, by name
  std::vector<Place> places_;                                   // by name, port, priority
  std::vector<std::size_t> host_order_;                         // of hosts, by name
  std::vector<std::vector<ConnectionRate>> rates_;              // by host, at the last sample
  std::vector<IndexedVector<PoolIndex, PoolUse>> pools_;        // by switch, at the last sample
  std::vector<Chip> running_;                                   // by entry of MonitorSpec::desired
  std::vector<IndexedVector<QueueIndex, MarkedQueue>> queues_;  // by switch; empty: it marks none
  std::vector<DriftReport> drifts_;
};

}  // namespace weir
