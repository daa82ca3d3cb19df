// SPDX-License-Identifier: Apache-2.0
// The RTL of one pfc_receiver a port in the place of the built-in block.
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "rtl_block_makers.hpp"
#include "rtl_port.hpp"
#include "weir/core/errors.hpp"
#include "weir/core/pfc/pause_timer.hpp"
#include "weir/core/pfc/pfc_frame.hpp"
#include "weir/model/mmu/pfc_receiver_unit.hpp"

namespace weir {
namespace {

/// pfc_receiver of one port. The edge that takes a frame is the one at or after its last bit.
class ReceiverPort final : public RtlPort {
 public:
  ReceiverPort(const RtlBlockContext& context, std::size_t port)
      : RtlPort{context, port},
        timer_{CycleTimeBase{context.parent.chip.ports[port].rate, context.parent.chip.clock},
               context.parent.chip.ports[port].response} {
    const Chip& chip = context.parent.chip;
    const std::uint32_t width = context.library.parameter("ResponseW");
    const std::uint64_t response = edge_at_or_after(chip.ports[port].response, chip.clock).count();
    if (response >> width != 0)
      throw ConfigError(fmt::format("{}: response of port {}", context.parent.name, port),
                        fmt::format("{} cycles", response),
                        fmt::format("must fit in {} bits with {}", width, context.library.path()));
    rtl().input("response_i", width).set(0, width, response);
    rtl().input("step_i", 32).set(0, 32, CycleTimeBase{chip.ports[port].rate, chip.clock}.step());
    reset();
  }

  /// A frame whose last beat edge `edge` takes. Range: edges rise, none has been clocked.
  void expect(const PfcFrame& frame, std::uint64_t edge) { frames_.push_back({edge, frame}); }
  [[nodiscard]] std::uint8_t pauses() const noexcept {
    return static_cast<std::uint8_t>(pause_.get(0, 8));
  }
  [[nodiscard]] SwitchPauseTimer& timer() noexcept { return timer_; }
  [[nodiscard]] const SwitchPauseTimer& timer() const noexcept { return timer_; }

 private:
  struct Coming {
    std::uint64_t edge;
    PfcFrame frame;
  };

  void clock() override {
    const bool ends = !frames_.empty() && frames_.front().edge == cycle() + 1;
    if (ends) present(frames_.front().frame);
    rise();
    if (ends) {
      load(frames_.front().frame);
      frames_.pop_front();
      for (RtlPin* const pin : {&data_, &keep_, &valid_, &last_}) pin->clear();
    }
    settle();
    same("pause_o", timer_.paused_mask(edge()), pause_.get(0, 8));
    same("stat_frame_o", ends ? 1 : 0, stat_frame_.get(0, 1));
    same("stat_pfc_o", ends ? 1 : 0, stat_pfc_.get(0, 1));
    if (ends) same("stat_verdict_o", 0, stat_verdict_.get(0, 3));
  }
  void present(const PfcFrame& frame) {
    const PfcFrameBytes octets = encode(frame);
    std::copy(octets.begin(), octets.end(), data_.data());
    for (std::size_t octet = 0; octet < block_axis_width / 8; ++octet) keep_.set(octet, 1, 1);
    valid_.set(0, 1, 1);
    last_.set(0, 1, 1);
  }
  void load(const PfcFrame& frame) {
    for (std::size_t n = 0; n < priorities; ++n)
      if ((frame.class_enable >> n & 1U) != 0)
        timer_.load(Priority{static_cast<std::uint8_t>(n)}, frame.time[n], edge());
  }

  SwitchPauseTimer timer_;  // the core's, loaded at edges
  std::deque<Coming> frames_;
  RtlPin data_{rtl().input("s_axis_rx_tdata_i", block_axis_width)},
      keep_{rtl().input("s_axis_rx_tkeep_i", block_axis_width / 8)},
      valid_{rtl().input("s_axis_rx_tvalid_i", 1)}, last_{rtl().input("s_axis_rx_tlast_i", 1)},
      bad_fcs_{rtl().input("s_axis_rx_tuser_i", 1)};
  RtlPin pause_{rtl().output("pause_o", 8)}, stat_frame_{rtl().output("stat_frame_o", 1)},
      stat_pfc_{rtl().output("stat_pfc_o", 1)}, stat_verdict_{rtl().output("stat_verdict_o", 3)};
};

/// The receivers of a switch. pause_o says what may not start; when that changes next, and the
/// times for registers, are the core's timers, which pause_o is compared with in every cycle.
class PfcReceiverRtl final : public PfcReceiverBlock, public RtlBlockUnit, private Actor {
 public:
  PfcReceiverRtl(const sc_core::sc_module_name& name, const RtlBlockContext& context)
      : PfcReceiverBlock{name},
        agenda_{context.parent.model.agenda},
        actor_{agenda_.enroll(*this)},
        counters_{context.parent.counters},
        observers_{context.parent.model.observers},
        node_{context.parent.name},
        edges_{context.parent.chip.clock},
        all_{context} {
    require_one_frame_a_cycle(context);
    for (std::size_t port = 0; port < context.parent.chip.ports.size(); ++port) {
      ports_.push_back(std::make_unique<ReceiverPort>(context, port));
      all_.add(*ports_.back());
    }
  }

