// SPDX-License-Identifier: Apache-2.0
// The RTL of pfc_state in the place of the built-in block.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rtl_block_makers.hpp"
#include "weir/core/errors.hpp"
#include "weir/core/pfc/pfc_state.hpp"
#include "weir/model/agenda.hpp"
#include "weir/model/rtl/index_width.hpp"

namespace weir {
namespace {

/// The XOFF levels of a switch, by one instance with one lane. Every step is a cycle of its own
/// clock, since the MMU needs the level of a step before the next step of the same cycle. It has
/// the comparisons with T as inputs, so that any policy may decide T.
class PfcStateRtl final : public MmuBlock<PfcStateIf>, public RtlBlockUnit {
 public:
  PfcStateRtl(const char* name, const MmuSettings& settings, const RtlBlockLibrary& library)
      : MmuBlock{name},
        clock_of_chip_{settings.chip().clock},
        path_{library.path()},
        node_{node_of_block(this->name())},
        ports_{library.parameter("Ports")},
        cell_width_{library.parameter("CellW")},
        rtl_{library, node_, "mmu.pfc_state", [](Picoseconds) {},
             settings.chip().clock.most(Cycle{1})},
        core_{std::size_t{ports_} * priorities},
        levels_(ports_) {
    rtl_.require_no_other_pins();
    require_ports(settings.chip());
    rtl_.reset(clock_, reset_);
  }

  [[nodiscard]] bool xoff(PgIndex pg) const override { return before_.get(pg.value(), 1) != 0; }
  PfcLevel after_arrival(PgIndex pg, const PgSettings& settings, const Placement& held,
                         Cells threshold, bool pressed) override {
    drive(arrival_lane, pg, settings, held, threshold, pressed);
    return step(arrival_lane, pg, core_.after_arrival(pg, settings, held, threshold, pressed));
  }
  PfcLevel after_release(PgIndex pg, const PgSettings& settings, const Placement& held,
                         Cells threshold) override {
    drive(release_lane, pg, settings, held, threshold, false);
    return step(release_lane, pg, core_.after_release(pg, settings, held, threshold));
  }

  [[nodiscard]] const std::optional<RtlDifference>& difference() const override {
    return difference_;
  }
  [[nodiscard]] std::string block() const override { return "pfc_state"; }
  [[nodiscard]] std::vector<RtlWave*> waves() override { return {&rtl_}; }
  [[nodiscard]] std::uint64_t compared() const override { return compared_; }
  void follow(const Agenda& agenda) override { agenda_ = &agenda; }
  void finish(Picoseconds) override {}

 private:
  static constexpr unsigned release_lane = 0, arrival_lane = 1, lanes = 2, xon_bits = 25;
  static constexpr std::uint32_t most_xon = (1U << xon_bits) - 1;  // more than any PG holds

  void require_ports(const Chip& chip) const {
    if (chip.ports.size() <= ports_) return;
    throw ConfigError(
        node_ + ": chip.ports", std::to_string(chip.ports.size()),
        fmt::format("{} was built for {}; make one for this chip with: scripts/rtl/make-backend "
                    "--block pfc_state --ports {}",
                    path_, ports_, chip.ports.size()));
  }

  /// The PG as it is after the step. The inputs of the other lane do not matter.
  void drive(unsigned lane, PgIndex pg, const PgSettings& settings, const Placement& held,
             Cells threshold, bool pressed) {
    const auto bit = [lane](RtlPin& pin, bool value) { pin.set(lane, 1, value ? 1 : 0); };
    const auto number = [lane](RtlPin& pin, unsigned width, std::uint64_t value) {
      pin.set(std::size_t{lane} * width, width, value);
    };
    const std::uint64_t shared = held.shared.count();
    bit(valid_, true);
    number(pg_, row_width(), pg.value());
    bit(pressed_, pressed);
    bit(full_, held.private_cells == settings.private_limit);
    bit(empty_, held.total() == Cells{0});
    number(shared_, cell_width_, shared);
    bit(in_headroom_, held.headroom != Cells{0});
    bit(below_, shared < threshold.count());
    bit(reached_, shared + settings.xon_offset.count() <= threshold.count());
    number(xon_, xon_bits, std::min(settings.xon.count(), most_xon));
    bit(trigger_, settings.xoff_trigger == XoffTrigger::on_headroom);
    bit(rule_, settings.xon_rule == XonRule::paper);
  }

