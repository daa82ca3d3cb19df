// SPDX-License-Identifier: Apache-2.0
// rtl: pfc_state_1 = pfc_state Ports=1 Lanes=1 CellW=24
// rtl: pfc_state_3 = pfc_state Ports=3 Lanes=4 CellW=10
// rtl: pfc_state_64 = pfc_state Ports=64 Lanes=2 CellW=17
#include "weir/core/pfc/pfc_state.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include "Vpfc_state_1.h"
#include "Vpfc_state_3.h"
#include "Vpfc_state_64.h"
#include "lockstep/bench.hpp"
#include "lockstep/domain_chip.hpp"
#include "lockstep/lockstep_cycles.hpp"
#include "lockstep/pins.hpp"
#include "lockstep/scoreboard.hpp"
#include "weir/core/accounting/admission.hpp"
#include "weir/core/random.hpp"

namespace weir::test {
namespace {

constexpr unsigned limit_w = 25;

/// Inputs of the block for one step.
struct Step {
  bool valid{true}, pressed{false};
  std::size_t pg{0};
  PgSettings settings;
  Placement held;
  Cells threshold;
};

/// pfc_state next to the core: a cycle of releases, then arrivals, at PGs that may be the same.
template <class Model, unsigned ports, unsigned lanes, unsigned cell_w>
class PfcStateLockstep {
 public:
  PfcStateLockstep() { reset(); }

  void reset() {
    bench_.reset();
    core_ = PfcState{pgs};
  }

  /// One cycle of 2 x `lanes` steps.
  void cycle(std::vector<Step> steps) {
    steps_ = std::move(steps);
    board_.cycle(cycles_++);
    for (std::size_t x = 0; x < steps_.size(); ++x) drive(x, steps_[x]);
    bench_.settle();
    compare_levels(before_, bench_->before_o);
    for (std::size_t x = 0; x < steps_.size(); ++x) judge(x, steps_[x]);
    compare_levels(xoff_, bench_->xoff_o);
    bench_.clock();
  }

  /// A release and an arrival at every limit of every rule, from both levels.
  void corners() {
    constexpr std::uint32_t near[]{0, 1, 2, 3, 4, 5};
    for (const XoffTrigger trigger : {XoffTrigger::on_crossing, XoffTrigger::on_headroom})
      for (const XonRule rule : {XonRule::sai, XonRule::paper})
        for (const std::uint32_t shared : near)
          for (const std::uint32_t threshold : near)
            for (const std::uint32_t xon : near)
              for (const std::uint32_t offset : {0U, 1U, 4U})
                for (unsigned bits = 0; bits < 16; ++bits)
                  corner({trigger, rule, shared, threshold, xon, offset}, bits);
  }

  void draw(RandomStream& random) {
    std::vector<Step> steps(2 * lanes);
    const std::size_t common = random.uniform(pgs);
    for (Step& step : steps) {
      step.valid = random.uniform(8) != 0;
      step.pg = random.uniform(2) == 0 ? common : random.uniform(pgs);
      const std::uint32_t scale = 1U << random.uniform(cell_w);
      const auto any = [&] { return Cells{static_cast<std::uint32_t>(random.uniform(scale))}; };
      const auto about = [&](Cells cells) {
        const auto moved = static_cast<std::uint32_t>(cells.count() + random.uniform(5));
        return Cells{moved < 2 ? 0 : std::min<std::uint32_t>(moved - 2, low_bits(cell_w))};
      };
      step.held = {random.uniform(2) == 0 ? Cells{} : any(), any(),
                   random.uniform(3) == 0 ? any() : Cells{}};
      if (random.uniform(4) == 0) step.held = {};
      step.threshold = random.uniform(2) == 0 ? about(step.held.shared) : any();
      step.settings.private_limit =
          random.uniform(2) == 0 ? step.held.private_cells : about(step.held.private_cells);
      step.settings.xon = random.uniform(2) == 0 ? about(step.held.shared) : any();
      step.settings.xon_offset = random.uniform(2) == 0 ? Cells{} : any();
      step.settings.xoff_trigger =
          random.uniform(2) == 0 ? XoffTrigger::on_crossing : XoffTrigger::on_headroom;
      step.settings.xon_rule = random.uniform(2) == 0 ? XonRule::sai : XonRule::paper;
      step.pressed = random.uniform(4) == 0;
    }
    cycle(std::move(steps));
  }

