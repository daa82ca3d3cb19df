// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <systemc>
#include <vector>

#include "traffic.hpp"
#include "weir/core/mmu.hpp"
#include "weir/core/pfc/pause_timer.hpp"
#include "weir/core/pfc/pfc_generator.hpp"
#include "weir/core/scheduling/arrival_arbiter.hpp"
#include "weir/core/scheduling/queue_scheduler.hpp"
#include "weir/model/host/nic.hpp"
#include "weir/model/network/frame.hpp"
#include "weir/model/switch/fifo.hpp"
#include "weir/model/switch/port_counters.hpp"

namespace weir::bench {

/// The same core in the form of most cycle models: one SC_METHOD, sensitive to the clock, that
/// visits every port in every cycle, hosts and cables included.
///
/// It is optimised (picosecond-exact wires, no allocation per packet, one comparison for an empty
/// queue), so that the comparison shows the cost of the form. It does the same work as the model:
/// real frames from a pool, the counters of every MAC, the latency at every host.
class ClockedSwitch final : public sc_core::sc_module {
 public:
  ClockedSwitch(const sc_core::sc_module_name& name, const Traffic& traffic);

  /// Packets sent by the switch, all of which will reach their hosts.
  [[nodiscard]] std::uint64_t sent() const noexcept { return sent_; }
  [[nodiscard]] std::uint64_t pfc_frames() const noexcept { return pfc_frames_; }

 private:
  static constexpr Picoseconds never{~std::uint64_t{0}};

  struct Level {  // a verdict on its way to the PFC generator
    Picoseconds time;
    bool request{false};  // requests a frame; otherwise becomes visible
    bool xoff{false};
  };
  struct Control {
    Picoseconds last_bit;
    PfcFrame frame;
  };
  struct Port {
    Port(const Chip& chip, std::uint16_t number);
    std::uint16_t index;
    // Read in every cycle.
    std::uint8_t occupied{0};  // bit q: queue q holds packets
    std::uint8_t xoff{0};
    bool requested{false};          // a PFC frame waits for the wire
    std::uint16_t leaving_from{0};  // ingress port of the packet on the wire
    Picoseconds host_free, free_at, leaves_at{never}, refresh_at{never};
    // The host at the other end, and the two directions of its cable.
    HostPauseTimer host_timer;
    Fifo<Frame*> to_switch;  // Frame::visible: last bit in
    Fifo<Control> to_host;
    // The switch port.
    FrameList waiting;            // waits for an arrival slot
    Fifo<std::uint16_t> tickets;  // ingress ports of packets that wait for a release slot
    std::array<FrameList, priorities> queues;  // Frame::visible: earliest time
    QueueScheduler scheduler;
    SwitchPauseTimer pause;
    Fifo<Level> levels;
    PfcGenerator generator;
    // Reported at the end of a run.
    PortCounters counters, host_counters;
    Latency latency;
    std::uint64_t sequence{0};
  };

  void cycle();
  void obey(Port& port);
  void send_from_host(Port& port);
  void receive(Port& port);
  void finish(Port& port);
  void arrive(std::size_t ingress);
  void release(std::size_t egress);
  void change_level(std::size_t ingress, bool xoff);
  void update_levels(Port& port);
  void transmit(Port& port);
  bool send_pfc(Port& port);
  void send_data(Port& port);
  void deliver(Frame& frame, Picoseconds start);

  sc_core::sc_clock clock_;
  const Traffic traffic_;
  Mmu mmu_;
  const Picoseconds byte_, slot_, wire_, one_cycle_, admit_, request_;
  FramePool frames_;
  ArrivalArbiter arrivals_, releases_;
  std::vector<Port> ports_;
  Picoseconds now_;
  Cycle cycle_;  // of now_
  std::uint64_t sent_{0}, pfc_frames_{0};
};

}  // namespace weir::bench
