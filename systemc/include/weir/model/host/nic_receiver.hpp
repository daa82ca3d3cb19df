// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "weir/config/scenario/scenario.hpp"
#include "weir/core/host/nic_watchdog.hpp"
#include "weir/core/pfc/pfc_generator.hpp"
#include "weir/model/agenda.hpp"
#include "weir/model/host/host_context.hpp"
#include "weir/model/host/message_memory.hpp"
#include "weir/model/interfaces.hpp"
#include "weir/model/observer.hpp"
#include "weir/model/switch/port_counters.hpp"

namespace weir {

/// Receive pipeline to its host.
struct DeliveryIf {
  /// The pipeline has moved a frame to memory; it is the host's now.
  virtual void handled(Frame& frame, Picoseconds now) = 0;

 protected:
  ~DeliveryIf() = default;
};

/// What a receive pipeline counted.
struct NicReceiverCounters {
  std::uint64_t dropped{0};         ///< The buffer was full, or a reboot emptied it.
  std::uint64_t watchdog_trips{0};  ///< The NIC watchdog switched the pauses off.
  Bytes max_held;
};

/// The receiving half of a NIC: a buffer, the pipeline that empties it into memory, the cache of
/// translations that the pipeline waits for, and the pauses that the buffer asks for. It can break.
///
/// A frame enters the buffer with its last bit; frames leave in order. The pipeline takes each for
/// its bytes at the pipeline's rate plus the miss time for every page that is not cached. From
/// `xoff` bytes held until `xon` the classes of the NIC are paused.
///
/// Timing:  all in exact picoseconds, two tasks a frame. It has no actor of its own: its tasks are
///          the host's (HostTask), so what happens at one moment at a host has one order.
/// Source:  [RDMA16], sections 4.3 and 4.4.
class NicReceiver final : public sc_core::sc_module, public PfcTransmitIf {
 public:
  /// Tasks in the order in which they happen at one moment.
  enum Task : std::uint32_t {
    done_task = HostTask::pipeline,
    arrival_task,
    fault_task,
    refresh_task,
    watchdog_task
  };

  /// `mac` sends the PFC frames; `deliveries` takes what is in memory.
  NicReceiver(const sc_core::sc_module_name& name, const HostContext& host, const NicSpec& spec,
              TransmitterIf& mac, DeliveryIf& deliveries);

  /// Before the simulation starts.
  void add_fault(const HostFaultSpec& fault);
  void start();

  /// A frame whose last bit comes in at `last_bit`. The receiver owns it.
  void arrival(Frame& frame, Picoseconds last_bit) {
    agenda_.post(last_bit, Rank::input, actor_, arrival_task,
                 reinterpret_cast<std::uintptr_t>(&frame));
  }
  void act(Picoseconds now, std::uint32_t what, std::uint64_t argument);
  std::optional<PfcFrame> start_frame(PortId port, Picoseconds now) override;

  [[nodiscard]] const MttCache& mtt() const noexcept { return memory_.mtt(); }
  [[nodiscard]] const NicReceiverCounters& counters() const noexcept { return counts_; }
  /// The most that was held begins again, from what is held.
  void restart_marks() noexcept { counts_.max_held = held_; }
  [[nodiscard]] Bytes held() const noexcept { return held_; }
  [[nodiscard]] bool broken() const noexcept { return broken_since_.has_value(); }
  [[nodiscard]] const NicWatchdog& watchdog() const noexcept { return watchdog_; }

 private:
  void take(Frame& frame, Picoseconds now);
  void drop(Frame& frame, Picoseconds now);
  void serve(Picoseconds now);
  void finish_one(std::uint64_t turn, Picoseconds now);
  void strike(const HostFaultSpec& fault, Picoseconds now);
  void reboot(Picoseconds now);
  void storm_again(std::uint64_t number, Picoseconds now);
  [[nodiscard]] bool paced_storm() const noexcept {
    return storm_ && storm_interval_ != Picoseconds{};
  }
  void set_level(Picoseconds now);
  void request(Picoseconds now);
  void refresh(Picoseconds now);
  void watch(Picoseconds now);
  [[nodiscard]] std::uint8_t paused_classes() const noexcept;

  const NicSpec spec_;
  Agenda& agenda_;
  const Agenda::ActorId actor_;
  TransmitterIf& mac_;
  DeliveryIf& deliveries_;
  PortCounters& port_counters_;
  const Observers& observers_;
  const std::string& label_;
  std::vector<HostFaultSpec> faults_;

  FrameList buffer_;
  Bytes held_;
  bool over_xoff_{false};
  std::uint64_t turn_{0};                  // of the frame in the pipeline; a reboot skips one
  std::optional<Picoseconds> busy_since_;  // the pipeline has a frame
  std::optional<Picoseconds> broken_since_;
  bool storm_{false};
  Picoseconds storm_interval_;     // 0: the refresh keeps it up
  std::uint64_t storm_number_{0};  // from 1: a storm that a reboot ended sends no more

  MessageMemory memory_;

  PfcGenerator generator_;
  bool requested_{false}, refresh_armed_{false};
  NicWatchdog watchdog_;
  std::optional<Picoseconds> watch_at_;
  NicReceiverCounters counts_;
};

}  // namespace weir