  [[nodiscard]] std::string complaints() const { return board_.complaints(); }

 private:
  static constexpr std::size_t pgs = std::size_t{ports} * priorities;
  struct Corner {
    XoffTrigger trigger;
    XonRule rule;
    std::uint32_t shared, threshold, xon, offset;
  };

  // Bits: private full, in headroom, pressed, the level before.
  void corner(const Corner& at, unsigned bits) {
    Step step;
    step.pg = cycles_ % pgs;
    step.settings.xoff_trigger = at.trigger;
    step.settings.xon_rule = at.rule;
    step.settings.private_limit = Cells{2};
    step.settings.xon = Cells{at.xon};
    step.settings.xon_offset = Cells{at.offset};
    step.held = {Cells{(bits & 1U) != 0 ? 2U : 0U}, Cells{at.shared}, Cells{bits >> 1 & 1U}};
    step.threshold = Cells{at.threshold};
    bring_to(step.pg, (bits & 8U) != 0);
    std::vector<Step> steps(2 * lanes, idle());
    steps[0] = step;
    cycle(steps);
    bring_to(step.pg, (bits & 8U) != 0);
    step.pressed = (bits & 4U) != 0;
    steps[0] = idle();
    steps[lanes] = step;
    cycle(steps);
  }
  static Step idle() {
    Step step;
    step.valid = false;
    return step;
  }
  void bring_to(std::size_t pg, bool xoff) {
    if (core_.xoff(PgIndex{pg}) == xoff) return;
    Step step;
    step.pg = pg;
    step.pressed = xoff;
    step.held.shared = Cells{xoff ? 1U : 0U};
    std::vector<Step> steps(2 * lanes, idle());
    steps[lanes] = step;
    cycle(steps);
  }

  void drive(std::size_t x, const Step& step) {
    constexpr unsigned row_w = bits_for(pgs);
    set_bits(bench_->valid_i, x, 1, step.valid);
    set_bits(bench_->pg_i, x * row_w, row_w, step.pg);
    set_bits(bench_->pressed_i, x, 1, x >= lanes && step.pressed);
    set_bits(bench_->full_i, x, 1, step.held.private_cells == step.settings.private_limit);
    set_bits(bench_->empty_i, x, 1, step.held.total() == Cells{0});
    set_bits(bench_->shared_i, x * cell_w, cell_w, step.held.shared.count());
    set_bits(bench_->in_headroom_i, x, 1, step.held.headroom != Cells{0});
    set_bits(bench_->below_i, x, 1, step.held.shared < step.threshold);
    set_bits(bench_->reached_i, x, 1,
             step.held.shared + step.settings.xon_offset <= step.threshold);
    set_bits(bench_->xon_i, x * limit_w, limit_w, step.settings.xon.count());
    set_bits(bench_->trigger_i, x, 1, step.settings.xoff_trigger == XoffTrigger::on_headroom);
    set_bits(bench_->rule_i, x, 1, step.settings.xon_rule == XonRule::paper);
  }

