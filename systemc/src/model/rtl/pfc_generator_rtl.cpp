// SPDX-License-Identifier: Apache-2.0
// The RTL of one pfc_generator a port in the place of the built-in block.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "rtl_block_makers.hpp"
#include "rtl_port.hpp"
#include "weir/core/errors.hpp"
#include "weir/core/pfc/pfc_frame.hpp"
#include "weir/core/pfc/pfc_generator.hpp"
#include "weir/model/mmu/pfc_generator_unit.hpp"
#include "weir/model/rtl/generator_reference.hpp"

namespace weir {
namespace {

constexpr std::uint8_t all_pgs = 0xff;

std::uint64_t number_of(const PfcGenerator::Address& address) {
  std::uint64_t number = 0;
  for (const std::uint8_t octet : address) number = number << 8 | octet;
  return number;
}

/// pfc_generator of one port.
class GeneratorPort final : public RtlPort {
 public:
  GeneratorPort(const RtlBlockContext& context, std::size_t port)
      : RtlPort{context, port},
        chip_{context.parent.chip},
        expected_{CycleTimeBase{chip_.ports[port].rate, chip_.clock},
                  chip_.clock,
                  chip_.quanta,
                  PfcGenerator::address_of(port),
                  block_axis_width,
                  static_cast<unsigned>(chip_.pfc_latency),
                  true} {
    RtlPin pgs = rtl().input("pg_of_class_i", priorities * 3);
    for (std::size_t n = 0; n < priorities; ++n) pgs.set(3 * n, 3, chip_.pg_of_priority[n]);
    rtl().input("step_i", 32).set(0, 32, CycleTimeBase{chip_.ports[port].rate, chip_.clock}.step());
    rtl().input("source_i", 48).set(0, 48, number_of(PfcGenerator::address_of(port)));
    rtl().input("source_fcs_i", 32).set(0, 32, source_fcs(PfcGenerator::address_of(port)));
    rtl().input("m_axis_pfc_tready_i", 1).set(0, 1, 1);
    set_quanta(chip_.quanta);
    reset();
  }

  /// From this cycle on.
  void set_quanta(Quanta quanta) {
    quanta_.set(0, 16, quanta.count());
    expected_.set_quanta(quanta);
  }
  void set_level(std::size_t pg, bool xoff) {
    const unsigned bit = 1U << pg;
    pgs_ = static_cast<std::uint8_t>(xoff ? pgs_ | bit : pgs_ & ~bit);
    present_levels();
  }
  void set_off(bool off) {
    off_ = off;
    present_levels();
  }
  [[nodiscard]] bool requests() {
    settle();
    return request_.get(0, 1) != 0;
  }
  /// The frame whose first bit leaves at `now`, in this cycle.
  [[nodiscard]] std::optional<PfcFrame> start(Picoseconds now) {
    within_ = now - edge();
    start_.set(0, 1, 1);
    clock();
    if (valid_.get(0, 1) == 0) return std::nullopt;
    const DecodeResult sent = decode(data_.data(), pfc_frame_bytes.count());
    const PfcFrame* const frame = std::get_if<PfcFrame>(&sent);
    return frame == nullptr ? std::nullopt : std::optional{*frame};
  }
  /// When the last frame is to be refreshed, as the core says.
  [[nodiscard]] std::optional<Picoseconds> refresh_at() const {
    return expected_.core().refresh_at();
  }

 private:
  [[nodiscard]] std::uint8_t levels() const noexcept { return off_ ? all_pgs : pgs_; }
  [[nodiscard]] std::uint8_t classes() const noexcept {
    unsigned classes = 0;
    for (std::size_t n = 0; n < priorities; ++n)
      if ((levels() >> chip_.pg_of_priority[n] & 1U) != 0) classes |= 1U << n;
    return static_cast<std::uint8_t>(classes);
  }

  // Something has changed, even where all levels are what they were.
  void present_levels() {
    turned_.set(0, 8, levels() ^ before_);
    changed_.set(0, 1, 1);
  }

