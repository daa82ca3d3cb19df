// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "weir/config/scenario/scenario.hpp"
#include "weir/core/latency.hpp"
#include "weir/core/pfc/pause_timer.hpp"
#include "weir/model/agenda.hpp"
#include "weir/model/host/nic_receiver.hpp"
#include "weir/model/host/rdma_receiver.hpp"
#include "weir/model/host/source.hpp"
#include "weir/model/network/frame_socket.hpp"
#include "weir/model/observer.hpp"
#include "weir/model/switch/port_counters.hpp"

namespace weir {

/// What the packets of a source have in their headers.
struct FlowHeader {
  std::uint16_t source_port{first_source_port};  ///< UDP, of its connection 0; then upwards.
  std::uint8_t ttl{default_ttl};
};

/// The network port of a host: sends what its sources make, receives what comes, and obeys PFC in
/// exact picoseconds (or ignores it, as a traffic generator does).
///
/// Sources of the port take turns frame by frame; one whose priority is paused is passed over. PFC
/// frames go first, then answers to connections. With a NicSpec what comes in goes through a
/// NicReceiver, else it is there with its last bit.
///
/// A dead host (HostSpec::dead_from) starts no frame and takes none; when it is restarted no pause
/// holds it, and its sources go on with what is due from then on.
///
/// Timing:  works only when a frame starts. Source: docs/design/contract.md, 5.
class Nic final : public sc_core::sc_module,
                  public FinalFrameReceiver<Nic>,
                  private FrameSender,
                  private NicPortIf,
                  private Actor {
  // Those of one rank in the order in which they happen at one moment.
  enum Task : std::uint32_t {
    death_task,
    restart_task,
    send_task,
    pfc_task,
    delivery_task,
    reboot_task,
    timeout_task
  };
  static constexpr Picoseconds never = Source::never;

  struct Stream {
    std::unique_ptr<Source> source;
    std::uint32_t flow{0};
    FlowHeader header;
    std::uint64_t sequence{0};
    Picoseconds ready;  // of its next packet, like the priority: as the source last said
    Priority priority;

    void look() noexcept {
      ready = source->ready_at();
      priority = source->priority();
    }
  };

  // First, so that what every frame touches lies in one place, ahead of the sockets.
  Picoseconds free_at_;
  Picoseconds woken_at_{never};
  const Picoseconds byte_;
  Agenda& agenda_;
  std::vector<Stream> streams_;
  // Dead from here to there: sends nothing, takes nothing.
  const Picoseconds dead_from_, dead_until_;
  std::size_t turn_{0};  // the stream that is looked at first
  // Every source is, and nothing that comes in makes the port send: only take() changes what comes
  // next.
  bool open_loop_{true};
  FrameForwardIf* peer_{nullptr};
  Picoseconds ahead_;               // how far it may decide ahead
  std::uint32_t pfc_under_way_{0};  // PFC frames on their way to this port
  const HostId id_;
  Agenda::ActorId actor_;
  const bool obeys_pfc_;
  FramePool& frames_;
  const Observers& observers_;
  std::array<Latency, priorities> latency_{};
  PortCounters counters_;
  HostPauseTimer timers_;
  const std::string label_;
  Picoseconds last_delivery_;
  RdmaReceiver connections_;
  bool pfc_waits_{false};
  Picoseconds shortest_timeout_{never}, timeout_at_{never};
  std::vector<Picoseconds> reboots_;

 public:
  FrameInitiator tx{"tx"};
  FrameTarget rx{"rx"};

  std::unique_ptr<NicReceiver> receiver;  ///< None: what comes is there with its last bit.

  Nic(const sc_core::sc_module_name& name, const ModelContext& context, const HostSpec& spec,
      HostId id);

  void add_source(std::unique_ptr<Source> source, std::uint32_t flow, FlowHeader header = {});

  /// Connections of traffic entry `flow` end here; every `ack_every`-th packet is answered.
  void expect_connections(std::uint32_t flow, std::uint32_t ack_every);
  /// Before the simulation starts. A fault other than a reboot needs a receiver.
  void add_fault(const HostFaultSpec& fault);

  /// The cable to this port takes `delay`: no PFC frame that is not on its way yet can arrive
  /// sooner than that and its own length. So long the host may decide ahead, in one go, what it
  /// sends; nothing that it sends changes by that. Without a call it decides frame by frame.
  void decide_ahead(Picoseconds delay) noexcept;
  void receive(Frame& frame, const sc_core::sc_time& delay) override;

  [[nodiscard]] const PortCounters& counters() const noexcept { return counters_; }
  /// Delay of the packets that the host received, from creation to last bit.
  [[nodiscard]] const Latency& latency(Priority priority) const noexcept {
    return latency_[priority.count()];
  }
  /// Last bit of the last frame that was delivered, or when the pipeline was done with it.
  [[nodiscard]] Picoseconds last_delivery() const noexcept { return last_delivery_; }
  /// How long PFC frames kept `priority` from sending, up to `now`.
  [[nodiscard]] Picoseconds paused_time(Priority priority, Picoseconds now) const noexcept {
    return timers_.paused_time(priority, now);
  }
  /// And how often, and how long at most.
  [[nodiscard]] PauseTimes pause_times(Priority priority, Picoseconds now) const noexcept {
    return timers_.pause_times(priority, now);
  }
  /// Something may have become ready: look at the sources again. For sources driven from outside.
  void look_again(Picoseconds now);

 private:
  void end_of_elaboration() override;
  [[nodiscard]] const Agenda* driven_by() override { return &agenda_; }
  void start_of_simulation() override;
  void act(Picoseconds now, std::uint32_t what, std::uint64_t argument) override;
  [[nodiscard]] bool dead_at(Picoseconds time) const noexcept {
    return dead_from_ <= time && time < dead_until_;
  }
  void die();
  void restart(Picoseconds now);
  void swallow(Frame& frame, Picoseconds last_bit);
  void ignore(Frame& frame, Picoseconds last_bit);
  void obey(Frame& frame, Picoseconds now);
  void count_delivery(const Frame& frame, Picoseconds when);
  void handled(Frame& frame, Picoseconds now) override;
  void pfc_requested(Picoseconds now) override;
  void expire(Picoseconds now);
  void watch_timeouts(Picoseconds now);
  void send(Picoseconds now);
  void send_in_turn(Picoseconds now);
  bool send_pfc(Picoseconds now);
  void send_answer(Picoseconds now);
  [[nodiscard]] Picoseconds send_one(Picoseconds now);
  [[nodiscard]] Picoseconds start(Stream& stream, Picoseconds now);
  void put_on_wire(Frame& frame, Picoseconds now);
  void wake_at(Picoseconds when);
  [[nodiscard]] Picoseconds earliest_ready() const noexcept;
};

}  // namespace weir
