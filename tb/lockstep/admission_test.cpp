// SPDX-License-Identifier: Apache-2.0
// rtl: admission_1 = admission Copies=1 CellW=17 LenW=8
// rtl: admission_4 = admission Copies=4 CellW=10 LenW=5
// rtl: admission_8 = admission Copies=8 CellW=24 LenW=8
#include "weir/core/accounting/admission.hpp"

#include <gtest/gtest.h>

#include <array>
#include <sstream>

#include "Vadmission_1.h"
#include "Vadmission_4.h"
#include "Vadmission_8.h"
#include "lockstep/lockstep_cycles.hpp"
#include "lockstep/pins.hpp"
#include "lockstep/scoreboard.hpp"
#include "weir/core/random.hpp"

namespace weir::test {
namespace {

/// The combinational block and decide() of the core, with the same inputs.
template <class Model, unsigned copies, unsigned cell_w, unsigned len_w>
class AdmissionLockstep {
 public:
  void draw(RandomStream& random) {
    const auto near = [&](std::uint64_t value, std::uint64_t most) {
      const std::uint64_t moved = value + random.uniform(5);
      return static_cast<std::uint32_t>(moved < 2 ? 0 : std::min(moved - 2, most));
    };
    const std::uint64_t cells = (1ULL << cell_w) - 1,
                        limit = std::min<std::uint64_t>(cells, 1U << 24);
    const std::uint64_t scale = std::uint64_t{1} << random.uniform(cell_w);
    rest_ =
        static_cast<std::uint32_t>(random.uniform(std::min<std::uint64_t>(1U << len_w, scale + 1)));
    below_ = random.uniform(2) != 0;
    free_ = random.uniform(2) == 0 ? near(rest_, limit)
                                   : static_cast<std::uint32_t>(random.uniform(scale));
    headroom_ = static_cast<std::uint32_t>(random.uniform(scale));
    sum_ = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(headroom_ + random.uniform(scale), cells));
    eta_ = random.uniform(4) == 0 ? 0 : near(std::uint64_t{headroom_} + rest_, limit);
    pool_ = near(std::uint64_t{sum_} + rest_, limit);
    // Settings and B - S go up to 2^24 inclusive, which sets their highest bit alone.
    constexpr std::uint32_t most = 1U << 24;
    if (random.uniform(16) == 0) free_ = most;
    if (random.uniform(16) == 0) eta_ = most;
    if (random.uniform(16) == 0) pool_ = most;
    dedicated_ = random.uniform(3) == 0;
    valid_ = random.uniform(8) != 0;
    const auto mask = [&] { return static_cast<std::uint32_t>(random.uniform(1U << copies)); };
    mask_ = mask(), limited_ = random.uniform(2) == 0 ? 0 : mask(), fits_ = mask(),
    q_below_ = mask();
  }

