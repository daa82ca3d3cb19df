// SPDX-License-Identifier: Apache-2.0
// The RTL of pfc_state in the place of the built-in block.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "rtl_block_makers.hpp"
#include "rtl_called.hpp"
#include "weir/core/pfc/pfc_state.hpp"
#include "weir/model/rtl/index_width.hpp"

namespace weir {
namespace {

/// The XOFF levels of a switch, by one instance with one lane. Every step is a cycle of its own
/// clock. It has the comparisons with T as inputs, so that any policy may decide T.
class PfcStateRtl final : public MmuBlock<PfcStateIf>, public CalledRtlUnit {
 public:
  PfcStateRtl(const char* name, const MmuSettings& settings, const RtlBlockLibrary& library)
      : MmuBlock{name},
        CalledRtlUnit{library, this->name(), settings.chip()},
        ports_{built("Ports")},
        cell_width_{built("CellW")},
        core_{std::size_t{ports_} * priorities},
        levels_(ports_) {
    require({{"chip.ports", "ports", "Ports", settings.chip().ports.size()}});
    rtl_.reset();
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

 private:
  static constexpr unsigned release_lane = 0, arrival_lane = 1, lanes = 2;
  static constexpr std::uint32_t max_xon = (1U << limit_width) - 1;  // more than any PG holds

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
    number(xon_, limit_width, std::min(settings.xon.count(), max_xon));
    bit(trigger_, settings.xoff_trigger == XoffTrigger::on_headroom);
    bit(rule_, settings.xon_rule == XonRule::paper);
  }

  /// The cycle of a step that is driven. The outputs are compared with it and, after its edge,
  /// without any: levels stay.
  PfcLevel step(unsigned lane, PgIndex pg, const PfcLevel& expected) {
    rtl_.settle();
    const PfcLevel level{level_.get(lane, 1) != 0, changed_.get(lane, 1) != 0, false};
    rtl_.same(pg, "level_o", std::uint64_t{expected.xoff} << lane, level_.get(0, lanes));
    rtl_.same(pg, "changed_o", std::uint64_t{expected.changed} << lane, changed_.get(0, lanes));
    same_levels("before_o", before_);
    set_level(pg, expected.xoff);
    same_levels("xoff_o", after_);
    rtl_.edge();
    valid_.clear();
    rtl_.settle();
    rtl_.same(pg, "level_o", 0, level_.get(0, lanes));
    rtl_.same(pg, "changed_o", 0, changed_.get(0, lanes));
    same_levels("before_o", before_);
    same_levels("xoff_o", after_);
    return level;
  }
  void set_level(PgIndex pg, bool xoff) {
    std::uint8_t& port = levels_[port_of(pg).count()];
    const unsigned bit = 1U << number_in_port(pg).count();
    port = static_cast<std::uint8_t>(xoff ? port | bit : port & ~bit);
  }
  /// The levels of all PGs: one comparison, unless one differs.
  void same_levels(const char* name, const RtlPin& pin) {
    if (std::equal(levels_.begin(), levels_.end(), pin.data())) return rtl_.count();
    for (PgIndex pg; pg < PgIndex{std::size_t{ports_} * priorities}; ++pg)
      rtl_.same(pg, name, core_.xoff(pg) ? 1 : 0, pin.get(pg.value(), 1));
  }

  [[nodiscard]] unsigned row_width() const { return index_width(std::size_t{ports_} * priorities); }

  const std::uint32_t ports_;
  const unsigned cell_width_;
  CalledRtl rtl_{*this};
  RtlPin valid_{rtl_.input("valid_i", lanes)}, pg_{rtl_.input("pg_i", lanes*row_width())},
      pressed_{rtl_.input("pressed_i", lanes)}, full_{rtl_.input("full_i", lanes)},
      empty_{rtl_.input("empty_i", lanes)}, shared_{rtl_.input("shared_i", lanes*cell_width_)},
      in_headroom_{rtl_.input("in_headroom_i", lanes)}, below_{rtl_.input("below_i", lanes)},
      reached_{rtl_.input("reached_i", lanes)}, xon_{rtl_.input("xon_i", lanes*limit_width)},
      trigger_{rtl_.input("trigger_i", lanes)}, rule_{rtl_.input("rule_i", lanes)};
  RtlPin level_{rtl_.output("level_o", lanes)}, changed_{rtl_.output("changed_o", lanes)},
      after_{rtl_.output("xoff_o", ports_*priorities)},
      before_{rtl_.output("before_o", ports_*priorities)};
  PfcState core_;
  std::vector<std::uint8_t> levels_;  // those of core_, a bit each as on the pins
};

}  // namespace

std::unique_ptr<MmuBlock<PfcStateIf>> make_pfc_state_rtl(const char* name,
                                                         const MmuSettings& settings,
                                                         const RtlBlockLibrary& library) {
  return std::make_unique<PfcStateRtl>(name, settings, library);
}

}  // namespace weir
