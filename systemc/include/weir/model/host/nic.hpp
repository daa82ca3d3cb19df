// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <memory>
#include <string>
#include <systemc>

#include "weir/config/scenario/scenario.hpp"
#include "weir/core/latency.hpp"
#include "weir/core/pfc/pause_timer.hpp"
#include "weir/model/agenda.hpp"
#include "weir/model/host/host_context.hpp"
#include "weir/model/host/host_life.hpp"
#include "weir/model/host/host_mac.hpp"
#include "weir/model/host/host_streams.hpp"
#include "weir/model/host/message_log.hpp"
#include "weir/model/host/nic_receiver.hpp"
#include "weir/model/host/rdma_receiver.hpp"
#include "weir/model/host/source.hpp"
#include "weir/model/model_context.hpp"
#include "weir/model/network/frame_socket.hpp"
#include "weir/model/network/wire_guard.hpp"
#include "weir/model/observer.hpp"
#include "weir/model/switch/port_counters.hpp"

namespace weir {

/// The network port of a host, put together from its parts: HostStreams makes the packets, HostMac
/// sends them, HostLife says when the host is dead. What comes in goes to the part that it is for:
/// with a NicSpec through a NicReceiver, else it is there with its last bit.
///
/// Timing:  works only when a frame starts or is in. Source: docs/design/contract.md, 5.
class Nic final : public sc_core::sc_module,
                  public FinalFrameReceiver<Nic>,
                  public FramePort,
                  private FrameSender,
                  private DeliveryIf,
                  private Actor {
  // First, so that what every frame touches lies in one place, ahead of the sockets.
  Agenda& agenda_;
  const Picoseconds byte_;
  const HostId id_;
  const Agenda::ActorId actor_;
  const std::string label_;
  HostStreams streams_;
  HostLife life_;
  HostMac mac_;
  const Observers& observers_;
  std::array<Latency, priorities> latency_{};
  PortCounters counters_;
  Picoseconds last_delivery_;
  RdmaReceiver connections_;
  std::unique_ptr<WireGuard> guard_;  // a sender outside the agenda sends here
  const FramePool& frames_;

 public:
  FrameInitiator tx{"tx"};
  FrameTarget rx{"rx"};

  std::unique_ptr<NicReceiver> receiver;  ///< None: what comes is there with its last bit.

  Nic(const sc_core::sc_module_name& name, const ModelContext& context, const HostSpec& spec,
      HostId id);

  void add_source(std::unique_ptr<Source> source, std::uint32_t flow, FlowHeader header = {});

  /// Connections of traffic entry `flow` end here; its CNPs carry `cnp_dscp`.
  void expect_connections(std::uint32_t flow, const TrafficSpec& traffic, std::uint8_t cnp_dscp);
  /// Messages that come on these are reported to `messages`.
  void report_messages_to(MessageLog& messages) noexcept { connections_.report_to(messages); }
  /// Before the simulation starts. A fault other than a reboot needs a receiver.
  void add_fault(const HostFaultSpec& fault);

  /// The cable to this port takes `delay`: no PFC frame that is not on its way yet can arrive
  /// sooner than that and its own length. So long the host may decide ahead, in one go, what it
  /// sends; nothing that it sends changes by that. Without a call it decides frame by frame.
  void decide_ahead(Picoseconds delay) noexcept { mac_.decide_ahead(delay); }
  void take(Frame& frame, FramePhase& phase, const sc_core::sc_time& delay);
  void take_at(Frame& frame, Picoseconds first_bit) override;
  [[nodiscard]] FrameRoute route() override {
    return guard_ ? FrameRoute{} : FrameRoute{this, Picoseconds{}};
  }

  [[nodiscard]] const PortCounters& counters() const noexcept { return counters_; }
  /// Delay of the packets that the host received, from creation to last bit.
  [[nodiscard]] const Latency& latency(Priority priority) const noexcept {
    return latency_[priority.count()];
  }
  /// Last bit of the last frame that was delivered, or when the pipeline was done with it.
  [[nodiscard]] Picoseconds last_delivery() const noexcept { return last_delivery_; }
  /// How long PFC frames have paused `priority`, up to `now`.
  [[nodiscard]] Picoseconds paused_time(Priority priority, Picoseconds now) const noexcept {
    return pause_times(priority, now).total;
  }
  /// And how often, and how long at most.
  [[nodiscard]] PauseTimes pause_times(Priority priority, Picoseconds now) const noexcept {
    return mac_.pause_times(priority, now);
  }
  /// Watermarks begin again, from what there is at `now`.
  void restart_marks(Picoseconds now) noexcept {
    mac_.restart_longest_pause(now);
    if (receiver) receiver->restart_marks();
  }
  /// CNPs that it sent for connections that end here.
  [[nodiscard]] std::uint64_t cnps_sent() const noexcept { return connections_.cnps_sent(); }
  /// Rate control of the connections that begin here, entry by entry of the scenario.
  [[nodiscard]] std::vector<ConnectionRate> rates(Picoseconds now) const {
    return streams_.rates(now);
  }
  /// Something may have become ready: look at the sources again. For sources driven from outside.
  void look_again(Picoseconds now) { mac_.look_again(now); }

 private:
  void end_of_elaboration() override;
  [[nodiscard]] const Agenda* driven_by() override { return &agenda_; }
  void start_of_simulation() override;
  void act(Picoseconds now, std::uint32_t what, std::uint64_t argument) override;
  [[nodiscard]] HostContext parts(const ModelContext& context, const HostSpec& spec) noexcept;
  void restart(Picoseconds now);
  void ignore(Frame& frame, Picoseconds last_bit);
  void refuse(Frame& frame, Picoseconds last_bit);
  void count_delivery(const Frame& frame, Picoseconds when);
  void deliver_with_care(Frame& frame, Picoseconds when);
  void handled(Frame& frame, Picoseconds now) override;
};

}  // namespace weir