  void check() {
    drive();
    board_.cycle(++cycles_);
    const std::uint32_t accepts = valid_ ? mask_ & (~limited_ | fits_ | q_below_) : 0;
    PgSettings settings;
    settings.shared_pool = Cells{1U << 25};
    settings.headroom_limit = Cells{eta_};
    settings.headroom_pool = Cells{dedicated_ ? 0xffff'ffffU : pool_};
    const Placement held{Cells{}, Cells{below_ ? 0U : 1U}, Cells{headroom_}};
    const PoolUse use{settings.shared_pool - Cells{free_}, Cells{sum_}, Cells{}};
    Decision decision = decide(settings, held, use, Cells{1}, Cells{rest_});
    if (accepts == 0) decision = {Reason::egress_queue, {}};
    if (!valid_) decision = {Reason::admitted, {}};
    const bool admitted = valid_ && decision.reason == Reason::admitted;
    const std::uint32_t to = !admitted ? 0 : decision.placement.headroom == Cells{0} ? 1 : 2;
    board_.compare(reason_, static_cast<std::uint64_t>(decision.reason), model_.reason_o);
    board_.compare(to_, to, model_.to_o);
    board_.compare(admitted_, admitted, model_.admitted_o);
    board_.compare(accepts_, accepts, model_.queue_accepts_o);
    board_.compare(refused_, valid_ ? mask_ & ~accepts : 0, model_.queue_refused_o);
    cover(decision, accepts);
  }
  [[nodiscard]] std::string complaints() const { return board_.complaints(); }

 private:
  void drive() {
    model_.valid_i = valid_;
    assign(model_.rest_i, rest_);
    model_.below_i = below_;
    model_.free_i = free_;
    assign(model_.headroom_i, headroom_);
    assign(model_.headroom_sum_i, sum_);
    model_.headroom_limit_i = eta_;
    model_.headroom_pool_i = pool_;
    model_.dedicated_i = dedicated_;
    assign(model_.queue_mask_i, mask_);
    assign(model_.queue_limited_i, limited_);
    assign(model_.queue_fits_i, fits_);
    assign(model_.queue_below_i, q_below_);
    model_.eval();
  }

  void cover(const Decision& decision, std::uint32_t accepts) {
    if (!valid_) return;
    board_.hit(reasons_[static_cast<std::size_t>(decision.reason)]);
    if (accepts == 0) return;
    board_.hit_if(rest_ == 0, no_rest_);
    board_.hit_if(decision.placement.shared != Cells{0} && free_ >> 24 != 0, free_top_);
    board_.hit_if(decision.placement.headroom != Cells{0} && eta_ >> 24 != 0, eta_top_);
    board_.hit_if(decision.placement.headroom != Cells{0} && !dedicated_ && pool_ >> 24 != 0,
                  pool_top_);
    board_.hit_if(rest_ == free_ && rest_ != 0, fills_);
    board_.hit_if(rest_ == free_ + 1, over_);
    board_.hit_if(decision.placement.headroom != Cells{0} && eta_ == headroom_ + rest_, eta_full_);
    board_.hit_if(decision.reason == Reason::headroom_limit && eta_ + 1 == headroom_ + rest_,
                  eta_over_);
    board_.hit_if(decision.placement.headroom != Cells{0} && !dedicated_ && pool_ == sum_ + rest_,
                  pool_full_);
    board_.hit_if(decision.reason == Reason::headroom_pool && pool_ + 1 == sum_ + rest_,
                  pool_over_);
    if (copies > 1) board_.hit_if(accepts != mask_, masked_);
  }

  [[nodiscard]] std::string format_inputs() const {
    std::ostringstream text;
    text << "rest " << rest_ << ", below T " << below_ << ", free " << free_ << ", headroom "
         << headroom_ << " of " << eta_ << ", pool " << sum_ << " of " << pool_ << ", dedicated "
         << dedicated_ << ", mask " << mask_ << ", limited " << limited_ << ", fits " << fits_
         << ", below T_q " << q_below_;
    return text.str();
  }

  Model model_;
  std::uint32_t rest_{0}, free_{0}, headroom_{0}, sum_{0}, eta_{0}, pool_{0}, mask_{0}, limited_{0},
      fits_{0}, q_below_{0};
  bool below_{false}, dedicated_{false}, valid_{false};
  std::uint64_t cycles_{0};
  Scoreboard board_{"admission", [this] { return format_inputs(); }};
  Scoreboard::Output reason_{board_.output("reason_o")}, to_{board_.output("to_o")},
      admitted_{board_.output("admitted_o")}, accepts_{board_.output("queue_accepts_o")},
      refused_{board_.output("queue_refused_o")};
  std::array<Scoreboard::Point, step_reasons> reasons_{
      board_.point("admitted"),      board_.point("shared_threshold"),
      board_.point("shared_pool"),   board_.point("headroom_limit"),
      board_.point("headroom_pool"), board_.point("egress_queue")};
  Scoreboard::Point no_rest_{board_.point("all cells private")},
      fills_{board_.point("S + rest = B")}, over_{board_.point("S + rest = B + 1")},
      eta_full_{board_.point("headroom + rest = eta")},
      eta_over_{board_.point("headroom + rest = eta + 1")}, free_top_{board_.point("B - S = 2^24")},
      eta_top_{board_.point("eta = 2^24")}, pool_top_{board_.point("H = 2^24")},
      pool_full_{board_.point("Hp + rest = H")}, pool_over_{board_.point("Hp + rest = H + 1")},
      masked_{copies > 1 ? board_.point("masked copy") : 0};
};

/// The first difference, or the reason why the comparison is worthless; empty: neither.
template <class Model, unsigned copies, unsigned cell_w, unsigned len_w>
std::string complaints() {
  AdmissionLockstep<Model, copies, cell_w, len_w> lockstep;
  RandomStream random{11, "admission", copies};
  const std::uint64_t draws = lockstep_cycles(500'000);
  try {
    for (std::uint64_t n = 0; n < draws; ++n) {
      lockstep.draw(random);
      lockstep.check();
    }
  } catch (const Difference& difference) {
    return difference.what();
  }
  return lockstep.complaints();
}

TEST(Admission, EqualsTheCoreWithOneCopy) { EXPECT_EQ((complaints<Vadmission_1, 1, 17, 8>()), ""); }
TEST(Admission, EqualsTheCoreWithFourCopies) {
  EXPECT_EQ((complaints<Vadmission_4, 4, 10, 5>()), "");
}
TEST(Admission, EqualsTheCoreWithEightCopiesAndTheWidestCounts) {
  EXPECT_EQ((complaints<Vadmission_8, 8, 24, 8>()), "");
}

}  // namespace
}  // namespace weir::test