  void receive(Frame& frame, PortId port, Picoseconds last_bit) override {
    const Cycle edge = edges_.cycle_at_or_after(last_bit);
    ports_[port.count()]->expect(frame.pfc, edge.count());
    const auto argument = reinterpret_cast<std::uintptr_t>(&frame);
    const auto first = static_cast<std::uint32_t>(2U * port.count());
    agenda_.post(last_bit, Rank::input, actor_, first, argument);
    agenda_.post(edges_.time(edge), Rank::input, actor_, first + 1, argument);
  }
  [[nodiscard]] std::uint8_t paused(PortId port, Picoseconds now) override {
    bring(port, now);
    return ports_[port.count()]->pauses();
  }
  [[nodiscard]] std::optional<Picoseconds> next_change(PortId port, Picoseconds now) override {
    bring(port, now);
    return ports_[port.count()]->timer().next_change(now);
  }
  [[nodiscard]] PauseTimes pause_times(PortId port, Priority priority,
                                       Picoseconds now) const override {
    return ports_[port.count()]->timer().pause_times(priority, now);
  }
  [[nodiscard]] std::optional<Picoseconds> paused_since(PortId port, Priority priority,
                                                        Picoseconds now) const override {
    return ports_[port.count()]->timer().paused_since(priority, now);
  }
  void clear_times(Picoseconds now) override {
    for (const auto& port : ports_) port->timer().clear_times(now);
  }
  void restart_longest(Picoseconds now) override {
    for (const auto& port : ports_) port->timer().restart_longest(now);
  }
  void post_watch(Picoseconds when, std::uint32_t what, std::uint64_t argument) override {
    agenda_.post(when, Rank::input, actor_, watch_tasks() + what, argument);
  }

  [[nodiscard]] const std::optional<RtlDifference>& difference() const override {
    return all_.difference();
  }
  [[nodiscard]] std::string block() const override { return "pfc_receiver"; }
  [[nodiscard]] std::vector<RtlWave*> waves() override { return all_.waves(); }
  [[nodiscard]] std::uint64_t compared() const override { return all_.compared(); }
  void finish(Picoseconds end) override { all_.finish(end); }

 private:
  // Of each port two tasks, the last bit of a frame and the edge that takes it; then those of the
  // watchdogs.
  [[nodiscard]] std::uint32_t watch_tasks() const noexcept {
    return static_cast<std::uint32_t>(2 * ports_.size());
  }
  void end_of_elaboration() override {
    if (watchdog.size() != 0) watchdog_ = watchdog[0];
  }
  void bring(PortId port, Picoseconds now) {
    ports_[port.count()]->run_to(now);
    all_.check();
  }
  void act(Picoseconds now, std::uint32_t what, std::uint64_t argument) override {
    if (watch_tasks() <= what) return watchdog_->watch(now, what - watch_tasks(), argument);
    Frame& frame = *reinterpret_cast<Frame*>(static_cast<std::uintptr_t>(argument));
    const PortId port{static_cast<std::uint16_t>(what / 2)};
    if (what % 2 == 0)
      count(frame, port, now);
    else
      take(frame, port, now);
  }
  void count(const Frame& frame, PortId port, Picoseconds now) {
    counters_[port.count()].count_received(frame.pfc, now);
    observers_.notify([&](Observer& o) { o.pfc_received(node_, port, frame.pfc, now); });
  }
  void take(Frame& frame, PortId port, Picoseconds now) {
    bring(port, now);
    if (watchdog_ != nullptr) watchdog_->pfc_obeyed(port, frame.pfc, now);
    frame.release();
    mac[static_cast<int>(port.count())]->pause_changed(now);
  }

  Agenda& agenda_;
  Agenda::ActorId actor_;
  std::vector<PortCounters>& counters_;
  const Observers& observers_;
  const std::string& node_;
  const ClockEdges edges_;
  RtlPorts all_;
  std::vector<std::unique_ptr<ReceiverPort>> ports_;
  PauseWatchIf* watchdog_{nullptr};
};

}  // namespace

std::unique_ptr<PfcReceiverBlock> make_pfc_receiver_rtl(const char* name,
                                                        const RtlBlockContext& context) {
  return std::make_unique<PfcReceiverRtl>(name, context);
}

}  // namespace weir