  /// The cycle of a step that is driven. The outputs are compared with it and, after its edge,
  /// without any: levels stay.
  PfcLevel step(unsigned lane, PgIndex pg, const PfcLevel& expected) {
    const Picoseconds begin = later_than_shown();
    show(begin);
    const PfcLevel level{level_.get(lane, 1) != 0, changed_.get(lane, 1) != 0, false};
    same(pg, "level_o", std::uint64_t{expected.xoff} << lane, level_.get(0, lanes));
    same(pg, "changed_o", std::uint64_t{expected.changed} << lane, changed_.get(0, lanes));
    same_levels("before_o", before_);
    set_level(pg, expected.xoff);
    same_levels("xoff_o", after_);
    rtl_.rise(clock_, begin, begin + Picoseconds{1});
    valid_.clear();
    show(begin + Picoseconds{2});
    same(pg, "level_o", 0, level_.get(0, lanes));
    same(pg, "changed_o", 0, changed_.get(0, lanes));
    same_levels("before_o", before_);
    same_levels("xoff_o", after_);
    return level;
  }
  void set_level(PgIndex pg, bool xoff) {
    std::uint8_t& port = levels_[port_of(pg).count()];
    const unsigned bit = 1U << number_in_port(pg).count();
    port = static_cast<std::uint8_t>(xoff ? port | bit : port & ~bit);
  }

  // The steps of a cycle follow each other by picoseconds.
  [[nodiscard]] Picoseconds later_than_shown() const {
    return std::max(now(), shown_ + Picoseconds{1});
  }
  void show(Picoseconds time) {
    rtl_.settle();
    rtl_.show(time);
    shown_ = time;
  }

  void same(PgIndex pg, const char* pin, std::uint64_t expected, std::uint64_t actual) {
    ++compared_;
    if (expected == actual) return;
    const LockstepDifference difference{
        fmt::format("port {}, PG {}", port_of(pg).count(), number_in_port(pg).count()), pin,
        std::to_string(expected), std::to_string(actual)};
    const Cycle cycle = ClockEdges{clock_of_chip_}.cycle_at_or_before(now());
    difference_.emplace(difference_of(path_, node_, cycle.count(), difference, now()));
    throw *difference_;
  }
  /// The levels of all PGs: one comparison, unless one differs.
  void same_levels(const char* name, const RtlPin& pin) {
    ++compared_;
    if (std::equal(levels_.begin(), levels_.end(), pin.data())) return;
    for (PgIndex pg; pg < PgIndex{std::size_t{ports_} * priorities}; ++pg)
      same(pg, name, core_.xoff(pg) ? 1 : 0, pin.get(pg.value(), 1));
  }

  [[nodiscard]] Picoseconds now() const { return agenda_->now(); }
  [[nodiscard]] unsigned row_width() const { return index_width(std::size_t{ports_} * priorities); }

  const ClockPeriod clock_of_chip_;
  const std::string path_, node_;
  const std::uint32_t ports_;
  const unsigned cell_width_;
  RtlBlock rtl_;
  RtlPin clock_{rtl_.input("clk_i", 1)}, reset_{rtl_.input("rst_ni", 1)};
  RtlPin valid_{rtl_.input("valid_i", lanes)}, pg_{rtl_.input("pg_i", lanes*row_width())},
      pressed_{rtl_.input("pressed_i", lanes)}, full_{rtl_.input("full_i", lanes)},
      empty_{rtl_.input("empty_i", lanes)}, shared_{rtl_.input("shared_i", lanes*cell_width_)},
      in_headroom_{rtl_.input("in_headroom_i", lanes)}, below_{rtl_.input("below_i", lanes)},
      reached_{rtl_.input("reached_i", lanes)}, xon_{rtl_.input("xon_i", lanes*xon_bits)},
      trigger_{rtl_.input("trigger_i", lanes)}, rule_{rtl_.input("rule_i", lanes)};
  RtlPin level_{rtl_.output("level_o", lanes)}, changed_{rtl_.output("changed_o", lanes)},
      after_{rtl_.output("xoff_o", ports_*priorities)},
      before_{rtl_.output("before_o", ports_*priorities)};
  PfcState core_;
  std::vector<std::uint8_t> levels_;  // those of core_, a bit each as on the pins
  const Agenda* agenda_{nullptr};
  Picoseconds shown_;
  std::uint64_t compared_{0};
  std::optional<RtlDifference> difference_;
};

}  // namespace

std::unique_ptr<MmuBlock<PfcStateIf>> make_pfc_state_rtl(const char* name,
                                                         const MmuSettings& settings,
                                                         const RtlBlockLibrary& library) {
  return std::make_unique<PfcStateRtl>(name, settings, library);
}

}  // namespace weir
