// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "weir/core/chip.hpp"
#include "weir/core/pfc/pause_timer.hpp"
#include "weir/model/agenda.hpp"
#include "weir/model/interfaces.hpp"
#include "weir/model/observer.hpp"
#include "weir/model/registers/pfc_registers.hpp"
#include "weir/model/switch/port_counters.hpp"
#include "weir/model/switch/switch_context.hpp"

namespace weir {

/// The PFC receiver of an MMU as its neighbours see it; a user's own derives from it. It counts
/// each frame as received (SwitchContext::counters) and releases it: a run adds up what was sent.
class PfcReceiverBlock : public sc_core::sc_module,
                         public PfcReceiveIf,
                         public PauseIf,
                         public PfcReceiverRegisters {
 public:
  sc_core::sc_export<PfcReceiveIf> receiver{"receiver"};
  sc_core::sc_export<PauseIf> pause{"pause"};
  sc_core::sc_port<TransmitterIf, 0> mac{"mac"};  ///< One per port, in order.
  sc_core::sc_port<PauseWatchIf, 1, sc_core::SC_ZERO_OR_MORE_BOUND> watchdog{"watchdog"};

  explicit PfcReceiverBlock(const sc_core::sc_module_name& name) : sc_core::sc_module{name} {
    receiver.bind(*this);
    pause.bind(*this);
  }

  /// Since when a class of `port` is paused without a gap; none: it is not paused now.
  [[nodiscard]] virtual std::optional<Picoseconds> paused_since(PortId port, Priority priority,
                                                                Picoseconds now) const = 0;
  /// Of both sides: the network's, and the registers'.
  [[nodiscard]] PauseTimes pause_times(PortId port, Priority priority,
                                       Picoseconds now) const override = 0;
  /// The longest of pause_times() begins again. A user's own may keep it.
  virtual void restart_longest(Picoseconds /*now*/) {}
  /// A task of the watchdogs: at `when`, after all PFC frames of that moment.
  virtual void post_watch(Picoseconds when, std::uint32_t what, std::uint64_t argument) = 0;
};

/// The pause timers of all ports: loads them when the last bit of a PFC frame is in.
///
/// Timing:  fixed point per clock cycle, as docs/design/contract.md, 3 says; a class is paused
///          from the port's response time on, XON and expiry release at once.
/// Source:  arithmetic in core/pfc/pause_timer.hpp.
class PfcReceiverUnit final : public PfcReceiverBlock, private Actor {
 public:
  PfcReceiverUnit(const sc_core::sc_module_name& name, const SwitchContext& parent);

  void receive(Frame& frame, PortId port, Picoseconds last_bit) override;
  [[nodiscard]] std::uint8_t paused(PortId port, Picoseconds now) override {
    return timers_[port.count()].paused_mask(now);
  }
  [[nodiscard]] std::optional<Picoseconds> next_change(PortId port, Picoseconds now) override {
    return timers_[port.count()].next_change(now);
  }
  [[nodiscard]] PauseTimes pause_times(PortId port, Priority priority,
                                       Picoseconds now) const override {
    return timers_[port.count()].pause_times(priority, now);
  }
  [[nodiscard]] std::optional<Picoseconds> paused_since(PortId port, Priority priority,
                                                        Picoseconds now) const override {
    return timers_[port.count()].paused_since(priority, now);
  }
  void clear_times(Picoseconds now) override {
    for (SwitchPauseTimer& timer : timers_) timer.clear_times(now);
  }
  void restart_longest(Picoseconds now) override {
    for (SwitchPauseTimer& timer : timers_) timer.restart_longest(now);
  }
  void post_watch(Picoseconds when, std::uint32_t what, std::uint64_t argument) override {
    agenda_.post(when, Rank::input, actor_, static_cast<std::uint32_t>(timers_.size()) + what,
                 argument);
  }

 private:
  void end_of_elaboration() override {
    if (watchdog.size() != 0) watchdog_ = watchdog[0];
  }
  void act(Picoseconds now, std::uint32_t port, std::uint64_t argument) override;

  Agenda& agenda_;
  Agenda::ActorId actor_;
  std::vector<PortCounters>& counters_;
  const Observers& observers_;
  const std::string& switch_name_;
  std::vector<SwitchPauseTimer> timers_;
  PauseWatchIf* watchdog_{nullptr};
};

}  // namespace weir