  void judge(std::size_t x, const Step& step) {
    PfcLevel level;
    const bool arrives = x >= lanes, before = core_.xoff(PgIndex{step.pg});
    if (step.valid && arrives)
      level = core_.after_arrival(PgIndex{step.pg}, step.settings, step.held, step.threshold,
                                  step.pressed);
    else if (step.valid)
      level = core_.after_release(PgIndex{step.pg}, step.settings, step.held, step.threshold);
    board_.compare(level_, level.xoff, bits(bench_->level_o, x, 1), x);
    board_.compare(changed_, level.changed, bits(bench_->changed_o, x, 1), x);
    if (!step.valid) return;
    const bool crosses = PfcState::crossing(step.settings, step.held, step.threshold);
    board_.hit_if(level.changed && level.xoff && step.pressed, by_pressure_);
    board_.hit_if(level.changed && level.xoff && !step.pressed && crosses, by_crossing_);
    board_.hit_if(arrives && before && crosses && !step.pressed && level.xoff, not_resumed_);
    board_.hit_if(level.changed && !level.xoff && step.held.total() == Cells{0}, empties_);
    board_.hit_if(level.changed && !level.xoff && step.held.shared != Cells{0}, resumes_);
    board_.hit_if(arrives && step.pressed && step.held.total() == Cells{0}, empty_refused_);
    for (std::size_t y = 0; y < x; ++y)
      board_.hit_if(steps_[y].valid && steps_[y].pg == step.pg, same_pg_);
  }

  template <class Pins>
  void compare_levels(const Scoreboard::Output& output, const Pins& pins) {
    for (std::size_t pg = 0; pg < pgs; ++pg)
      board_.compare(output, core_.xoff(PgIndex{pg}), bits(pins, pg, 1), pg);
  }

  [[nodiscard]] std::string format_inputs() const {
    std::ostringstream text;
    for (const Step& s : steps_)
      if (s.valid)
        text << "PG " << s.pg << " holds " << s.held.private_cells.count() << " of "
             << s.settings.private_limit.count() << ", " << s.held.shared.count() << ", "
             << s.held.headroom.count() << ", T " << s.threshold.count() << ", pressed "
             << s.pressed << ", xon " << s.settings.xon.count() << ", offset "
             << s.settings.xon_offset.count() << "; ";
    return text.str();
  }

  Bench<Model> bench_;
  PfcState core_{pgs};
  std::vector<Step> steps_;
  std::uint64_t cycles_{0};
  Scoreboard board_{
      "pfc_state " + std::to_string(ports) + " ports, " + std::to_string(lanes) + " lanes",
      [this] { return format_inputs(); }};
  const Scoreboard::Output level_{board_.output("level_o")}, changed_{board_.output("changed_o")},
      xoff_{board_.output("xoff_o")}, before_{board_.output("before_o")};
  const Scoreboard::Point by_pressure_{board_.point("XOFF by headroom or a refusal")},
      by_crossing_{board_.point("XOFF by crossing T")},
      not_resumed_{board_.point("no XON while the XOFF condition holds")},
      empties_{board_.point("XON of an empty PG")}, resumes_{board_.point("XON at a mark")},
      empty_refused_{board_.point("refused at an empty PG")},
      same_pg_{board_.point("two steps of a cycle at one PG")};
};

/// The first difference, or the reason why the comparison is worthless; empty: neither.
template <class Model, unsigned ports, unsigned lanes, unsigned cell_w>
std::string complaints(std::uint64_t cycles) {
  PfcStateLockstep<Model, ports, lanes, cell_w> lockstep;
  RandomStream random{lockstep_first_round() + 1, "pfc_state", ports};
  const std::string difference = difference_in([&] {
    lockstep.corners();
    for (std::uint64_t n = 0; n < lockstep_cycles(cycles); ++n) {
      if (n % 10'000 == 9'999) lockstep.reset();
      lockstep.draw(random);
    }
  });
  return difference.empty() ? lockstep.complaints() : difference;
}

TEST(PfcStateLockstep, OnePortOneLaneAndTheWidestCounts) {
  EXPECT_EQ((complaints<Vpfc_state_1, 1, 1, 24>(300'000)), "");
}
TEST(PfcStateLockstep, ThreePortsFourLanes) {
  EXPECT_EQ((complaints<Vpfc_state_3, 3, 4, 10>(200'000)), "");
}
TEST(PfcStateLockstep, SixtyFourPortsTwoLanes) {
  EXPECT_EQ((complaints<Vpfc_state_64, 64, 2, 17>(20'000)), "");
}

}  // namespace
}  // namespace weir::test
