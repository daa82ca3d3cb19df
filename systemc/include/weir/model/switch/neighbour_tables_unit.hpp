// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "weir/core/chip.hpp"
#include "weir/core/tables/neighbour_tables.hpp"
#include "weir/model/agenda.hpp"
#include "weir/model/interfaces.hpp"
#include "weir/model/observer.hpp"
#include "weir/model/switch/fifo.hpp"
#include "weir/model/switch/port_counters.hpp"
#include "weir/model/switch/switch_context.hpp"

namespace weir {

/// A host on a port of the switch, and when it is dead.
struct AttachedHost {
  HostId id{0};
  Ipv4 ip;
  MacAddress mac;
  Picoseconds dead_from{~std::uint64_t{0}}, dead_until{~std::uint64_t{0}};

  [[nodiscard]] bool dead_at(Picoseconds time) const noexcept {
    return dead_from <= time && time < dead_until;
  }
};

/// What the tables and the processor of a switch did.
struct NeighbourCounters {
  std::uint64_t arp_requests{0};  ///< Entries that came to their end: the host was asked.
  std::uint64_t arp_answers{0};   ///< And answered.
  std::uint64_t incomplete{0};    ///< Frames whose destination had no MAC entry.
  std::uint64_t flooded{0};       ///< Frames that went to all ports, group-addressed ones included.
  std::uint64_t to_cpu{0};        ///< Frames that the processor took.
  std::uint64_t from_cpu{0};      ///< And sent on, as their host answered.
  std::size_t cpu_deepest{0};     ///< Most frames that waited for it.
};

/// Shell of the ARP and the MAC table, between the receiving MACs and the MMU: learns from what
/// comes in, looks up where a frame for a host of this switch goes, floods, and runs the processor.
///
/// A frame that is routed on to another switch passes. Switches know each other at all times.
///
/// Timing:  a frame is looked up when its last bit is in, in the order of those moments, by port
///          where they are the same. ARP requests and answers take no time and no wire.
/// Source:  [RDMA16] section 4.2; arithmetic in core/tables/neighbour_tables.hpp.
class NeighbourTablesUnit final : public sc_core::sc_module,
                                  public MmuRequestIf,
                                  public FloodIf,
                                  private Actor {
 public:
  sc_core::sc_export<MmuRequestIf> request{"request"};  ///< Requests of the receiving MACs.
  sc_core::sc_export<FloodIf> flood{"flood"};
  sc_core::sc_port<MmuRequestIf> mmu{"mmu"};

  /// Range: a chip with neighbour tables.
  NeighbourTablesUnit(const sc_core::sc_module_name& name, const SwitchContext& parent);

  /// What hangs on a port; before the simulation starts. A port without a call gets no copies.
  void attach_host(PortId port, const AttachedHost& host);
  void attach_switch(PortId port) { links_[port.count()].linked = true; }
  /// Multicast frames of traffic entry `flow` are for `host`, among others.
  void add_member(std::uint32_t flow, HostId host);

  void arrival(Frame& frame, Picoseconds last_bit) override;
  void release(const ReleaseTicket& ticket, PortId egress, Picoseconds last_byte) override {
    mmu_->release(ticket, egress, last_byte);
  }
  void copies_of(const Frame& frame, std::vector<FrameCopy>& copies) const override;

  [[nodiscard]] const NeighbourTables& tables() const noexcept { return tables_; }
  [[nodiscard]] const NeighbourCounters& counters() const noexcept { return counts_; }
  /// The most frames that waited for the processor begins again, from those that wait.
  void restart_marks() noexcept { counts_.cpu_deepest = cpu_queue_.size(); }
  /// Ports with something on them.
  [[nodiscard]] std::size_t linked_ports() const noexcept;

 private:
  // In the order in which they happen at one moment; frames last, by port.
  enum Task : std::uint32_t { arp_end_task, restart_task, cpu_task, frame_task };
  struct Link {
    bool linked{false};
    std::optional<AttachedHost> host;
  };

  void end_of_elaboration() override { mmu_ = mmu[0]; }
  void start_of_simulation() override;
  void act(Picoseconds now, std::uint32_t what, std::uint64_t argument) override;
  void watch_arp_end(PortId port);
  void end_arp(PortId port, Picoseconds now);
  void look_up(Frame& frame, Picoseconds now);
  void handle_incomplete(Frame& frame, Picoseconds now);
  void flood_frame(Frame& frame, Picoseconds now);
  void to_cpu(Frame& frame, Picoseconds now);
  void serve_cpu(Picoseconds now);
  void drop(Frame& frame, MacDrop reason, Picoseconds now);
  [[nodiscard]] bool is_local(const Frame& frame) const noexcept;
  [[nodiscard]] bool matches(const Frame& frame, const Link& link) const noexcept;

  const NeighbourSettings settings_;
  const Chip& chip_;
  NeighbourTables tables_;
  std::vector<Link> links_;                   // by port
  std::vector<std::vector<HostId>> members_;  // of multicast, by traffic entry
  Fifo<Frame*> cpu_queue_;
  NeighbourCounters counts_;
  MmuRequestIf* mmu_{nullptr};
  Agenda& agenda_;
  Agenda::ActorId actor_;
  std::vector<PortCounters>& counters_;
  const Observers& observers_;
  const std::string& switch_name_;
};

}  // namespace weir