  void clock() override {
    settle();
    const bool starts = start_.get(0, 1) != 0;
    expected_.begin(cycle(), classes(), changed_.get(0, 1) != 0);
    same("request_o", expected_.request() ? 1 : 0, request_.get(0, 1));
    same("start_ready_o", expected_.ready(true) ? 1 : 0, ready_.get(0, 1));
    same("start_sends_o", expected_.enable() != 0 ? 1 : 0, sends_.get(0, 1));
    expected_.end(starts, true, within_);
    rise();
    begin_cycle();
    compare_beat();
  }
  void begin_cycle() {
    before_ = levels();
    xoff_before_.set(0, 8, before_);
    turned_.clear();
    changed_.clear();
    start_.clear();
    within_ = Picoseconds{};
    settle();
  }
  void compare_beat() {
    same("m_axis_pfc_tvalid_o", expected_.valid() ? 1 : 0, valid_.get(0, 1));
    if (!expected_.valid()) return;
    for (std::size_t octet = 0; octet < block_axis_width / 8; ++octet)
      if (expected_.beat()[octet] != data_.data()[octet])
        same("m_axis_pfc_tdata_o", expected_.beat()[octet], data_.data()[octet],
             fmt::format(", octet {}", octet).c_str());
    same("m_axis_pfc_tkeep_o", 0xffff'ffffU, keep_.get(0, 32));
    same("m_axis_pfc_tkeep_o", 0xffff'ffffU, keep_.get(32, 32));
    same("m_axis_pfc_tlast_o", 1, last_.get(0, 1));
  }

  const Chip& chip_;
  GeneratorReference expected_;
  RtlPin xoff_before_{rtl().input("xoff_before_i", 8)}, turned_{rtl().input("xoff_turned_i", 8)},
      changed_{rtl().input("changed_i", 1)}, quanta_{rtl().input("quanta_i", 16)},
      start_{rtl().input("start_i", 1)};
  RtlPin request_{rtl().output("request_o", 1)}, ready_{rtl().output("start_ready_o", 1)},
      sends_{rtl().output("start_sends_o", 1)},
      data_{rtl().output("m_axis_pfc_tdata_o", block_axis_width)},
      keep_{rtl().output("m_axis_pfc_tkeep_o", block_axis_width / 8)},
      valid_{rtl().output("m_axis_pfc_tvalid_o", 1)}, last_{rtl().output("m_axis_pfc_tlast_o", 1)};
  std::uint8_t pgs_{0};     // levels of the priority groups
  std::uint8_t before_{0};  // what the RTL saw at the end of the last cycle
  bool off_{false};
  Picoseconds within_;  // this cycle, when the MAC starts
};

/// The generators of a switch. Their requests are looked at when the core's would rise: one that
/// comes at another time is a difference.
class PfcGeneratorRtl final : public PfcGeneratorBlock, public RtlBlockUnit, private Actor {
 public:
  PfcGeneratorRtl(const sc_core::sc_module_name& name, const RtlBlockContext& context)
      : PfcGeneratorBlock{name},
        agenda_{context.parent.model.agenda},
        actor_{agenda_.enroll(*this)},
        observers_{context.parent.model.observers},
        node_{context.parent.name},
        edges_{context.parent.chip.clock},
        latency_{context.parent.chip.pfc_latency},
        quanta_{context.parent.chip.quanta},
        all_{context} {
    require_fits(context);
    for (std::size_t port = 0; port < context.parent.chip.ports.size(); ++port) {
      ports_.push_back({std::make_unique<GeneratorPort>(context, port)});
      all_.add(*ports_.back().rtl);
    }
  }

  void level(PortId port, Priority pg, bool xoff, Picoseconds visible) override {
    const std::uint64_t what = port.count() << 4 | pg.count() << 1 | (xoff ? 1U : 0U);
    agenda_.post(visible, Rank::input, actor_, level_task, what);
    agenda_.post(edges_.later(visible, latency_), Rank::input, actor_, request_task, port.count());
  }
  void port_level(PortId port, bool off, Picoseconds visible) override {
    agenda_.post(visible, Rank::input, actor_, off_task, port.count() << 4 | (off ? 1U : 0U));
    agenda_.post(edges_.later(visible, latency_), Rank::input, actor_, request_task, port.count());
  }
  std::optional<PfcFrame> start_frame(PortId id, Picoseconds now) override {
    Port& port = ports_[id.count()];
    port.requested = false;
    port.rtl->run_to(now);
    const std::optional<PfcFrame> frame = port.rtl->start(now);
    all_.check();
    const std::optional<Picoseconds> due = port.rtl->refresh_at();
    if (due && !port.refresh_armed) {
      port.refresh_armed = true;
      agenda_.post(*due, Rank::input, actor_, refresh_task, id.count());
    }
    return frame;
  }
  void set_quanta(Quanta quanta) override {
    quanta_ = quanta;
    for (Port& port : ports_) {
      port.rtl->run_to(agenda_.now());
      port.rtl->set_quanta(quanta);
    }
    all_.check();
  }
  [[nodiscard]] Quanta quanta() const override { return quanta_; }

  [[nodiscard]] const std::optional<RtlDifference>& difference() const override {
    return all_.difference();
  }
  [[nodiscard]] std::string block() const override { return "pfc_generator"; }
  [[nodiscard]] std::vector<RtlWave*> waves() override { return all_.waves(); }
  [[nodiscard]] std::uint64_t compared() const override { return all_.compared(); }
  void finish(Picoseconds end) override { all_.finish(end); }

 private:
  enum Task : std::uint32_t { level_task, off_task, request_task, refresh_task };
  struct Port {
    std::unique_ptr<GeneratorPort> rtl;
    bool requested{false};
    bool refresh_armed{false};  // one refresh task is on the agenda
  };

  static void require_fits(const RtlBlockContext& context) {
    require_one_frame_a_cycle(context);
    const Chip& chip = context.parent.chip;
    if (chip.admit_latency == 0)
      throw ConfigError(context.parent.name + ": chip.admit", "0 cycles",
                        "must be at least 1 cycle with --block pfc_generator");
    const std::uint32_t built = context.library.parameter("PfcLatency");
    if (built != chip.pfc_latency)
      throw ConfigError(
          context.parent.name + ": chip.pfc", fmt::format("{} cycles", chip.pfc_latency),
          fmt::format("{} was built for {}; make one for this chip with: scripts/rtl/make-backend "
                      "--block pfc_generator --pfc {}",
                      context.library.path(), built, chip.pfc_latency));
  }

  void act(Picoseconds now, std::uint32_t what, std::uint64_t argument) override {
    const bool of_level = what == level_task || what == off_task;
    const std::size_t number = of_level ? argument >> 4 : argument;
    Port& port = ports_[number];
    port.rtl->run_to(now);
    all_.check();
    if (what == level_task)
      set_level(port_id(number), priority_id(argument >> 1 & 7U), (argument & 1U) != 0, now);
    else if (what == off_task)
      port.rtl->set_off((argument & 1U) != 0);
    else if (what == request_task)
      request(port, number, now);
    else
      refresh(port, number, now);
  }
  void set_level(PortId port, Priority pg, bool xoff, Picoseconds now) {
    ports_[port.count()].rtl->set_level(pg.count(), xoff);
    observers_.notify([&](Observer& o) { o.level(node_, port, pg, xoff, now); });
  }
  void request(Port& port, std::size_t number, Picoseconds now) {
    if (port.requested || !port.rtl->requests()) return;
    port.requested = true;
    mac[static_cast<int>(number)]->pfc_requested(now);
  }
  // A frame sent since the task was posted moves the refresh: then the task is posted again.
  void refresh(Port& port, std::size_t number, Picoseconds now) {
    port.refresh_armed = false;
    const std::optional<Picoseconds> due = port.rtl->refresh_at();
    if (due && now < *due) {
      port.refresh_armed = true;
      agenda_.post(*due, Rank::input, actor_, refresh_task, number);
    } else if (due) {
      request(port, number, now);
    }
  }

  Agenda& agenda_;
  Agenda::ActorId actor_;
  const Observers& observers_;
  const std::string& node_;
  const ClockEdges edges_;
  const Cycle latency_;
  Quanta quanta_;
  RtlPorts all_;
  std::vector<Port> ports_;
};

}  // namespace

std::unique_ptr<PfcGeneratorBlock> make_pfc_generator_rtl(const char* name,
                                                          const RtlBlockContext& context) {
  return std::make_unique<PfcGeneratorRtl>(name, context);
}

}  // namespace weir
