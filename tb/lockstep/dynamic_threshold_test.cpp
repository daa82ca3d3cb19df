// SPDX-License-Identifier: Apache-2.0
// rtl: threshold_17 = dynamic_threshold CellW=17
// rtl: threshold_24 = dynamic_threshold CellW=24
#include "weir/core/policies/dynamic_threshold.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "Vthreshold_17.h"
#include "Vthreshold_24.h"
#include "lockstep/lockstep_cycles.hpp"
#include "lockstep/scoreboard.hpp"
#include "weir/core/random.hpp"

namespace weir::test {
namespace {

/// The combinational block and the core's Threshold, with the same inputs.
template <class Model>
class ThresholdLockstep {
 public:
  void check(std::uint32_t pool, std::uint32_t free, Alpha slope, std::uint32_t constant,
             std::uint32_t held) {
    free_ = free, slope_ = slope, constant_ = constant, held_ = held;
    model_.free_i = free;
    model_.slope_n_i = static_cast<std::uint16_t>(slope.numerator);
    model_.slope_m_i = slope.shift;
    model_.constant_i = constant;
    model_.held_i = held;
    model_.eval();
    const Cells limit = Threshold{Cells{pool}, slope, Cells{constant}}.at(Cells{pool - free});
    board_.cycle(++cycles_);
    board_.compare(threshold_, limit.count(), model_.threshold_o);
    board_.compare(below_, held < limit.count(), model_.below_o);
    board_.hit_if(limit == Cells{0}, zero_);
    board_.hit_if(limit == Cells{0xffff'ffffU}, saturated_);
    board_.hit_if(limit.count() == std::uint64_t{held} + 1, w_below_);
    board_.hit_if(limit.count() == held, w_at_);
    board_.hit_if(std::uint64_t{limit.count()} + 1 == held, w_above_);
  }
  [[nodiscard]] std::string complaints() const { return board_.complaints(); }

 private:
  Model model_;
  std::uint32_t free_{0}, constant_{0}, held_{0};
  Alpha slope_;
  std::uint64_t cycles_{0};
  Scoreboard board_{"dynamic_threshold", [this] {
                      std::ostringstream text;
                      text << "free " << free_ << ", alpha " << slope_.numerator << "/2^"
                           << unsigned{slope_.shift} << ", constant " << constant_ << ", held "
                           << held_;
                      return text.str();
                    }};
  Scoreboard::Output threshold_{board_.output("threshold_o")}, below_{board_.output("below_o")};
  Scoreboard::Point zero_{board_.point("T = 0")}, saturated_{board_.point("T = 2^32 - 1")},
      w_below_{board_.point("w = T - 1")}, w_at_{board_.point("w = T")},
      w_above_{board_.point("w = T + 1")};
};

// Held cells on both sides of T, within the width of a count of cells.
template <class Lockstep>
void check_edges(Lockstep& lockstep, unsigned cell_w, std::uint32_t pool, std::uint32_t free,
                 Alpha slope, std::uint32_t constant, RandomStream& random) {
  const std::uint64_t most = (std::uint64_t{1} << cell_w) - 1;
  const std::uint64_t limit =
      Threshold{Cells{pool}, slope, Cells{constant}}.at(Cells{pool - free}).count();
  for (const std::uint64_t held : {limit - 1, limit, limit + 1, random.uniform(most + 1)})
    if (held <= most) lockstep.check(pool, free, slope, constant, static_cast<std::uint32_t>(held));
}

/// The first difference, or the reason why the comparison is worthless; empty: neither.
template <class Model>
std::string complaints(unsigned cell_w) {
  constexpr std::uint32_t b = 1U << 24;
  ThresholdLockstep<Model> lockstep;
  RandomStream random{7, "threshold"};
  try {
    for (int exponent = -8; exponent <= 7; ++exponent)
      for (const std::uint32_t free : {0U, 1U, 2U, 255U, 256U, 1000U, b - 1, b})
        check_edges(lockstep, cell_w, b, free, Alpha::power_of_two(exponent), 0, random);
    const std::uint64_t draws = lockstep_cycles(500'000);
    for (std::uint64_t n = 0; n < draws; ++n) {
      const std::uint32_t pool =
          random.uniform(4) == 0 ? b : static_cast<std::uint32_t>(random.uniform(b + 1));
      const auto free =
          static_cast<std::uint32_t>(random.uniform(std::uint64_t{pool} + 1) >> random.uniform(20));
      const Alpha slope{static_cast<std::uint32_t>(random.uniform(65536)),
                        static_cast<std::uint8_t>(random.uniform(17))};
      const auto constant =
          random.uniform(2) == 0
              ? 0U
              : static_cast<std::uint32_t>(random.uniform(b + 1) >> random.uniform(20));
      check_edges(lockstep, cell_w, pool, free, slope, constant, random);
    }
  } catch (const Difference& difference) {
    return difference.what();
  }
  return lockstep.complaints();
}

TEST(DynamicThreshold, EqualsTheCoreOnBothSidesOfEveryThreshold) {
  EXPECT_EQ(complaints<Vthreshold_17>(17), "");
}
TEST(DynamicThreshold, EqualsTheCoreWithTheWidestCounts) {
  EXPECT_EQ(complaints<Vthreshold_24>(24), "");
}

}  // namespace
}  // namespace weir::test
